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
	// faultTime is how long the engines and the API are killed under load.
	faultTime = 12 * time.Second
	// sendEvery is the pause of each sender between two reports.
	sendEvery = 20 * time.Millisecond
	// faultSeed decides which process is killed when.
	faultSeed = 1
)

// fate is what a sender knows of its report.
type fate string

const (
	acknowledged fate = "acknowledged"
	refusedIt    fate = "refused"
	unheard      fate = "unheard" // no answer came
)

// senders report without end and remember what became of every report.
type senders struct {
	url, slug string
	http      http.Client

	mu    sync.Mutex
	fates map[string]fate // by the name of the report's one event
	codes map[int]int
}

// send sends one report. One with a key is sent until it is acknowledged.
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
			// Whether one of the attempts was taken is not known.
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

// refusedAtLeast is how many reports are refused, to see that none of them is stored.
const refusedAtLeast = 50

// refused is how many reports are refused so far. The few of them that have a key are sent again.
func (s *senders) refused() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, f := range s.fates {
		if f == refusedIt {
			n++
		}
	}
	return n
}

// run sends with so many workers until stop is called.
func (s *senders) run(workers int) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var sending sync.WaitGroup
	for worker := range workers {
		sending.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				wait(ctx, sendEvery) // other tests need the processors
				s.send(ctx, fmt.Sprintf("device-%d-%d", worker, n), worker%2 == 0)
			}
		})
	}
	return func() {
		cancel()
		sending.Wait()
	}
}

// TestNoReportIsLostOrDoubledWhateverIsKilled kills the API and ClickHouse at
// random moments, and stops ClickHouse until the log is full. Then
// what was acknowledged is compared with what is stored.
func TestNoReportIsLostOrDoubledWhateverIsKilled(t *testing.T) {
	t.Parallel()
	chaos := rand.New(rand.NewPCG(enginetest.Seed(t, faultSeed), 0))
	engine := newClickHouse(t).await()
	env := settings(t)
	env["CLICKHOUSE_URL"], env["WAFT_LISTEN_ADDR"] = engine.address, freeAddress(t)
	env["WAFT_RATE_PER_ADDRESS"], env["WAFT_RATE_PER_DEVICE"] = "0", "0"
	env["WAFT_INGEST_LOG_BYTES"] = "100000" // some 400 reports
	migrate(t, env)
	api := waftd(t, "api", env)
	p := newProject(t, "http://"+api.addr, env["WAFT_ROOT_KEY"])
	load := &senders{
		url: "http://" + api.addr, slug: p.slug, http: http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 16}},
		fates: map[string]fate{}, codes: map[int]int{},
	}
	stop := load.run(8)
	kills := map[string]int{}
	for end := time.Now().Add(faultTime); time.Now().Before(end); {
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
				api = waftd(t, "api", env) // which finds no ClickHouse
			}
			engine.start()
		}
	}
	// However the dice fell, the log is full once, for long enough to refuse some.
	engine.kill()
	eventually(t, func() bool { return load.refused() >= refusedAtLeast }, "the log never was full")
	engine.start()
	stop()
	t.Logf("killed: %v; answers: %v", kills, load.codes)

	// All that is in the log must come out, the second copy of something as well. The bytes count the errors that are not grouped.
	await(t, waitLimit, 10*pollEvery, func() bool { return metricOf(t, api.url(), "waft_ingest_log_bytes") == 0 }, "the log is not drained")
	load.compare(t, openBooks(t, engine.address))
}

// compare checks that ClickHouse has each report that was acknowledged once, none that
// was refused, and at most once those without an answer.
func (s *senders) compare(t *testing.T, b books) {
	t.Helper()
	by := map[fate]map[string]bool{acknowledged: {}, refusedIt: {}, unheard: {}}
	for name, f := range s.fates {
		by[f][name] = true
	}
	t.Logf("%d reports were acknowledged, %d refused, %d not answered", len(by[acknowledged]), len(by[refusedIt]), len(by[unheard]))
	require.Greater(t, len(by[acknowledged]), 500)
	require.Greater(t, len(by[refusedIt]), 10, "whether refused ones are there was not asked")
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
			if _, sent := s.fates[name]; !sent { // require.Contains would look through all of them
				require.Fail(t, "it was not sent", "%s: %s", what, name)
			}
		}
		require.Empty(t, lost, "%s: acknowledged and not there", what)
		require.Empty(t, doubled, "%s: there more than once", what)
		require.Empty(t, unwanted, "%s: refused and there", what)
	}
}

// books are what ClickHouse has in the end.
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

// count is the number of rows by a column.
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
