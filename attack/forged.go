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

// forgedIDs are the attacker's device ids, fewer than a network's budget of new ones.
const forgedIDs = 190

// forgedCrashes is many crashing ids of one network beside 40 healthy devices in networks of their own. The crashes of
// one network must not take the release back.
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
		return "", broken(fmt.Sprintf("%d ids of one network had a healthy release %s: %s", forgedIDs, e.Status, e.Reason))
	}
	return fmt.Sprintf("%d crashing ids of one network are one vote beside %d healthy devices; the rollout completed", forgedIDs, honest), nil
}

// forgedHealth is many healthy ids of one network beside 60 devices of which every fifth crashes. By devices that is
// within the limit; the release must be taken back all the same.
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
		return "", broken(fmt.Sprintf("%d healthy ids of one network had a crashing release %s: %s", forgedIDs, e.Status, e.Reason))
	}
	return fmt.Sprintf("%d healthy ids of one network are one vote; a release that crashes for a fifth of %d devices is rolled back",
		forgedIDs, honest), nil
}

// attackersNetwork names addresses of one network, as a proxy would. A server that trusts no proxy on this machine
// sees the proxy's address instead, one network too.
func attackersNetwork(i int) string { return fmt.Sprint("203.0.113.", 1+i%250) }

// home is a client on the server's machine, which has a network of its own.
func home(int) string { return "" }

// battle is a rollout at 100 % in a project of its own, with a limit of 5 % crashes.
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

// visit lets so many devices be served the release, and then report an event each. Reports over a rate limit are
// refused, which is a defence too.
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
		return fmt.Errorf("%d of %d devices were served the release", n, devices)
	}
	return inParallel(devices, func(i int) error {
		status, err := b.report(ctx, b.release, ids[i], from(i), object{"type": event(i), "count": 1})
		if err == nil && status != http.StatusNoContent && status != http.StatusTooManyRequests {
			return fmt.Errorf("a report got %d", status)
		}
		return err
	})
}

// execution is what a rollout says of itself.
type execution struct {
	Status, Reason, WaitingFor string
	Health                     struct {
		Devices, CrashedDevices int
		Votes                   struct{ Networks, Allocations, Weight, Crashed float64 }
	}
}

func (b *battle) await(ctx context.Context, done func(execution) bool) (e execution, err error) {
	err = eventually(ctx, "the rollout decides nothing", func() (bool, error) {
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
