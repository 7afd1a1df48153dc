package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/reports"
	"github.com/waft-ota/waft/internal/guard/cardinality"
	"github.com/waft-ota/waft/internal/lab/benchratio"
	"github.com/waft-ota/waft/models"
)

func TestAReportSentAgainUnderItsKeyIsTheSame(t *testing.T) {
	t.Parallel()
	r := newReporting(t)
	send := func(key string, change map[string]any) models.HealthReport {
		t.Helper()
		call := healthReport(reportWith(change))
		call.header["Idempotency-Key"] = key
		require.Equal(t, 204, r.do(call).Code)
		return r.got[len(r.got)-1]
	}
	first := send("a", nil)
	require.True(t, first.Keyed)
	require.Equal(t, uuid.Version(8), uuid.MustParse(first.ID).Version())
	require.Equal(t, first.ID, send("a", nil).ID)
	require.Equal(t, first.ID, send("a", map[string]any{"deviceId": "DEVICE-1", "platform": "android"}).ID)
	require.NotEqual(t, first.ID, send("b", nil).ID)
	require.NotEqual(t, first.ID, send("a", map[string]any{"deviceId": "device-2"}).ID)
	require.NotEqual(t, first.ID, send("a", map[string]any{"projectSlug": "other"}).ID)
	unnamed := send("", nil)
	require.False(t, unnamed.Keyed)
	require.Empty(t, unnamed.ID)

	call := healthReport(reportWith(nil))
	call.header["Idempotency-Key"] = strings.Repeat("é", 255)
	require.Equal(t, 204, r.do(call).Code)
	call.header["Idempotency-Key"] += "x"
	r.problem(r.do(call), 400, models.CodeInvalid)
}

func TestFlagStatesOfEveryShape(t *testing.T) {
	t.Parallel()
	r := newReporting(t)
	states := map[string]any{
		"bool": true, "number": 4.5, "null": nil, "text": "on", "Ünïcödé-漢字-🚀": "wért", "": "empty name",
		"object": map[string]any{"deep": []any{1, map[string]any{"deeper": nil}}}, "array": []any{1, "2"},
	}
	require.Equal(t, 204, r.do(r.servedReport(reportWith(map[string]any{"events": []any{eventWith(map[string]any{"flagStates": states})}}))).Code)
	require.Equal(t, map[string]string{
		"bool": "true", "number": "4.5", "text": "on", "Ünïcödé-漢字-🚀": "wért", "": "empty name",
		"object": `{"deep":[1,{"deeper":null}]}`, "array": `[1,"2"]`,
	}, r.got[0].Events[0].FlagStates.Map())

	thousand := map[string]any{}
	for n := range 1000 {
		thousand[fmt.Sprintf("flag-%04d", n)] = n%2 == 0
	}
	require.Equal(t, 204, r.do(r.servedReport(reportWith(map[string]any{"events": []any{eventWith(map[string]any{"flagStates": thousand, "tags": thousand})}}))).Code)
	e := r.got[1].Events[0]
	require.Len(t, e.FlagStates, cardinality.MaxEventFlagStates)
	require.Contains(t, e.FlagStates.Map(), "flag-0255")
	require.NotContains(t, e.FlagStates.Map(), "flag-0256")
	require.Len(t, e.Tags, cardinality.MaxEventTags)
	deep := `{"projectSlug":"demo","deviceId":"d","platform":"ios","runtimeVersion":"1","events":[{"type":"crash","count":1,"flagStates":{"a":` +
		strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}}]}`
	r.problem(r.do(healthReport(deep)), 400, models.CodeInvalid)
}

// Invented names must not make telemetry grow without limit. Their events count under one name.
func TestInventedNamesAreLimited(t *testing.T) {
	t.Parallel()
	r := newReporting(t)
	distinct := map[string]map[string]bool{}
	saw := func(kind, value string) {
		if distinct[kind] == nil {
			distinct[kind] = map[string]bool{}
		}
		distinct[kind][value] = true
	}
	const rounds, events = 200, 30
	for n := range rounds {
		var sent []any
		for k := range events {
			unique := fmt.Sprintf("%d-%d", n, k)
			sent = append(sent, eventWith(map[string]any{
				"name": "n" + unique, "errorName": "e" + unique,
				"flagStates": map[string]any{"f" + unique: "on", "known": unique}, "tags": map[string]any{"t" + unique: "x"},
			}))
		}
		for k := range 10 {
			unique := fmt.Sprintf("%d.%d", n, k)
			change := map[string]any{"channel": "c" + unique, "runtimeVersion": unique, "updateUuid": uuid.NewString(), "events": sent}
			if k > 0 {
				change["events"] = []any{}
			}
			require.Equal(t, 204, r.do(r.servedReport(reportWith(change))).Code)
		}
	}
	for _, report := range r.got {
		saw("channel", report.Channel)
		saw("runtimeVersion", report.RuntimeVersion)
		saw("updateUuid", report.UpdateUUID)
		for _, e := range report.Events {
			saw("name", e.Name)
			saw("errorName", e.ErrorName)
			for _, tag := range e.Tags {
				saw("tag", tag.Name)
			}
			for _, state := range e.FlagStates {
				saw("flag", state.Name)
				saw("variation", state.Name+"\x00"+state.Value)
			}
		}
	}
	for d, bound := range map[string]int{
		"channel": 100, "runtimeVersion": 500, "updateUuid": 1000, "name": 2000, "errorName": 2000, "tag": 500, "flag": 1000, "variation": 5000,
	} {
		require.LessOrEqual(t, len(distinct[d]), bound+2, "%s", d)
		require.Greater(t, len(distinct[d]), bound/2, "%s: the attack was none", d)
	}
	require.True(t, distinct["updateUuid"][cardinality.OtherUpdate])
	last := r.got[len(r.got)-10].Events
	require.Len(t, last, events, "no event is lost")
	require.Equal(t, "(other)", last[0].Name)

	require.Equal(t, 204, r.do(r.servedReport(reportWith(map[string]any{"channel": "production", "updateUuid": releasedUUID.String()}))).Code)
	honest := r.got[len(r.got)-1]
	require.Equal(t, "production", honest.Channel, "what the project has itself is let through")
	require.Equal(t, "1.0.0", honest.RuntimeVersion)
	require.Equal(t, releasedUUID.String(), honest.UpdateUUID)
	require.Regexp(t, `waft_reports_other_total\{dimension="name"\} [1-9]`, r.metrics())
}

func TestLimitedNamesComeBackTheNextDay(t *testing.T) {
	t.Parallel()
	at := now
	r := newReporting(t, func(d *parts) { d.Now = func() time.Time { return at } })
	send := func(channel string) string {
		t.Helper()
		require.Equal(t, 204, r.do(r.servedReport(reportWith(map[string]any{"channel": channel}))).Code)
		return r.got[len(r.got)-1].Channel
	}
	for n := range 100 {
		require.Equal(t, strconv.Itoa(n), send(strconv.Itoa(n)))
	}
	require.Equal(t, "(other)", send("new"))
	require.Equal(t, "0", send("0"))
	at = at.Add(cardinality.Period)
	require.Equal(t, "new", send("new"))
}

// A report that never ends, or ends too early, is not stored and does not block other requests.
func TestAHalfSentReportIsNotTaken(t *testing.T) {
	t.Parallel()
	r := newReporting(t)
	server := httptest.NewServer(r.handler)
	defer server.Close()
	body := reportWith(nil)
	for name, send := range map[string]string{
		"less than announced": fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body)+10, body),
		"half a chunk":        fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s", len(body), body[:len(body)/2]),
		"no last chunk":       fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(body), body),
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		require.NoError(t, err)
		_, err = io.WriteString(conn, "POST /v1/ota/health-metrics HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"+send)
		require.NoError(t, err)
		require.NoError(t, conn.(*net.TCPConn).CloseWrite())
		answer, err := io.ReadAll(conn)
		require.NoError(t, err)
		require.NotContains(t, string(answer), " 204 ", name)
		require.NoError(t, conn.Close())
	}
	res, err := http.Post(server.URL+"/v1/ota/health-metrics", "application/json", bytes.NewReader([]byte(body)))
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, 204, res.StatusCode)
	require.Len(t, r.got, 1)
}

// BenchmarkRatioReport compares parsing a report with the standard library's decoding of the same JSON.
func BenchmarkRatioReport(b *testing.B) {
	body := []byte(reportWith(map[string]any{"events": []any{
		eventWith(map[string]any{"message": "undefined is not an object", "flagStates": map[string]any{"f": "on"}}),
		eventWith(nil), eventWith(nil),
	}}))
	benchratio.Compare(b, "report", func() {
		var report struct {
			ProjectSlug, DeviceID, Platform, RuntimeVersion string
			Events                                          []struct {
				Type, Message string
				Count         int
				FlagStates    map[string]string
			}
		}
		if err := json.Unmarshal(body, &report); err != nil {
			b.Fatal(err)
		}
	}, func() {
		if _, _, err := reports.ParseHealth(body); err != nil {
			b.Fatal(err)
		}
	})
}
