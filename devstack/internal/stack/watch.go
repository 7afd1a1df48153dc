package stack

import (
	"context"
	"slices"
	"time"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// lookEvery is how soon a death is noticed.
const lookEvery = 250 * time.Millisecond

// watch notices the deaths of the folder's processes. They are not its
// children, since an earlier command started them, so it looks.
type watch struct {
	stack *Stack
	// told holds the deaths that were already told, by name.
	told map[string]int
	tick *time.Ticker
}

func newWatch(s *Stack) *watch {
	return &watch{stack: s, told: map[string]int{}, tick: time.NewTicker(lookEvery)}
}

// step looks once and says whether to go on.
func (w *watch) step(ctx context.Context) bool {
	recorded := false
	for _, svc := range slices.Concat(w.stack.server(), w.stack.engines()) {
		record := process.Load(w.stack.Dir, svc.name)
		recorded = recorded || record.Pid != 0
		if record.Pid != 0 && !record.Alive() && w.told[svc.name] != record.Pid {
			w.stack.say("%s (pid %d) died: see %s", svc.name, record.Pid, record.Log)
			w.told[svc.name] = record.Pid
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
