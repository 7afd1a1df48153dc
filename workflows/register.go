package workflows

import (
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/activities"
)

// Register registers the workflows and activities of the main task queue under the names in contract.go.
func Register(w worker.Registry, a *activities.Activities) {
	w.RegisterWorkflowWithOptions(Rollout, workflow.RegisterOptions{Name: WorkflowRollout})
	w.RegisterWorkflowWithOptions(BuildPatches, workflow.RegisterOptions{Name: WorkflowBuildPatches})
	w.RegisterWorkflowWithOptions(CompressFiles, workflow.RegisterOptions{Name: WorkflowCompressFiles})
	w.RegisterWorkflowWithOptions(Approval, workflow.RegisterOptions{Name: WorkflowApproval})
	w.RegisterWorkflowWithOptions(FlagSchedule, workflow.RegisterOptions{Name: WorkflowFlagSchedule})
	for name, f := range map[string]any{
		ActivityLoadRollout:        a.LoadRollout,
		ActivityObserveRelease:     a.ObserveRelease,
		ActivityApplyRolloutChange: a.ApplyRolloutChange,
		ActivityPlanPatches:        a.PlanPatches,
		ActivityGiveUpPatch:        a.GiveUpPatch,
		ActivitySettleApproval:     a.SettleApproval,
		ActivityApplyFlagSchedule:  a.ApplyFlagSchedule,
	} {
		w.RegisterActivityWithOptions(f, activity.RegisterOptions{Name: name})
	}
}

// RegisterPatches registers the activity of PatchesQueue. The worker must run one task at a time.
func RegisterPatches(w worker.Registry, a *activities.Activities) {
	w.RegisterActivityWithOptions(a.MakePatch, activity.RegisterOptions{Name: ActivityMakePatch})
}

// RegisterFiles registers the activity of FilesQueue.
func RegisterFiles(w worker.Registry, a *activities.Activities) {
	w.RegisterActivityWithOptions(a.CompressFiles, activity.RegisterOptions{Name: ActivityCompressFiles})
}

// RegisterDeliveries registers the workflows and activities of WebhooksQueue, which wait for webhook receivers and mail
// servers.
func RegisterDeliveries(w worker.Registry, a *activities.Activities) {
	w.RegisterWorkflowWithOptions(DeliverWebhook, workflow.RegisterOptions{Name: WorkflowDeliver})
	w.RegisterWorkflowWithOptions(SendMail, workflow.RegisterOptions{Name: WorkflowSendMail})
	w.RegisterActivityWithOptions(a.SendMail, activity.RegisterOptions{Name: ActivitySendMail})
	w.RegisterActivityWithOptions(a.CancelDelivery, activity.RegisterOptions{Name: ActivityCancelDelivery})
	w.RegisterActivityWithOptions(a.AttemptDelivery, activity.RegisterOptions{Name: ActivityAttemptDelivery})
}
