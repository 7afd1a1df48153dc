package activities_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/activities"
	"github.com/waft-ota/waft/models"
)

// fakeSchedules stores one scheduled change.
type fakeSchedules struct {
	activities.ApprovalStore
	schedule models.FlagSchedule
	outcome  models.ScheduleOutcome
	err      error
	applied  int
}

func (f *fakeSchedules) FlagSchedule(context.Context, int64, int64) (models.FlagSchedule, error) {
	return f.schedule, nil
}

func (f *fakeSchedules) EndFlagSchedule(
	_ context.Context, _, _ int64, status models.FlagScheduleStatus, reason string,
) (models.FlagSchedule, error) {
	f.schedule.Status, f.schedule.Error = status, reason
	return f.schedule, nil
}

func (f *fakeSchedules) EndApproval(
	_ context.Context, _, _ int64, from, to models.ApprovalStatus, _ string,
) (models.Approval, error) {
	if from == models.ApprovalPending && to == models.ApprovalExpired {
		f.schedule.Status = models.ScheduleUnapproved
	}
	return models.Approval{Status: to}, nil
}

func (f *fakeSchedules) ApplySchedule(context.Context, models.FlagSchedule) (models.ScheduleOutcome, error) {
	f.applied++
	return f.outcome, f.err
}

func TestApplyFlagSchedule(t *testing.T) {
	t.Parallel()
	down := errors.New("Postgres is unavailable")
	for name, tc := range map[string]struct {
		status    models.FlagScheduleStatus
		late      time.Duration
		cancelled bool
		outcome   models.ScheduleOutcome
		err       error
		want      models.FlagScheduleStatus
		reason    string
		applied   int
	}{
		"before its time": {status: models.ScheduleScheduled, late: -time.Hour, want: models.ScheduleScheduled},
		"at its time": {
			status: models.ScheduleScheduled, outcome: models.ScheduleOutcome{Status: models.ScheduleApplied}, want: models.ScheduleApplied, applied: 1,
		},
		"again after it was made": {status: models.ScheduleApplied, want: models.ScheduleApplied},
		"refused": {
			status: models.ScheduleScheduled, outcome: models.ScheduleOutcome{Status: models.ScheduleStale, Reason: "changed"},
			want: models.ScheduleStale, reason: "changed", applied: 1,
		},
		"cancelled in Temporal":   {status: models.ScheduleScheduled, late: -time.Hour, cancelled: true, want: models.ScheduleCancelled, reason: "the wait was cancelled in Temporal"},
		"without its approval":    {status: models.SchedulePendingApproval, want: models.ScheduleUnapproved},
		"waits for its approval":  {status: models.SchedulePendingApproval, late: -time.Hour, want: models.SchedulePendingApproval},
		"an engine is down":       {status: models.ScheduleScheduled, err: down, applied: 1},
		"an engine is down later": {status: models.ScheduleScheduled, late: 2 * models.MaxScheduleDelay, err: down, want: models.ScheduleFailed, reason: "the change failed repeatedly; see the log of the worker for details", applied: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fakeSchedules{outcome: tc.outcome, err: tc.err, schedule: models.FlagSchedule{
				ID: 71, Status: tc.status, At: time.Now().Add(-tc.late), ApprovalID: new(int64(61)),
			}}
			a := &activities.Activities{Schedules: f, ScheduleOperations: f, Approvals: f}
			status, err := a.ApplyFlagSchedule(t.Context(), models.FlagScheduleStep{Cancelled: tc.cancelled})
			if tc.want == "" {
				require.ErrorIs(t, err, tc.err)
			} else {
				require.NoError(t, err)
			}
			require.Equal(t, tc.want, status)
			require.Equal(t, tc.reason, f.schedule.Error)
			require.Equal(t, tc.applied, f.applied)
		})
	}
}
