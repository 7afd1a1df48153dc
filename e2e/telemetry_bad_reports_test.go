package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

// reporting is a project to which reports are sent, on two API processes.
type reporting struct {
	*tenant
	other  *tenant
	books  books
	update string
}

func newReporting(t *testing.T) reporting {
	t.Helper()
	env := settings(t)
	env["WAFT_RATE_PER_ADDRESS"], env["WAFT_RATE_PER_DEVICE"] = "0", "0"
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	env["WAFT_DATA_DIR"] = t.TempDir()
	other := *p
	other.url = serveAPI(t, env)
	r := reporting{tenant: p, other: &other, books: openBooks(t, env["CLICKHOUSE_URL"])}
	r.update = p.release()["updateUuid"].(string)
	p.create("/v1/ota/flags", object{"name": "Checkout", "key": "checkout", "flagType": "boolean", "defaultValue": false})
	r.known()
	other.known()
	return r
}

// report returns a valid report with some fields replaced. A nil value removes the field.
func (r reporting) report(change object) object {
	report := object{
		"projectSlug": r.slug, "deviceId": "device-1", "channel": "production", "platform": "ios", "runtimeVersion": "1.0.0",
		"updateUuid": r.update, "events": []object{{"type": "app_launch", "count": 1}},
	}
	for name, value := range change {
		report[name] = value
		if value == nil {
			delete(report, name)
		}
	}
	return report
}

// with returns a valid report with one event.
func (r reporting) with(event object) object { return r.report(object{"events": []object{event}}) }

func (r reporting) send(body any, header map[string]string) answer {
	r.t.Helper()
	return r.do(request{method: http.MethodPost, path: "/v1/ota/health-metrics", body: body, header: header})
}

func (r reporting) taken(body any, header map[string]string) {
	r.t.Helper()
	a := r.send(body, header)
	require.Equal(r.t, http.StatusNoContent, a.status, a.body)
}

// requireBooks waits for the reports and then compares the project's stored reports, launches and events. A refused
// report would have been stored together with later accepted reports.
func (r reporting) requireBooks(reports, launches, events int) {
	r.t.Helper()
	rows := func(table string) uint64 {
		return r.books.query(fmt.Sprintf("SELECT '', count() FROM %s WHERE project_id = %d", table, r.id))[""]
	}
	r.eventually(func() bool { return rows("health_reports") >= uint64(reports) })
	require.Equal(r.t, uint64(reports), rows("health_reports"))
	r.eventually(func() bool { return rows("health_events") >= uint64(events) })
	require.Equal(r.t, uint64(events), rows("health_events"))
	launched := func() int { return sum(r.read("/v1/ota/telemetry/timeseries?period=6h"), "launches") }
	r.eventually(func() bool { return launched() >= launches })
	require.Equal(r.t, launches, launched())
}

// requireActive waits for the devices of all reports, which ClickHouse writes to a table after others.
func (r reporting) requireActive(devices int) (adoption object) {
	r.t.Helper()
	active := func() int {
		adoption = r.read("/v1/ota/insights/adoption")
		return int(adoption["totalActiveDevices"].(float64))
	}
	r.eventually(func() bool { return active() >= devices })
	require.Equal(r.t, devices, active())
	return adoption
}

func squeezed(t *testing.T, body io.Reader) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := io.Copy(w, body)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

// endless returns a text of n spaces that is never in memory as a whole.
func endless(n int64) io.Reader { return io.LimitReader(spaces{}, n) }

type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// A report is refused as a whole, with a reason, or counts as a whole.
func TestBadReportsAreClearErrorsAndCountNothing(t *testing.T) {
	t.Parallel()
	r := newReporting(t)
	text := func(report object) string {
		out, err := json.Marshal(report)
		require.NoError(t, err)
		return string(out)
	}
	good := text(r.report(nil))
	packed := string(squeezed(t, strings.NewReader(good)))
	gzipped := map[string]string{"Content-Encoding": "gzip"}
	bomb := enginetest.Sized[int64](1<<30, 1<<26) // bytes, far more than a report may have
	many := make([]object, 501)
	for i := range many {
		many[i] = object{"type": "app_launch", "count": 1}
	}
	for name, c := range map[string]struct {
		body   any
		header map[string]string
		status int
		code   models.ErrorCode
		field  string
	}{
		"nothing":                {"", nil, 400, models.CodeInvalid, ""},
		"no JSON":                {"not json", nil, 400, models.CodeInvalid, ""},
		"half an object":         {good[:len(good)/2], nil, 400, models.CodeInvalid, ""},
		"two objects":            {good + good, nil, 400, models.CodeInvalid, ""},
		"an array":               {"[" + good + "]", nil, 400, models.CodeInvalid, ""},
		"null":                   {"null", nil, 400, models.CodeInvalid, "deviceId"},
		"a number as device":     {r.report(object{"deviceId": 7}), nil, 400, models.CodeInvalid, "deviceId"},
		"a device of blanks":     {r.report(object{"deviceId": "  "}), nil, 400, models.CodeInvalid, "deviceId"},
		"a long device":          {r.report(object{"deviceId": strings.Repeat("d", 257)}), nil, 400, models.CodeInvalid, "deviceId"},
		"a device with a zero":   {r.report(object{"deviceId": "a\x00b"}), nil, 400, models.CodeInvalid, "deviceId"},
		"no platform":            {r.report(object{"platform": nil}), nil, 400, models.CodeInvalid, "platform"},
		"an invented platform":   {r.report(object{"platform": uuid.NewString()}), nil, 400, models.CodeInvalid, "platform"},
		"a long version":         {r.report(object{"runtimeVersion": strings.Repeat("1", 5000)}), nil, 400, models.CodeInvalid, "runtimeVersion"},
		"a long channel":         {r.report(object{"channel": strings.Repeat("c", 129)}), nil, 400, models.CodeInvalid, "channel"},
		"an update that is none": {r.report(object{"updateUuid": "latest"}), nil, 400, models.CodeInvalid, "updateUuid"},
		"events as an object":    {r.report(object{"events": object{}}), nil, 400, models.CodeInvalid, "events"},
		"no events":              {r.report(object{"events": nil}), nil, 400, models.CodeInvalid, "events"},
		"too many events":        {r.report(object{"events": many}), nil, 400, models.CodeInvalid, "events"},
		"an event that is none":  {r.report(object{"events": []any{object{"type": "crash", "count": 1}, 7}}), nil, 400, models.CodeInvalid, "events[1]"},
		"no count":               {r.with(object{"type": "crash"}), nil, 400, models.CodeInvalid, "events[0].count"},
		"a count of 0":           {r.with(object{"type": "crash", "count": 0}), nil, 400, models.CodeInvalid, "events[0].count"},
		"a count below 0":        {r.with(object{"type": "crash", "count": -1}), nil, 400, models.CodeInvalid, "events[0].count"},
		"half a count":           {r.with(object{"type": "crash", "count": 1.5}), nil, 400, models.CodeInvalid, "events[0].count"},
		"a count too high":       {r.with(object{"type": "crash", "count": 1_000_001}), nil, 400, models.CodeInvalid, "events[0].count"},
		"a count as text":        {r.with(object{"type": "crash", "count": "1"}), nil, 400, models.CodeInvalid, "events[0].count"},
		"states as a text":       {r.with(object{"type": "crash", "count": 1, "flagStates": "on"}), nil, 400, models.CodeInvalid, "events[0].flagStates"},
		"deep nesting":           {good[:len(good)-1] + `,"x":` + strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000) + "}", nil, 400, models.CodeInvalid, ""},
		"another project":        {r.report(object{"projectSlug": "nobodys"}), nil, 404, models.CodeNotFound, ""},
		"no project":             {r.report(object{"projectSlug": nil}), nil, 400, models.CodeInvalid, "projectSlug"},
		"a long key":             {good, map[string]string{"Idempotency-Key": strings.Repeat("k", 256)}, 400, models.CodeInvalid, ""},
		"too large":              {r.with(object{"type": "crash", "count": 1, "unknown": strings.Repeat("x", 512<<10)}), nil, 413, models.CodeTooLarge, ""},
		"a bomb":                 {string(squeezed(t, endless(bomb))), gzipped, 413, models.CodeTooLarge, ""},
		"a bomb in a bomb":       {string(squeezed(t, bytes.NewReader(squeezed(t, endless(bomb/4))))), gzipped, 400, models.CodeInvalid, ""},
		"a report behind a bomb": {string(squeezed(t, io.MultiReader(endless(1<<20), strings.NewReader(good)))), gzipped, 413, models.CodeTooLarge, ""},
		"half a packed report":   {packed[:len(packed)/2], gzipped, 400, models.CodeInvalid, ""},
		"a packed report with a bit flipped": {
			packed[:len(packed)-8] + string([]byte{packed[len(packed)-8] ^ 1}) + packed[len(packed)-7:], gzipped, 400, models.CodeInvalid, "",
		},
		"not packed at all":  {good, gzipped, 400, models.CodeInvalid, ""},
		"packed by others":   {good, map[string]string{"Content-Encoding": "br"}, 415, models.CodeUnsupportedMedia, ""},
		"another media type": {good, map[string]string{"Content-Type": "application/xml"}, 415, models.CodeUnsupportedMedia, ""},
		"a form":             {good, map[string]string{"Content-Type": "multipart/form-data; boundary=x"}, 415, models.CodeUnsupportedMedia, ""},
	} {
		problem := r.send(c.body, c.header).problem(c.status, c.code)
		if c.field != "" {
			fields := []any{}
			for _, e := range problem["errors"].([]any) {
				fields = append(fields, e.(map[string]any)["field"])
			}
			require.Contains(t, fields, c.field, name)
		}
	}
	r.taken(good, nil)
	r.requireBooks(1, 1, 1)
	for _, path := range []string{"/v1/ota/telemetry/events", "/v1/ota/insights/adoption", "/v1/ota/telemetry/flag-impacts", "/v1/ota/telemetry/incidents"} {
		require.Equal(t, http.StatusOK, r.do(at("%s", path).get()).status)
	}
}

// Gzip bombs, some at the same time, must not make a process grow by their uncompressed size.
func TestBombsAreNotUnpacked(t *testing.T) {
	t.Parallel()
	env := settings(t)
	migrate(t, env)
	api := waftd(t, "api", env)
	bomb := squeezed(t, endless(400<<20))
	require.Less(t, len(bomb), 512<<10, "the compressed bomb must be within the limit")
	inParallel(t, truthSenders, func(int) error {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+api.addr+"/v1/ota/health-metrics", bytes.NewReader(bomb))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Content-Encoding", "gzip")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		if res.StatusCode != http.StatusRequestEntityTooLarge {
			return fmt.Errorf("a bomb got %s", res.Status)
		}
		return nil
	})
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", api.command.Process.Pid))
	require.NoError(t, err)
	peak := peakMemory.FindSubmatch(status)
	require.NotNil(t, peak)
	kilobytes, err := strconv.Atoi(string(peak[1]))
	require.NoError(t, err)
	require.Less(t, kilobytes, 400<<10, "the process grew by as much as a single bomb")
}

var peakMemory = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// A connection that is cut in the middle of a body does not affect other reports.
func TestAReportThatIsCutOffCountsNothing(t *testing.T) {
	t.Parallel()
	r := newReporting(t)
	good, err := json.Marshal(r.report(nil))
	require.NoError(t, err)
	body, packed := string(good), string(squeezed(t, bytes.NewReader(good)))
	head := "POST /v1/ota/health-metrics HTTP/1.1\r\nHost: waft\r\nContent-Type: application/json\r\n"
	chunked := head + "Transfer-Encoding: chunked\r\n\r\n"
	for name, sent := range map[string]string{
		"in the headers":             head,
		"before the body":            head + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)),
		"in the body":                head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body[:len(body)/2]),
		"before its last byte":       head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body)+1, body),
		"in a packed body":           head + fmt.Sprintf("Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(packed), packed[:len(packed)-5]),
		"in a chunk":                 chunked + fmt.Sprintf("%x\r\n%s", len(body), body[:len(body)/2]),
		"before the last chunk":      chunked + fmt.Sprintf("%x\r\n%s\r\n", len(body), body),
		"in the last chunk":          chunked + fmt.Sprintf("%x\r\n%s\r\n0\r", len(body), body),
		"with a chunk of no size":    chunked + "zz\r\n" + body + "\r\n0\r\n\r\n",
		"with another length inside": head + fmt.Sprintf("Content-Length: 10\r\nContent-Length: %d\r\n\r\n%s", len(body), body),
	} {
		for _, hard := range []bool{false, true} {
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(r.url, "http://"))
			require.NoError(t, err)
			tcp := conn.(*net.TCPConn)
			_, err = io.WriteString(conn, sent)
			require.NoError(t, err)
			if hard { // a reset instead of a normal end
				require.NoError(t, tcp.SetLinger(0))
			} else {
				require.NoError(t, tcp.CloseWrite())
				answer, err := io.ReadAll(conn)
				require.NoError(t, err)
				require.NotContains(t, string(answer), " 204 ", name)
			}
			require.NoError(t, conn.Close())
		}
	}
	r.taken(string(good), nil)
	r.requireBooks(1, 1, 1)
}

// Without a response a client sends its report again.
func TestAReportSentTwiceCountsOnceUnderItsKey(t *testing.T) {
	t.Parallel()
	r := newReporting(t)
	key := map[string]string{"Idempotency-Key": uuid.NewString()}
	for i, at := range []*tenant{r.tenant, r.other, r.tenant, r.other} {
		change := object{"deviceId": []string{"device-1", "DEVICE-1"}[i/2]}
		a := at.do(request{method: http.MethodPost, path: "/v1/ota/health-metrics", body: r.report(change), header: key})
		require.Equal(t, http.StatusNoContent, a.status, a.body)
	}
	r.taken(r.report(object{"deviceId": "device-2"}), key) // a key of another device
	for range 3 {
		r.taken(r.report(nil), nil) // without a key they are different reports
	}
	inParallel(t, 64, func(i int) error {
		at := []*tenant{r.tenant, r.other}[i%2]
		a := at.do(request{
			method: http.MethodPost, path: "/v1/ota/health-metrics", body: r.report(object{"deviceId": "device-3"}),
			header: map[string]string{"Idempotency-Key": fmt.Sprintf("key-%d", i/16)},
		})
		if a.status != http.StatusNoContent {
			return fmt.Errorf("%d %s", a.status, a.body)
		}
		return nil
	})
	reports := 1 + 1 + 3 + 4
	r.requireBooks(reports, reports, reports)
	r.requireActive(3)
}
