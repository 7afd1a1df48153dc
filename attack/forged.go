package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
)

// forgedIDs is the number of the attacker's device IDs, which stays below the limit of new devices per network.
const forgedIDs = 190

// forgedCrashes reports crashes for many device IDs in one network. 40 healthy devices are in networks of their own.
// The crashes of one network must not roll back the release.
func forgedCrashes(ctx context.Context, t *target) (string, error) {
	const honest = 40
	b, err := t.beginRollout(ctx, 60)
	if err != nil {
		return "", err
	}
	if err := b.visit(ctx, forgedIDs, attackersNetwork, always(crash)); err != nil {
		return "", err
	}
	if err := b.visit(ctx, honest, home, always(launch)); err != nil {
		return "", err
	}
	e, err := b.await(ctx, func(e execution) bool { return e.Status != "running" })
	if err != nil {
		return "", err
	}
	if e.Status != "completed" {
		return "", broken(fmt.Sprintf("%d device IDs in one network caused a healthy release to be %s: %s", forgedIDs, e.Status, e.Reason))
	}
	return fmt.Sprintf("%d crashing device IDs in one network have one vote, %d others are healthy; the rollout completed",
		forgedIDs, honest), nil
}

// forgedHealth reports healthy launches for many device IDs in one network, and crashes for every fifth of 60 devices
// in networks of their own. Counted by devices, the crash rate is below the threshold, but the release must be rolled
// back.
func forgedHealth(ctx context.Context, t *target) (string, error) {
	const honest, everyNth = 60, 5
	b, err := t.beginRollout(ctx, 80)
	if err != nil {
		return "", err
	}
	if err := b.visit(ctx, forgedIDs, attackersNetwork, always(launch)); err != nil {
		return "", err
	}
	if err := b.visit(ctx, honest, home, func(i int) string {
		if i%everyNth == 0 {
			return crash
		}
		return launch
	}); err != nil {
		return "", err
	}
	e, err := b.await(ctx, func(e execution) bool { return e.Status != "running" })
	if err != nil {
		return "", err
	}
	if e.Status != "rolled_back" {
		return "", broken(fmt.Sprintf("%d healthy device IDs in one network had a crashing release %s: %s", forgedIDs, e.Status, e.Reason))
	}
	return fmt.Sprintf("%d healthy device IDs in one network have one vote; a release that crashes for a fifth of %d devices is rolled back",
		forgedIDs, honest), nil
}

// attackersNetwork returns addresses of one network, for the header that a proxy would set. A server that does not
// trust the attack program as a proxy sees 127.0.0.1 for every request, which is one network as well.
func attackersNetwork(i int) string { return fmt.Sprint("203.0.113.", 1+i%250) }

// home returns "", so the request comes directly from this machine and belongs to a network of its own.
func home(int) string { return "" }

// battle is a rollout at 100% in a project of its own, with a crash rate threshold of 5%.
type battle struct {
	*project
	release release
}

func (t *target) beginRollout(ctx context.Context, minDevices int) (*battle, error) {
	p, err := t.project(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := p.publish(ctx, []byte("stable of "+p.slug), nil); err != nil {
		return nil, err
	}
	var policy struct{ ID int64 }
	err = p.call(ctx, request{path: "/v1/ota/rollout-policies", body: object{
		"name":       "attacked",
		"stages":     []object{{"percentage": 100, "minDevices": minDevices, "minDurationMinutes": 0.02}},
		"thresholds": object{"crashRate": 5, "action": "auto-rollback"},
	}}, &policy)
	if err != nil {
		return nil, err
	}
	r, err := p.publish(ctx, []byte("next of "+p.slug), object{"rolloutPolicyId": policy.ID})
	if err != nil {
		return nil, err
	}
	return &battle{p, r}, p.awaitServed(ctx, r)
}

// visit requests the release for the given number of devices, and then reports one event for each. The server may
// refuse reports above a rate limit: that also counts as a defence.
func (b *battle) visit(ctx context.Context, devices int, from func(i int) string, event func(i int) string) error {
	ids := make([]string, devices)
	var served atomic.Int64
	err := inParallel(devices, func(i int) error {
		ids[i] = uuid.NewString()
		a, err := b.manifest(ctx, ids[i], from(i))
		if strings.Contains(string(a.body), b.release.UpdateUUID) {
			served.Add(1)
		}
		return err
	})
	if err != nil {
		return err
	}
	if n := served.Load(); n < int64(devices) {
		return fmt.Errorf("only %d of %d devices were served the release", n, devices)
	}
	return inParallel(devices, func(i int) error {
		status, err := b.report(ctx, b.release, ids[i], from(i), object{"type": event(i), "count": 1})
		if err == nil && status != http.StatusNoContent && status != http.StatusTooManyRequests {
			return fmt.Errorf("a report got %d", status)
		}
		return err
	})
}

// execution is the state of a rollout in the API.
type execution struct {
	Status, Reason, WaitingFor string
	Health                     struct {
		Devices, CrashedDevices int
		Votes                   struct{ Networks, Allocations, Weight, Crashed float64 }
	}
}

func (b *battle) await(ctx context.Context, done func(execution) bool) (e execution, err error) {
	err = eventually(ctx, "the rollout does not reach the expected state", func() (bool, error) {
		err := b.call(ctx, request{path: fmt.Sprintf("/v1/ota/rollout-executions/%d", b.release.Execution)}, &e)
		return err == nil && done(e), err
	})
	if err != nil && e.Reason != "" {
		err = fmt.Errorf("%w: %s", err, e.Reason)
	}
	return e, err
}

func inParallel(n int, do func(i int) error) error {
	var group errgroup.Group
	group.SetLimit(16)
	for i := range n {
		group.Go(func() error { return do(i) })
	}
	return group.Wait()
}
