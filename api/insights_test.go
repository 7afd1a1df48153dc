package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

func TestEventsArePagedByCursor(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	report := uuid.MustParse("0192f0c1-2b3c-7d4e-8f5a-6b7c8d9e0f1a")
	var asked []models.EventQuery
	w.store.insights.events = func(q models.EventQuery) ([]models.TelemetryEvent, error) {
		asked = append(asked, q)
		events := make([]models.TelemetryEvent, min(q.Limit, 60))
		for i := range events {
			events[i] = models.TelemetryEvent{ID: strconv.Itoa(i), ReceivedAt: now.Add(-time.Duration(i) * time.Millisecond), ReportID: report, Index: uint16(i)}
		}
		return events, nil
	}

	answer := w.do(request{method: get, path: "/v1/ota/observe/events?search=a%26b&page=2&platform=ios"})
	require.Equal(t, 200, answer.Code, answer.Body.String())
	var page []map[string]any
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &page))
	require.Len(t, page, 50)
	require.Nil(t, page[0]["updateUuid"])
	require.Equal(t, map[string]any{}, page[0]["tags"])
	require.Equal(t, 50, asked[0].Skip)
	require.Equal(t, 51, asked[0].Limit)
	require.NotContains(t, asked[0].Types, models.EventAppLaunch)

	link := answer.Header().Get("Link")
	require.True(t, strings.HasSuffix(link, `>; rel="next"`), link)
	next, err := url.Parse(strings.TrimSuffix(strings.TrimPrefix(link, "<"), `>; rel="next"`))
	require.NoError(t, err)
	require.Equal(t, "/v1/ota/observe/events", next.Path)
	require.Equal(t, "a&b", next.Query().Get("search"))
	require.Empty(t, next.Query().Get("page"))
	require.Equal(t, 200, w.do(request{method: get, path: next.String()}).Code)
	require.Equal(t, &models.EventCursor{ReceivedAt: now.Add(-49 * time.Millisecond).UTC().Truncate(time.Millisecond), ReportID: report, Index: 49}, asked[1].After)
	require.Equal(t, "a&b", asked[1].Search)
	require.Zero(t, asked[1].Skip)

	whole := w.do(request{method: get, path: "/v1/ota/telemetry/events?type=app_launch&deviceId=DEVICE-1&channel=c"})
	require.Equal(t, 200, whole.Code)
	require.Empty(t, whole.Header().Get("Link"), "there is no next page")
	require.Equal(t, []models.HealthEventType{models.EventAppLaunch}, asked[2].Types)
	require.Equal(t, []string{"device-1"}, asked[2].DeviceIDs)
	require.Equal(t, "c", asked[2].Channel)
}

func TestBadQuestionsAreNamed(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	for path, field := range map[string]string{
		"insights/adoption?days=5":                                   "days",
		"telemetry/timeseries?period=1w":                             "period",
		"telemetry/timeseries?updateUuid=x":                          "updateUuid",
		"telemetry/timeseries?platform=tv":                           "platform",
		"telemetry/flag-impacts?days=0":                              "days",
		"telemetry/events?type=x":                                    "type",
		"telemetry/events?limit=0":                                   "limit",
		"telemetry/events?cursor=" + strings.Repeat("_", 35):         "cursor",
		"observe/events?type=app_launch":                             "type",
		"observe/events?page=x":                                      "page",
		"telemetry/incidents?status=x":                               "status",
		"flags/1/health?days=91":                                     "days",
		"flags/1/evaluations?days=-1":                                "days",
		"telemetry/refused?days=1":                                   "days",
		"telemetry/timeseries?channel=" + strings.Repeat("x", 129):   "channel",
		"observe/events?search=" + strings.Repeat("x", 257):          "search",
		"telemetry/events?deviceId=" + strings.Repeat("x", 257):      "deviceId",
		"telemetry/flag-impacts?flagKey=" + strings.Repeat("x", 129): "flagKey",
	} {
		problem := w.problem(w.do(request{method: get, path: "/v1/ota/" + path}), 400, models.CodeInvalid)
		require.Equal(t, []string{field}, fieldsOf(problem), path)
	}
}

func TestAdoptionNamesItsReleases(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	const earlier = "0d4e2a4b-8f0f-4a54-9a39-0c6d2f6c3f11" // run by devices that have another release since
	w.store.insights.adoption = func(days int) (models.Adoption, error) {
		require.Equal(t, 7, days)
		return models.Adoption{
			Days: days, ActiveDevices: 8,
			Downloads: []models.DownloadDay{{Day: now, Downloads: 3, Devices: 2}, {Day: now.AddDate(0, 0, 1), Downloads: 4, Devices: 4}},
			Updates: []models.UpdateDevices{
				{UpdateUUID: rest.ExampleUUID, Platform: models.IOS, RuntimeVersion: "1", Devices: 6},
				{Platform: models.Android, RuntimeVersion: "2", Devices: 2},
			},
			ByDay: []models.UpdateDay{{Day: now, UpdateUUID: earlier, Devices: 5}, {Day: now, Devices: 1}},
		}, nil
	}
	channel := "beta"
	w.store.releasesOf = func(updates []string) (map[string]models.Release, error) {
		require.ElementsMatch(t, []string{rest.ExampleUUID, earlier}, updates)
		return map[string]models.Release{earlier: {ID: 16, ReleaseMessage: "Faster start"}, rest.ExampleUUID: {
			ID: 17, Platform: models.IOS, RuntimeVersion: "1", Channel: &channel, BranchName: "main", ReleaseMessage: "Fix the checkout",
		}}, nil
	}
	got := decoded(t, w.do(request{method: get, path: "/v1/ota/insights/adoption"}), 200)
	require.EqualValues(t, 7, got["downloads"])
	require.EqualValues(t, 1, got["releasesTracked"])
	named := func(list string) (names []any) {
		for _, record := range got[list].([]any) {
			name, _ := record.(map[string]any)["release"].(map[string]any)
			names = append(names, name["releaseMessage"])
			delete(record.(map[string]any), "release")
		}
		return names
	}
	require.Equal(t, []any{"Fix the checkout", nil}, named("distribution"))
	require.Equal(t, []any{"Faster start", nil}, named("adoption"))
	require.Equal(t, []any{
		map[string]any{
			"updateId": 17.0, "updateUuid": rest.ExampleUUID, "platform": "ios", "runtimeVersion": "1", "channel": "beta",
			"branchName": "main", "devices": 6.0, "percentage": 75.0,
		},
		map[string]any{
			"updateId": nil, "updateUuid": nil, "platform": "android", "runtimeVersion": "2", "channel": nil,
			"branchName": nil, "devices": 2.0, "percentage": 25.0,
		},
	}, got["distribution"])
	day := now.Format(time.DateOnly)
	require.Equal(t, []any{
		map[string]any{"date": day, "updateId": 16.0, "updateUuid": earlier, "devices": 5.0},
		map[string]any{"date": day, "updateId": nil, "updateUuid": nil, "devices": 1.0},
	}, got["adoption"])
}

func TestEvaluationsAreTakenIn(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t, func(d *parts) {
		d.Snapshots = newSnapshots(t, func(s *models.ProjectSnapshot) {
			s.Flags = []models.Flag{{
				ID: 3, Key: "checkout", FlagType: models.FlagBoolean, DefaultValue: "false",
				Variations: []models.Variation{{ID: 4, Name: "On", Value: "true"}, {ID: 5, Name: "Off", Value: "false"}},
			}}
		})
	})
	post := func(body string) request {
		return request{method: post, path: "/v1/ota/flag-evaluations", body: body, anonymous: true, header: map[string]string{"Content-Type": "application/json"}}
	}
	answer := w.do(post(`{"projectSlug":"demo","channel":"beta","evaluations":[
		{"flagKey":"unknown","value":true,"count":2},
		{"flagKey":"checkout","value":true,"count":2,"targetingKey":"u","context":{"a":1},"extra":1},
		{"flagKey":"checkout","value":"false","count":1,"lastEvaluatedAt":"2001-02-03T04:05:06.789Z"},
		{"flagKey":"checkout","value":"maybe","count":3,"lastEvaluatedAt":"2999-01-01T00:00:00Z"}]}`))
	require.Equal(t, 204, answer.Code, answer.Body.String())
	flag := func(value string, count int64, last time.Time) models.FlagEvaluations {
		return models.FlagEvaluations{
			ProjectID: demo.ID, FlagKey: "checkout", Channel: "beta", Value: value, Count: count, ReceivedAt: now.UTC(), LastAt: last.UTC(),
		}
	}
	require.Equal(t, []models.FlagEvaluations{
		flag("true", 2, now), flag("false", 1, time.Date(2001, 2, 3, 4, 5, 6, 789e6, time.UTC)), flag(models.OtherValue, 3, now),
	}, w.store.appended)

	problem := w.problem(w.do(post(`{"evaluations":[{"value":null,"count":0},5,{"flagKey":7,"value":1,"count":1.5,"lastEvaluatedAt":"soon"}]}`)), 400, models.CodeInvalid)
	require.Equal(t, []string{
		"projectSlug", "evaluations[0].flagKey", "evaluations[0].count", "evaluations[0].value", "evaluations[1]",
		"evaluations[2].flagKey", "evaluations[2].count", "evaluations[2].lastEvaluatedAt",
	}, fieldsOf(problem))
}

func TestRefusedRequestsAreCounted(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	ask := func(path string, headers ...string) {
		r := request{method: get, path: path, anonymous: true, header: map[string]string{"Accept": "application/expo+json", "Expo-Device-Id": "DEVICE-1"}}
		for i := 0; i < len(headers); i += 2 {
			r.header[headers[i]] = headers[i+1]
		}
		w.do(r)
	}
	const manifest = "/v1/ota/manifest/demo"
	ask(manifest+"?channel=nowhere", "Expo-Platform", "ios", "Expo-Runtime-Version", "1.0.0")
	ask(manifest, "Expo-Platform", "ios", "Expo-Runtime-Version", "1.0.0")
	ask(manifest+"?channel=production", "Expo-Runtime-Version", "1.0.0")
	ask(manifest+"?channel=production", "Expo-Platform", "ios")
	ask(manifest+"?channel=production", "Expo-Platform", "windows", "Expo-Runtime-Version", "1.0.0")
	ask(manifest+"?channel=production", "Expo-Platform", "ios", "Expo-Runtime-Version", "nobody-has-this")
	ask("/v1/ota/manifest/nowhere?channel=production", "Expo-Platform", "ios", "Expo-Runtime-Version", "1.0.0")
	said := func(reason models.RefusalReason, channel, platform, runtimeVersion string) models.RefusedRequest {
		return models.RefusedRequest{
			ProjectID: demo.ID, Reason: reason, Channel: channel, Platform: platform, RuntimeVersion: runtimeVersion, DeviceID: "device-1",
		}
	}
	require.Equal(t, []models.RefusedRequest{
		said(models.RefusedUnknownChannel, "nowhere", "ios", "1.0.0"),
		said(models.RefusedMissingChannel, "", "ios", "1.0.0"),
		said(models.RefusedMissingPlatform, "production", "", "1.0.0"),
		said(models.RefusedMissingRuntimeVersion, "production", "ios", ""),
		said(models.RefusedBadRequest, "production", "windows", "1.0.0"),
		said(models.RefusedNoRelease, "production", "ios", "nobody-has-this"),
	}, w.store.refused)
}

// askedTogether responds only after Postgres was queried.
type askedTogether struct {
	*fakeInsights
	fakeOverviews
	asked chan struct{}
}

func (a askedTogether) StreamActivity(ctx context.Context, _ int64, _ time.Time) ([]models.StreamActivity, error) {
	select {
	case <-a.asked:
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (a askedTogether) OverviewRecords(context.Context, int64, []int64) (models.OverviewRecords, error) {
	close(a.asked)
	return models.OverviewRecords{}, nil
}

func TestAnOverviewAsksClickHouseAndPostgresAtTheSameTime(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t, func(d *parts) {
		together := askedTogether{&fakeInsights{}, fakeOverviews{}, make(chan struct{})}
		d.Insights, d.Overviews = together, together
	})
	require.Equal(t, 200, w.do(request{method: get, path: "/v1/ota/overview"}).Code)
}

// hangingActivity is a ClickHouse that does not respond. It returns only because its caller gives up.
type hangingActivity struct{ *fakeInsights }

func (hangingActivity) StreamActivity(ctx context.Context, _ int64, _ time.Time) ([]models.StreamActivity, error) {
	if _, isLimited := ctx.Deadline(); !isLimited {
		return nil, nil
	}
	return nil, fmt.Errorf("query: %w", context.DeadlineExceeded)
}

func TestAnOverviewGivesUpOnAClickHouseThatHangs(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t, func(d *parts) { d.Insights = hangingActivity{&fakeInsights{}} })
	answer := w.do(request{method: get, path: "/v1/ota/overview"})
	require.Equal(t, 200, answer.Code, answer.Body)
	require.Equal(t, "ClickHouse is unavailable; device metrics are missing", answer.Header().Get("Waft-Incomplete"))
	require.Equal(t, "clickhouse", answer.Header().Get("Waft-Unavailable"))
}
