package flagstore_test

import (
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// clock is a clock that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// scheduled schedules that a new flag is turned on in an hour.
func scheduled(t *testing.T) (*storetest.Fixture, *clock, models.Flag, models.FlagSchedule) {
	t.Helper()
	now := &clock{now: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}
	f := storetest.Setup(t, store.WithNow(now.read))
	flag, err := f.CreateFlag(t.Context(), f.Demo.ID, storetest.Alice, models.NewFlag{Name: "Checkout"})
	require.NoError(t, err)
	s, err := f.ScheduleFlag(t.Context(), f.Demo.ID, storetest.Alice, flag.ID, models.NewFlagSchedule{
		At: now.read().Add(time.Hour), Body: models.FlagSave{
			Name: "Later", Enabled: true, DefaultValue: json.RawMessage("false"),
			Variations: []models.NewVariation{{Name: "On", Value: "true"}, {Name: "Off", Value: "false"}},
		},
	})
	require.NoError(t, err)
	require.Equal(t, models.ScheduleScheduled, s.Status)
	return f, now, flag, s
}

func TestAScheduledChangeIsMadeOnce(t *testing.T) {
	t.Parallel()
	f, now, flag, s := scheduled(t)
	require.Equal(t, flag, storetest.ReadFlag(f, flag.ID), "the change is tried and undone")
	now.set(s.At.Add(models.MaxScheduleDelay))
	by := s.Author()
	by.Role = models.RoleEditor
	for range 2 { // the activity is repeated if its worker is killed after the transaction
		done, err := f.ApplyFlagSchedule(t.Context(), f.Demo.ID, by, s.ID)
		require.NoError(t, err)
		require.Equal(t, models.ScheduleApplied, done.Status)
	}
	after := storetest.ReadFlag(f, flag.ID)
	require.Equal(t, "Later", after.Name)
	require.Equal(t, flag.Version+1, after.Version)
	var actions []string
	for _, e := range f.Audited(3) {
		actions = append(actions, e.Action)
	}
	require.Equal(t, []string{"flag.scheduled", "flag.updated", "flag.schedule_applied"}, actions)

	ended, err := f.EndFlagSchedule(t.Context(), f.Demo.ID, s.ID, models.ScheduleFailed, "late")
	require.NoError(t, err)
	require.Equal(t, models.ScheduleApplied, ended.Status, "an ended change stays as it is")
}

func TestAScheduledChangeIsNotMadeTooLate(t *testing.T) {
	t.Parallel()
	f, now, flag, s := scheduled(t)
	now.set(s.At.Add(models.MaxScheduleDelay + time.Second))
	_, err := f.ApplyFlagSchedule(t.Context(), f.Demo.ID, s.Author(), s.ID)
	storetest.RequireCode(t, models.CodeInvalidTransition, err)
	require.ErrorContains(t, err, "1h0m0s later")
	require.Equal(t, flag, storetest.ReadFlag(f, flag.ID))
	ended, err := f.EndFlagSchedule(t.Context(), f.Demo.ID, s.ID, models.ScheduleFailed, err.Error())
	require.NoError(t, err)
	require.Equal(t, models.ScheduleFailed, ended.Status)
	require.Equal(t, "flag.schedule_missed", f.Audited(1)[0].Action)
}

func TestAScheduledChangeOfAChangedFlagIsStale(t *testing.T) {
	t.Parallel()
	f, now, flag, s := scheduled(t)
	_, err := f.UpdateFlag(t.Context(), f.Demo.ID, storetest.Alice, flag.ID, models.FlagPatch{Name: new("Other")})
	require.NoError(t, err)
	now.set(s.At)
	_, err = f.ApplyFlagSchedule(t.Context(), f.Demo.ID, s.Author(), s.ID)
	storetest.RequireCode(t, models.CodePreconditionFailed, err)
}

// Cancelling and making a change at the same time has one outcome.
func TestAScheduledChangeIsEitherMadeOrCancelled(t *testing.T) {
	t.Parallel()
	f, now, flag, s := scheduled(t)
	now.set(s.At)
	var applied models.FlagSchedule
	var failures [2]error
	var both sync.WaitGroup
	both.Go(func() { applied, failures[0] = f.ApplyFlagSchedule(t.Context(), f.Demo.ID, s.Author(), s.ID) })
	both.Go(func() { failures[1] = f.CancelFlagSchedule(t.Context(), f.Demo.ID, storetest.Alice, flag.ID, s.ID) })
	both.Wait()
	require.NoError(t, failures[0])
	if applied.Status == models.ScheduleApplied {
		storetest.RequireCode(t, models.CodeInvalidTransition, failures[1])
		require.Equal(t, "Later", storetest.ReadFlag(f, flag.ID).Name)
		return
	}
	require.NoError(t, errors.Join(failures[:]...))
	require.Equal(t, models.ScheduleCancelled, applied.Status)
	require.Equal(t, flag, storetest.ReadFlag(f, flag.ID))
}
