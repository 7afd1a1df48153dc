package app

import (
	"cmp"

	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/version"
)

// deploymentOptions are Temporal's worker versioning, off without WAFT_WORKER_DEPLOYMENT.
// Workflows move to the deployment's current version while they run: a rollout may take
// weeks, and every version of Waft replays the histories of those before it.
func deploymentOptions(cfg config.Config) worker.DeploymentOptions {
	if cfg.WorkerDeployment == "" {
		return worker.DeploymentOptions{}
	}
	buildID := cmp.Or(cfg.WorkerBuildID, version.String())
	return worker.DeploymentOptions{
		UseVersioning:             true,
		Version:                   worker.WorkerDeploymentVersion{DeploymentName: cfg.WorkerDeployment, BuildID: buildID},
		DefaultVersioningBehavior: workflow.VersioningBehaviorAutoUpgrade,
	}
}
