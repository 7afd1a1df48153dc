package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// guarded is a project whose channel production serves first. Another channel, dev, is on a branch of its own and is
// not protected. Changes to what production's devices get require one approval.
type guarded struct {
	*project
	first release
	// editor is the attacker's key. colleague approves the attacker's calls in good faith.
	editor    string
	colleague human
}

// guard creates a project, calls prepare, and then protects production.
func (o *own) guard(ctx context.Context, prepare func(p *project) error) (g *guarded, err error) {
	g = &guarded{}
	if g.project, g.first, err = o.projectWithRelease(ctx); err != nil {
		return nil, err
	}
	var key struct{ Key string }
	if err := g.call(ctx, request{path: "/v1/ota/api-keys", body: object{"name": "attacker", "role": "editor"}}, &key); err != nil {
		return nil, err
	}
	g.editor = key.Key
	if err := g.call(ctx, request{path: "/v1/ota/channels", body: object{"name": "dev", "branchName": "dev"}}, nil); err != nil {
		return nil, err
	}
	if err := prepare(g.project); err != nil {
		return nil, err
	}
	if g.colleague, err = g.member(ctx); err != nil {
		return nil, err
	}
	protection := object{"isProtected": true, "requiredApprovals": 1}
	return g, g.call(ctx, request{method: http.MethodPatch, path: "/v1/ota/channels/production", body: protection}, nil)
}

// byAttacker sends a request with the attacker's key.
func (g *guarded) byAttacker(ctx context.Context, r request) (answer, error) {
	r.key, r.project = g.editor, g.slug
	return g.send(ctx, r)
}

// ask sends a call that must wait for approval, and returns the approval's ID. It returns a broken if the call is
// applied immediately.
func (g *guarded) ask(ctx context.Context, what string, r request) (id int64, err error) {
	a, err := g.byAttacker(ctx, r)
	if err != nil {
		return 0, err
	}
	if a.status != http.StatusAccepted {
		if a.succeeded() {
			return 0, broken("no approval is required for " + what)
		}
		return 0, fmt.Errorf("%s gets %d: %s", what, a.status, clip(a.body))
	}
	var waits struct {
		Approval struct{ ID int64 }
	}
	return waits.Approval.ID, into(a, &waits)
}

// approval is the state of an approval in responses of the API.
type approval struct{ Status, Error string }

// approved approves the call as the colleague, and returns how the call ended.
func (g *guarded) approved(ctx context.Context, id int64) (end approval, err error) {
	verdict := request{method: http.MethodPost, path: fmt.Sprintf("/v1/ota/approvals/%d/approve", id), project: g.slug}
	a, err := g.colleague.send(ctx, verdict)
	if err != nil {
		return end, err
	}
	if !a.succeeded() && a.status != http.StatusConflict {
		return end, fmt.Errorf("an approval gets %d: %s", a.status, clip(a.body))
	}
	err = eventually(ctx, "an approved call does not end", func() (bool, error) {
		err := g.call(ctx, request{path: fmt.Sprintf("/v1/ota/approvals/%d", id)}, &end)
		return end.Status != "approved" && end.Status != "pending", err
	})
	return end, err
}

// approvedToBeStale approves, as the colleague, a call whose effect has changed since it was requested. The approval
// must be out of date.
func (g *guarded) approvedToBeStale(ctx context.Context, what string, id int64) error {
	switch end, err := g.approved(ctx, id); {
	case err != nil:
		return err
	case end.Status != "stale":
		return broken(fmt.Sprintf("the approval of %s ended as %s", what, end.Status))
	case end.Error == "":
		return broken("the out-of-date approval of " + what + " does not name the change")
	}
	return nil
}

// offers reports whether a device on production is offered the release.
func (g *guarded) offers(ctx context.Context, r release) (bool, error) {
	a, err := g.manifest(ctx, "", "")
	return strings.Contains(string(a.body), r.UpdateUUID), err
}
