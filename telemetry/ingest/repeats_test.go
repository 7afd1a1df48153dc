package ingest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// memoryClaims grants a report to the first claim, like the store.
type memoryClaims struct {
	mu     sync.Mutex
	owners map[uuid.UUID]models.ReportClaim
	fail   error
}

func newMemoryClaims() *memoryClaims {
	return &memoryClaims{owners: map[uuid.UUID]models.ReportClaim{}}
}

func (m *memoryClaims) ClaimReports(_ context.Context, claims []models.ReportClaim) ([]bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return nil, m.fail
	}
	granted := make([]bool, len(claims))
	for i, c := range claims {
		if _, taken := m.owners[c.ReportID]; !taken {
			m.owners[c.ReportID] = c
		}
		granted[i] = m.owners[c.ReportID] == c
	}
	return granted, nil
}

// finish inserts everything in the log and closes it.
func finish(t *testing.T, i *Log) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, i.Run(ctx))
	require.NoError(t, i.Close())
}

func keyedReport(device, key string) models.HealthReport {
	r := testReport(device, models.EventAppLaunch)
	r.ID, r.Keyed = models.ReportID(r.ProjectID, device, key), true
	return r
}

func TestAKeyedReportCountsOnceHoweverOftenItComes(t *testing.T) {
	t.Parallel()
	sink, claims := newMemorySink(), newMemoryClaims()
	open := func(o Options) *Log {
		o.Sink, o.Claims = sink, claims
		return openTestIngest(t, o)
	}
	here, there := testOptions(t, sink), testOptions(t, sink)
	a, b := keyedReport("a", "1"), keyedReport("b", "1")
	unnamed := testReport("a", models.EventCrash)

	// The report is sent twice in one range, again after the range, on another node, and after a restart.
	first := open(here)
	for _, r := range []models.HealthReport{a, unnamed, a, b} {
		require.NoError(t, first.Append(t.Context(), r))
	}
	startRun(t, first)
	sink.await(t, func() bool { return len(sink.seen(t)) == 3 })
	require.NoError(t, first.Append(t.Context(), a))
	require.Eventually(t, func() bool { return testutil.ToFloat64(first.metrics.repeats) == 2 }, testTimeout, time.Millisecond)
	require.NoError(t, first.Close())
	require.InDelta(t, 2, testutil.ToFloat64(first.metrics.repeats), 0)
	require.InDelta(t, 3, testutil.ToFloat64(first.metrics.inserted), 0)

	second := open(there)
	for _, r := range []models.HealthReport{b, keyedReport("c", "1"), a} {
		require.NoError(t, second.Append(t.Context(), r))
	}
	finish(t, second)
	again := open(here)
	require.NoError(t, again.Append(t.Context(), b))
	finish(t, again)
	requireOnce(t, sink, []string{a.ID, b.ID, unnamed.ID, keyedReport("c", "1").ID})
}

// A crash between the claim and the insert must not lose the report or change the range.
func TestAKeyedReportSurvivesACrash(t *testing.T) {
	t.Parallel()
	sink, claims := newMemorySink(), newMemoryClaims()
	o := testOptions(t, sink)
	o.Claims = claims
	var image string
	sink.onInsert = func(string, []models.HealthReport) error {
		if image == "" {
			image = crashImage(t, o.Dir)
		}
		return errAway
	}
	i := openTestIngest(t, o)
	a := keyedReport("a", "1")
	require.NoError(t, i.Append(t.Context(), a))
	require.NoError(t, i.Append(t.Context(), a))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, i.Run(ctx))
	require.Len(t, claims.owners, 1)

	sink.onInsert = nil
	o.Dir = image
	revived := openTestIngest(t, o)
	finish(t, revived)
	requireOnce(t, sink, []string{a.ID})
}

func TestKeyedReportsWaitForWhomTellsThemApart(t *testing.T) {
	t.Parallel()
	sink, claims := newMemorySink(), newMemoryClaims()
	claims.fail = errors.New("Postgres is away")
	o := testOptions(t, sink)
	o.Claims = claims
	i := openTestIngest(t, o)
	a := keyedReport("a", "1")
	require.NoError(t, i.Append(t.Context(), a))
	startRun(t, i)
	require.Eventually(t, func() bool { return testutil.ToFloat64(i.metrics.failures) > 2 }, testTimeout, time.Millisecond)
	require.Empty(t, sink.seen(t))
	claims.mu.Lock()
	claims.fail = nil
	claims.mu.Unlock()
	sink.await(t, func() bool { return len(sink.seen(t)) == 1 })
	requireOnce(t, sink, []string{a.ID})
}

// memoryErasures returns erasures like the store.
type memoryErasures []models.DeviceErasure

func (m memoryErasures) ErasedSince(_ context.Context, since time.Time) ([]models.DeviceErasure, error) {
	var found []models.DeviceErasure
	for _, e := range m {
		if !e.ErasedAt.Before(since) {
			found = append(found, e)
		}
	}
	return found, nil
}

// ClickHouse was unavailable when a device's data was deleted. The log's entries of the device must not restore its
// data.
func TestTheLogDoesNotBringAnErasedDeviceBack(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	i := openTestIngest(t, o)
	gone, other, stays, late := testReport("gone"), testReport("gone"), testReport("stays"), testReport("gone")
	other.ProjectID = 8
	at := gone.ReceivedAt
	late.ReceivedAt = at.Add(time.Hour)
	goneServe, staysServe := testExposure("gone"), testExposure("stays")
	goneServe.ServedAt, staysServe.ServedAt = at, at
	i.Served(goneServe)
	i.Served(staysServe)
	for _, r := range []models.HealthReport{gone, other, stays, late} {
		require.NoError(t, i.Append(t.Context(), r))
	}
	require.NoError(t, i.Close())

	o.Erasures = memoryErasures{
		{ProjectID: 7, Identities: []string{"gone"}, ErasedAt: at.Add(-time.Hour)},
		{ProjectID: 7, Identities: []string{"x", "gone"}, ErasedAt: at.Add(time.Minute)},
	}
	o.Now = func() time.Time { return at.Add(2 * time.Hour) }
	revived := openTestIngest(t, o)
	finish(t, revived)
	requireOnce(t, sink, []string{other.ID, stays.ID, late.ID})
	require.Equal(t, servedOnce(staysServe), sink.served(t))
}
