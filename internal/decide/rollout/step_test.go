package rollout_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// TestAStepHasEveryFieldThatARowTakesFromIt follows a step from the workflow's state into the row in Postgres. It fails if a
// field that rows and steps share is missing in one of the lists.
func TestAStepHasEveryFieldThatARowTakesFromIt(t *testing.T) {
	t.Parallel()
	step := reflect.TypeFor[models.ExecutionChange]()
	var shared []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[models.RolloutExecution]()) {
		if _, ok := step.FieldByName(f.Name); ok && f.Name != "ProjectID" {
			shared = append(shared, f.Name)
		}
	}
	require.ElementsMatch(t, append(shared, "Version"), rollout.AppliedFields)

	at := time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)
	before := models.RolloutExecution{
		ID: 7, ProjectID: 3, UpdateUUID: uuid.New(), Stages: []models.Stage{{Percentage: 10}, {Percentage: 50}}, Version: 4,
		Status: models.ExecutionRunning, RunID: "run-1", WorkflowID: "w", StartedAt: at, StageStartedAt: at, Percentage: 10,
	}
	from := rollout.State{RolloutSubject: models.RolloutSubject{Execution: before}}
	paused, ok := from.OnCommand(models.CommandPause, at.Add(time.Minute), models.Actor{Name: "alice"}, "it hurts", false)
	require.True(t, ok)
	next := &paused.Next.Execution
	next.StageIndex, next.Percentage, next.StageStartedAt = 1, 50, at.Add(time.Second)
	next.Progress.Breached, next.Progress.Frozen = true, true
	paused.Health = &models.Observation{CrashRate: 3, CheckedAt: at.Add(-time.Second)}
	next.Health = paused.Health

	change := paused.Change(from, at.Add(time.Minute), "run-2")
	row := rollout.Applied(before, change, at.Add(time.Hour))
	want := *next
	want.Version, want.RunID = 5, "run-2"
	require.Equal(t, want, row)

	cancelled, ok := paused.Next.OnCommand(models.CommandCancel, at.Add(time.Hour), models.Actor{Name: "alice"}, "", true)
	require.True(t, ok)
	ended := rollout.Applied(row, cancelled.Change(paused.Next, at.Add(time.Hour), "run-2"), at.Add(2*time.Hour))
	require.Equal(t, new(at.Add(time.Hour)), ended.EndedAt)

	// Fields that are not in AppliedFields do not change.
	old, changed := reflect.ValueOf(before), reflect.ValueOf(ended)
	for i := range old.NumField() {
		if name := old.Type().Field(i).Name; !slices.Contains(rollout.AppliedFields, name) {
			require.Equal(t, old.Field(i).Interface(), changed.Field(i).Interface(), name)
		}
	}
}

func TestTheFirstStageBeginsAsTheRowIsNow(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	started := models.ExecutionChange{
		Seq: 1, Status: models.ExecutionRunning, RunID: "run", Event: &models.RolloutEvent{Event: models.EventStarted},
	}
	row := models.RolloutExecution{Status: models.ExecutionRunning}
	require.Equal(t, started, rollout.BegunAs(row, started))

	row.Status, row.PausedAt, row.Progress.PauseReason = models.ExecutionPaused, &at, "emergency stop"
	begun := rollout.BegunAs(row, started)
	require.Equal(t, models.ExecutionPaused, begun.Status)
	require.Equal(t, &at, begun.PausedAt)
	require.Equal(t, "emergency stop", begun.Progress.PauseReason)
	require.Equal(t, models.WaitResume, begun.WaitingFor)
	require.Empty(t, begun.RunID, "the workflow takes the row over")

	row = models.RolloutExecution{Status: models.ExecutionRunning}
	resumed := rollout.BegunAs(row, begun)
	require.Equal(t, models.ExecutionRunning, resumed.Status)
	require.Nil(t, resumed.PausedAt)
	require.Equal(t, models.WaitDuration, resumed.WaitingFor)

	started.Status, started.Event.Event = models.ExecutionCancelled, models.EventCancelled
	require.Equal(t, started, rollout.BegunAs(row, started), "only the start is corrected")
}
