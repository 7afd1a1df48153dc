// Package dashboards checks the dashboards in deploy/grafana with Grafana's own schema. It is a module of its own, because the schema has
// a package for each kind of panel and data source.
package dashboards

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	plugins.RegisterDefaultPlugins() // the schemas of panels and of queries to Prometheus
	os.Exit(m.Run())
}

// check returns an error if a dashboard lacks a field that Grafana requires, or has a field or a type that Grafana does not know.
func check(text []byte) (uid string, panels []dashboard.PanelOrRowPanel, err error) {
	strict, d := dashboard.NewDashboard(), dashboard.NewDashboard()
	var unknown cog.BuildErrors
	// The list of errors is empty, and not nil, for a dashboard without errors. Queries are then checked, but not stored.
	if err := strict.UnmarshalJSONStrict(text); !errors.As(err, &unknown) || len(unknown) > 0 {
		return "", nil, err
	}
	if err := json.Unmarshal(text, d); err != nil {
		return "", nil, err
	}
	if d.Uid == nil {
		return "", nil, errors.New("the dashboard has no uid")
	}
	return *d.Uid, d.Panels, d.Validate()
}

func TestDashboardsFollowGrafanasSchema(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", "deploy", "grafana", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	uids := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		uid, panels, err := check(text)
		require.NoError(t, err, file)
		require.Empty(t, uids[uid], "%s has the uid of another dashboard, which it would replace", file)
		uids[uid] = file
		require.Empty(t, problemsOf(panels), file)
	}
}

// problemsOf returns what the schema permits and a person would see as a fault: panels with the same ID, panels that cover each other, and
// panels without a title, a description or a query.
func problemsOf(panels []dashboard.PanelOrRowPanel) (problems []string) {
	var before []*dashboard.Panel
	for _, row := range panels {
		p := row.Panel
		if p == nil || p.Title == nil || p.Id == nil || p.GridPos == nil {
			problems = append(problems, "a panel lacks its title, ID or place")
			continue
		}
		if p.Description == nil || len(p.Targets) == 0 {
			problems = append(problems, *p.Title+" lacks a description or a query")
		}
		for _, other := range before {
			if *p.Id == *other.Id {
				problems = append(problems, fmt.Sprintf("%s has the ID %d of %s", *p.Title, *p.Id, *other.Title))
			}
			if overlap(*p.GridPos, *other.GridPos) {
				problems = append(problems, *p.Title+" covers "+*other.Title)
			}
		}
		before = append(before, p)
	}
	return problems
}

func overlap(a, b dashboard.GridPos) bool {
	return a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H
}

func TestFaultyDashboardsAreFound(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile(filepath.Join("..", "..", "deploy", "grafana", "waft-webhooks.json"))
	require.NoError(t, err)
	for broken, from := range map[string]string{
		`"legendFromat"`:    `"legendFormat"`,
		`"showLegend": "x"`: `"showLegend": true`,
		`"gridPoss"`:        `"gridPos"`,
		`"w": "wide"`:       `"w": 12`,
	} {
		_, _, err := check([]byte(strings.Replace(string(whole), from, broken, 1)))
		require.Error(t, err, broken)
	}
	for _, test := range []struct{ from, broken, problem string }{
		{`"id": 1,`, `"id": 2,`, "Time of attempts has the ID 2 of Attempts"},
		{`"x": 12,`, `"x": 0,`, "Time of attempts covers Attempts"},
		{`"title": "Attempts",`, ``, "a panel lacks its title, ID or place"},
	} {
		_, panels, err := check([]byte(strings.Replace(string(whole), test.from, test.broken, 1)))
		require.NoError(t, err, test.broken)
		require.Equal(t, []string{test.problem}, problemsOf(panels))
	}
}
