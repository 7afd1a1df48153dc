package e2e

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// victim is a process that is killed and launched again.
type victim struct {
	name    string
	launch  func() *process
	await   func(p *process)
	process *process
	// back is the time at which a dead process is launched again.
	back  time.Time
	dead  bool
	kills int
	// ends counts how often the process ended without being killed.
	ends int
}

func engineVictim(e *engine) *victim {
	return &victim{
		name: e.name, process: e.process,
		launch: func() *process { e.launch(); return e.process },
		await:  func(*process) { e.await() },
	}
}

func serverVictim(t *testing.T, role string, env map[string]string) *victim {
	t.Helper()
	return &victim{
		name:   role,
		launch: func() *process { return launch(t, env, role) },
	}
}

// keepAlive launches the process when its time has come, or when it ended without being killed, as a supervisor does in
// production.
func (v *victim) keepAlive(now time.Time) {
	switch {
	case v.process == nil, v.dead && !now.Before(v.back):
	case !v.dead && v.process.ended():
		v.ends++
	default:
		return
	}
	v.process, v.dead = v.launch(), false
}

// kill kills the process with SIGKILL. It is launched again after the duration away.
func (v *victim) kill(now time.Time, away time.Duration) {
	v.process.kill()
	v.dead, v.back = true, now.Add(away)
	v.kills++
}

// spared reports whether the process was never killed.
func (v *victim) spared() bool { return v.kills == 0 }

// victims are all processes of an installation.
type victims struct {
	t                *testing.T
	chaos            *rand.Rand
	engines, servers []*victim
}

func (vs victims) all() []*victim { return slices.Concat(vs.engines, vs.servers) }

// torment kills the processes for the given duration and until each was killed, each equally often, some while others are down or
// just starting. Most stay down for a moment, some engines for longer than any request waits for a response.
func (vs victims) torment(duration time.Duration) {
	vs.t.Helper()
	all := vs.all()
	var order []int
	end := time.Now().Add(duration)
	missing := func() bool {
		return slices.ContainsFunc(all, (*victim).spared) && time.Now().Before(end.Add(waitLimit))
	}
	for time.Now().Before(end) || missing() {
		wait(vs.t.Context(), time.Duration(200+vs.chaos.IntN(800))*time.Millisecond)
		for _, v := range all {
			v.keepAlive(time.Now())
		}
		if len(order) == 0 {
			order = vs.chaos.Perm(len(all))
		}
		away, long := time.Duration(vs.chaos.IntN(1000))*time.Millisecond, vs.chaos.IntN(5) == 0
		// Processes that are dead have their turn later.
		if i := slices.IndexFunc(order, func(n int) bool { return !all[n].dead }); i >= 0 {
			if long && slices.Contains(vs.engines, all[order[i]]) {
				away += commandTimeout
			}
			all[order[i]].kill(time.Now(), away)
			order = slices.Delete(order, i, i+1)
		}
	}
	for _, v := range all {
		vs.t.Logf("%s: killed %d times, ended %d times", v.name, v.kills, v.ends)
		require.Positive(vs.t, v.kills, v.name)
	}
	for _, v := range vs.engines {
		require.Zero(vs.t, v.ends, "%s ended by itself", v.name)
	}
}

// revive returns once all processes respond. It starts the engines before the servers.
func (vs victims) revive() {
	vs.t.Helper()
	for _, v := range vs.engines {
		v.back = time.Time{}
		v.keepAlive(time.Now())
	}
	for _, v := range vs.engines {
		v.await(v.process)
	}
	for _, v := range vs.servers {
		v.back = time.Time{}
		await(vs.t, startLimit, pollEvery, func() bool {
			v.keepAlive(time.Now())
			select {
			case <-v.process.log.ready:
				return true
			default:
				return false
			}
		}, "%s does not start", v.name)
	}
}
