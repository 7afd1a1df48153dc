package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5"

	"github.com/waft-ota/waft/internal/app"
)

// overviewLimit is the maximum of the overview's p95, in milliseconds.
const overviewLimit = 100

// seen is a project with a number of events, and the server of its overview.
type seen struct {
	millions int64
	project  *project
	streams  int
	twice    int    // targets that are served two releases
	bare     string // address of a handler that returns the same bytes
	// fresh are requests that come more than a second after the last request, so that the server queries ClickHouse. again are
	// requests that follow these.
	fresh, again, answered samples
}

// runOverview measures the request for a project's overview with growing numbers of events, compared with a bare Gin handler
// that returns the same bytes. It fails if the overview takes longer than overviewLimit at p95.
func runOverview(ctx context.Context, s *session) error {
	var all []*seen
	for _, millions := range s.millions {
		o, err := s.prepareOverview(ctx, millions)
		if err != nil {
			return err
		}
		all = append(all, o)
	}
	before := load()
	if err := s.askAll(ctx, all...); err != nil {
		return err
	}
	rollout, err := all[len(all)-1].withRollout(ctx)
	if err != nil {
		return err
	}
	if err := s.askAll(ctx, rollout); err != nil {
		return err
	}
	fmt.Printf("%d requests each; %s\n\n", s.rounds, machine(before))
	t := newMarkdown("million events\ttargets\twith two releases\tmedian ms\tp95 ms\tratio to the fewest\tratio to Gin\t" +
		"again: median ms\tp95 ms")
	for _, o := range append(all, rollout) {
		t.row("%d\t%d\t%d\t%.1f\t%.1f\t%.2f\t%.0f\t%.1f\t%.1f", o.millions, o.streams, o.twice, o.fresh.ms(.5), o.fresh.ms(.95),
			o.fresh.ms(.5)/all[0].fresh.ms(.5), o.fresh.ms(.5)/o.answered.ms(.5), o.again.ms(.5), o.again.ms(.95))
	}
	if err := t.print(); err != nil {
		return err
	}
	if slowest := max(all[len(all)-1].fresh.ms(.95), rollout.fresh.ms(.95)); slowest > overviewLimit {
		return s.tooSlow("the overview takes more than %d ms at p95", overviewLimit)
	}
	return nil
}

// askAll asks each server in turn. The first requests do not count.
func (s *session) askAll(ctx context.Context, all ...*seen) error {
	for round := range s.rounds + 1 {
		for _, o := range all {
			if err := o.ask(ctx, round > 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// withRollout gives the newest release of Android to a quarter of the devices of each channel, as a rollout does. It returns the same
// project for new measurements.
func (o *seen) withRollout(ctx context.Context) (*seen, error) {
	conn, err := connect(ctx, o.project.w.databaseURL)
	if err != nil {
		return nil, err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, `UPDATE releases SET rollout_percentage = 25 WHERE id = (
    SELECT id FROM releases WHERE project_id = (SELECT id FROM projects WHERE slug = $1) AND platform = 'android'
    ORDER BY created_at DESC LIMIT 1)`, o.project.slug); err != nil {
		return nil, fmt.Errorf("a rollout: %w", err)
	}
	if err := o.project.w.readAnew(ctx, conn, o.project.slug); err != nil {
		return nil, err
	}
	r := &seen{millions: o.millions, project: o.project, streams: o.streams, bare: o.bare}
	ctx, cancel := context.WithTimeoutCause(ctx, ingestLimit, errors.New("the overview does not show the rollout"))
	defer cancel()
	return r, until(ctx, seenEvery, func() (bool, error) {
		a, err := exchange(ctx, http.MethodGet, o.project.w.url+overviewPath, "", "", o.project.header, http.StatusOK)
		if err != nil {
			return false, err
		}
		var streams []struct{ Served []struct{} }
		if err := json.Unmarshal(a.Body, &streams); err != nil {
			return false, err
		}
		for _, stream := range streams {
			if len(stream.Served) > 1 {
				r.twice++
			}
		}
		return r.twice > 0, nil
	})
}

// prepareOverview starts a server with a project that has so many events, and releases of what its devices run.
func (s *session) prepareOverview(ctx context.Context, millions int64) (*seen, error) {
	s.engines = engines{} // databases of its own, since the updates of all projects have the same ids
	w, err := s.waft(ctx, app.Role{API: true}, nil)
	if err != nil {
		return nil, err
	}
	o := &seen{millions: millions}
	if o.project, err = w.project(ctx, uniqueSlug("overview")); err != nil {
		return nil, err
	}
	if err := o.project.publish(ctx); err != nil {
		return nil, err
	}
	id, err := o.project.id(ctx)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if err := w.keepOverviewViews(ctx); err != nil {
		return nil, err
	}
	if err := generate(ctx, w.clickHouseURL, id, millions*s.million(), began.UTC(), overviewed); err != nil {
		return nil, err
	}
	if err := o.publishInvented(ctx); err != nil {
		return nil, err
	}
	o.bare, err = s.bareOverview(ctx, o)
	fmt.Fprintf(os.Stderr, "reports of %d million events generated in %s\n", millions, time.Since(began).Round(time.Second))
	return o, err
}

// keepOverviewViews drops the views that fill what an overview does not read, since they take most of the time of generating.
func (w *waft) keepOverviewViews(ctx context.Context) error {
	views, err := query(ctx, w.clickHouseURL, `SELECT name FROM system.tables WHERE database = currentDatabase()
AND engine = 'MaterializedView' AND name NOT IN ('activity_mv', 'devices_mv', 'failed_devices_mv', 'refused_hours_mv')`)
	for view := range strings.FieldsSeq(views) {
		if err == nil {
			_, err = query(ctx, w.clickHouseURL, "DROP VIEW "+view)
		}
	}
	return err
}

// id returns the ID of the project.
func (p *project) id(ctx context.Context) (id int64, err error) {
	conn, err := connect(ctx, p.w.databaseURL)
	if err != nil {
		return 0, err
	}
	defer conn.Close(ctx)
	err = conn.QueryRow(ctx, "SELECT id FROM projects WHERE slug = $1", p.slug).Scan(&id)
	return id, err
}

// publishInvented makes releases of the updates that devices reported in the last day, and their channels.
func (o *seen) publishInvented(ctx context.Context) error {
	w := o.project.w
	read := func(sql string) (rows [][]string, err error) {
		text, err := query(ctx, w.clickHouseURL, sql)
		for line := range strings.Lines(text) {
			rows = append(rows, strings.Fields(line))
		}
		return rows, err
	}
	updates, err := read(`SELECT update_uuid, any(platform), any(runtime_version) FROM health_reports
WHERE update_uuid != '' AND received_at >= now() - INTERVAL 1 DAY GROUP BY update_uuid ORDER BY min(received_at)`)
	if err != nil {
		return err
	}
	channels, err := read("SELECT DISTINCT channel FROM health_reports WHERE channel != 'production' AND channel != 'staging'")
	if err != nil {
		return err
	}
	columns := make([][]string, 3)
	for _, u := range updates {
		for i := range columns {
			columns[i] = append(columns[i], u[i])
		}
	}
	conn, err := connect(ctx, w.databaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	seed, err := seedFiles.ReadFile("seed/releases_of_events.sql")
	if err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, string(seed), o.project.slug, columns[0], columns[1], columns[2], slices.Concat(channels...)); err != nil {
		return fmt.Errorf("releases of events: %w", err)
	}
	return w.readAnew(ctx, conn, o.project.slug)
}

// readAnew makes the servers read a project again after statements changed it.
func (e engines) readAnew(ctx context.Context, conn *pgx.Conn, slug string) error {
	for _, statement := range []string{
		"DELETE FROM snapshot_changes WHERE project_id = (SELECT id FROM projects WHERE slug = $1)",
		"UPDATE projects SET snapshot_version = snapshot_version + 1 WHERE slug = $1",
		"SELECT pg_notify('waft_snapshot', id::text) FROM projects WHERE slug = $1",
	} {
		if _, err := conn.Exec(ctx, statement, slug); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// bareOverview starts a handler that returns the server's response, once the server has read the releases.
func (s *session) bareOverview(ctx context.Context, o *seen) (addr string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, ingestLimit, errors.New("the overview does not show the releases"))
	defer cancel()
	var a answer
	err = until(ctx, seenEvery, func() (bool, error) {
		if a, err = exchange(ctx, http.MethodGet, o.project.w.url+overviewPath, "", "", o.project.header, http.StatusOK); err != nil {
			return false, err
		}
		var streams []struct {
			Release      *struct{}
			Distribution []struct{ UpdateID *int64 }
		}
		if err := json.Unmarshal(a.Body, &streams); err != nil {
			return false, err
		}
		o.streams = len(streams)
		known := 0
		for _, stream := range streams {
			if stream.Release != nil && len(stream.Distribution) > 0 && stream.Distribution[0].UpdateID != nil {
				known++
			}
		}
		return known > 0, nil
	})
	if err != nil {
		return "", err
	}
	addr, err = s.bare(ctx, http.MethodGet, overviewPath, func(c *gin.Context) {
		maps.Copy(c.Writer.Header(), a.Header)
		c.Writer.WriteHeader(http.StatusOK)
		_, _ = c.Writer.Write(a.Body) // a client that has disconnected does not need the response
	})
	return "http://" + addr, err
}

const overviewPath = "/v1/ota/overview"

// answerAge is the maximum age of data in a server's response.
const answerAge = time.Second

// ask asks the server, when it has to ask ClickHouse, asks it again, and asks the bare handler.
func (o *seen) ask(ctx context.Context, counts bool) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(answerAge):
	}
	for _, one := range []struct {
		url  string
		took *samples
	}{{o.project.w.url, &o.fresh}, {o.project.w.url, &o.again}, {o.bare, &o.answered}} {
		began := time.Now()
		if _, err := send(ctx, http.MethodGet, one.url+overviewPath, "", "", o.project.header, http.StatusOK); err != nil {
			return err
		}
		if counts {
			one.took.add([]time.Duration{time.Since(began)}, 0)
		}
	}
	return nil
}
