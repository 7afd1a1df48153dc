// Package temporaltest gives a test its own namespace in the real Temporal.
package temporaltest

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/waft-ota/waft/internal/lab/enginetest"
)

// patience is the maximum time that Temporal takes to show a new namespace.
const patience = 2 * time.Minute

// Namespace creates a namespace, which stands for a Temporal that was started empty, and returns its name.
func Namespace(t testing.TB) (name string) {
	t.Helper()
	address, _ := enginetest.Temporal(t)
	name = "empty-" + uuid.NewString()
	c, err := client.NewNamespaceClient(client.Options{HostPort: address})
	require.NoError(t, err)
	defer c.Close()
	require.NoError(t, c.Register(t.Context(), &workflowservice.RegisterNamespaceRequest{
		Namespace: name, WorkflowExecutionRetentionPeriod: durationpb.New(24 * time.Hour),
	}))
	require.Eventually(t, func() bool {
		_, err := c.Describe(t.Context(), name)
		return err == nil
	}, patience, 10*time.Millisecond)
	return name
}
