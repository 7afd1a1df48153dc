package workflows

import (
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/activities"
)

// Register makes a worker run Waft's workflows and activities under their names in
// the contract.
func Register(w worker.Registry, a *activities.Activities) {
	w.RegisterWorkflowWithOptions(Rollout, workflow.RegisterOptions{Name: WorkflowRollout})
	for name, f := range map[string]any{
		ActivityLoadRollout:        a.LoadRollout,
		ActivityObserveRelease:     a.ObserveRelease,
		ActivityApplyRolloutChange: a.ApplyRolloutChange,
	} {
		w.RegisterActivityWithOptions(f, activity.RegisterOptions{Name: name})
	}
}
