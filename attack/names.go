package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/google/uuid"
)

// hiddenErrorName sends reports full of invented error names, from devices that were never served a release. An error
// that an honest device reports afterwards must still be found under its name.
func hiddenErrorName(ctx context.Context, t *target) (string, error) {
	const reports, names = 5, 450
	p, r, err := t.projectWithRelease(ctx)
	if err != nil {
		return "", err
	}
	for i := range reports {
		var events []object
		for range names {
			events = append(events, object{"type": "js_error", "count": 1, "message": "x", "errorName": uuid.NewString()})
		}
		if status, err := p.report(ctx, r, uuid.NewString(), attackersNetwork(i), events...); err != nil || status >= 500 {
			return "", fmt.Errorf("a report gets %d: %w", status, err)
		}
	}
	honest := uuid.NewString()
	if _, err := p.manifest(ctx, honest, home(0)); err != nil {
		return "", err
	}
	const message = "undefined is not a function"
	status, err := p.report(ctx, r, honest, home(0), object{"type": "js_error", "count": 1, "message": message, "errorName": "TypeError"})
	if err != nil || status != http.StatusNoContent {
		return "", fmt.Errorf("the honest report gets %d: %w", status, err)
	}
	var found []struct{ ErrorName string }
	err = eventually(ctx, "the honest report is not found", func() (bool, error) {
		err := p.call(ctx, request{path: "/v1/ota/observe/events?search=" + url.QueryEscape(message)}, &found)
		return len(found) > 0, err
	})
	if err != nil {
		return "", err
	}
	if name := found[0].ErrorName; name != "TypeError" {
		return "", broken(fmt.Sprintf("after %d reports from one network an honest TypeError is shown as %q", reports, name))
	}
	return fmt.Sprintf("after %d invented names from one network an honest TypeError keeps its name", reports*names), nil
}
