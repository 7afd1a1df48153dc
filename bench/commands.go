package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/internal/app"
)

const (
	// commandsTogether rollouts get a command each at the same time.
	commandsTogether = 30
	// commandsEach is how many commands, and inserts of the bare handler, are measured one after the other in a round.
	commandsEach = 5
)

// commandStages is a policy that advances by commands only, with as many stages as a round has commands.
const commandStages = `{"name": "bench %s", "stages": [
	{"percentage": 10, "minDurationMinutes": 600}, {"percentage": 20, "minDurationMinutes": 600},
	{"percentage": 30, "minDurationMinutes": 600}, {"percentage": 100}], "thresholds": {"crashRate": 2}}`

// commandRun is a project whose rollouts get commands, and what is measured.
type commandRun struct {
	*project
	policy int64
	names  []string
	took   map[string]*samples
}

// runCommands measures how long an operator waits for each command to a rollout, one after the other, and for the slowest of
// commandsTogether that are sent together, with and without an Idempotency-Key. Beside them is a bare Gin handler that inserts
// one row with GORM, measured in the same round.
func runCommands(ctx context.Context, s *session) error {
	inserting, err := s.baseline(ctx)
	if err != nil {
		return err
	}
	w, err := s.waft(ctx, app.Role{API: true, Worker: true}, nil)
	if err != nil {
		return err
	}
	c := &commandRun{took: map[string]*samples{}}
	if c.project, err = w.project(ctx, uniqueSlug("commands")); err != nil {
		return err
	}
	var policy struct{ ID int64 }
	if err := c.create(ctx, "/v1/ota/rollout-policies", "application/json", fmt.Sprintf(commandStages, uuid.NewString()), &policy); err != nil {
		return err
	}
	c.policy = policy.ID
	before := load()
	for round := range s.rounds + 1 {
		if round == 1 {
			c.names, c.took = nil, map[string]*samples{} // the first round is discarded
		}
		if err := c.round(ctx, inserting, round%2 == 0); err != nil {
			return err
		}
	}
	fmt.Printf("%d rounds; %s\n\n", s.rounds, machine(before))
	t := newTable("\trequests\tmedian ms\tmost ms\tmedian ratio")
	var base *samples
	for _, name := range c.names {
		got := c.took[name]
		if strings.HasPrefix(name, inserting.name) {
			base = got // of what follows
		}
		t.row("%s\t%d\t%.0f\t%.0f\t%.1f", name, len(got.took), got.ms(.5), got.ms(1), got.ms(.5)/base.ms(.5))
	}
	return t.print()
}

// add records how long something took.
func (c *commandRun) add(name string, took ...time.Duration) {
	if c.took[name] == nil {
		c.names, c.took[name] = append(c.names, name), &samples{}
	}
	c.took[name].add(took, 0)
}

// round measures everything once. Rounds alternate between commands with a key first and commands without a key first.
func (c *commandRun) round(ctx context.Context, inserting kind, keyedFirst bool) error {
	each, together := c.w.size(commandsEach), c.w.size(commandsTogether)
	for n := range each {
		if err := c.timed(inserting.name, func() error { return inserting.request(ctx, 0, n) }); err != nil {
			return err
		}
	}
	for range each {
		release, err := c.begun(ctx, 1)
		if err != nil {
			return err
		}
		for _, command := range []string{"pause", "resume", "advance", "cancel"} {
			if err := c.timed(command, func() error { return c.command(ctx, release[0], command, "{}", "") }); err != nil {
				return err
			}
		}
		if release, err = c.begun(ctx, 1); err != nil {
			return err
		}
		if err := c.timed("rollback", func() error { return c.command(ctx, release[0], "rollback", `{"scope": "release"}`, "") }); err != nil {
			return err
		}
	}
	rollouts, err := c.begun(ctx, together)
	if err != nil {
		return err
	}
	inserted, err := measure(ctx, together, together, rollbackTime, inserting.request)
	if err != nil {
		return err
	}
	c.add(fmt.Sprintf("%s, slowest of %d", inserting.name, together), longest(inserted))
	for _, keyed := range []bool{keyedFirst, !keyedFirst} {
		name := fmt.Sprintf("advance, slowest of %d", together)
		if keyed {
			name += " with a key each"
		}
		got, err := measure(ctx, together, together, rollbackTime, func(ctx context.Context, _, n int) error {
			key := ""
			if keyed {
				key = uuid.NewString()
			}
			return c.command(ctx, rollouts[n], "advance", "{}", key)
		})
		if err != nil {
			return err
		}
		c.add(name, longest(got))
	}
	for _, id := range rollouts {
		if err := c.command(ctx, id, "cancel", "{}", ""); err != nil {
			return err
		}
	}
	return nil
}

// longest returns the time of the slowest request.
func longest(s samples) (most time.Duration) {
	for _, took := range s.took {
		most = max(most, took)
	}
	return most
}

// timed records how long do takes.
func (c *commandRun) timed(name string, do func() error) error {
	began := time.Now()
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	c.add(name, time.Since(began))
	return nil
}

// begun starts n rollouts and returns them when they have applied their first stage.
func (c *commandRun) begun(ctx context.Context, n int) (ids []int64, err error) {
	for range n {
		release, err := c.rollout(ctx, c.policy)
		if err != nil {
			return nil, err
		}
		ids = append(ids, release.RolloutExecutionID)
	}
	return ids, c.w.allBegun(ctx)
}

// command gives a rollout a command, with an Idempotency-Key unless it is "".
func (c *commandRun) command(ctx context.Context, id int64, command, body, key string) error {
	header := c.header
	if key != "" {
		header = with(header, "Idempotency-Key", key)
	}
	_, err := send(ctx, http.MethodPost, fmt.Sprintf("%s/v1/ota/rollout-executions/%d/%s", c.w.url, id, command),
		"application/json", body, header, http.StatusOK)
	return err
}
