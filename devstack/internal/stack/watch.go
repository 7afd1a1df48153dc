package stack

import (
	"context"
	"slices"
	"time"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// watchInterval is how often the processes are checked.
const watchInterval = 250 * time.Millisecond

// watch reports processes of the folder that die. An earlier command started
// them, so they are not children that could be waited for; watch polls.
type watch struct {
	stack *Stack
	// reported holds the process ids of the deaths already reported, by name.
	reported map[string]int
	tick     *time.Ticker
}

func newWatch(s *Stack) *watch {
	return &watch{stack: s, reported: map[string]int{}, tick: time.NewTicker(watchInterval)}
}

// step checks once and reports whether to go on.
func (w *watch) step(ctx context.Context) bool {
	recorded := false
	for _, svc := range slices.Concat(w.stack.server(), w.stack.engines()) {
		record := process.Load(w.stack.Dir, svc.name)
		recorded = recorded || record.Pid != 0
		if record.Pid != 0 && !record.Alive() && w.reported[svc.name] != record.Pid {
			w.stack.say("%s (pid %d) died: see %s", svc.name, record.Pid, record.Log)
			w.reported[svc.name] = record.Pid
		}
	}
	if !recorded {
		w.stack.say("nothing runs in %s", w.stack.Dir)
		return false
	}
	select {
	case <-ctx.Done():
		w.tick.Stop()
		return false
	case <-w.tick.C:
		return true
	}
}
