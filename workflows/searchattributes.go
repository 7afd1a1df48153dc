package workflows

import (
	"context"
	"fmt"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/sdk/client"
)

// EnsureSearchAttributes registers the search attributes of rollouts and webhook
// deliveries in a namespace that lacks them. Without them rollouts stop at their
// first step, and deliveries do not start.
func EnsureSearchAttributes(ctx context.Context, tc client.Client, namespace string) error {
	operator := tc.OperatorService()
	known, err := operator.ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	if err != nil {
		return fmt.Errorf("list Temporal's search attributes: %w", err)
	}
	missing := map[string]enumspb.IndexedValueType{}
	for name, kind := range map[string]enumspb.IndexedValueType{
		attributeProject.GetName(): attributeProject.GetValueType(),
		attributeRelease.GetName(): attributeRelease.GetValueType(),
		attributeStage.GetName():   attributeStage.GetValueType(),
		attributeStatus.GetName():  attributeStatus.GetValueType(),
		attributeEvent.GetName():   attributeEvent.GetValueType(),
		attributeWebhook.GetName(): attributeWebhook.GetValueType(),
	} {
		have, ok := known.GetCustomAttributes()[name]
		switch {
		case !ok:
			missing[name] = kind
		case have != kind:
			return fmt.Errorf("the search attribute %s of namespace %s is of type %s, but Waft needs %s", name, namespace, have, kind)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	_, err = operator.AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{Namespace: namespace, SearchAttributes: missing})
	if err != nil {
		return fmt.Errorf("register Temporal's search attributes: %w", err)
	}
	return nil
}
