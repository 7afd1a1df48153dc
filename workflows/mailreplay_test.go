package workflows_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

// Every history is recorded on the real Temporal and replayed immediately.
func TestRecordHistoriesOfMails(t *testing.T) {
	t.Parallel()
	unavailable := models.Unavailable("the mail server", nil)
	for name, tc := range map[string]struct {
		attempt func(ctx context.Context, n int64) error
		tries   int64
		// cancel cancels the workflow while the mail server does not accept the mail.
		cancel bool
		failed func(error) bool
	}{
		"sent": {attempt: func(context.Context, int64) error { return nil }, tries: 1},
		"sent_at_the_second_attempt": {attempt: func(_ context.Context, n int64) error {
			if n == 1 {
				return unavailable
			}
			return nil
		}, tries: 2},
		"refused": {attempt: func(context.Context, int64) error {
			return temporal.NewNonRetryableApplicationError("the mail server refuses the address", string(models.CodeInvalid), nil)
		}, tries: 1, failed: func(err error) bool { return !temporal.IsCanceledError(err) }},
		"cancelled_in_temporal": {
			attempt: func(context.Context, int64) error { return unavailable }, cancel: true, failed: temporal.IsCanceledError,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &liveMail{attempt: tc.attempt, cancel: tc.cancel, tried: make(chan struct{}, 1)}
			history, err := m.send(t)
			if tc.failed == nil {
				require.NoError(t, err)
			} else {
				require.Error(t, err)
				require.True(t, tc.failed(err), err)
			}
			if tc.tries > 0 {
				require.Equal(t, tc.tries, m.tries.Load())
			}
			recordedMails.check(t, name, history)
		})
	}
}

// liveMail is a mail that is sent on the real Temporal.
type liveMail struct {
	// attempt is the n-th attempt, from 1, and returns the error of the mail server.
	attempt func(ctx context.Context, n int64) error
	cancel  bool
	tries   atomic.Int64
	tried   chan struct{}
}

// send runs the workflow, started twice. It returns the history and the error of the workflow.
func (m *liveMail) send(t *testing.T) (*historypb.History, error) {
	t.Helper()
	tc, _ := dial(t)
	unique := uuid.NewString()
	own := worker.New(tc, workflows.WebhooksQueue(unique), worker.Options{Identity: "test"})
	recordedMails.register(own)
	own.RegisterActivityWithOptions(func(ctx context.Context, s models.MailStart) error {
		select {
		case m.tried <- struct{}{}:
		default:
		}
		return m.attempt(ctx, m.tries.Add(1))
	}, activity.RegisterOptions{Name: workflows.ActivitySendMail})
	startWorkers(t, own)

	c := workflows.NewClient(tc, unique)
	s := models.MailStart{MailID: 7, WorkflowID: "mail/" + unique}
	require.NoError(t, c.SendMail(t.Context(), s))
	require.NoError(t, c.SendMail(t.Context(), s), "again while it runs, or after")
	if m.cancel {
		<-m.tried
		require.NoError(t, tc.CancelWorkflow(t.Context(), s.WorkflowID, ""))
	}
	err := endOf(t, tc, s.WorkflowID)
	require.NoError(t, c.SendMail(t.Context(), s), "again when it has ended")
	return historyOf(t, tc, s.WorkflowID), err
}

// endOf waits for a workflow and returns its error.
func endOf(t *testing.T, tc client.Client, id string) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return tc.GetWorkflow(ctx, id, "").Get(ctx, nil)
}
