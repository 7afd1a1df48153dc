package e2e

import (
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/internal/lab/enginetest"
)

// TestEveryFigureOverHTTPIsTheTruth sends 200,000 events, evaluations and manifest requests over HTTP. It compares
// every number that the server returns with a number computed here. With WAFT_TEST_SCALE=5 it sends a million, and with -short 50,000.
func TestEveryFigureOverHTTPIsTheTruth(t *testing.T) {
	t.Parallel()
	scale := enginetest.Scale(t)
	w := requireTruth(t, settings(t), enginetest.Sized(430, 107)*scale, enginetest.Sized(800, 400)*scale)
	require.GreaterOrEqual(t, w.size(), enginetest.Sized(200_000, 50_000)*scale)
}

// requireTruth sends the given numbers of reports to a new installation and compares all numbers.
func requireTruth(t *testing.T, env map[string]string, packed, short int) *truth {
	t.Helper()
	env["WAFT_RATE_PER_ADDRESS"], env["WAFT_RATE_PER_DEVICE"], env["WAFT_INCIDENT_INTERVAL"] = "0", "0", "1s"
	now := clockFarFromMidnight(truthLimit)
	p := installation{url: serve(t, env, app.WithClock(now)), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	flag := p.create("/v1/ota/flags", object{"name": "Checkout", "key": "checkout", "flagType": "boolean", "defaultValue": false})
	first := p.release()
	second, execution := rollOut(p)
	groupID := second["groupId"].(string)
	w := inventTruth(now, rand.New(rand.NewPCG(5, 6)), packed, short, first["updateUuid"].(string), second["updateUuid"].(string))

	a := w.ask(t, p, groupID)
	began := time.Now()
	w.send(t, p)
	t.Logf("%d events in %d reports in %s", w.size(), len(w.reports), time.Since(began))
	e := sendEvaluations(t, p, now)

	b := openBooks(t, env["CLICKHOUSE_URL"])
	rows := func(table string) uint64 { return b.query("SELECT '', count() FROM " + table)[""] }
	every := w.of(anyReport)
	p.eventually(func() bool {
		return rows("health_reports") >= uint64(len(w.reports)) && // some reports have no launch
			rows("health_events") >= uint64(w.size()) && // errors are stored after their reports
			sum(p.read("/v1/ota/telemetry/timeseries?period=6h"), "launches") == every.launches &&
			p.read(path("/v1/ota/flags/%d/evaluations", flag.id("id")))["total"] == float64(e.total())
	})
	t.Logf("all visible after %s", time.Since(began))

	require.Equal(t, uint64(w.size()), rows("health_events"))
	require.Equal(t, uint64(len(w.reports)), rows("health_reports"))
	crashes := w.with(a.failures)
	crashes.requireTimeseries(p)
	w.requireAdoption(p, a, first, second)
	w.requireImpacts(p)
	w.requireFlagHealth(p, flag)
	e.require(p, flag)
	w.requireEvents(p)
	a.require(p)
	w.requireRolloutHealth(p, a, execution, groupID)
	crashes.requireIncidents(p)
	t.Logf("all compared after %s", time.Since(began))
	return w
}

// text returns a string, or "" for null.
func text(v any) string {
	s, _ := v.(string)
	return s
}

// sum returns the sum of a field over all points.
func sum(timeseries object, field string) (total int) {
	for _, point := range timeseries["points"].([]any) {
		total += int(point.(map[string]any)[field].(float64))
	}
	return total
}

// truthLimit is longer than the time from the test's first report to its last request.
const truthLimit = 10 * time.Minute

// clockFarFromMidnight returns a clock whose next midnight in UTC is at least length away, so that all data is in one
// day. It is ahead of the machine's clock by less than length.
func clockFarFromMidnight(length time.Duration) func() time.Time {
	now := time.Now().UTC()
	left := now.Truncate(24*time.Hour).AddDate(0, 0, 1).Sub(now)
	if left >= length {
		return time.Now
	}
	return func() time.Time { return time.Now().Add(left) }
}

func (r request) get() request { r.method = http.MethodGet; return r }

func (p *tenant) read(path string) object {
	p.t.Helper()
	return p.do(at("%s", path).get()).record(http.StatusOK)
}

func (p *tenant) list(path string) []object {
	p.t.Helper()
	return p.do(at("%s", path).get()).list()
}

func (p *tenant) eventually(done func() bool) {
	p.t.Helper()
	eventually(p.t, done)
}
