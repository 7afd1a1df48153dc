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
	"go.temporal.io/sdk/temporal"
)

// searchAttributes lists the search attributes that the namespace needs. Without them, rollouts stop at their first step
// and deliveries do not start.
var searchAttributes = []temporal.SearchAttributeKey{
	attributeProject, attributeRelease, attributeStage, attributeStatus, attributeEvent, attributeWebhook, attributeAction,
}

// EnsureSearchAttributes registers the search attributes that are missing in the namespace.
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

// CheckSearchAttributes returns an error with instructions if search attributes are missing in the namespace. It returns
// nil if this client may not list them.
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

// missingSearchAttributes returns the search attributes that are missing in the namespace. An attribute of the wrong type
// is an error.
func missingSearchAttributes(ctx context.Context, tc client.Client, namespace string) (map[string]enumspb.IndexedValueType, error) {
	known, err := tc.OperatorService().ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	if err != nil {
		return nil, fmt.Errorf("list the search attributes of Temporal's namespace %s: %w", namespace, err)
	}
	missing := map[string]enumspb.IndexedValueType{}
	for _, key := range searchAttributes {
		name, kind := key.GetName(), key.GetValueType()
		have, ok := known.GetCustomAttributes()[name]
		switch {
		case !ok:
			missing[name] = kind
		case have != kind:
			return nil, fmt.Errorf("the search attribute %s of Temporal's namespace %s is of type %s, but Waft needs "+
				"%s", name, namespace, have, kind)
		}
	}
	return missing, nil
}

func names(attributes map[string]enumspb.IndexedValueType) string {
	return strings.Join(slices.Sorted(maps.Keys(attributes)), ", ")
}
