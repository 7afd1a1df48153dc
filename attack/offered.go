package main

import (
	"context"
	"fmt"
	"net/http"
)

// uncoveredRelease points production to dev, with approval. On dev a good release is newer than a bad release, which
// production never offered. Then it tries to remove the good release in every possible way.
func uncoveredRelease(ctx context.Context, o *own) (string, error) {
	var bad, good release
	g, err := o.guard(ctx, func(p *project) (err error) {
		if bad, err = p.publish(ctx, []byte("bad of "+p.slug), object{"channel": "dev"}); err != nil {
			return err
		}
		good, err = p.publish(ctx, []byte("good of "+p.slug), object{"channel": "dev"})
		return err
	})
	if err != nil {
		return "", err
	}
	id, err := g.ask(ctx, "another branch for production", request{
		method: http.MethodPatch, path: "/v1/ota/channels/production", body: object{"branchName": "dev"},
	})
	if err != nil {
		return "", err
	}
	if end, err := g.approved(ctx, id); err != nil || end.Status != "carried_out" {
		return "", fmt.Errorf("the approval of a branch ends as %s: %s: %w", end.Status, end.Error, err)
	}
	if err := g.awaitServed(ctx, good); err != nil {
		return "", err
	}
	update := fmt.Sprintf("/v1/ota/updates/%d", good.ID)
	uncovering := map[string]request{
		"a rollback to it": {path: "/v1/ota/rollback", body: object{
			"channel": "production", "platform": "ios", "runtimeVersion": runtimeVersion, "rollbackToUpdateId": bad.ID,
		}},
		"disabling the newer release":                       {method: http.MethodPatch, path: update, body: object{"isEnabled": false}},
		"a smaller rollout percentage of the newer release": {method: http.MethodPatch, path: update, body: object{"rolloutPercentage": 10}},
		"deleting the newer release":                        {method: http.MethodDelete, path: update},
	}
	for what, call := range uncovering {
		if _, err := g.ask(ctx, "a release that production never offered, by "+what, call); err != nil {
			return "", err
		}
	}
	switch got, err := g.offers(ctx, good); {
	case err != nil:
		return "", err
	case !got:
		return "", broken("devices no longer get the good release")
	}
	return fmt.Sprintf("%d calls that serve the bad release wait (202): rollback, disable, delete, smaller rollout", len(uncovering)), nil
}

// endedEmergencyStop asks a colleague to approve the end of an emergency stop. The call must be applied, because a
// project whose emergency stop cannot be ended stays stopped.
func endedEmergencyStop(ctx context.Context, o *own) (string, error) {
	g, err := o.guard(ctx, func(*project) error { return nil })
	if err != nil {
		return "", err
	}
	const stop = "/v1/ota/emergency-stop"
	if a, err := g.byAttacker(ctx, request{path: stop, body: object{"reason": "it crashes"}}); err != nil || !a.succeeded() {
		return "", fmt.Errorf("an emergency stop gets %d: %s: %w", a.status, clip(a.body), err)
	}
	id, err := g.ask(ctx, "the end of an emergency stop", request{method: http.MethodDelete, path: stop})
	if err != nil {
		return "", err
	}
	end, err := g.approved(ctx, id)
	switch {
	case late(err):
		return "", broken("the approved end of an emergency stop is not applied, and does not fail either")
	case err != nil:
		return "", err
	case end.Status != "carried_out":
		return "", broken(fmt.Sprintf("the approved end of an emergency stop is %s: %s", end.Status, end.Error))
	}
	if err := g.awaitServed(ctx, g.first); late(err) {
		return "", broken("after the end of an emergency stop devices do not get the release")
	} else if err != nil {
		return "", err
	}
	return "the call is applied, and devices get releases again", nil
}
