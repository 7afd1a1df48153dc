package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/telemetry"
)

// longList is how many releases, changes and devices are in the lists that are searched.
const longList = 10_000

// runPages measures the dashboard in a browser: dashboard/bench measures and prints the tables. It needs Node.js, and
// Chromium at the path CHROMIUM, or where tools/chromium.sh finds it.
func runPages(ctx context.Context, s *session) error {
	chromium, err := findChromium(ctx)
	if err != nil {
		return err
	}
	if _, err := os.Stat("dashboard/dist/index.html"); err != nil {
		return fmt.Errorf("the dashboard is not built: run `make dashboard` and build bin/bench again: %w", err)
	}
	lines, err := s.cutEngines(ctx)
	if err != nil {
		return err
	}
	w, err := s.waft(ctx, app.Role{API: true, Worker: true}, nil)
	if err != nil {
		return err
	}
	if lines["server"], err = s.newLine(ctx, w.addr); err != nil {
		return err
	}
	long, err := w.longLists(ctx)
	if err != nil {
		return err
	}
	control, err := s.listen(ctx, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if err := order(ctx, lines, r.URL.Path); err != nil {
			http.Error(rw, err.Error(), http.StatusInternalServerError)
		}
	}))
	if err != nil {
		return err
	}
	before := load()
	command := exec.CommandContext(ctx, "npx", "playwright", "test", "--config", "bench/playwright.config.ts")
	command.Dir = "dashboard"
	command.Env = append(os.Environ(), "CHROMIUM="+chromium, "WAFT_URL="+w.url, "WAFT_ROOT_KEY="+w.rootKey,
		"WAFT_URL_CUT=http://"+lines["server"].addr, "WAFT_OUTAGES=http://"+control, "WAFT_LONG_PROJECT="+long,
		fmt.Sprint("WAFT_BENCH_ROUNDS=", s.rounds))
	if s.short {
		command.Env = append(command.Env, "WAFT_BENCH_SHORT=yes")
	}
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	err = command.Run()
	fmt.Printf("\n%d rounds; %s\n", s.rounds, machine(before))
	return err
}

func findChromium(ctx context.Context) (string, error) {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path, nil
	}
	command := exec.CommandContext(ctx, "tools/chromium.sh")
	command.Stderr = os.Stderr
	path, err := command.Output()
	return strings.TrimSpace(string(path)), err
}

// cutEngines puts a line in front of each engine, and has the session's servers use the lines.
func (s *session) cutEngines(ctx context.Context) (map[string]*line, error) {
	if err := s.openEngines(ctx); err != nil {
		return nil, err
	}
	lines := map[string]*line{}
	for name, address := range map[string]*string{"postgres": &s.engines.databaseURL, "clickhouse": &s.engines.clickHouseURL} {
		u, err := url.Parse(*address)
		if err != nil {
			return nil, fmt.Errorf("the URL of %s is malformed", name)
		}
		if lines[name], err = s.newLine(ctx, u.Host); err != nil {
			return nil, err
		}
		u.Host = lines[name].addr
		*address = u.String()
	}
	var err error
	if lines["temporal"], err = s.newLine(ctx, s.engines.temporal); err != nil {
		return nil, err
	}
	s.engines.temporal = lines["temporal"].addr
	return lines, nil
}

// order cuts or mends what a path such as /postgres/cut names.
func order(ctx context.Context, lines map[string]*line, path string) error {
	name, what, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch l := lines[name]; {
	case l != nil && what == "cut":
		return l.cut()
	case l != nil && what == "mend":
		return l.mend(ctx)
	default:
		return errors.New("there is nothing at " + path)
	}
}

// longLists makes a project with long lists of releases, changes and devices, and returns its slug.
func (w *waft) longLists(ctx context.Context) (string, error) {
	p, err := w.project(ctx, uniqueSlug("long"))
	if err != nil {
		return "", err
	}
	id, err := p.id(ctx)
	if err != nil {
		return "", err
	}
	conn, err := connect(ctx, w.databaseURL)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	for _, statement := range []string{`
INSERT INTO releases SELECT (jsonb_populate_record(r, jsonb_build_object('id', nextval('waft_ids'), 'update_uuid', gen_random_uuid(),
	'group_id', gen_random_uuid(), 'created_at', r.created_at - n * interval '1 minute', 'release_message', 'Many n' || n))).*
FROM releases r, generate_series(1, $2::int) n WHERE r.project_id = $1`, `
INSERT INTO audit_log (project_id, action, actor_type, actor_id, actor_name, entity_type, entity_id, details, request_id, created_at)
SELECT $1, 'update.patched', 'user', 'user-' || n, 'Person ' || n, 'update', '1', '{}', '', now() - n * interval '1 second'
FROM generate_series(1, $2::int) n`} {
		if _, err := conn.Exec(ctx, statement, id, longList); err != nil {
			return "", fmt.Errorf("long lists: %w", err)
		}
	}
	clickHouse, err := telemetry.Open(ctx, w.clickHouseURL)
	if err != nil {
		return "", err
	}
	reports, now := make([]models.HealthReport, longList), time.Now()
	for n := range reports {
		reports[n] = models.HealthReport{
			ID: uuid.NewString(), ProjectID: id, DeviceID: fmt.Sprintf("device-%d", n+1), Channel: "production",
			Platform: models.IOS, RuntimeVersion: "1.0.0", ReceivedAt: now.Add(-time.Duration(n) * time.Second),
			Events: []models.HealthEvent{{Type: models.EventAppLaunch, Count: 1}},
		}
	}
	return p.slug, errors.Join(clickHouse.InsertReports(ctx, "long lists", reports), clickHouse.Close())
}
