package workflows

import (
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/activities"
)

// mainWorkflows are the workflows of the main task queue by their types, and deliveryWorkflows the ones of WebhooksQueue.
var (
	mainWorkflows = map[string]any{
		WorkflowRollout: Rollout, WorkflowBuildPatches: BuildPatches, WorkflowCompressFiles: CompressFiles, WorkflowApproval: Approval,
		WorkflowFlagSchedule: FlagSchedule,
	}
	deliveryWorkflows = map[string]any{WorkflowDeliver: DeliverWebhook, WorkflowSendMail: SendMail}
)

func registerWorkflows(w worker.Registry, all map[string]any) {
	for name, f := range all {
		w.RegisterWorkflowWithOptions(f, workflow.RegisterOptions{Name: name})
	}
}

// Register registers the workflows and activities of the main task queue under the names in contract.go.
func Register(w worker.Registry, a *activities.Activities) {
	registerWorkflows(w, mainWorkflows)
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
	registerWorkflows(w, deliveryWorkflows)
	w.RegisterActivityWithOptions(a.SendMail, activity.RegisterOptions{Name: ActivitySendMail})
	w.RegisterActivityWithOptions(a.CancelDelivery, activity.RegisterOptions{Name: ActivityCancelDelivery})
	w.RegisterActivityWithOptions(a.AttemptDelivery, activity.RegisterOptions{Name: ActivityAttemptDelivery})
}
