package projectstore_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/projectstore"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// seen returns a context of the fixture's project that evaluated flags twice.
func seen(f *storetest.Fixture, key string, at time.Time, attributes map[string]any) models.EvaluatedContext {
	return models.EvaluatedContext{
		ProjectID: f.Demo.ID, Kind: "user", TargetingKey: key, Attributes: attributes, Evaluations: 2,
		SeenAt: at.UTC().Truncate(time.Microsecond),
	}
}

func listContexts(f *storetest.Fixture) []models.EvaluationContext {
	f.T.Helper()
	contexts, err := f.ListContexts(f.T.Context(), f.Demo.ID, models.ContextFilter{}, models.Page{Limit: 200})
	require.NoError(f.T, err)
	return contexts
}

func TestRecordContexts(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	at := time.Now()
	record := func(contexts ...models.EvaluatedContext) {
		t.Helper()
		require.NoError(t, f.RecordContexts(t.Context(), f.Demo.ID, contexts))
	}
	audited := f.Audited(1)[0].ID
	first, second := seen(f, "ann", at, map[string]any{"plan": "free", "age": 41.0}), seen(f, "bob", at, nil)
	first.Name = "Ann"
	record(first, second)
	later := seen(f, "ann", at.Add(time.Minute), map[string]any{"plan": "pro"})
	record(later, seen(f, "bob", at.Add(-time.Hour), nil))
	contexts := listContexts(f)
	require.Len(t, contexts, 2)
	ann, bob := contexts[1], contexts[0]
	if ann.TargetingKey != "ann" {
		ann, bob = bob, ann
	}
	require.Equal(t, map[string]any{"plan": "pro", "age": 41.0}, ann.Attributes)
	require.Equal(t, "Ann", ann.Name)
	require.EqualValues(t, 4, ann.EvaluationCount)
	require.True(t, ann.LastSeenAt.Equal(later.SeenAt) && ann.FirstSeenAt.Equal(first.SeenAt))
	require.True(t, bob.LastSeenAt.Equal(second.SeenAt), "the time never goes back")
	require.Equal(t, audited, f.Audited(1)[0].ID, "the context was not changed by a person")

	// A context that would become too large keeps its attributes.
	large := map[string]any{}
	for n := range models.MaxContextAttributes {
		large[fmt.Sprint("a", n)] = 1.0
	}
	record(seen(f, "ann", at, large))
	record(seen(f, "bob", at, map[string]any{"a": "", "b": fmt.Sprintf("%08000d", 1)}))
	record(seen(f, "bob", at, map[string]any{"c": fmt.Sprintf("%09000d", 1)}))
	for _, c := range listContexts(f) {
		require.Len(t, c.Attributes, 2, c.TargetingKey)
	}

	saved, created := saveContext(f, user("ann", nil))
	require.False(t, created, "it is the same context")
	require.EqualValues(t, 6, saved.EvaluationCount)
	require.Equal(t, models.CodeNotFound, models.CodeOf(f.RecordContexts(t.Context(), 999_999, []models.EvaluatedContext{first})))
}

// Anyone who evaluates flags can send any key, so a manually created context stays as it is.
func TestEvaluationsDoNotChangeWhatIsMadeByHand(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	byHand := user("ann", map[string]any{"plan": "pro"})
	byHand.Name = new("Ann")
	before, _ := saveContext(f, byHand)
	require.True(t, before.Pinned)
	forged := seen(f, "ann", time.Now().Add(time.Minute), map[string]any{"plan": "free", "admin": true})
	forged.Name = "Mallory"
	require.NoError(t, f.RecordContexts(t.Context(), f.Demo.ID, []models.EvaluatedContext{forged}))
	after := listContexts(f)[0]
	require.Equal(t, before.Attributes, after.Attributes)
	require.Equal(t, "Ann", after.Name)
	require.EqualValues(t, 2, after.EvaluationCount)
	require.True(t, after.LastSeenAt.Equal(forged.SeenAt))
}

func TestRecordedContextsAreBounded(t *testing.T) {
	t.Parallel()
	const quota = 1000
	f := storetest.Setup(t, contextQuota(quota))
	at := time.Now().Add(-time.Hour)
	var contexts []models.EvaluatedContext
	for n := range quota + 5 {
		contexts = append(contexts, seen(f, fmt.Sprint("user-", n), at.Add(time.Duration(n)*time.Millisecond), nil))
	}
	require.NoError(t, f.RecordContexts(t.Context(), f.Demo.ID, contexts))
	oldest, err := f.ListContexts(t.Context(), f.Demo.ID, models.ContextFilter{}, models.Page{Limit: 200, Search: "user-4"})
	require.NoError(t, err)
	for _, c := range oldest {
		require.NotEqual(t, "user-4", c.TargetingKey, "the least recently seen context is deleted")
	}
	require.NoError(t, f.RecordContexts(t.Context(), f.Demo.ID, contexts[:1]))
	again, err := f.ListContexts(t.Context(), f.Demo.ID, models.ContextFilter{}, models.Page{Limit: 200, Search: "user-0"})
	require.NoError(t, err)
	require.Empty(t, again, "it was seen before all contexts that are kept")
}

// An evaluation that was still waiting when a device's data was deleted does not restore the data.
func TestAnErasedDeviceIsNotRecordedAgain(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	on := true
	_, err := f.UpdateSettings(t.Context(), f.Demo.ID, storetest.Alice, models.SettingsPatch{HashIDs: &on})
	require.NoError(t, err)
	before := time.Now().Add(-time.Second)
	e, err := f.EraseDevice(t.Context(), f.Demo.ID, storetest.Alice, "Device-1")
	require.NoError(t, err)
	hash := e.Identities[1]
	require.NoError(t, f.RecordContexts(t.Context(), f.Demo.ID, []models.EvaluatedContext{
		seen(f, "DEVICE-1", before, nil), seen(f, hash, before, nil), seen(f, "device-2", before, nil),
	}))
	require.Len(t, listContexts(f), 1)
	require.NoError(t, f.RecordContexts(t.Context(), f.Demo.ID, []models.EvaluatedContext{seen(f, hash, time.Now().Add(time.Second), nil)}))
	require.Len(t, listContexts(f), 2, "from now on, it is recorded like any other device")
	_, err = f.EraseDevice(t.Context(), f.Demo.ID, storetest.Alice, "device-1")
	require.NoError(t, err)
	require.Len(t, listContexts(f), 1)
}

func TestAContextRecorderRecordsInTheEnd(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	r := projectstore.NewContextRecorder(f.Projects, slog.New(slog.DiscardHandler))
	at := time.Now()
	for range 3 {
		r.Evaluated(seen(f, "ann", at, map[string]any{"plan": "pro"}))
	}
	r.Evaluated(seen(f, "ann", at.Add(time.Second), map[string]any{"beta": true}))
	gone := seen(f, "bob", at, nil)
	gone.ProjectID = 999_999
	r.Evaluated(gone)
	ended, end := context.WithCancel(t.Context())
	end()
	require.NoError(t, r.Run(ended))
	contexts := listContexts(f)
	require.Len(t, contexts, 1)
	require.EqualValues(t, 8, contexts[0].EvaluationCount)
	require.Equal(t, map[string]any{"plan": "pro", "beta": true}, contexts[0].Attributes)
}
