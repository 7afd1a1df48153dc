// Package helmtests renders Waft's Helm chart with Helm's own library, and checks the objects with Kubernetes' own types and rules.
package helmtests

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/loader"
	"helm.sh/helm/v4/pkg/engine"
	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "write testdata/rendered")

// sets are the sets of values in testdata/values.
var sets = []string{"small", "production", "everything"}

const chart = "../waft"

// valuesOf returns the values of a set.
func valuesOf(t *testing.T, set string) map[string]any {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata/values", set+".yaml"))
	require.NoError(t, err)
	var values map[string]any
	require.NoError(t, yaml.Unmarshal(content, &values))
	return values
}

// render returns the output of each template, by its file's name, for the first installation of a release waft in the namespace waft.
func render(t *testing.T, values map[string]any) (map[string]string, error) {
	t.Helper()
	loaded, err := loader.Load(chart)
	require.NoError(t, err)
	release := common.ReleaseOptions{Name: "waft", Namespace: "waft", Revision: 1, IsInstall: true}
	all, err := util.ToRenderValues(loaded, values, release, nil)
	if err != nil {
		return nil, err
	}
	outputs, err := engine.Render(loaded, all)
	files := map[string]string{}
	for name, output := range outputs {
		files[filepath.Base(name)] = output
	}
	return files, err
}

// manifestsOf returns the manifests of a set, ordered by the name of their template, without empty ones and without the notes.
func manifestsOf(t *testing.T, set string) string {
	t.Helper()
	files, err := render(t, valuesOf(t, set))
	require.NoError(t, err)
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := strings.Trim(files[name], "\n")
		if name == "NOTES.txt" || strings.TrimSpace(text) == "" {
			continue
		}
		all.WriteString("---\n# " + name + "\n" + strings.TrimPrefix(text, "---\n") + "\n")
	}
	return all.String()
}

func TestManifestsAreAsReviewed(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		file := filepath.Join("testdata/rendered", set+".yaml")
		got := manifestsOf(t, set)
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(got), 0o600))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), got, "%s; run the tests with -update, and read what has changed", file)
	}
}

func TestNotesSayTheNextCommand(t *testing.T) {
	t.Parallel()
	for set, also := range map[string]string{
		"small": "port-forward service/waft 8080:80", "production": "waft doctor --url https://ota.example.com --admin-url http://127.0.0.1:8082",
	} {
		files, err := render(t, valuesOf(t, set))
		require.NoError(t, err)
		require.Contains(t, files["NOTES.txt"], also, set)
		isRestored := set == "small" // its accounts exist already
		require.Equal(t, !isRestored, strings.Contains(files["NOTES.txt"], "kubectl --namespace waft exec waft-api-0 -- waftd setup-link\n"), set)
		require.Equal(t, isRestored, strings.Contains(files["NOTES.txt"], "kubectl --namespace waft logs job/waft-restore\n"), set)
	}
	files, err := render(t, changed(t, "{ingress: {enabled: false}, service: {type: LoadBalancer}}"))
	require.NoError(t, err)
	require.NotContains(t, files["NOTES.txt"], "Nothing outside of the cluster reaches Waft", "a balancer does")
}
