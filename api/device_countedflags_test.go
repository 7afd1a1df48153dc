package api

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// countingAPI is a testAPI with three flags at a time that the test sets.
type countingAPI struct {
	*testAPI
	time time.Time
	key  string
}

func newCountingAPI(t *testing.T) *countingAPI {
	t.Helper()
	c := &countingAPI{time: now}
	c.testAPI = newTestAPI(t, func(d *parts) {
		d.Snapshots = newSnapshots(t, func(s *models.ProjectSnapshot) {
			s.Flags = nil
			for i, key := range []string{"a", "b", "c"} {
				s.Flags = append(s.Flags, models.Flag{ID: int64(i + 1), Key: key, FlagType: models.FlagBoolean, DefaultValue: "true", Enabled: true})
			}
		})
		d.Now = func() time.Time { return c.time }
	})
	c.key = c.addKey(models.APIKey{ID: 120, ProjectID: demo.ID, Role: models.RoleClient})
	return c
}

// bulk evaluates all flags, and ofrep one flag.
func (c *countingAPI) bulk(device, targetingKey string) {
	c.t.Helper()
	answer := c.do(request{method: post, path: "/v1/ota/flag-evaluations-bulk", anonymous: true, body: map[string]any{
		"projectSlug": demo.Slug, "deviceId": device, "targetingKey": targetingKey,
	}})
	require.Equal(c.t, http.StatusOK, answer.Code, answer.Body.String())
}

func (c *countingAPI) ofrep(flag string, context map[string]any) {
	c.t.Helper()
	answer := c.do(request{method: post, path: "/ofrep/v1/evaluate/flags/" + flag, key: c.key, body: map[string]any{"context": context}})
	require.Equal(c.t, http.StatusOK, answer.Code, answer.Body.String())
}

func (c *countingAPI) requireCounts(want map[string]int) {
	c.t.Helper()
	require.Eventually(c.t, func() bool { return len(c.store.counts()) >= len(want) && sum(c.store.counts()) >= sum(want) },
		2*time.Minute, time.Millisecond)
	require.Equal(c.t, want, c.store.counts())
}

func sum(counts map[string]int) (total int) {
	for _, n := range counts {
		total += n
	}
	return total
}

// Each flag counts once per hour, however a device evaluates its flags.
func TestAFlagCountsOnceADeviceAndHour(t *testing.T) {
	t.Parallel()
	c := newCountingAPI(t)
	d1 := map[string]any{"deviceId": "d1", "targetingKey": "ada"}
	c.ofrep("b", d1)
	c.ofrep("b", d1)
	c.requireCounts(map[string]int{"b": 1})
	c.bulk("d1", "ada")
	c.requireCounts(map[string]int{"a": 1, "b": 1, "c": 1})
	c.bulk("d1", "ada")
	c.bulk("d1", "bob")
	c.ofrep("a", d1)
	c.ofrep("c", map[string]any{"targetingKey": "d1"})
	c.bulk("d2", "") // this evaluation is appended after all evaluations above
	c.requireCounts(map[string]int{"a": 2, "b": 2, "c": 2})
	c.time = c.time.Add(time.Hour)
	c.bulk("d1", "ada")
	c.requireCounts(map[string]int{"a": 3, "b": 3, "c": 3})
}

// Every context is recorded, even for a second user of a device within the hour.
func TestEveryUserOfADeviceIsRecorded(t *testing.T) {
	t.Parallel()
	c := newCountingAPI(t)
	c.bulk("d1", "")
	c.bulk("d1", "ada")
	c.bulk("d1", "ada")
	c.bulk("d1", "bob")
	c.ofrep("a", map[string]any{"targetingKey": "acme", "kind": "organization", "name": "Acme", "plan": "pro", "gone": nil})
	c.ofrep("a", map[string]any{"targetingKey": "rover", "kind": "planet"})
	seen := func(kind models.ContextKind, key, name string, evaluations int64, attributes map[string]any) models.EvaluatedContext {
		s := contextOf(kind, key, name, attributes)
		s.Evaluations = evaluations
		return s
	}
	require.Equal(t, []models.EvaluatedContext{
		seen("device", "d1", "", 3, map[string]any{}), seen("user", "ada", "", 3, map[string]any{}), seen("user", "bob", "", 3, map[string]any{}),
		seen("organization", "acme", "Acme", 1, map[string]any{"plan": "pro"}), seen("user", "rover", "", 1, map[string]any{}),
	}, c.store.contexts)
	c.time = c.time.Add(time.Hour)
	c.bulk("d1", "ada")
	require.Len(t, c.store.contexts, 6)
}
