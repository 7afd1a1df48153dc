// Package temporal runs the Temporal server and its web UI in one process, on a database
// file. The server is compiled in. A build with the tag temporalcli runs the one in the
// Temporal CLI on the PATH instead.
package temporal

import (
	"context"
	"fmt"

	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// Namespace is the namespace of Waft's workflows.
const Namespace = "default"

// host is the address of all listeners but, in a container, the server's frontend.
const host = "127.0.0.1"

// searchAttributes are the search attributes of Waft's workflows, with their types.
var searchAttributes = map[string]string{
	"WaftProject": "Keyword",
	"WaftRelease": "Int",
	"WaftStage":   "Int",
	"WaftStatus":  "Keyword",
}

// Ready returns an error until the server is healthy and has the namespace, and the web UI
// responds.
func Ready(ctx context.Context, address, uiAddress string) error {
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	health, err := grpc_health_v1.NewHealthClient(conn).Check(ctx, &grpc_health_v1.HealthCheckRequest{
		Service: workflowservice.WorkflowService_ServiceDesc.ServiceName,
	})
	if err != nil {
		return err
	}
	if health.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
		return fmt.Errorf("the server is %s", health.GetStatus())
	}
	_, err = workflowservice.NewWorkflowServiceClient(conn).DescribeNamespace(ctx,
		&workflowservice.DescribeNamespaceRequest{Namespace: Namespace})
	if err != nil {
		return err
	}
	_, err = process.Get(ctx, "http://"+uiAddress+"/")
	return err
}
