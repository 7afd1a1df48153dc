package workflows

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/waft-ota/waft/internal/base/count"
)

// CheckEmpty returns an error if the namespace has workflows of Waft. Even closed workflows count: their IDs name the work of restored
// records, and a workflow does not start if its ID was used. A namespace that does not exist is empty. CheckEmpty also returns an error if
// Temporal does not respond.
func CheckEmpty(ctx context.Context, tc client.Client, namespace string) error {
	types := slices.Concat(slices.Sorted(maps.Keys(mainWorkflows)), slices.Sorted(maps.Keys(deliveryWorkflows)))
	found, err := tc.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{
		Namespace: namespace, Query: "WorkflowType IN ('" + strings.Join(types, "', '") + "')",
	})
	var missing *serviceerror.NamespaceNotFound
	switch {
	case errors.As(err, &missing):
		return nil
	case err != nil:
		return fmt.Errorf("count the workflows in Temporal's namespace %s: %w", namespace, err)
	case found.GetCount() > 0:
		return fmt.Errorf("the namespace %s of Temporal is not empty: it has %s of Waft, open or closed, in whose place restored "+
			"workflows would not start; create an empty namespace and name it in TEMPORAL_NAMESPACE",
			namespace, count.Of(found.GetCount(), "workflow"))
	}
	return nil
}
