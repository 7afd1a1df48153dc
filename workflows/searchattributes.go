package workflows

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
)

// searchAttributes are those of rollouts and webhook deliveries. Without them rollouts
// stop at their first step, and deliveries do not start.
var searchAttributes = map[string]enumspb.IndexedValueType{
	attributeProject.GetName(): attributeProject.GetValueType(),
	attributeRelease.GetName(): attributeRelease.GetValueType(),
	attributeStage.GetName():   attributeStage.GetValueType(),
	attributeStatus.GetName():  attributeStatus.GetValueType(),
	attributeEvent.GetName():   attributeEvent.GetValueType(),
	attributeWebhook.GetName(): attributeWebhook.GetValueType(),
}

// EnsureSearchAttributes registers the search attributes that namespace lacks.
func EnsureSearchAttributes(ctx context.Context, tc client.Client, namespace string) error {
	missing, err := missingSearchAttributes(ctx, tc, namespace)
	if err != nil || len(missing) == 0 {
		return err
	}
	_, err = tc.OperatorService().AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{
		Namespace: namespace, SearchAttributes: missing,
	})
	if err != nil {
		return fmt.Errorf("register the search attributes %s in Temporal's namespace %s: %w", names(missing), namespace, err)
	}
	return nil
}

// CheckSearchAttributes fails when namespace lacks search attributes, and says how to
// register them. It does not fail when Temporal does not let this client list them.
func CheckSearchAttributes(ctx context.Context, tc client.Client, namespace string) error {
	missing, err := missingSearchAttributes(ctx, tc, namespace)
	var (
		denied        *serviceerror.PermissionDenied
		unimplemented *serviceerror.Unimplemented
	)
	if errors.As(err, &denied) || errors.As(err, &unimplemented) {
		return nil
	}
	if err != nil || len(missing) == 0 {
		return err
	}
	return fmt.Errorf("namespace %s of Temporal lacks the search attributes %s; run `waftd migrate`", namespace, names(missing))
}

// missingSearchAttributes lists those that namespace lacks. One of another type than
// Waft needs is an error.
func missingSearchAttributes(ctx context.Context, tc client.Client, namespace string) (map[string]enumspb.IndexedValueType, error) {
	known, err := tc.OperatorService().ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	if err != nil {
		return nil, fmt.Errorf("list the search attributes of Temporal's namespace %s: %w", namespace, err)
	}
	missing := map[string]enumspb.IndexedValueType{}
	for name, kind := range searchAttributes {
		have, ok := known.GetCustomAttributes()[name]
		switch {
		case !ok:
			missing[name] = kind
		case have != kind:
			return nil, fmt.Errorf("the search attribute %s of Temporal's namespace %s is of type %s, but Waft needs %s", name, namespace, have, kind)
		}
	}
	return missing, nil
}

func names(attributes map[string]enumspb.IndexedValueType) string {
	return strings.Join(slices.Sorted(maps.Keys(attributes)), ", ")
}
