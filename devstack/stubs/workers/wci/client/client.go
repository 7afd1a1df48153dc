// Package client stands for the client of workers that the Temporal server
// starts itself, on AWS, Google Cloud or Kubernetes. The embedded server starts
// none: it says that there is none, and refuses to make one.
package client

import (
	"context"

	deploymentpb "go.temporal.io/api/deployment/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/auto-scaled-workers/wci/workflow/iface"
	"go.temporal.io/server/common/namespace"
	"go.uber.org/fx"
)

var errLeftOut = serviceerror.NewInvalidArgument("the embedded server starts no workers: auto-scaled workers are left out of it")

// Module provides the client to the server.
var Module = fx.Provide(func() Client { return Client{} })

// Client has the methods that the server calls.
type Client struct{}

// DescribeWorkerControllerInstance fails with NotFound, which the server takes
// for a deployment whose workers are started elsewhere.
func (Client) DescribeWorkerControllerInstance(
	context.Context, *namespace.Namespace, *deploymentpb.WorkerDeploymentVersion,
) (*iface.QueryDescribeWorkerControllerInstanceResponse, []byte, error) {
	return nil, nil, serviceerror.NewNotFound("the embedded server starts no workers")
}

// UpdateWorkerControllerInstance fails with errLeftOut.
func (Client) UpdateWorkerControllerInstance(
	context.Context, *namespace.Namespace, *deploymentpb.WorkerDeploymentVersion, []byte, string,
	map[string]iface.ScalingGroupSpecUpdate, []string,
) (*iface.UpdateWorkerControllerInstanceResponse, error) {
	return nil, errLeftOut
}

// ValidateWorkerControllerInstanceSpec fails with errLeftOut.
func (Client) ValidateWorkerControllerInstanceSpec(
	context.Context, *namespace.Namespace, *deploymentpb.WorkerDeploymentVersion, string,
	map[string]iface.ScalingGroupSpecUpdate, []string,
) error {
	return errLeftOut
}

// DeleteWorkerControllerInstance has nothing to delete.
func (Client) DeleteWorkerControllerInstance(
	context.Context, *namespace.Namespace, *deploymentpb.WorkerDeploymentVersion, string,
) error {
	return nil
}
