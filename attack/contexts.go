package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/google/uuid"
)

// evictedContexts pins a context. Without a key, it then sends evaluations of the same context with another name, and
// of more contexts than a project once kept.
func evictedContexts(ctx context.Context, t *target) (string, error) {
	const rounds, reports, inReport = 3, 8, 500
	const contexts = rounds * reports * (inReport - 2)
	p, err := t.project(ctx)
	if err != nil {
		return "", err
	}
	if err := p.call(ctx, request{path: "/v1/ota/flags", body: object{
		"name": "Checkout", "key": "checkout", "flagType": "boolean", "defaultValue": false,
	}}, nil); err != nil {
		return "", err
	}
	var vip struct{ ID int64 }
	err = p.call(ctx, request{path: "/v1/ota/contexts", body: object{
		"kind": "user", "targetingKey": "vip", "name": "Ada", "attributes": object{"plan": "pro"},
	}}, &vip)
	if err != nil {
		return "", err
	}
	evaluate := func(evaluations ...object) (int, error) {
		a, err := p.send(ctx, request{path: "/v1/ota/flag-evaluations", body: object{"projectSlug": p.slug, "evaluations": evaluations}})
		return a.status, err
	}
	evaluated := func(key string) object {
		return object{"flagKey": "checkout", "value": true, "count": 1, "targetingKey": key}
	}
	seen := func(key string) (bool, error) {
		var found []object
		err := p.call(ctx, request{path: "/v1/ota/contexts?search=" + key}, &found)
		return len(found) > 0, err
	}
	err = eventually(ctx, "the flag's evaluations are not recorded", func() (bool, error) {
		if status, err := evaluate(evaluated("first")); err != nil || status != http.StatusNoContent {
			return false, fmt.Errorf("an evaluation gets %d: %w", status, err)
		}
		return seen("first")
	})
	if err != nil {
		return "", err
	}
	renaming := object{
		"flagKey": "checkout", "value": true, "count": 1,
		"context": object{"kind": "user", "targetingKey": "vip", "name": "Mallory", "plan": "free"},
	}
	for range rounds {
		last := uuid.NewString()
		for range reports {
			batch := []object{renaming, evaluated(last)}
			for len(batch) < inReport {
				batch = append(batch, evaluated(uuid.NewString()))
			}
			if status, err := evaluate(batch...); err != nil || status != http.StatusNoContent && status != http.StatusTooManyRequests {
				return "", fmt.Errorf("evaluations get %d: %w", status, err)
			}
		}
		// The server drops evaluations that arrive faster than it stores them.
		if err := eventually(ctx, "evaluations are not recorded", func() (bool, error) { return seen(last) }); err != nil {
			return "", err
		}
	}
	var after struct {
		Name       string
		Attributes object
	}
	a, err := p.send(ctx, request{path: fmt.Sprintf("/v1/ota/contexts/%d", vip.ID), key: p.key, project: p.slug})
	if err != nil {
		return "", err
	}
	if a.status == http.StatusNotFound {
		return "", broken(fmt.Sprintf("evaluations of %d invented contexts evict a pinned context", contexts))
	}
	if err := into(a, &after); err != nil {
		return "", err
	}
	if after.Name != "Ada" || after.Attributes["plan"] != "pro" {
		return "", broken(fmt.Sprintf("an evaluation without a key renames a pinned context to %q", after.Name))
	}
	return fmt.Sprintf("after evaluations of %d invented contexts the pinned context keeps its name and attributes", contexts), nil
}
