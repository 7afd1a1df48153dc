package e2e

import (
	"net/http"
	"time"
)

// fatedTo is the end that the test plans for a rollout.
type fatedTo string

const (
	fateCompleted  fatedTo = "completed"
	fateRolledBack fatedTo = "rolled back"
	fateCancelled  fatedTo = "cancelled"
	fatePaused     fatedTo = "paused"
	// fateAsked is a rollout that is paused and resumed again and again. Each command is sent once.
	fateAsked fatedTo = "asked"
)

// fates are assigned to rollouts in turn.
var fates = []fatedTo{fateCompleted, fateRolledBack, fateCancelled, fatePaused, fateAsked}

// fated is a rollout whose end the test has planned.
type fated struct {
	fate          fatedTo
	channel       string
	build, policy int64
	release       object
	id            int64
	// devices are inside the first stage, outsiders are not.
	devices, outsiders []string
	asked              []question
}

// makeFates creates n channels for rollouts. The stable build is published to each of them.
func (p *tenant) makeFates(n int) []fated {
	p.t.Helper()
	quick := p.create("/v1/ota/rollout-policies", p.inStages(1, 3, 10, 50, 100)).id("id")
	slow := p.create("/v1/ota/rollout-policies", p.inStages(0, 3, 10, 50, 100)).id("id")
	stable, next := p.build().id("id"), p.build().id("id")
	rollouts := make([]fated, n)
	for i := range rollouts {
		r := fated{fate: fates[i%len(fates)], channel: p.channel(), build: next, policy: slow}
		p.create(path("/v1/ota/builds/%d/publish", stable), object{"channel": r.channel})
		if r.fate == fateCompleted || r.fate == fateRolledBack {
			r.policy = quick
		}
		rollouts[i] = r
	}
	return rollouts
}

// ends reports whether the rollout ends, by its own decision or by a command.
func (r fated) ends() bool { return r.fate != fatePaused && r.fate != fateAsked }

// command returns the request for a command.
func (r fated) command(name, reason string) request {
	return request{
		method: http.MethodPost, path: path("/v1/ota/rollout-executions/%d/%s", r.id, name), body: object{"reason": reason},
	}
}

// question is a command that was sent once.
type question struct {
	name, reason string
	sent, over   time.Time
	answer       answer
	// err is the reason if there is no response.
	err error
}
