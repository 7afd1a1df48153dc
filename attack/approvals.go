package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// repointings are the changes that make a channel serve the releases of the branch dev.
var repointings = []object{
	{"branchName": "dev"},
	{"rolloutBranchName": "dev", "rolloutPercentage": 100},
}

// repointedChannel requests that production serves the branch dev while the newest release of dev is good. Before a
// colleague approves, it publishes a bad release to dev, which works without approval.
func repointedChannel(ctx context.Context, o *own) (string, error) {
	for _, change := range repointings {
		if err := o.repoint(ctx, change); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%d approvals were out of date after dev got the bad release; a release on a branch in a branch rollout waits (202)",
		len(repointings)), nil
}

func (o *own) repoint(ctx context.Context, change object) error {
	g, err := o.guard(ctx, func(p *project) error {
		_, err := p.publish(ctx, []byte("good of "+p.slug), object{"channel": "dev"})
		return err
	})
	if err != nil {
		return err
	}
	call := request{method: http.MethodPatch, path: "/v1/ota/channels/production", body: change}
	id, err := g.ask(ctx, "another branch for production", call)
	if err != nil {
		return err
	}
	bad, err := g.publishAs(ctx, g.editor, "bad", object{"channel": "dev"})
	if err != nil {
		return err
	}
	stale := g.approvedToBeStale(ctx, "a branch that has since received a bad release", id)
	switch got, err := g.offers(ctx, bad); {
	case err != nil:
		return err
	case got:
		return broken("devices get a release that was never approved")
	case stale != nil:
		return stale
	}
	return g.rolledOutBranchAsks(ctx)
}

// rolledOutBranchAsks starts a branch rollout of dev to 10% of production, with approval, and then publishes to dev.
func (g *guarded) rolledOutBranchAsks(ctx context.Context) error {
	id, err := g.ask(ctx, "a branch rollout", request{
		method: http.MethodPatch, path: "/v1/ota/channels/production", body: object{"rolloutBranchName": "dev", "rolloutPercentage": 10},
	})
	if err != nil {
		return err
	}
	if end, err := g.approved(ctx, id); err != nil || end.Status != "carried_out" {
		return fmt.Errorf("the approval of a branch rollout ends as %s: %s: %w", end.Status, end.Error, err)
	}
	switch _, err := g.publishAs(ctx, g.editor, "worse", object{"channel": "dev"}); {
	case err == nil:
		return broken("a release on a branch that production rolls out is published without approval")
	case !errors.Is(err, errWaits):
		return err
	}
	return nil
}

// widenedSegment requests a rule whose segment nothing else uses. Before a colleague approves, it widens the segment,
// which works without approval because no rule uses the segment yet.
func widenedSegment(ctx context.Context, o *own) (string, error) {
	var segment, flag struct {
		ID  int64
		Key string
	}
	g, err := o.guard(ctx, func(p *project) error {
		return errors.Join(
			p.call(ctx, request{path: "/v1/ota/segments", body: object{"name": "Testers", "matchType": "all", "conditions": []object{
				{"attribute": "plan", "operator": "eq", "valuesJson": []string{"internal"}},
			}}}, &segment),
			p.call(ctx, request{path: "/v1/ota/flags", body: object{
				"name": "Checkout", "key": "checkout", "flagType": "boolean", "defaultValue": false, "enabled": true,
			}}, &flag),
		)
	})
	if err != nil {
		return "", err
	}
	rules := fmt.Sprintf("/v1/ota/flags/%d", flag.ID)
	id, err := g.ask(ctx, "a rule that devices of production evaluate", request{path: rules + "/rules", body: object{
		"ruleType": "segment", "ruleConfig": object{"segmentKey": segment.Key}, "variantValue": "true",
	}})
	if err != nil {
		return "", err
	}
	widening := request{method: http.MethodPatch, path: fmt.Sprintf("/v1/ota/segments/%d", segment.ID), body: object{"conditions": []object{
		{"attribute": "plan", "operator": "exists", "valuesJson": []string{}},
	}}}
	if a, err := g.byAttacker(ctx, widening); err != nil || !a.succeeded() {
		return "", fmt.Errorf("a segment that no rule uses is changed with %d: %s: %w", a.status, clip(a.body), err)
	}
	if err := g.approvedToBeStale(ctx, "a rule whose segment has since been widened", id); err != nil {
		return "", err
	}
	var after struct{ Rules []object }
	if err := g.call(ctx, request{path: rules}, &after); err != nil {
		return "", err
	}
	if len(after.Rules) > 0 {
		return "", broken("the flag has a rule that was never approved")
	}
	return "the approval was out of date, and the flag has no rule", nil
}
