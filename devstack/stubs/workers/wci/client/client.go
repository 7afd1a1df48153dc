// Package client stands for the client of workers that the Temporal server
// starts itself, on AWS, Google Cloud or Kubernetes. The embedded server does not start
// such workers: it lists none and refuses to create one.
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

type (
	ns      = *namespace.Namespace
	version = *deploymentpb.WorkerDeploymentVersion
	update  = map[string]iface.ScalingGroupSpecUpdate
)

// DescribeWorkerControllerInstance fails with NotFound, which the server takes for a
// deployment whose workers are started elsewhere.
func (Client) DescribeWorkerControllerInstance(context.Context, ns, version) (
	*iface.QueryDescribeWorkerControllerInstanceResponse, []byte, error,
) {
	return nil, nil, serviceerror.NewNotFound("the embedded server starts no workers")
}

// UpdateWorkerControllerInstance fails with errLeftOut.
func (Client) UpdateWorkerControllerInstance(context.Context, ns, version, []byte, string, update, []string) (
	*iface.UpdateWorkerControllerInstanceResponse, error,
) {
	return nil, errLeftOut
}

// ValidateWorkerControllerInstanceSpec fails with errLeftOut.
func (Client) ValidateWorkerControllerInstanceSpec(context.Context, ns, version, string, update, []string) error {
	return errLeftOut
}

// DeleteWorkerControllerInstance returns nil, because no instance exists.
func (Client) DeleteWorkerControllerInstance(context.Context, ns, version, string) error { return nil }
