package e2e

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/models"
)

// ledger remembers every launch of a fleet, so that a test can compare each response to a device with the state of the
// rollouts at that moment.
type ledger struct {
	mu       sync.Mutex
	launches []fleet.Launch
	last     map[string]fleet.Launch // by device
}

func newLedger() *ledger { return &ledger{last: map[string]fleet.Launch{}} }

func (l *ledger) note(launch fleet.Launch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.launches = append(l.launches, launch)
	l.last[launch.Device.ID] = launch
}

// next counts devices by the release notes of the release that they run after their next launch.
func (l *ledger) next() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	counts := map[string]int{}
	for _, launch := range l.last {
		counts[launch.Next.Message]++
	}
	return counts
}

// hadUpdate lists the devices that ever downloaded a release with these release notes.
func (l *ledger) hadUpdate(message string) map[string]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	had := map[string]bool{}
	for _, launch := range l.launches {
		if launch.Outcome == fleet.TookUpdate && launch.Next.Message == message {
			had[launch.Device.ID] = true
		}
	}
	return had
}

// requireShares checks every download from one of the rollouts: at that moment the device must have been inside the
// rollout.
func (l *ledger) requireShares(t *testing.T, rollouts []client.RolloutExecution) {
	t.Helper()
	byUpdate := map[string]client.RolloutExecution{}
	for _, e := range rollouts {
		byUpdate[e.UpdateUUID.String()] = e
	}
	taken := 0
	for _, launch := range l.launches {
		e, ok := byUpdate[launch.Next.UpdateID]
		if !ok || launch.Outcome != fleet.TookUpdate {
			continue
		}
		taken++
		share := shareAt(e, launch.At)
		require.True(t, rollout.InShare(models.ReleaseSalt(e.GroupID), launch.Device.ID, share),
			"device %s got update %d at %s, when its share was %v %%", launch.Device.ID, e.UpdateID, launch.At, share)
		require.Equal(t, string(e.Platform), string(launch.Device.Platform))
	}
	require.Positive(t, taken)
}

// shareAt returns the rollout percentage at a time. A device gets its response after the change that allowed it, never
// before.
func shareAt(e client.RolloutExecution, at time.Time) float64 {
	share := 0.0
	for _, event := range e.Timeline {
		// The timeline's times are in whole milliseconds.
		if !event.At.After(at.Add(time.Millisecond)) {
			share = event.Percentage
		}
	}
	return share
}

// requireOnlyOnce checks that a device switches from a release to its successor at most once and never back, and that
// no device gets the release after it was rolled back.
func (l *ledger) requireOnlyOnce(t *testing.T, release, successor string, over time.Time) {
	t.Helper()
	left := map[string]bool{}
	for _, launch := range l.launches {
		id := launch.Device.ID
		if launch.Outcome != fleet.TookUpdate {
			continue
		}
		switch launch.Next.Message {
		case release:
			require.False(t, left[id], "device %s got the release again after its rollback", id)
			require.True(t, launch.At.Before(over), "device %s got the release after it was reverted", id)
			left[id] = false
		case successor:
			if _, had := left[id]; had {
				left[id] = true
			}
		}
	}
}
