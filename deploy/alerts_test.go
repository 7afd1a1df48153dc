package deploy

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/waft-ota/waft/internal/lab/prometheustest"
)

const (
	rulesFile     = "deploy/prometheus/waft.rules.yml"
	ruleTestsFile = "deploy/prometheus/waft.rules.test.yml"
	playbooksFile = "docs/operations/alerts.md"
	playbooksURL  = "https://github.com/waft-ota/waft/blob/main/docs/operations/alerts.md#"
)

// alert is a rule of the rules file.
type alert struct {
	Alert       string
	Expr        string
	For         string
	Labels      map[string]string
	Annotations map[string]string
}

// decode reads a YAML file of the repository into a value that has every field of the file.
func decode(t *testing.T, name string, into any) {
	t.Helper()
	decoder := yaml.NewDecoder(strings.NewReader(readFile(t, name)))
	decoder.KnownFields(true)
	require.NoError(t, decoder.Decode(into), name)
}

func alerts(t *testing.T) (all []alert) {
	t.Helper()
	var file struct {
		Groups []struct {
			Name  string
			Rules []alert
		}
	}
	decode(t, rulesFile, &file)
	for _, g := range file.Groups {
		all = append(all, g.Rules...)
	}
	require.NotEmpty(t, all)
	return all
}

func names(all []alert) (found []string) {
	for _, a := range all {
		found = append(found, a.Alert)
	}
	return found
}

// playbook matches the heading of a playbook, and playbookRow a row of the table of all alerts.
var (
	playbook    = regexp.MustCompile(`(?m)^## (Waft\w+)$`)
	playbookRow = regexp.MustCompile(`(?m)^\| \[(Waft\w+)\]\(#(\w+)\) \| (\w+) \| \S.* \|$`)
)

// TestEveryAlertHasAPlaybook compares the rules with docs/operations/alerts.md, in both directions.
func TestEveryAlertHasAPlaybook(t *testing.T) {
	t.Parallel()
	text := readFile(t, playbooksFile)
	all := alerts(t)
	listed := playbookRow.FindAllStringSubmatch(text, -1)
	require.Len(t, listed, len(all))
	for i, a := range all {
		anchor := strings.ToLower(a.Alert)
		require.Equal(t, []string{a.Alert, anchor, a.Labels["severity"]}, listed[i][1:], "the table has another row than the rules")
		require.Equal(t, playbooksURL+anchor, a.Annotations["runbook_url"])
		require.Contains(t, []string{"critical", "warning"}, a.Labels["severity"], a.Alert)
		require.Regexp(t, `\bWaft\b.*\.$`, a.Annotations["summary"], "%s: the summary is read without the rule", a.Alert)
		require.Len(t, a.Annotations, 2, a.Alert)
	}
	index := readFile(t, "docs/operations/playbooks/index.md")
	for _, a := range all {
		require.Len(t, regexp.MustCompile(`\b`+a.Alert+`\b`).FindAllString(index, -1), 1, "%s in the index of playbooks", a.Alert)
	}
	parts := playbook.FindAllStringSubmatchIndex(text, -1)
	var explained []string
	for _, at := range parts {
		explained = append(explained, text[at[2]:at[3]])
		section, _, _ := strings.Cut(text[at[1]:], "\n## ")
		for _, part := range []string{"**Meaning:**", "**Users notice:**", "**Look at:**", "**Do:**", "**Playbook:**"} {
			require.Equal(t, 1, strings.Count(section, "\n"+part+" "), "%s: %s", explained[len(explained)-1], part)
		}
	}
	require.Equal(t, names(all), explained)
}

// TestEveryAlertFires runs the tests of the rules, and checks that they contain one for each alert.
func TestEveryAlertFires(t *testing.T) {
	t.Parallel()
	var file struct {
		RuleFiles          []string `yaml:"rule_files"`
		EvaluationInterval string   `yaml:"evaluation_interval"`
		Tests              []struct {
			Name        string
			Interval    string
			InputSeries []struct{ Series, Values string } `yaml:"input_series"`
			Checks      []struct {
				Alertname string
				At        string `yaml:"eval_time"`
				Expected  []struct {
					Labels      map[string]string `yaml:"exp_labels"`
					Annotations map[string]string `yaml:"exp_annotations"`
				} `yaml:"exp_alerts"`
			} `yaml:"alert_rule_test"`
		}
	}
	decode(t, ruleTestsFile, &file)
	var silent, fires, quiet []string // in the healthy installation; in a test of its own; in the same test, before its time
	for _, test := range file.Tests {
		for _, check := range test.Checks {
			switch {
			case test.Name == "healthy":
				require.Empty(t, check.Expected)
				silent = append(silent, check.Alertname)
			case len(check.Expected) > 0:
				require.Equal(t, test.Name, check.Alertname)
				fires = append(fires, check.Alertname)
			default:
				quiet = append(quiet, check.Alertname)
			}
		}
	}
	all := names(alerts(t))
	require.Equal(t, all, silent)
	require.Equal(t, all, fires)
	require.Equal(t, all, quiet)

	promtool := prometheustest.Program(t, "promtool")
	for _, args := range [][]string{
		{"check", "rules", rulesFile},
		{"check", "config", "deploy/prometheus/prometheus.yml"},
		{"test", "rules", ruleTestsFile},
	} {
		args[2] = filepath.Join(root, args[2])
		out, err := exec.CommandContext(t.Context(), promtool, args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}

// A rule with a wrong threshold must fail its test.
func TestPromtoolFindsAnAlertThatDoesNotFire(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	broken := strings.Replace(readFile(t, rulesFile), "waft_snapshot_age_seconds > 60", "waft_snapshot_age_seconds > 6000", 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.Base(rulesFile)), []byte(broken), 0o600))
	tests := filepath.Join(dir, filepath.Base(ruleTestsFile))
	require.NoError(t, os.WriteFile(tests, []byte(readFile(t, ruleTestsFile)), 0o600))
	out, err := exec.CommandContext(t.Context(), prometheustest.Program(t, "promtool"), "test", "rules", tests).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "WaftSnapshotsOld")
	require.Equal(t, 1, strings.Count(string(out), "exp:["), "%s", out)
}

// TestScrapesOfComposeNameItsServices compares the targets of the example with docker-compose.yml.
func TestScrapesOfComposeNameItsServices(t *testing.T) {
	t.Parallel()
	var file struct {
		RuleFiles []string `yaml:"rule_files"`
		Scrapes   []struct {
			Job    string `yaml:"job_name"`
			Static []struct {
				Targets []string
			} `yaml:"static_configs"`
		} `yaml:"scrape_configs"`
	}
	decode(t, "deploy/prometheus/prometheus.yml", &file)
	require.Equal(t, []string{filepath.Base(rulesFile)}, file.RuleFiles)
	var targets []string
	for _, scrape := range file.Scrapes {
		require.Contains(t, scrape.Job, "waft", "the alerts select jobs by their names")
		for _, static := range scrape.Static {
			targets = append(targets, static.Targets...)
		}
	}
	var want []string
	for name, service := range waftd(t, mustLoad(t)) {
		if admin := service.Environment["WAFT_ADMIN_ADDR"]; admin != nil {
			want = append(want, strings.Replace(*admin, "0.0.0.0", name, 1))
		}
	}
	slices.Sort(want)
	require.Equal(t, want, targets)
}
