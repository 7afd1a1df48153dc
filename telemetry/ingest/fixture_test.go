package ingest

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// testTimeout limits every wait for an expected event. No test depends on its value.
const testTimeout = 2 * time.Minute

// testUpdate is the release of testReport's devices.
const testUpdate = "0b1f9b2e-7b5c-4f0e-9a55-6d1f6f3c2a10"

// testReport returns a report with an ID and one event of each type.
func testReport(deviceID string, types ...models.HealthEventType) models.HealthReport {
	r := models.HealthReport{
		ID: uuid.Must(uuid.NewV7()).String(), ProjectID: 7, DeviceID: deviceID, Channel: "production",
		Platform: models.IOS, RuntimeVersion: "1.4.0", UpdateUUID: testUpdate,
		ReceivedAt: time.Now().UTC().Truncate(time.Millisecond),
	}
	for _, t := range types {
		r.Events = append(r.Events, models.HealthEvent{Type: t, Name: "n", Count: 1})
	}
	return r
}

// testExposure returns an exposure of the device to testUpdate.
func testExposure(deviceID string) models.Exposure {
	return models.Exposure{
		ProjectID: 7, DeviceID: deviceID, Platform: models.IOS, Channel: "production", RuntimeVersion: "1.4.0",
		UpdateUUID: testUpdate, Kind: models.ExposureManifest, Network: 1<<63 | 7, ServedAt: time.Now().UTC().Truncate(time.Millisecond),
	}
}

// memorySink stores reports like ClickHouse: content with a stored token is not stored again. If onInsert is set, it
// is called first and its error is returned. onStored is called afterwards and simulates a lost response.
type memorySink struct {
	mu      sync.Mutex
	tokens  []string
	stored  map[string][]string
	reports map[string]int
	// exposures counts exposures under "project device update kind".
	exposures map[string]int
	// failed holds the reports whose errors were stored, by token, with the fingerprint of their first event.
	failed map[string][]storedErrors
	// evaluations holds evaluations by token.
	evaluations map[string][]models.FlagEvaluations
	onInsert    func(token string, reports []models.HealthReport) error
	onStored    func(token string) error
	problems    []string
	changed     chan struct{}
}

// storedErrors are the errors of a report.
type storedErrors struct {
	id    string
	group models.Fingerprint
}

func newMemorySink() *memorySink {
	return &memorySink{stored: map[string][]string{}, reports: map[string]int{}, exposures: map[string]int{},
		failed: map[string][]storedErrors{}, evaluations: map[string][]models.FlagEvaluations{}, changed: make(chan struct{}, 1)}
}

func (s *memorySink) InsertReports(ctx context.Context, token string, reports []models.HealthReport) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer wake(s.changed)
	s.tokens = append(s.tokens, token)
	if s.onInsert != nil {
		if err := s.onInsert(token, reports); err != nil {
			return err
		}
	}
	ids := make([]string, len(reports))
	for i, r := range reports {
		ids[i] = r.ID
	}
	if earlier, ok := s.stored[token]; !ok {
		s.stored[token] = ids
		for _, id := range ids {
			s.reports[id]++
		}
	} else if fmt.Sprint(earlier) != fmt.Sprint(ids) {
		s.problems = append(s.problems, "token "+token+" came again with other reports")
	}
	if s.onStored != nil {
		return s.onStored(token)
	}
	return nil
}

// InsertEvents stores nothing, because the stored reports contain the events.
func (s *memorySink) InsertEvents(ctx context.Context, _ string, _ []models.HealthReport) error {
	return ctx.Err()
}

func (s *memorySink) InsertErrors(ctx context.Context, token string, reports []models.HealthReport) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer wake(s.changed)
	all := make([]storedErrors, len(reports))
	for i, r := range reports {
		all[i] = storedErrors{r.ID, r.Events[0].Group.Fingerprint}
		if s.reports[r.ID] != 1 {
			s.problems = append(s.problems, "errors of report "+r.ID+" came before the report")
		}
	}
	if earlier, ok := s.failed[token]; !ok {
		s.failed[token] = all
	} else if fmt.Sprint(earlier) != fmt.Sprint(all) {
		s.problems = append(s.problems, "token "+token+" came again with other errors")
	}
	if s.onStored != nil {
		return s.onStored(token)
	}
	return nil
}

// errors returns the groups with which the errors of each report were stored.
func (s *memorySink) errors(t testing.TB) map[string][]models.Fingerprint {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Empty(t, s.problems)
	groups := map[string][]models.Fingerprint{}
	for _, all := range s.failed {
		for _, one := range all {
			groups[one.id] = append(groups[one.id], one.group)
		}
	}
	return groups
}

func (s *memorySink) InsertEvaluations(ctx context.Context, token string, evaluations []models.FlagEvaluations) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer wake(s.changed)
	if _, ok := s.evaluations[token]; !ok {
		s.evaluations[token] = evaluations
	}
	return nil
}

func (s *memorySink) InsertExposures(ctx context.Context, token string, exposures []models.Exposure) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer wake(s.changed)
	token = "exposures " + token
	names := make([]string, len(exposures))
	for i, exposure := range exposures {
		names[i] = exposureName(exposure)
	}
	if earlier, ok := s.stored[token]; ok {
		if fmt.Sprint(earlier) != fmt.Sprint(names) {
			s.problems = append(s.problems, token+" came again with others")
		}
		return nil
	}
	s.stored[token] = names
	for _, name := range names {
		s.exposures[name]++
	}
	return nil
}

func exposureName(s models.Exposure) string {
	return fmt.Sprint(s.ProjectID, " ", s.DeviceID, " ", s.UpdateUUID, " ", s.Kind)
}

// served returns how often each exposure was stored.
func (s *memorySink) served(t testing.TB) map[string]int {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Empty(t, s.problems)
	return maps.Clone(s.exposures)
}

// seen returns how often each report was stored. It checks that no token was used for different sets of reports.
func (s *memorySink) seen(t testing.TB) map[string]int {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Empty(t, s.problems)
	copied := make(map[string]int, len(s.reports))
	for id, n := range s.reports {
		copied[id] = n
	}
	return copied
}

func (s *memorySink) allTokens() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.tokens...)
}

// await waits until done returns true. It calls done after every insert.
func (s *memorySink) await(t testing.TB, done func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
	defer cancel()
	for !done() {
		select {
		case <-s.changed:
		case <-ctx.Done():
			require.Fail(t, "the sink never got there", "tokens: %v", s.allTokens())
		}
	}
}

func testOptions(t testing.TB, sink Sink) Options {
	return Options{
		Dir: t.TempDir(), Sink: sink, MaxBytes: 64 << 20,
		FlushInterval: time.Millisecond, RetryAfter: time.Millisecond, CloseTimeout: testTimeout,
	}
}

func openTestIngest(t testing.TB, o Options) *Log {
	t.Helper()
	i, err := Open(o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, i.Close()) })
	return i
}

// startRun runs i until the end of the test or Close.
func startRun(t testing.TB, i *Log) {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- i.Run(context.Background()) }()
	t.Cleanup(func() {
		require.NoError(t, i.Close())
		require.NoError(t, <-ended)
	})
}

// appendReports appends n reports one after the other and returns their IDs.
func appendReports(t testing.TB, i *Log, n int) []string {
	t.Helper()
	ids := make([]string, n)
	for k := range ids {
		r := testReport(fmt.Sprintf("device-%d", k), models.EventAppLaunch)
		ids[k] = r.ID
		require.NoError(t, i.Append(t.Context(), r))
	}
	return ids
}

// drain opens the folder with a sink, inserts everything in the log, and closes it.
func drain(t testing.TB, dir string, sink Sink) {
	t.Helper()
	o := testOptions(t, sink)
	o.Dir = dir
	i, err := Open(o)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, i.Run(ctx))
	require.NoError(t, i.Close())
}

func requireOnce(t testing.TB, sink *memorySink, ids []string) {
	t.Helper()
	want := make(map[string]int, len(ids))
	for _, id := range ids {
		want[id] = 1
	}
	require.Equal(t, want, sink.seen(t))
}

// crashImage copies the folder in its current state, as a process killed at this moment would leave it.
func crashImage(t testing.TB, dir string) string {
	t.Helper()
	image := filepath.Join(t.TempDir(), "image")
	require.NoError(t, os.CopyFS(image, os.DirFS(dir)))
	return image
}

func requireUnavailable(t testing.TB, err error) {
	t.Helper()
	require.Equal(t, models.CodeUnavailable, models.CodeOf(err), "%v", err)
	require.NotContains(t, err.Error(), "s3cret")
}
