package ingest

import (
	"bufio"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/telemetry"
)

// killVictim starts a process that appends to dir, kills it with SIGKILL once it has acknowledged enough reports, and
// returns the IDs of all acknowledged reports.
func killVictim(t *testing.T, dir, clickHouseURL string, enough int) []string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	victim := exec.Command(self)
	victim.Env = append(os.Environ(), victimDir+"="+dir, victimClickHouse+"="+clickHouseURL)
	victim.Stderr = os.Stderr
	out, err := victim.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, victim.Start())
	var ids []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		ids = append(ids, lines.Text())
		if len(ids) == enough {
			require.NoError(t, victim.Process.Kill())
		}
	}
	require.Error(t, victim.Wait(), "the process was killed")
	require.GreaterOrEqual(t, len(ids), enough)
	// The pipe may end within a line. Its device did not get the acknowledgment.
	if last := ids[len(ids)-1]; len(last) < 36 {
		ids = ids[:len(ids)-1]
	}
	return ids
}

func TestAcknowledgedReportsSurviveKill9(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sink := newMemorySink()
	var acknowledged []string
	for _, enough := range []int{1, 40, 200, 1000} {
		acknowledged = append(acknowledged, killVictim(t, dir, "", enough)...)
	}
	drain(t, dir, sink)
	seen := sink.seen(t)
	for _, id := range acknowledged {
		require.Equal(t, 1, seen[id], "report %s", id)
	}
	for id, n := range seen {
		require.Equal(t, 1, n, "report %s, which nobody was promised, counts once at most", id)
	}
}

func TestAcknowledgedReportsReachClickHouseOnceWhateverIsKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clickHouseURL := enginetest.ClickHouse(t)
	require.NoError(t, telemetry.Migrate(t.Context(), clickHouseURL))
	c, err := telemetry.Open(t.Context(), clickHouseURL)
	require.NoError(t, err)
	defer c.Close()
	options, err := clickhouse.ParseDSN(clickHouseURL)
	require.NoError(t, err)
	db := clickhouse.OpenDB(options)
	defer db.Close()
	var acknowledged []string
	for _, enough := range []int{30, 100, 300, 1000} {
		acknowledged = append(acknowledged, killVictim(t, dir, clickHouseURL, enough)...)
	}
	drain(t, dir, c)

	var stored []string
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT groupArray(toString(report_id)) FROM health_reports").Scan(&stored))
	slices.Sort(stored)
	require.Len(t, slices.Compact(slices.Clone(stored)), len(stored), "no report is stored twice")
	for _, id := range acknowledged {
		_, found := slices.BinarySearch(stored, id)
		require.True(t, found, "report %s was acknowledged", id)
	}
	// Every device of the victims reported once, with a launch and a crash.
	for _, query := range []string{
		"SELECT sum(launches) FROM device_releases",
		"SELECT count() FROM health_events WHERE type = 'crash'",
		"SELECT uniqExact(report_id) FROM health_events",
	} {
		var n int
		require.NoError(t, db.QueryRowContext(t.Context(), query).Scan(&n))
		require.Equal(t, len(stored), n, query)
	}
}
