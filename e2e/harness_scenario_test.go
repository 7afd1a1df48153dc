package e2e

import (
	"net/http"
	"time"
)

// fatedTo is how the test makes a rollout end.
type fatedTo string

const (
	fateCompleted  fatedTo = "completed"
	fateRolledBack fatedTo = "rolled back"
	fateCancelled  fatedTo = "cancelled"
	fatePaused     fatedTo = "paused"
	// fateAsked is a rollout that is paused and resumed without end, each time once.
	fateAsked fatedTo = "asked"
)

// fates take turns.
var fates = []fatedTo{fateCompleted, fateRolledBack, fateCancelled, fatePaused, fateAsked}

// fated is a rollout of which the test knows how it has to end.
type fated struct {
	fate          fatedTo
	channel       string
	build, policy int64
	release       object
	id            int64
	// devices lie in the first stage's share, outsiders do not.
	devices, outsiders []string
	asked              []question
}

// makeFates makes the channels of n rollouts, each of which everybody on it has the
// stable build.
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

// ends reports whether the rollout ends by itself or by command.
func (r fated) ends() bool { return r.fate != fatePaused && r.fate != fateAsked }

// command is the request for one.
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
	// err is why there is no answer.
	err error
}
