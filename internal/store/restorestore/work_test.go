package restorestore_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// Each message that was not delivered yet is delivered, whatever its relay and its workflow had done by the backup. A message
// that was delivered is not.
func TestEveryPendingDeliveryStartsAgain(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	w, _, err := f.CreateWebhook(t.Context(), f.Demo.ID, storetest.Alice,
		models.NewWebhook{URL: "https://example.com/hook", Events: []string{"branch.created"}, IsActive: true})
	require.NoError(t, err)
	record := func(name string, v models.DeliveryVerdict) models.WebhookDelivery {
		_, err := f.CreateBranch(t.Context(), f.Demo.ID, storetest.Alice, models.NewBranch{Name: name})
		require.NoError(t, err)
		list, err := f.ListWebhookDeliveries(t.Context(), f.Demo.ID, w.ID, models.DeliveryFilter{}, models.Page{})
		require.NoError(t, err)
		if v.Status != "" {
			_, err = f.RecordAttempt(t.Context(), models.DeliveryTry{DeliveryID: list[0].ID, ProjectID: f.Demo.ID, WebhookID: w.ID, Attempt: 1},
				models.DeliveryAttempt{At: f.Clock(), ResponseStatus: new(500)}, v)
			require.NoError(t, err)
		}
		return list[0]
	}
	record("delivered", models.DeliveryVerdict{Status: models.DeliveryDelivered})
	record("failed", models.DeliveryVerdict{Status: models.DeliveryFailed})
	again := record("between-attempts", models.DeliveryVerdict{Status: models.DeliveryPending, Wait: 6 * time.Hour})
	started := record("being-started", models.DeliveryVerdict{})
	f.MustExec("DELETE FROM outbox") // the old relay had passed everything to the old Temporal
	waiting := record("in-the-outbox", models.DeliveryVerdict{})
	f.MustExec("UPDATE outbox SET not_before = now() + interval '1 hour', attempts = 9")

	report := settle(f, factsOf(f))
	require.Equal(t, 3, report.Deliveries)
	workflows := map[string]bool{}
	for _, payload := range f.Outbox(models.OutboxWebhookDeliver) {
		var start models.WebhookStart
		require.NoError(t, json.Unmarshal([]byte(payload), &start))
		require.Equal(t, [3]any{f.Demo.ID, w.ID, "branch.created"}, [3]any{start.ProjectID, start.WebhookID, start.Event})
		require.Equal(t, fmt.Sprintf("webhook/demo/%d", start.DeliveryID), start.WorkflowID)
		require.Equal(t, "demo", start.Project)
		workflows[start.WorkflowID] = true
	}
	require.Equal(t, map[string]bool{again.WorkflowID: true, started.WorkflowID: true, waiting.WorkflowID: true}, workflows)
	require.Empty(t, storetest.Query[int64](f, "SELECT id FROM outbox WHERE not_before > now()"))
}

// A webhook that failed before the backup is not disabled by its first failure after the restore, however long ago the backup is.
func TestAFailingWebhookGetsItsTimeAgain(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	w, _, err := f.CreateWebhook(t.Context(), f.Demo.ID, storetest.Alice,
		models.NewWebhook{URL: "https://example.com/hook", Events: []string{"branch.created"}, IsActive: true})
	require.NoError(t, err)
	_, err = f.CreateBranch(t.Context(), f.Demo.ID, storetest.Alice, models.NewBranch{Name: "feature"})
	require.NoError(t, err)
	list, err := f.ListWebhookDeliveries(t.Context(), f.Demo.ID, w.ID, models.DeliveryFilter{}, models.Page{})
	require.NoError(t, err)
	fail := func(attempt int) models.Webhook {
		_, err := f.RecordAttempt(t.Context(),
			models.DeliveryTry{DeliveryID: list[0].ID, ProjectID: f.Demo.ID, WebhookID: w.ID, Attempt: attempt},
			models.DeliveryAttempt{At: f.Clock(), ResponseStatus: new(500)},
			models.DeliveryVerdict{Status: models.DeliveryPending, Wait: time.Hour, Persistent: true})
		require.NoError(t, err)
		current, err := f.Webhook(t.Context(), f.Demo.ID, w.ID)
		require.NoError(t, err)
		return current
	}
	require.NotNil(t, fail(1).FailingSince)
	f.MustExec("UPDATE webhooks SET failing_since = failing_since - $1 * interval '1 microsecond'", models.WebhookFailingLimit.Microseconds())
	settle(f, factsOf(f))
	failing := fail(2)
	require.True(t, failing.IsActive)
	require.Empty(t, failing.DisabledReason)
}

var (
	admin  = models.Actor{Type: models.ActorUser, ID: "1", Name: "ada@example.com", Role: models.RoleAdmin}
	editor = models.Actor{Type: models.ActorAPIKey, ID: "8", Name: "ci", Role: models.RoleEditor}
)

func TestApprovalsAndScheduledChangesWaitAgain(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	flag := storetest.AddFlag(f, "checkout")
	s, err := f.ScheduleFlag(t.Context(), f.Demo.ID, storetest.Alice, flag.ID, models.NewFlagSchedule{
		At: time.Now().Add(5 * time.Hour), Body: models.FlagSave{
			Name: "Later", Enabled: true, DefaultValue: json.RawMessage(`"red"`),
			Variations: []models.NewVariation{{Name: "Red", Value: "red"}},
		},
	})
	require.NoError(t, err)
	require.Equal(t, models.ScheduleScheduled, s.Status)
	_, err = f.UpdateChannel(t.Context(), f.Demo.ID, admin, "production",
		models.ChannelPatch{IsProtected: new(true), RequiredApprovals: new(1)})
	require.NoError(t, err)
	ask := func(ctx context.Context) models.Approval {
		_, err := f.UpdateChannel(ctx, f.Demo.ID, editor, "production", models.ChannelPatch{BranchName: new("staging")})
		var needed *models.ApprovalNeeded
		require.ErrorAs(t, err, &needed)
		a, err := f.RequestApproval(ctx, f.Demo.ID, editor, models.StoredOperation{
			Action: "channel.update", InputVersion: 1, Input: []byte("{}"),
		}, needed)
		require.NoError(t, err)
		return a
	}
	ended := ask(t.Context())
	_, err = f.EndApproval(t.Context(), f.Demo.ID, ended.ID, models.ApprovalPending, models.ApprovalExpired, "")
	require.NoError(t, err)
	a := ask(t.Context())
	f.MustExec("UPDATE approvals SET failures = $1, failing_since = now() - interval '1 year' WHERE id = $2", models.MaxCallFailures-1, a.ID)
	f.MustExec("DELETE FROM outbox")

	report := settle(f, factsOf(f))
	require.Equal(t, [2]int{1, 1}, [2]int{report.Approvals, report.Schedules})
	starts := f.Outbox(models.OutboxApprovalStart)
	require.Len(t, starts, 1)
	var start models.ApprovalStart
	require.NoError(t, json.Unmarshal([]byte(starts[0]), &start))
	require.Equal(t, [4]any{a.ID, f.Demo.ID, "demo", a.WorkflowID}, [4]any{start.ApprovalID, start.ProjectID, start.Project, start.WorkflowID})
	require.True(t, a.ExpiresAt.Equal(start.ExpiresAt))
	a, err = f.Approval(t.Context(), f.Demo.ID, a.ID)
	require.NoError(t, err)
	require.Zero(t, a.Failures)
	require.Nil(t, a.FailingSince, "an approved call that failed before the backup gets all attempts again")
	schedules := f.Outbox(models.OutboxFlagScheduleStart)
	require.Len(t, schedules, 1)
	require.Contains(t, schedules[0], s.WorkflowID)
	again, err := f.FlagSchedule(t.Context(), f.Demo.ID, s.ID)
	require.NoError(t, err)
	require.False(t, again.IsOutdated, "the scheduled change is still of the flag's present version")
}

func TestPatchesAndFilesAndInvitationsAreMadeAgain(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	base, r := f.MustPublish(), f.MustPublish()
	old := f.MustPublish()
	f.MustExec("ALTER TABLE releases DISABLE TRIGGER USER")
	f.MustExec("UPDATE releases SET created_at = created_at - interval '2 days'")
	f.MustExec(`INSERT INTO patches SELECT $1, target.md5, base.md5, $3, NULL, 'pending', '', 0, '', 1, 1, 0, now(), now()
		FROM build_assets AS target, build_assets AS base
		WHERE target.build_id = $2 AND target.is_launch_asset AND base.build_id = $4 AND base.is_launch_asset`,
		f.Demo.ID, *r.BuildID, base.UpdateUUID, *base.BuildID)
	f.MustExec("UPDATE blobs SET variants = 'pending'")
	_, err := f.CreateInvitation(t.Context(), f.Demo.ID, storetest.Alice,
		models.NewInvitation{Email: "ada@example.com", Role: models.RoleViewer, ByMail: true}, models.NewSecretToken())
	require.NoError(t, err)
	f.MustExec("DELETE FROM outbox")

	report := settle(f, factsOf(f))
	patches := f.Outbox(models.OutboxPatchesBuild)
	require.Len(t, patches, 1, "not of release %d, whose patches are done", old.ID)
	require.Contains(t, patches[0], storetest.PatchesWorkflow(r))
	files := f.Outbox(models.OutboxFilesCompress)
	require.Len(t, files, 1)
	require.Contains(t, files[0], fmt.Sprintf("files/demo/%d", f.Demo.ID))
	require.Equal(t, 1, report.Mails)
	require.Len(t, f.Outbox(models.OutboxMailSend), 1)
}
