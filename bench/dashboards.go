package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/telemetry"
)

// eventsPerPage is how many events a dashboard lists.
const eventsPerPage = 50

// dashboard is a query of dashboards.
type dashboard struct {
	name string
	ask  func(ctx context.Context, c *telemetry.ClickHouse) (any, error)
}

// topic is the subject of the queries.
type topic struct {
	now time.Time
	// update is the release with most reports in the last day, devices are some of its devices.
	update  string
	devices []string
	// later is a place far down in the list of events.
	later models.EventCursor
	// served are the targets, each with the two updates that most of its devices run, as during a rollout.
	served []models.ServedStream
}

// newTopic finds a topic among the invented events.
func newTopic(ctx context.Context, address string, c *telemetry.ClickHouse, now time.Time) (s topic, err error) {
	text, err := query(ctx, address, fmt.Sprintf(`SELECT update_uuid, arrayStringConcat(groupArraySample(%d, 1)(device_id), ' ') FROM health_reports
WHERE project_id = %d AND update_uuid != '' AND received_at >= fromUnixTimestamp64Milli(%d) GROUP BY update_uuid ORDER BY count() DESC LIMIT 1`,
		telemetryRounds+1, telemetryProject, now.Add(-24*time.Hour).UnixMilli()))
	fields := strings.Fields(text)
	if err == nil && len(fields) < 2 {
		err = fmt.Errorf("no release is reported: %q", text)
	}
	if err != nil {
		return s, err
	}
	s = topic{now: now, update: fields[0], devices: fields[1:]}
	page, err := c.Events(ctx, telemetryProject, models.EventQuery{
		Types: everyType(), Limit: 1, After: &models.EventCursor{ReceivedAt: now.AddDate(0, 0, -10)},
	}, now)
	if err == nil && len(page) != 1 {
		err = fmt.Errorf("there are %d events before the last ten days", len(page))
	}
	if err != nil {
		return s, err
	}
	s.later = page[0].Cursor()
	active, err := c.StreamActivity(ctx, telemetryProject, now)
	if err == nil && len(active) == 0 {
		err = fmt.Errorf("no target is active")
	}
	s.served = servedBy(active)
	return s, err
}

// servedBy returns the targets, each served the two updates that most of its devices run.
func servedBy(active []models.StreamActivity) (served []models.ServedStream) {
	for _, a := range active {
		stream := models.ServedStream{Stream: a.Stream}
		for _, u := range a.Updates[:min(2, len(a.Updates))] {
			stream.Served = append(stream.Served, models.ServedUpdate{UpdateUUID: u.UpdateUUID})
		}
		served = append(served, stream)
	}
	return served
}

func everyType() []models.HealthEventType {
	return []models.HealthEventType{models.EventJSError, models.EventCrash, models.EventCustom, models.EventAppLaunch}
}

// dashboards returns all queries of a round. Each round has other devices and strings,
// so that the engine has not cached the results.
func (s topic) dashboards(round int) []dashboard {
	const flag = "new-checkout"
	var all []dashboard
	add := func(name string, ask func(ctx context.Context, c *telemetry.ClickHouse) (any, error)) {
		all = append(all, dashboard{name, ask})
	}
	add("overview", func(ctx context.Context, c *telemetry.ClickHouse) (any, error) {
		return c.StreamActivity(ctx, telemetryProject, s.now)
	})
	health := fmt.Sprintf("overview, health of what %d targets are served", len(s.served))
	add(health, func(ctx context.Context, c *telemetry.ClickHouse) (any, error) {
		return c.ServedHealth(ctx, telemetryProject, s.served, true, s.now)
	})
	for _, days := range models.AdoptionWindows {
		add(fmt.Sprintf("adoption, %d days", days), func(ctx context.Context, c *telemetry.ClickHouse) (any, error) {
			return c.Adoption(ctx, telemetryProject, days, s.now)
		})
	}
	for _, series := range []struct {
		name string
		q    models.TimeseriesQuery
	}{
		{"1 h", models.TimeseriesQuery{Period: "1h"}},
		{"6 h", models.TimeseriesQuery{Period: "6h"}},
		{"24 h", models.TimeseriesQuery{Period: "24h"}},
		{"7 days", models.TimeseriesQuery{Period: "7d"}},
		{"30 days", models.TimeseriesQuery{Period: "30d"}},
		{"90 days", models.TimeseriesQuery{Period: "90d"}},
		{"7 days, one channel", models.TimeseriesQuery{Period: "7d", Channel: "production"}},
		{"90 days, one runtime version", models.TimeseriesQuery{Period: "90d", RuntimeVersion: "1.2.0"}},
		{"14 days, one release", models.TimeseriesQuery{Period: "14d", UpdateUUID: s.update}},
		{"30 days, one release", models.TimeseriesQuery{Period: "30d", UpdateUUID: s.update}},
	} {
		add("timeseries, "+series.name, func(ctx context.Context, c *telemetry.ClickHouse) (any, error) {
			return c.Timeseries(ctx, telemetryProject, series.q, s.now)
		})
	}
	add("look for incidents", func(ctx context.Context, c *telemetry.ClickHouse) (any, error) {
		return c.ReleaseHours(ctx, telemetryProject, s.now)
	})
	for _, days := range []int{7, 30, 90} {
		add(fmt.Sprintf("flag impacts, %d days", days), func(ctx context.Context, c *telemetry.ClickHouse) (any, error) {
			return c.FlagImpacts(ctx, telemetryProject, models.FlagImpactQuery{Days: days}, s.now)
		})
		add(fmt.Sprintf("health of a flag, %d days", days), func(ctx context.Context, c *telemetry.ClickHouse) (any, error) {
			return c.FlagHealth(ctx, telemetryProject, flag, days, s.now)
		})
	}
	add("evaluations of a flag, 90 days", func(ctx context.Context, c *telemetry.ClickHouse) (any, error) {
		return c.FlagEvaluations(ctx, telemetryProject, flag, 90, s.now)
	})
	add("refused requests", func(ctx context.Context, c *telemetry.ClickHouse) (any, error) {
		return c.ListRefused(ctx, telemetryProject, s.now)
	})
	failures := everyType()[:2]
	for _, list := range []struct {
		name string
		q    models.EventQuery
	}{
		{"first page", models.EventQuery{}},
		{"a page ten days back", models.EventQuery{After: &s.later}},
		{"page 10 of errors", models.EventQuery{Types: failures, Skip: 9 * eventsPerPage}},
		{"crashes of one release", models.EventQuery{Types: failures[1:], UpdateUUID: s.update}},
		{"one device", models.EventQuery{DeviceIDs: []string{s.devices[round%len(s.devices)]}}},
		{"one channel and platform", models.EventQuery{Channel: "staging", Platform: models.Android}},
		{"a text that is frequent", models.EventQuery{Search: "Undefined is not"}},
		{"a text that is rare", models.EventQuery{Search: fmt.Sprintf("Item %d", 100+round)}},
		{"a text that is nowhere", models.EventQuery{Search: fmt.Sprintf("Segmentation fault %d", round)}},
	} {
		if list.q.Types == nil {
			list.q.Types = everyType()
		}
		list.q.Limit = eventsPerPage + 1 // one more, to detect a next page
		add("events, "+list.name, func(ctx context.Context, c *telemetry.ClickHouse) (any, error) {
			return c.Events(ctx, telemetryProject, list.q, s.now)
		})
	}
	return all
}
