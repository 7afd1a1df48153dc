package telemetry

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// groupedReports returns reports of four events each. Every hundredth report has an error.
func groupedReports(rng *rand.Rand, n int) []models.HealthReport {
	flags := models.TextsOf(map[string]string{"new-checkout": "true", "search": "ranked", "theme": "dark"})
	reports := make([]models.HealthReport, n)
	for i := range reports {
		r := testReport(fmt.Sprint("device-", rng.IntN(100_000)), models.EventAppLaunch, models.EventCustom, models.EventCustom, models.EventCustom)
		if i%100 == 0 { // like the reports of bench ingest
			kind := rng.IntN(500)
			r.Events[1] = models.HealthEvent{
				Type: models.EventJSError, ErrorName: "TypeError", Message: "undefined is not an object", Count: 1, FlagStates: flags,
				Group: models.EventGroup{Fingerprint: models.Fingerprint(kind + 1), Culprit: "render (index.bundle)", Title: "undefined is not an object"},
			}
		}
		r.Events[0].FlagStates = flags
		reports[i] = r
	}
	return reports
}

// BenchmarkInsertsWithErrorGroups inserts the same reports alternately with and without error groups. Without groups,
// the events have no group and the database has no views of groups. The metric is the rate with groups divided by the
// rate without.
func BenchmarkInsertsWithErrorGroups(b *testing.B) {
	with, without := migrated(b), migratedAlone(b)
	for _, view := range []string{"error_groups_mv", "error_activity_mv", "error_flags_mv", "error_samples_mv"} {
		require.NoError(b, without.conn.Exec(b.Context(), "DROP VIEW "+view))
	}
	rng := rand.New(rand.NewPCG(1, 1))
	var took [2]time.Duration
	for n := range 2 * b.N {
		reports := groupedReports(rng, 25_000)
		for k := range 2 {
			into := (n + k) % 2
			c := []*ClickHouse{with, without}[into]
			began := time.Now()
			require.NoError(b, insertAll(b, c, strconv.Itoa(n), reports))
			if n > 0 { // the first run fills caches
				took[into] += time.Since(began)
			}
		}
	}
	b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "rate-ratio")
	b.ReportMetric(took[0].Seconds()/float64(2*b.N-1)*1000, "ms/with")
	b.ReportMetric(took[1].Seconds()/float64(2*b.N-1)*1000, "ms/without")
}

// BenchmarkErrorGroupPages measures the list and the page of a group with a million errors of 500 kinds, and of ten
// kinds.
func BenchmarkErrorGroupPages(b *testing.B) {
	c := migrated(b)
	now := time.Now().UTC()
	require.NoError(b, c.conn.Exec(b.Context(), `CREATE MATERIALIZED VIEW invented_mv TO error_events_in AS SELECT project_id, received_at, report_id,
		event_index, device_id, platform, channel, update_uuid, type, error_name, count, flag_states, fingerprint, culprit, title FROM health_events`))
	stored := 0
	for _, millions := range []int{1, 10} {
		for ; stored < millions; stored++ {
			require.NoError(b, c.conn.Exec(b.Context(), fmt.Sprintf(`INSERT INTO health_events (project_id, received_at, report_id, event_index,
				device_id, platform, channel, runtime_version, update_uuid, type, error_name, count, flag_states, fingerprint, culprit, title)
				SELECT 7, now64(3, 'UTC') - toIntervalSecond(rand(1) %% 86400), generateUUIDv4(), 0, toString(rand(2) %% 200000),
					if(rand(2) %% 2 = 0, 'ios', 'android'), 'production', '1.0.0', toString(toUUID(concat('00000000-0000-4000-8000-00000000000', toString(rand(3) %% 4)))),
					'js_error', concat('E', toString(number %% 500)), 1, map('cart', if(rand(4) %% 2 = 0, 'on', 'off')),
					1 + number %% 500, 'f', 't'
				FROM numbers(1000000) SETTINGS max_partitions_per_insert_block = 0, max_insert_block_size = 100000 -- %d`, stored)))
		}
		require.NoError(b, c.conn.Exec(b.Context(), "OPTIMIZE TABLE error_activity FINAL"))
		q := models.GroupQuery{From: now.Add(-24 * time.Hour), To: now}
		b.Run(fmt.Sprintf("list/%dM", millions), func(b *testing.B) {
			for b.Loop() {
				_, err := c.ErrorGroups(b.Context(), 7, q, now)
				require.NoError(b, err)
			}
		})
		one := q
		one.Fingerprint = 7
		b.Run(fmt.Sprintf("page/%dM", millions), func(b *testing.B) {
			for b.Loop() {
				_, err := c.ErrorGroups(b.Context(), 7, one, now)
				require.NoError(b, err)
				_, err = c.ErrorGroupDetail(b.Context(), 7, one, now)
				require.NoError(b, err)
			}
		})
	}
}
