package api

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/internal/decide/reports"
	"github.com/waft-ota/waft/models"
)

// reporting is a testAPI that remembers the reports that were appended.
type reporting struct {
	*testAPI
	got []models.HealthReport
}

func newReporting(t *testing.T, change ...func(*parts)) *reporting {
	t.Helper()
	r := &reporting{testAPI: newTestAPI(t, change...)}
	r.store.appendReport = func(report models.HealthReport) error {
		r.got = append(r.got, report)
		return nil
	}
	return r
}

func healthReport(body any) request {
	return request{
		method: post, path: "/v1/ota/health-metrics", body: body, anonymous: true,
		header: map[string]string{"Content-Type": "application/json"},
	}
}

// servedReport returns a report from this machine, of a device that was served a release. It may use the whole of
// each cardinality limit.
func (r *reporting) servedReport(body any) request {
	r.deps.KnownDevices.AddServed(demo.ID, "device-1")
	call := healthReport(body)
	call.local = true
	return call
}

// reportWith returns a good report as JSON, with some fields replaced; nil omits a field.
func reportWith(change map[string]any) string {
	fields := map[string]any{
		"projectSlug": "demo", "deviceId": "device-1", "platform": "ios", "runtimeVersion": "1.0.0",
		"events": []any{map[string]any{"type": "app_launch", "count": 1}},
	}
	for name, value := range change {
		fields[name] = value
		if value == nil {
			delete(fields, name)
		}
	}
	data, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// eventWith returns a good event with some fields replaced.
func eventWith(change map[string]any) map[string]any {
	event := map[string]any{"type": "js_error", "count": 1}
	for name, value := range change {
		event[name] = value
		if value == nil {
			delete(event, name)
		}
	}
	return event
}

func TestAReportIsTakenInWhole(t *testing.T) {
	t.Parallel()
	r := newReporting(t)
	answer := r.do(healthReport(`{
		"projectSlug": "demo", "deviceId": "Device-1", "channel": "production", "platform": "android",
		"runtimeVersion": "1.0.0", "updateUuid": "AAAAAAAA-2222-4333-8444-555555555555", "sdk": {"anything": [1]},
		"events": [
			{"type": "js_error", "message": "m", "errorName": "TypeError", "stackTrace": "s", "componentStack": "c",
			 "isFatal": true, "count": 3, "tags": {"a": "b", "n": 1}, "flagStates": {"f": "on", "g": true, "h": null}, "at": 5,
			 "breadcrumbs": [{"timestamp": "2026-01-02T03:04:05Z", "category": "ui.tap", "message": "pay", "data": {"id": "p"}}, {"level": "error"}]},
			{"type": "perf_sample", "count": "many"},
			{"type": "custom", "name": "checkout", "count": 1000000, "message": null, "flagStates": null, "breadcrumbs": [{"message": "m"}]},
			{"type": "crash", "count": 1.0}
		]}`))
	require.Equal(t, 204, answer.Code, answer.Body.String())
	require.Empty(t, answer.Body.String())
	require.Equal(t, []models.HealthReport{{
		ProjectID: demo.ID, DeviceID: "device-1", Channel: "production", Platform: models.Android, RuntimeVersion: "1.0.0",
		UpdateUUID: releasedUUID.String(), ReceivedAt: now,
		Events: []models.HealthEvent{
			{
				Type: models.EventJSError, Message: "m", ErrorName: "TypeError", StackTrace: "s", ComponentStack: "c",
				IsFatal: true, Count: 3, Tags: models.TextsOf(map[string]string{"a": "b", "n": "1"}),
				FlagStates: models.TextsOf(map[string]string{"f": "on", "g": "true"}),
				Breadcrumbs: []models.Breadcrumb{{
					At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Category: "ui.tap", Message: "pay", Level: models.BreadcrumbInfo,
					Data: models.Texts{{Name: "id", Value: "p"}},
				}},
			},
			{Type: models.EventCustom, Name: "checkout", Count: 1_000_000},
			{Type: models.EventCrash, Count: 1},
		},
		Source: r.got[0].Source,
	}}, r.got)
	require.NotZero(t, r.got[0].Source.Network, "the budget for error groups is a network's")
}

func TestWhatAReportMayLeaveOut(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]map[string]any{
		"no channel": {}, "an empty channel": {"channel": ""}, "an empty update": {"updateUuid": ""},
		"the project's uuid": {"projectSlug": demo.UUID.String()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newReporting(t)
			require.Equal(t, 204, r.do(healthReport(reportWith(change))).Code)
			require.Equal(t, "default", r.got[0].Channel)
			require.Empty(t, r.got[0].UpdateUUID)
			require.Equal(t, demo.ID, r.got[0].ProjectID)
		})
	}
	t.Run("null for the embedded update", func(t *testing.T) {
		t.Parallel()
		r := newReporting(t)
		body := strings.Replace(reportWith(nil), "{", `{"updateUuid":null,"channel":null,`, 1)
		require.Equal(t, 204, r.do(healthReport(body)).Code)
		require.Empty(t, r.got[0].UpdateUUID)
	})
}

func TestAReportOfNothingThatIsKnownStillShowsTheDevice(t *testing.T) {
	t.Parallel()
	for _, events := range []any{[]any{}, []any{map[string]any{"type": "perf_sample", "value": 1}}} {
		r := newReporting(t)
		require.Equal(t, 204, r.do(healthReport(reportWith(map[string]any{"events": events}))).Code)
		require.Len(t, r.got, 1)
		require.Empty(t, r.got[0].Events)
		require.Equal(t, "device-1", r.got[0].DeviceID)
	}
}

func TestEveryBadFieldOfAReportIsNamed(t *testing.T) {
	t.Parallel()
	events := func(list ...any) map[string]any { return map[string]any{"events": list} }
	many := make([]any, 501)
	for i := range many {
		many[i] = eventWith(nil)
	}
	cases := map[string]struct {
		body   string
		fields []string
	}{
		"nothing at all": {`{}`, []string{"projectSlug", "deviceId", "platform", "runtimeVersion", "events"}},
		"all of another type": {
			`{"projectSlug":1,"deviceId":{},"channel":[],"platform":true,"runtimeVersion":2,"updateUuid":3,"events":{}}`,
			[]string{"projectSlug", "deviceId", "channel", "platform", "runtimeVersion", "updateUuid", "events"},
		},
		"all null":            {`{"projectSlug":null,"deviceId":null,"platform":null,"runtimeVersion":null,"events":null}`, []string{"projectSlug", "deviceId", "platform", "runtimeVersion", "events"}},
		"another platform":    {reportWith(map[string]any{"platform": "windows"}), []string{"platform"}},
		"an empty device":     {reportWith(map[string]any{"deviceId": " "}), []string{"deviceId"}},
		"a long device":       {reportWith(map[string]any{"deviceId": strings.Repeat("x", 257)}), []string{"deviceId"}},
		"a device with a NUL": {reportWith(map[string]any{"deviceId": "a\x00b"}), []string{"deviceId"}},
		"a long channel":      {reportWith(map[string]any{"channel": strings.Repeat("x", 129)}), []string{"channel"}},
		"a runtime in two":    {reportWith(map[string]any{"runtimeVersion": "1 0"}), []string{"runtimeVersion"}},
		"no UUID":             {reportWith(map[string]any{"updateUuid": "latest"}), []string{"updateUuid"}},
		"too many events":     {reportWith(events(many...)), []string{"events"}},
		"events that are none": {
			reportWith(events(1, nil, "x", []any{}, eventWith(nil))),
			[]string{"events[0]", "events[1]", "events[2]", "events[3]"},
		},
		"events without a type": {reportWith(events(eventWith(map[string]any{"type": nil}), eventWith(map[string]any{"type": 5}))), []string{"events[0].type", "events[1].type"}},
		"counts": {
			reportWith(events(
				eventWith(map[string]any{"count": nil}), eventWith(map[string]any{"count": 0}), eventWith(map[string]any{"count": -1}),
				eventWith(map[string]any{"count": 1000001}), eventWith(map[string]any{"count": 1.5}), eventWith(map[string]any{"count": "1"}),
				eventWith(map[string]any{"count": 1e300}), eventWith(map[string]any{"count": 1}),
			)),
			[]string{
				"events[0].count", "events[1].count", "events[2].count", "events[3].count", "events[4].count",
				"events[5].count", "events[6].count",
			},
		},
		"texts": {
			reportWith(events(eventWith(map[string]any{
				"name": 1, "message": 2, "errorName": 3, "stackTrace": 4, "componentStack": 5, "isFatal": "yes", "tags": "t", "flagStates": []any{},
			}))),
			[]string{
				"events[0].name", "events[0].message", "events[0].errorName", "events[0].stackTrace", "events[0].componentStack",
				"events[0].isFatal", "events[0].tags", "events[0].flagStates",
			},
		},
		"the head and an event": {reportWith(map[string]any{"platform": "tv", "events": []any{eventWith(map[string]any{"count": 0})}}), []string{"platform", "events[0].count"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newReporting(t)
			p := r.problem(r.do(healthReport(tc.body)), 400, models.CodeInvalid)
			require.Equal(t, tc.fields, fieldsOf(p))
			require.Empty(t, r.got)
		})
	}
}

func TestABodyThatIsNoReportIsRefused(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		body   any
		header map[string]string
		status int
		code   models.ErrorCode
	}{
		"nothing":           {"", nil, 400, models.CodeInvalid},
		"cut off":           {`{"projectSlug":"de`, nil, 400, models.CodeInvalid},
		"an array":          {`[]`, nil, 400, models.CodeInvalid},
		"lost":              {brokenReader{}, nil, 400, models.CodeInvalid},
		"another media":     {`<x/>`, map[string]string{"Content-Type": "application/xml"}, 415, models.CodeUnsupportedMedia},
		"another packing":   {`{}`, map[string]string{"Content-Encoding": "br"}, 415, models.CodeUnsupportedMedia},
		"no gzip":           {`{}`, map[string]string{"Content-Encoding": "gzip"}, 400, models.CodeInvalid},
		"gzip cut off":      {string(zipped(t, reportWith(nil))[:20]), map[string]string{"Content-Encoding": "gzip"}, 400, models.CodeInvalid},
		"too large":         {reportWith(map[string]any{"x": strings.Repeat("x", 512<<10)}), nil, 413, models.CodeTooLarge},
		"a bomb":            {string(zipped(t, strings.Repeat(" ", 64<<20))), map[string]string{"Content-Encoding": "gzip"}, 413, models.CodeTooLarge},
		"an unknown tenant": {reportWith(map[string]any{"projectSlug": "nowhere"}), nil, 404, models.CodeNotFound},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newReporting(t)
			call := healthReport(tc.body)
			for header, value := range tc.header {
				call.header[header] = value
			}
			r.problem(r.do(call), tc.status, tc.code)
			require.Empty(t, r.got)
		})
	}
}

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestReportsMayBePackedAndComeFromABeacon(t *testing.T) {
	t.Parallel()
	r := newReporting(t)
	call := healthReport(bytes.NewReader(zipped(t, reportWith(nil))))
	call.header["Content-Encoding"] = "gzip"
	require.Equal(t, 204, r.do(call).Code)
	for _, media := range []string{"", "text/plain;charset=UTF-8", "application/json; charset=utf-8"} {
		call := healthReport(reportWith(nil))
		call.header["Content-Type"] = media
		require.Equal(t, 204, r.do(call).Code, media)
	}
	require.Len(t, r.got, 4)
}

func TestReportsUpToTheLimitAreTaken(t *testing.T) {
	t.Parallel()
	r := newReporting(t)
	length := len(reportWith(map[string]any{"x": ""}))
	const limit = 512 << 10
	// The sizes include those to which the server's buffer grows.
	for _, size := range []int{16<<10 - 1, 16 << 10, 16<<10 + 1, 128 << 10, 128<<10 + 1, limit - 1, limit, limit + 1} {
		body := reportWith(map[string]any{"x": strings.Repeat("x", size-length)})
		require.Len(t, body, size)
		want := 204
		if size > limit {
			want = 413
		}
		require.Equal(t, want, r.do(healthReport(body)).Code, size)
		require.Equal(t, want, r.do(healthReport(io.MultiReader(strings.NewReader(body)))).Code, "%d bytes of unknown length", size)
		packed := healthReport(string(zipped(t, body)))
		packed.header["Content-Encoding"] = "gzip"
		require.Equal(t, want, r.do(packed).Code, "%d bytes, packed", size)
	}
	r.got = nil
	many := make([]any, 500)
	for i := range many {
		many[i] = eventWith(nil)
	}
	require.Equal(t, 204, r.do(healthReport(reportWith(map[string]any{"events": many}))).Code)
	require.Len(t, r.got[0].Events, 500)
}

func TestLongTextsOfAnEventAreCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	r := newReporting(t)
	long := strings.Repeat("é", 40_000)
	event := eventWith(map[string]any{"message": long, "stackTrace": long, "name": long, "flagStates": map[string]any{"f": long}})
	require.Equal(t, 204, r.do(healthReport(reportWith(map[string]any{"events": []any{event}, "x": nil}))).Code)
	got := r.got[0].Events[0]
	require.Equal(t, strings.Repeat("é", 16<<10/2), got.Message)
	require.Equal(t, strings.Repeat("é", 64<<10/2), got.StackTrace)
	require.Equal(t, strings.Repeat("é", reports.MaxShortText/2), got.Name)
	require.Equal(t, strings.Repeat("é", reports.MaxShortText/2), got.FlagStates.Map()["f"])
}

func TestAReportThatIsNotDurableIsNotAcknowledged(t *testing.T) {
	t.Parallel()
	r := newReporting(t)
	r.store.appendReport = func(models.HealthReport) error {
		return &models.Error{Code: models.CodeUnavailable, Message: "the log is full", RetryAfter: 1500e6, Cause: errors.New("disk")}
	}
	answer := r.do(healthReport(reportWith(nil)))
	r.problem(answer, 503, models.CodeUnavailable)
	require.Equal(t, "2", answer.Header().Get("Retry-After"))
}

// Reading any body ends without a panic, and every accepted report is within every limit.
func FuzzParseReport(f *testing.F) {
	f.Add([]byte(reportWith(nil)))
	f.Add([]byte(reportWith(map[string]any{"events": []any{eventWith(map[string]any{"flagStates": map[string]any{"a": 1, "b": nil}})}})))
	f.Add([]byte(`{"events":[{"type":"crash","count":1e3},null,5]}`))
	f.Add([]byte(reportWith(map[string]any{"events": []any{eventWith(map[string]any{"breadcrumbs": []any{map[string]any{"message": "m", "data": map[string]any{"a": 1}}}})}})))
	f.Add([]byte(`[]`))
	f.Add([]byte(`{"projectSlug":"\u0000","deviceId":"\ud800"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		slug, r, err := reports.ParseHealth(body)
		if err != nil {
			require.Equal(t, models.CodeInvalid, models.CodeOf(err))
			return
		}
		require.NotEmpty(t, slug)
		require.NotEmpty(t, r.DeviceID)
		require.NotEmpty(t, r.Channel)
		require.True(t, r.Platform.Valid())
		require.NotEmpty(t, r.RuntimeVersion)
		require.LessOrEqual(t, len(r.Events), reports.MaxEntries)
		for i, e := range r.Events {
			at := strconv.Itoa(i)
			require.True(t, e.Type.Known(), at)
			require.True(t, e.Count >= 1 && e.Count <= reports.MaxCount, at)
			require.LessOrEqual(t, len(e.Message), 16<<10, at)
			require.LessOrEqual(t, len(e.StackTrace), 64<<10, at)
			require.LessOrEqual(t, len(e.Breadcrumbs), reports.MaxBreadcrumbs, at)
			size := 0
			for _, b := range e.Breadcrumbs {
				size += b.Size()
			}
			require.LessOrEqual(t, size, reports.MaxBreadcrumbBytes, at)
			for _, state := range e.FlagStates {
				require.LessOrEqual(t, len(state.Name), reports.MaxShortText, at)
				require.LessOrEqual(t, len(state.Value), reports.MaxShortText, at)
			}
		}
	})
}

func BenchmarkParseReport(b *testing.B) {
	body := []byte(reportWith(map[string]any{"events": []any{
		eventWith(map[string]any{"message": "undefined is not an object", "flagStates": map[string]any{"f": "on"}}),
		eventWith(nil), eventWith(nil),
	}}))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := reports.ParseHealth(body); err != nil {
			b.Fatal(err)
		}
	}
}

// crashOf returns a report of a crash of a release, as a device posts it.
func crashOf(device, update string, header map[string]string) request {
	return request{method: post, path: "/v1/ota/health-metrics", anonymous: true, header: header, body: fmt.Sprintf(
		`{"projectSlug":"demo","deviceId":"%s","platform":"ios","runtimeVersion":"1.0.0","updateUuid":%q,"events":[{"type":"crash","count":1}]}`,
		device, update)}
}

func limitedOf(device string) models.LimitedReport {
	return models.LimitedReport{ProjectID: demo.ID, DeviceID: device, UpdateUUID: releasedUUID.String()}
}

func TestReportsRefusedForTheirRateAreNotedWithTheirRelease(t *testing.T) {
	t.Parallel()
	for name, rates := range map[string]limit.Rates{"of the address": {PerAddress: 0.1}, "of the device": {PerDevice: 0.1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t, func(d *parts) { d.Rates = rates })
			update := strings.ToUpper(releasedUUID.String())
			require.Equal(t, 204, w.do(crashOf("Device-1", update, nil)).Code)
			require.Empty(t, w.store.limited)
			w.problem(w.do(crashOf("Device-1", update, nil)), 429, models.CodeRateLimited)
			require.Equal(t, []models.LimitedReport{limitedOf("device-1")}, w.store.limited)

			// Updates that are not releases of the project are not kept, because strangers could fill the memory with
			// them.
			for _, call := range []request{
				crashOf("Device-1", "99999999-2222-4333-8444-555555555555", nil), crashOf("Device-1", "x", nil),
				{method: post, path: "/v1/ota/health-metrics", anonymous: true, body: "not json"},
			} {
				require.NotEqual(t, 204, w.do(call).Code)
			}
			require.Len(t, w.store.limited, 1)
		})
	}
}

func TestADeviceThatItsHeaderNamesIsNoted(t *testing.T) {
	t.Parallel()
	// A burst of two. The header and the report itself name the device.
	w := newTestAPI(t, func(d *parts) { d.Rates = limit.Rates{PerDevice: 0.2} })
	header := map[string]string{"Eas-Client-Id": "device-1"}
	for range 2 {
		w.do(crashOf("device-1", releasedUUID.String(), header))
	}
	require.Equal(t, []models.LimitedReport{limitedOf("device-1")}, w.store.limited)
}

func TestALimitedDeviceIsHashedWhereTheProjectSaysSo(t *testing.T) {
	t.Parallel()
	key := []byte("0123456789abcdef0123456789abcdef")
	w := newTestAPI(t, func(d *parts) {
		d.Rates = limit.Rates{PerAddress: 0.1}
		d.Snapshots = newSnapshots(t, func(s *models.ProjectSnapshot) { s.HashKey = key })
	})
	for range 2 {
		w.do(crashOf("Device-1", releasedUUID.String(), nil))
	}
	require.Equal(t, []models.LimitedReport{limitedOf(models.HashDeviceID(key, "device-1"))}, w.store.limited)
}

// A flood must stay cheap: only a limited number of refused reports are read, and large ones never are.
func TestAFloodOfReportsIsNotRead(t *testing.T) {
	t.Parallel()
	at := now
	w := newTestAPI(t, func(d *parts) { d.Rates, d.Now = limit.Rates{PerAddress: 0.1}, func() time.Time { return at } })
	large := crashOf("device-1", releasedUUID.String(), nil)
	large.body = large.body.(string) + strings.Repeat(" ", 64<<10)
	for range 2 {
		w.do(large)
	}
	require.Empty(t, w.store.limited)
	for range 2 * 200 {
		w.do(crashOf("device-1", releasedUUID.String(), nil))
	}
	require.Len(t, w.store.limited, 200)
	metrics := w.metrics()
	require.Contains(t, metrics, fmt.Sprintf("waft_reports_limited_total{noted=\"true\"} %d\n", 200))
	require.Contains(t, metrics, fmt.Sprintf("waft_reports_limited_total{noted=\"false\"} %d\n", 201))
}

func TestADeviceThatAsksTooOftenIsShownAsRefused(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t, func(d *parts) { d.Rates = limit.Rates{PerDevice: 0.1} })
	header := map[string]string{"Eas-Client-Id": "DEVICE-1", "Accept": "multipart/mixed"}
	require.Equal(t, 200, w.do(manifest(manifestPath, header)).Code)
	require.Empty(t, w.store.refused)
	require.Equal(t, 429, w.do(manifest(manifestPath, header)).Code)
	require.Equal(t, 429, w.do(manifest("/v1/ota/manifest/nowhere?channel=production", header)).Code)
	require.Equal(t, []models.RefusedRequest{{
		ProjectID: demo.ID, Reason: models.RefusedRateLimited, Channel: "production", Platform: "ios", RuntimeVersion: "1.0.0", DeviceID: "device-1",
	}}, w.store.refused)
}
