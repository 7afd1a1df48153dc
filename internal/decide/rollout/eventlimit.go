package rollout

import (
	"fmt"
	"math"
	"time"

	"github.com/waft-ota/waft/models"
)

// eventWindow is how long after its first report on the release a device's events count, as its errors do.
const eventWindow = 24 * time.Hour

// eventTime is how long a device has to report an event whose rate is limited from below: as long as the first stage
// lasts at least, up to 24 hours. It is the same in all stages, so that what is said of a device stays true.
func eventTime(stages []models.Stage) time.Duration { return min(stages[0].MinDuration(), eventWindow) }

// eventQueries are the queries for the events that thresholds limit.
func eventQueries(limits []models.EventLimit, stages []models.Stage) []models.EventHealthQuery {
	var queries []models.EventHealthQuery
	for _, l := range limits {
		q := models.EventHealthQuery{Name: l.Name, Direction: l.Direction, Within: eventWindow}
		if l.Direction == models.EventBelow {
			q.Within = eventTime(stages)
		}
		queries = append(queries, q)
	}
	return queries
}

// readEvent reads an event beside its limit. A limit from below is one from above for the devices that did not report
// the event.
func readEvent(l models.EventLimit, h models.EventHealth, t models.Thresholds) Reading {
	r := Reading{
		Metric: Metric(fmt.Sprintf("rate of the event %q", l.Name)), Votes: votes(t), Limit: l.Rate, Event: &l,
		ballot: devicesBallot(h.AffectedDevices(), h.Devices), counted: h.Devices,
	}
	if r.below() {
		r.Limit = math.Round((100-l.Rate)*1000) / 1000 // rates have three decimals
	}
	if v := h.Votes; r.Votes {
		e := electorate{v.Networks, v.Allocations, v.Total()}
		r.ballot, r.electorate = e.ballot(v.Affected, LeftOut(e.weight, r.Limit/100)), e
		r.counted, r.few = v.CappedDevices, e.few(t)
	}
	r.Group = r.ballot.all
	return r
}

// unheard is a limit from below for which fewer devices count than the stage takes, or fewer networks than a decision
// takes, nil when there is none.
func (in Input) unheard(limits models.Thresholds) *Reading {
	for _, l := range limits.Events {
		if r := readEvent(l, in.Health.Event(l), limits); r.below() && (r.few || r.Counted == 0 || r.counted < in.stage().MinDevices) {
			return &r
		}
	}
	return nil
}

// leastHeard is how many devices must count for each limit from below until the stage may end.
func (in Input) leastHeard() int64 { return max(in.stage().MinDevices, 1) }

// describeUnheard describes the devices that an event minimum waits for.
func (in Input) describeUnheard(r Reading, limits models.Thresholds) string {
	minutes, counted := decimal(eventTime(in.Stages).Minutes()), r.counted
	if in.stage().MinDevices == 0 { // then the devices of a network do not count for minDevices
		counted = in.Health.Event(*r.Event).Devices
	}
	if r.Votes {
		return fmt.Sprintf("%d devices in %d networks are past the %s-minute window for the event %q; the stage needs %d devices in %d networks",
			counted, r.electorate.networks, minutes, r.Event.Name, in.leastHeard(), limits.LeastNetworks())
	}
	return fmt.Sprintf("%d devices are past the %s-minute window for the event %q; the stage needs %d",
		counted, minutes, r.Event.Name, in.leastHeard())
}
