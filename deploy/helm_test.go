package deploy

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/waft-ota/waft/internal/base/version"
	"github.com/waft-ota/waft/internal/config"
)

// The tests of this file work without Helm. The tests in deploy/helm/tests render the chart.

var update = flag.Bool("update", false,
	"write the settings into the schema of the Helm chart, and its values into docs/operations/helm-values.md")

const (
	chartSchema = "deploy/helm/waft/values.schema.json"
	chartValues = "deploy/helm/waft/values.yaml"
	chartPage   = "docs/operations/helm-values.md"
)

// ofPods are the settings that the chart decides itself, because they belong to its pods.
var ofPods = []string{"WAFT_LISTEN_ADDR", "WAFT_ADMIN_ADDR", "WAFT_DASHBOARD_ADDR", "WAFT_DATA_DIR"}

// bucketURL may be a setting or a secret, because it rarely has a password.
const bucketURL = "WAFT_ASSET_BUCKET_URL"

func TestChartHasTheVersionOfWaft(t *testing.T) {
	t.Parallel()
	chart := readYAML[struct {
		Version    string
		AppVersion string `yaml:"appVersion"`
	}](t, "deploy/helm/waft/Chart.yaml")
	require.Equal(t, version.Number, chart.Version)
	require.Equal(t, version.Number, chart.AppVersion)
}

// schema is a part of values.schema.json.
type schema map[string]any

func (s schema) at(names ...string) schema {
	for _, name := range names {
		inner, _ := s[name].(map[string]any)
		s = inner
	}
	return s
}

func readSchema(t *testing.T) (whole schema) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(readFile(t, chartSchema)), &whole))
	return whole
}

// TestChartDescribesEverySetting compares the schema of the chart's values with the settings of the server. -update writes them.
func TestChartDescribesEverySetting(t *testing.T) {
	t.Parallel()
	whole := readSchema(t)
	settings, secrets := whole.at("properties", "settings", "properties"), whole.at("properties", "secretSettings", "properties")
	known := map[string]config.Variable{}
	for _, variable := range config.Variables() {
		known[variable.Name] = variable
	}
	want := func(in schema, kind string, belongs func(config.Variable) bool) schema {
		all := schema{}
		for name, description := range in {
			if _, ofWaft := known[name]; !ofWaft {
				require.False(t, strings.HasPrefix(name, "WAFT_"), "%s is not a setting", name)
				all[name] = description // read by libraries
			}
		}
		for _, variable := range known {
			if belongs(variable) && !slices.Contains(ofPods, variable.Name) {
				all[variable.Name] = map[string]any{"$ref": "#/$defs/" + kind, "description": variable.Doc}
			}
		}
		return all
	}
	wantSettings := want(settings, "setting", func(v config.Variable) bool { return !v.Secret || v.Name == bucketURL })
	wantSecrets := want(secrets, "fromSecret", func(v config.Variable) bool { return v.Secret })
	if *update {
		whole.at("properties", "settings")["properties"] = wantSettings
		whole.at("properties", "secretSettings")["properties"] = wantSecrets
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		require.NoError(t, encoder.Encode(whole))
		require.NoError(t, os.WriteFile(filepath.Join(root, chartSchema), text.Bytes(), 0o600))
		return
	}
	require.Equal(t, wantSettings, settings, "run the test with -update")
	require.Equal(t, wantSecrets, secrets, "run the test with -update")
}

// TestChartRefusesUnknownValues walks through the schema: every value has a description, and every object refuses what it does not know.
func TestChartRefusesUnknownValues(t *testing.T) {
	t.Parallel()
	whole, checked := readSchema(t), 0
	var walk func(path string, at schema)
	walk = func(path string, at schema) {
		if at["type"] == "object" && path != "/properties/global" {
			others, isSchema := at["additionalProperties"].(map[string]any)
			require.True(t, at["additionalProperties"] == false || isSchema && others["type"] == "string", "%s admits unknown values", path)
		}
		for _, name := range slices.Sorted(maps.Keys(at.at("properties"))) {
			property := at.at("properties", name)
			require.NotEmpty(t, property["description"], "%s/%s", path, name)
			require.NotContains(t, property["description"], "\n")
			checked++
			walk(path+"/properties/"+name, property)
		}
		if items := at.at("items"); items != nil {
			walk(path+"/items", items)
		}
	}
	walk("", whole)
	for name := range whole.at("$defs") {
		walk("/$defs/"+name, whole.at("$defs", name))
	}
	require.Greater(t, checked, 100)
}

// valueRows returns a row of a table for each value: its path, its default and its description.
func valueRows(t *testing.T) (rows []string) {
	t.Helper()
	var walk func(path string, at schema, value *yaml.Node)
	walk = func(path string, at schema, value *yaml.Node) {
		for i := 0; i+1 < len(value.Content); i += 2 {
			name, value := value.Content[i].Value, value.Content[i+1]
			property := at.at("properties", name)
			require.NotNil(t, property, "%s has no description", path+name)
			if property.at("properties") != nil && name != "settings" && name != "secretSettings" {
				walk(path+name+".", property, value)
				continue
			}
			text, _ := property["description"].(string)
			rows = append(rows, fmt.Sprintf("| `%s%s` | %s | %s |", path, name, shownDefault(t, value), text))
		}
	}
	walk("", readSchema(t), readYAML[yaml.Node](t, chartValues).Content[0])
	require.Greater(t, len(rows), 40)
	return rows
}

// shownDefault returns a default as a document shows it: nothing for an empty value, and only that there is one for a large value.
func shownDefault(t *testing.T, value *yaml.Node) string {
	t.Helper()
	switch {
	case value.Kind == yaml.ScalarNode && value.Value != "":
		return "`" + value.Value + "`"
	case len(value.Content) == 0:
		return ""
	}
	var decoded any
	require.NoError(t, value.Decode(&decoded))
	text, err := json.Marshal(decoded)
	require.NoError(t, err)
	return "`" + strings.ReplaceAll(string(text), `"`, "") + "`"
}

// valueTable matches the table of values in docs/operations/helm-values.md.
var valueTable = regexp.MustCompile(`(?ms)^\| Value \| Default \| Meaning \|\n\|---\|---\|---\|\n((?:\|[^\n]*\n)+)`)

// TestKubernetesPageListsEveryValue compares the table of the page with the chart. -update writes it.
func TestKubernetesPageListsEveryValue(t *testing.T) {
	t.Parallel()
	page, want := readFile(t, chartPage), strings.Join(valueRows(t), "\n")+"\n"
	at := valueTable.FindStringSubmatchIndex(page)
	require.NotNil(t, at, "the page has no table of values")
	if *update {
		require.NoError(t, os.WriteFile(filepath.Join(root, chartPage), []byte(page[:at[2]]+want+page[at[3]:]), 0o600))
		return
	}
	require.Equal(t, want, page[at[2]:at[3]], "run the test with -update")
}
