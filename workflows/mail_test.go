package workflows_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

// A mail is retried, unless the mail server refuses it permanently.
func TestSendMail(t *testing.T) {
	t.Parallel()
	start := models.MailStart{MailID: 7, WorkflowID: "mail/7"}
	for name, c := range map[string]struct {
		attempt func(n int) error
		tried   int
		sent    bool
	}{
		"taken at the ninth attempt": {
			func(n int) error {
				if n < 9 {
					return models.Errorf(models.CodeUnavailable, "not now")
				}
				return nil
			}, 9, true,
		},
		"refused for good": {
			func(int) error { return temporal.NewNonRetryableApplicationError("no", "invalid", nil) },
			1, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env, attempts := newEnvironment(), 0
			env.RegisterActivityWithOptions(func(_ context.Context, s models.MailStart) error {
				require.Equal(t, start, s)
				attempts++
				return c.attempt(attempts)
			}, activity.RegisterOptions{Name: workflows.ActivitySendMail})
			env.ExecuteWorkflow(workflows.SendMail, start)
			require.True(t, env.IsWorkflowCompleted())
			require.Equal(t, c.sent, env.GetWorkflowError() == nil, env.GetWorkflowError())
			require.Equal(t, c.tried, attempts)
		})
	}
}
