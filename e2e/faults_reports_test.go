package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
)

const (
	// sendEvery is the pause of each sender between two reports.
	sendEvery = 20 * time.Millisecond
	// faultSeed seeds the random choice of processes and times.
	faultSeed = 1
)

// fate is the result of a report, as its sender knows it.
type fate string

const (
	acknowledged fate = "acknowledged"
	refusedIt    fate = "refused"
	unheard      fate = "unheard" // there was no response
)

// senders send reports without pause and remember the fate of every report.
type senders struct {
	url, slug string
	http      http.Client

	mu    sync.Mutex
	fates map[string]fate // by the name of the only event in the report
	codes map[int]int
}

// send sends one report. If the report has a key, send repeats it until it is acknowledged.
func (s *senders) send(ctx context.Context, name string, keyed bool) {
	for {
		f, code := s.attempt(name, keyed)
		if f == unheard {
			wait(ctx, 5*time.Millisecond) // the server is down
		}
		s.mu.Lock()
		s.codes[code]++
		s.fates[name] = f
		s.mu.Unlock()
		if f == acknowledged || !keyed {
			return
		}
		wait(ctx, 50*time.Millisecond)
		if ctx.Err() != nil {
			// It is not known whether one of the attempts was stored.
			s.mu.Lock()
			s.fates[name] = unheard
			s.mu.Unlock()
			return
		}
	}
}

func (s *senders) attempt(name string, keyed bool) (fate, int) {
	body, err := json.Marshal(object{
		"projectSlug": s.slug, "deviceId": name, "platform": "ios", "runtimeVersion": "1.0.0", "channel": "production",
		"updateUuid": "0b1f9b2e-7b5c-4f0e-9a55-6d1f6f3c2a10",
		"events":     []object{{"type": "app_launch", "count": 1}, {"type": "crash", "count": 1, "message": name}},
	})
	if err != nil {
		return refusedIt, 0
	}
	req, err := http.NewRequest(http.MethodPost, s.url+"/v1/ota/health-metrics", bytes.NewReader(body))
	if err != nil {
		return refusedIt, 0
	}
	req.Header.Set("Content-Type", "application/json")
	if keyed {
		req.Header.Set("Idempotency-Key", "k")
	}
	res, err := s.http.Do(req)
	if err != nil {
		return unheard, 0
	}
	_ = res.Body.Close()
	if res.StatusCode == http.StatusNoContent {
		return acknowledged, res.StatusCode
	}
	return refusedIt, res.StatusCode
}

// refusedAtLeast is the number of reports that must be refused, so that the test can check that they are not stored.
const refusedAtLeast = 50

// acknowledgedAtLeast is a number of reports. More reports must be acknowledged while the processes are killed.
const acknowledgedAtLeast = 500

// refused returns the number of reports refused so far. The few reports with a key among them are sent again.
func (s *senders) refused() int { return s.count(refusedIt) }

// acknowledged returns the number of reports acknowledged so far.
func (s *senders) acknowledged() int { return s.count(acknowledged) }

func (s *senders) count(wanted fate) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.fates {
		if f == wanted {
			n++
		}
	}
	return n
}

// run sends reports with the given number of workers until stop is called.
func (s *senders) run(workers int) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var sending sync.WaitGroup
	for worker := range workers {
		sending.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				wait(ctx, sendEvery) // leaves processor time to other tests
				s.send(ctx, fmt.Sprintf("device-%d-%d", worker, n), worker%2 == 0)
			}
		})
	}
	return func() {
		cancel()
		sending.Wait()
	}
}

// TestNoReportIsLostOrDoubledWhateverIsKilled kills the API and ClickHouse at random moments, and stops ClickHouse
// until the ingest log is full. Then it compares the acknowledged reports with the stored ones. It kills for twelve seconds, or for four
// with -short.
func TestNoReportIsLostOrDoubledWhateverIsKilled(t *testing.T) {
	t.Parallel()
	chaos := rand.New(rand.NewPCG(enginetest.Seed(t, faultSeed), 0))
	engine := newClickHouse(t).await()
	env := settings(t)
	env["CLICKHOUSE_URL"], env["WAFT_LISTEN_ADDR"] = engine.address, freeAddress(t)
	env["WAFT_RATE_PER_ADDRESS"], env["WAFT_RATE_PER_DEVICE"] = "0", "0"
	env["WAFT_INGEST_LOG_BYTES"] = "100000" // about 400 reports
	migrate(t, env)
	api := waftd(t, "api", env)
	p := newProject(t, "http://"+api.addr, env["WAFT_ROOT_KEY"])
	load := &senders{
		url: "http://" + api.addr, slug: p.slug, http: http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 16}},
		fates: map[string]fate{}, codes: map[int]int{},
	}
	stop := load.run(8)
	kills := map[string]int{}
	end := time.Now().Add(enginetest.Sized(12*time.Second, 4*time.Second))
	missing := func() bool {
		return load.acknowledged() <= acknowledgedAtLeast && time.Now().Before(end.Add(waitLimit))
	}
	for time.Now().Before(end) || missing() {
		wait(t.Context(), time.Duration(50+chaos.IntN(900))*time.Millisecond)
		switch k := chaos.IntN(10); {
		case k < 5:
			kills["API"]++
			api.kill()
			api = waftd(t, "api", env)
		case k < 8:
			kills["ClickHouse"]++
			engine.kill()
			engine.start()
		default:
			kills["ClickHouse for a while"]++
			engine.kill()
			wait(t.Context(), time.Duration(500+chaos.IntN(2500))*time.Millisecond)
			if chaos.IntN(2) == 0 {
				api.kill()
				api = waftd(t, "api", env) // starts while ClickHouse is down
			}
			engine.start()
		}
	}
	// The log must be full at least once, for long enough to refuse some reports. The random choices alone do not
	// ensure that.
	engine.kill()
	eventually(t, func() bool { return load.refused() >= refusedAtLeast }, "the log was never full")
	engine.start()
	stop()
	t.Logf("killed: %v; answers: %v", kills, load.codes)

	// The whole log must be drained, including duplicates. Its size includes errors that are not grouped yet.
	await(t, waitLimit, 10*pollEvery, func() bool { return metricOf(t, api.url(), "waft_ingest_log_bytes") == 0 }, "the log was not drained")
	load.compare(t, openBooks(t, engine.address))
}

// compare checks that ClickHouse has every acknowledged report exactly once, a report without a response at most once,
// and no refused report.
func (s *senders) compare(t *testing.T, b books) {
	t.Helper()
	by := map[fate]map[string]bool{acknowledged: {}, refusedIt: {}, unheard: {}}
	for name, f := range s.fates {
		by[f][name] = true
	}
	t.Logf("%d reports were acknowledged, %d were refused, %d got no response", len(by[acknowledged]), len(by[refusedIt]), len(by[unheard]))
	require.Greater(t, len(by[acknowledged]), acknowledgedAtLeast)
	require.Greater(t, len(by[refusedIt]), 10, "too few reports were refused to check them")
	for what, column := range map[string]map[string]uint64{
		"crashes": b.count("message", "health_events", "type = 'crash'"), "launches": b.count("device_id", "health_events", "type = 'app_launch'"),
		"reports": b.count("device_id", "health_reports", "1"), "roll-up": b.sum("device_id", "launches", "device_releases"),
	} {
		var lost, doubled, unwanted []string
		for name := range by[acknowledged] {
			if column[name] == 0 {
				lost = append(lost, name)
			}
		}
		for name, n := range column {
			if n > 1 {
				doubled = append(doubled, name)
			}
			if by[refusedIt][name] {
				unwanted = append(unwanted, name)
			}
			if _, sent := s.fates[name]; !sent { // require.Contains would search all of them
				require.Fail(t, "a stored report was never sent", "%s: %s", what, name)
			}
		}
		require.Empty(t, lost, "%s: acknowledged but not stored", what)
		require.Empty(t, doubled, "%s: stored more than once", what)
		require.Empty(t, unwanted, "%s: refused but stored", what)
	}
}

// books gives access to the data that ClickHouse has in the end.
type books struct {
	t    *testing.T
	conn clickhouse.Conn
}

func openBooks(t *testing.T, url string) books {
	t.Helper()
	options, err := clickhouse.ParseDSN(url)
	require.NoError(t, err)
	conn, err := clickhouse.Open(options)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close()) })
	return books{t, conn}
}

// count returns the number of rows for each value of a column.
func (b books) count(by, table, where string) map[string]uint64 {
	return b.query("SELECT " + by + ", count() FROM " + table + " WHERE " + where + " GROUP BY " + by)
}

func (b books) sum(by, column, table string) map[string]uint64 {
	return b.query("SELECT any(" + by + "), sum(" + column + ") FROM " + table + " WHERE first_at IS NOT NULL GROUP BY device_key")
}

func (b books) query(text string) map[string]uint64 {
	b.t.Helper()
	rows, err := b.conn.Query(b.t.Context(), text)
	require.NoError(b.t, err)
	defer rows.Close()
	found := map[string]uint64{}
	for rows.Next() {
		var name string
		var n uint64
		require.NoError(b.t, rows.Scan(&name, &n))
		found[name] = n
	}
	require.NoError(b.t, rows.Err())
	return found
}
