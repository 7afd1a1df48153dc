package workflows

import (
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/activities"
)

// Register registers what runs on the main task queue, under the names in contract.go.
func Register(w worker.Registry, a *activities.Activities) {
	w.RegisterWorkflowWithOptions(Rollout, workflow.RegisterOptions{Name: WorkflowRollout})
	w.RegisterWorkflowWithOptions(BuildPatches, workflow.RegisterOptions{Name: WorkflowBuildPatches})
	w.RegisterWorkflowWithOptions(CompressFiles, workflow.RegisterOptions{Name: WorkflowCompressFiles})
	w.RegisterWorkflowWithOptions(Approval, workflow.RegisterOptions{Name: WorkflowApproval})
	for name, f := range map[string]any{
		ActivityLoadRollout:        a.LoadRollout,
		ActivityObserveRelease:     a.ObserveRelease,
		ActivityApplyRolloutChange: a.ApplyRolloutChange,
		ActivityPlanPatches:        a.PlanPatches,
		ActivityGiveUpPatch:        a.GiveUpPatch,
		ActivitySettleApproval:     a.SettleApproval,
	} {
		w.RegisterActivityWithOptions(f, activity.RegisterOptions{Name: name})
	}
}

// RegisterPatches registers what runs on PatchesQueue. The worker must take one task at a time.
func RegisterPatches(w worker.Registry, a *activities.Activities) {
	w.RegisterActivityWithOptions(a.MakePatch, activity.RegisterOptions{Name: ActivityMakePatch})
}

// RegisterFiles registers what runs on FilesQueue.
func RegisterFiles(w worker.Registry, a *activities.Activities) {
	w.RegisterActivityWithOptions(a.CompressFiles, activity.RegisterOptions{Name: ActivityCompressFiles})
}

// RegisterDeliveries registers what runs on WebhooksQueue: what waits for other people's servers.
func RegisterDeliveries(w worker.Registry, a *activities.Activities) {
	w.RegisterWorkflowWithOptions(DeliverWebhook, workflow.RegisterOptions{Name: WorkflowDeliver})
	w.RegisterWorkflowWithOptions(SendMail, workflow.RegisterOptions{Name: WorkflowSendMail})
	w.RegisterActivityWithOptions(a.SendMail, activity.RegisterOptions{Name: ActivitySendMail})
	w.RegisterActivityWithOptions(a.CancelDelivery, activity.RegisterOptions{Name: ActivityCancelDelivery})
	w.RegisterActivityWithOptions(a.AttemptDelivery, activity.RegisterOptions{Name: ActivityAttemptDelivery})
}
