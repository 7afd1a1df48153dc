package e2e

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/waft-ota/waft/internal/lab/site"
)

// panel is a panel of a dashboard with the queries to Prometheus that it makes in an hour.
type panel struct {
	name    string
	queries []string
}

// inDashboard replaces the variables of a dashboard as Grafana does. A rate over an hour sees everything that happened in the test.
var inDashboard = strings.NewReplacer("$__rate_interval", "1h", "$job", "waft-api|waft-worker")

// panelsOverPrometheus returns the panels of all dashboards whose queries Prometheus evaluates.
func panelsOverPrometheus(t *testing.T) (panels []panel) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "deploy", "grafana", "waft-*.json"))
	require.NoError(t, err)
	require.Len(t, files, 4)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var dashboard struct {
			Title  string
			Panels []struct {
				Title   string
				Targets []struct{ Expr string }
			}
		}
		require.NoError(t, json.Unmarshal(text, &dashboard))
		for _, p := range dashboard.Panels {
			one := panel{name: dashboard.Title + ": " + p.Title}
			for _, target := range p.Targets {
				query := inDashboard.Replace(target.Expr)
				require.NotContains(t, query, "$", one.name)
				one.queries = append(one.queries, query)
			}
			require.NotEmpty(t, one.queries, one.name)
			panels = append(panels, one)
		}
	}
	return panels
}

// afterFailures are the panels of failures that the test does not cause, with their metrics. Their queries are evaluated, but have no data.
var afterFailures = map[string]string{"Waft: rollouts and Temporal: Activities that fail": "temporal_activity_execution_failed_total"}

// ownName matches names of metrics of Waft and of Temporal's SDK. notMetrics are other names of this form in documents: a cookie, a
// breadcrumb and a table.
var (
	ownName    = regexp.MustCompile(`\b(?:waft|temporal)_[a-z][a-z_]*[a-z]\b`)
	notMetrics = []string{"waft_session", "waft_dropped", "waft_schema_versions"}
)

// namedMetrics returns the metrics that rules, dashboards and documents name, by the file that names them.
func namedMetrics(t *testing.T) map[string][]string {
	t.Helper()
	named := map[string][]string{}
	files, err := site.Pages("..")
	require.NoError(t, err)
	for _, pattern := range []string{"deploy/prometheus/*.yml", "deploy/grafana/*.json", "CONTRIBUTING.md"} {
		found, err := fs.Glob(os.DirFS(".."), pattern)
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		files = append(files, found...)
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join("..", file))
		require.NoError(t, err)
		for _, name := range ownName.FindAllString(string(text), -1) {
			if !slices.Contains(notMetrics, name) {
				named[name] = append(named[name], file)
			}
		}
	}
	require.Greater(t, len(named), 40)
	return named
}

// Prometheus reads an API process and a worker, on which a release rolls out to devices that report, and a webhook gets the events. Then
// every panel of the dashboards has data, and every metric that rules, dashboards and documents name exists. Prometheus evaluates each
// alert, and the alert about workflow tasks fires because of a workflow that the worker cannot execute.
func TestDashboardsAndAlertsOnARealPrometheus(t *testing.T) {
	t.Parallel()
	env := hooked(t)
	env["WAFT_TRUSTED_PROXIES"], env["WAFT_RATE_PER_ADDRESS"], env["WAFT_RATE_PER_DEVICE"] = "127.0.0.1", "0", "0"
	migrate(t, env)
	api, worker := waftd(t, "api", env), waftd(t, "worker", env)
	watch := startPrometheus(t, map[string]string{"api:8082": adminOf(t, api.url()), "worker:8082": adminOf(t, worker.url())})
	// A rate needs a value from before the first event.
	eventually(t, func() bool { return len(watch.values(`waft_snapshot_age_seconds and on () waft_outbox_messages`)) == 1 })

	p := installation{url: api.url(), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	p.known()
	r := newReceiver(t, nil)
	p.hook(r, "*")
	release, id := p.forAll(20)
	p.visit(release, atHome(invented(20)), always("app_launch"))
	require.Equal(t, "completed", p.awaitRollout(id, isNotRunning)["status"])
	p.eventually(func() bool { return len(r.got("rollout.completed")) == 1 })

	temporal, err := client.Dial(client.Options{HostPort: env["TEMPORAL_ADDRESS"], Namespace: env["TEMPORAL_NAMESPACE"]})
	require.NoError(t, err)
	defer temporal.Close()
	// A rollout whose workflow somebody ended gets neither the command nor what its devices report. Both requests to Temporal fail.
	release, id = p.forAll(1000)
	e := p.awaitRollout(id, hasHappened("started"))
	require.NoError(t, temporal.TerminateWorkflow(t.Context(), e["workflowId"].(string), "", "by hand"))
	require.Equal(t, http.StatusConflict, p.steer(id, "pause", object{"reason": "too late"}).status)
	p.visit(release, atHome(invented(5)), always("app_launch"))

	require.Equal(t, "inactive", watch.states()["WaftWorkflowTasksFail"])
	foreign, err := temporal.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{TaskQueue: env["WAFT_TASK_QUEUE"]}, "OfAnotherProgram")
	require.NoError(t, err)
	defer func() {
		require.NoError(t, temporal.TerminateWorkflow(t.Context(), foreign.GetID(), foreign.GetRunID(), "the test ends"))
	}()

	var empty []string
	eventually(t, func() bool {
		empty = nil
		for _, panel := range panelsOverPrometheus(t) {
			for _, query := range panel.queries {
				if len(watch.values(query)) == 0 && afterFailures[panel.name] == "" {
					empty = append(empty, fmt.Sprintf("%s: %s", panel.name, query))
				}
			}
		}
		return len(empty) == 0
	}, "panels without data: %v", &empty)
	eventually(t, func() bool { return watch.states()["WaftWorkflowTasksFail"] == "firing" })
	exist := slices.AppendSeq(watch.metrics(), maps.Values(afterFailures))
	for name, files := range namedMetrics(t) {
		require.Contains(t, exist, name, "%s", files)
	}
}
