package store_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/projectstore"
	"github.com/waft-ota/waft/models"
)

// seen is a context of the fixture's project that evaluated flags twice.
func (f *fixture) seen(key string, at time.Time, attributes map[string]any) models.EvaluatedContext {
	return models.EvaluatedContext{
		ProjectID: f.project.ID, Kind: "user", TargetingKey: key, Attributes: attributes, Evaluations: 2, SeenAt: at.UTC().Truncate(time.Microsecond),
	}
}

func (f *fixture) listContexts() []models.EvaluationContext {
	f.t.Helper()
	contexts, err := f.ListContexts(f.t.Context(), f.project.ID, models.ContextFilter{}, models.Page{Limit: 200})
	require.NoError(f.t, err)
	return contexts
}

func TestRecordContexts(t *testing.T) {
	t.Parallel()
	f := setup(t)
	at := time.Now()
	record := func(contexts ...models.EvaluatedContext) {
		t.Helper()
		require.NoError(t, f.RecordContexts(t.Context(), f.project.ID, contexts))
	}
	audited := f.audited(1)[0].ID
	first, second := f.seen("ann", at, map[string]any{"plan": "free", "age": 41.0}), f.seen("bob", at, nil)
	first.Name = "Ann"
	record(first, second)
	later := f.seen("ann", at.Add(time.Minute), map[string]any{"plan": "pro"})
	record(later, f.seen("bob", at.Add(-time.Hour), nil))
	contexts := f.listContexts()
	require.Len(t, contexts, 2)
	ann, bob := contexts[1], contexts[0]
	if ann.TargetingKey != "ann" {
		ann, bob = bob, ann
	}
	require.Equal(t, map[string]any{"plan": "pro", "age": 41.0}, ann.Attributes)
	require.Equal(t, "Ann", ann.Name)
	require.EqualValues(t, 4, ann.EvaluationCount)
	require.True(t, ann.LastSeenAt.Equal(later.SeenAt) && ann.FirstSeenAt.Equal(first.SeenAt))
	require.True(t, bob.LastSeenAt.Equal(second.SeenAt), "never back")
	require.Equal(t, audited, f.audited(1)[0].ID, "nobody changed anything")

	// One that would become too large keeps what it has.
	large := map[string]any{}
	for n := range models.MaxContextAttributes {
		large[fmt.Sprint("a", n)] = 1.0
	}
	record(f.seen("ann", at, large))
	record(f.seen("bob", at, map[string]any{"a": "", "b": fmt.Sprintf("%08000d", 1)}))
	record(f.seen("bob", at, map[string]any{"c": fmt.Sprintf("%09000d", 1)}))
	for _, c := range f.listContexts() {
		require.Len(t, c.Attributes, 2, c.TargetingKey)
	}

	saved, created := f.saveContext(user("ann", nil))
	require.False(t, created, "it is the same context")
	require.EqualValues(t, 6, saved.EvaluationCount)
	require.Equal(t, models.CodeNotFound, models.CodeOf(f.RecordContexts(t.Context(), 999_999, []models.EvaluatedContext{first})))
}

// Whoever evaluates flags can send any key, so what is made by hand stays as it is.
func TestEvaluationsDoNotChangeWhatIsMadeByHand(t *testing.T) {
	t.Parallel()
	f := setup(t)
	byHand := user("ann", map[string]any{"plan": "pro"})
	byHand.Name = new("Ann")
	before, _ := f.saveContext(byHand)
	require.True(t, before.Pinned)
	forged := f.seen("ann", time.Now().Add(time.Minute), map[string]any{"plan": "free", "admin": true})
	forged.Name = "Mallory"
	require.NoError(t, f.RecordContexts(t.Context(), f.project.ID, []models.EvaluatedContext{forged}))
	after := f.listContexts()[0]
	require.Equal(t, before.Attributes, after.Attributes)
	require.Equal(t, "Ann", after.Name)
	require.EqualValues(t, 2, after.EvaluationCount)
	require.True(t, after.LastSeenAt.Equal(forged.SeenAt))
}

func TestRecordedContextsAreBounded(t *testing.T) {
	t.Parallel()
	const quota = 1000
	f := setup(t, contextQuota(quota))
	at := time.Now().Add(-time.Hour)
	var contexts []models.EvaluatedContext
	for n := range quota + 5 {
		contexts = append(contexts, f.seen(fmt.Sprint("user-", n), at.Add(time.Duration(n)*time.Millisecond), nil))
	}
	require.NoError(t, f.RecordContexts(t.Context(), f.project.ID, contexts))
	oldest, err := f.ListContexts(t.Context(), f.project.ID, models.ContextFilter{Search: "user-4"}, models.Page{Limit: 200})
	require.NoError(t, err)
	for _, c := range oldest {
		require.NotEqual(t, "user-4", c.TargetingKey, "the one not seen for longest goes")
	}
	require.NoError(t, f.RecordContexts(t.Context(), f.project.ID, contexts[:1]))
	again, err := f.ListContexts(t.Context(), f.project.ID, models.ContextFilter{Search: "user-0"}, models.Page{Limit: 200})
	require.NoError(t, err)
	require.Empty(t, again, "it was seen before all that are kept")
}

// What was on its way when a device's data was deleted does not bring it back.
func TestAnErasedDeviceIsNotRecordedAgain(t *testing.T) {
	t.Parallel()
	f := setup(t)
	on := true
	_, err := f.UpdateSettings(t.Context(), f.project.ID, alice, models.SettingsPatch{HashIDs: &on})
	require.NoError(t, err)
	before := time.Now().Add(-time.Second)
	e, err := f.EraseDevice(t.Context(), f.project.ID, alice, "Device-1")
	require.NoError(t, err)
	hash := e.Identities[1]
	require.NoError(t, f.RecordContexts(t.Context(), f.project.ID, []models.EvaluatedContext{
		f.seen("DEVICE-1", before, nil), f.seen(hash, before, nil), f.seen("device-2", before, nil),
	}))
	require.Len(t, f.listContexts(), 1)
	require.NoError(t, f.RecordContexts(t.Context(), f.project.ID, []models.EvaluatedContext{f.seen(hash, time.Now().Add(time.Second), nil)}))
	require.Len(t, f.listContexts(), 2, "what it does from now on is kept like that of any other")
	_, err = f.EraseDevice(t.Context(), f.project.ID, alice, "device-1")
	require.NoError(t, err)
	require.Len(t, f.listContexts(), 1)
}

func TestAContextRecorderRecordsInTheEnd(t *testing.T) {
	t.Parallel()
	f := setup(t)
	r := projectstore.NewContextRecorder(f.Projects, slog.New(slog.DiscardHandler))
	at := time.Now()
	for range 3 {
		r.Evaluated(f.seen("ann", at, map[string]any{"plan": "pro"}))
	}
	r.Evaluated(f.seen("ann", at.Add(time.Second), map[string]any{"beta": true}))
	gone := f.seen("bob", at, nil)
	gone.ProjectID = 999_999
	r.Evaluated(gone)
	ended, end := context.WithCancel(t.Context())
	end()
	require.NoError(t, r.Run(ended))
	contexts := f.listContexts()
	require.Len(t, contexts, 1)
	require.EqualValues(t, 8, contexts[0].EvaluationCount)
	require.Equal(t, map[string]any{"plan": "pro", "beta": true}, contexts[0].Attributes)
}
