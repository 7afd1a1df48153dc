package rollout

import (
	"fmt"
	"math"
	"time"

	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/models"
)

// eventWindow is the time after a device's first report on the release during which its events and errors count.
const eventWindow = 24 * time.Hour

// eventTime returns the time that a device has to report an event with a minimum rate: the minimum time of the first
// stage, up to 24 hours. It is the same in all stages, so that the verdict on a device does not change between stages.
func eventTime(stages []models.Stage) time.Duration { return min(stages[0].MinDuration(), eventWindow) }

// eventQueries returns the queries for the events that have a threshold.
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

// readEvent compares an event's rate with its threshold. A minimum rate is treated as a maximum rate of devices that did
// not report the event.
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

// unheard returns an event minimum that still has too few counted devices for the stage or too few networks for a
// decision, or nil.
func (in Input) unheard(limits models.Thresholds) *Reading {
	for _, l := range limits.Events {
		if r := readEvent(l, in.Health.Event(l), limits); r.below() && (r.few || r.Counted == 0 || r.counted < in.stage().MinDevices) {
			return &r
		}
	}
	return nil
}

// leastHeard returns the number of devices that must count for each event minimum before the stage may end.
func (in Input) leastHeard() int64 { return max(in.stage().MinDevices, 1) }

// describeUnheard describes the devices that an event minimum waits for.
func (in Input) describeUnheard(r Reading, limits models.Thresholds) string {
	minutes, counted := decimal(eventTime(in.Stages).Minutes()), r.counted
	if in.stage().MinDevices == 0 { // then the devices of a network do not count for minDevices
		counted = in.Health.Event(*r.Event).Devices
	}
	if r.Votes {
		return fmt.Sprintf("%s in %s %s past the %s-minute window for the event %q; the stage needs %s in %s",
			count.Of(counted, "device"), count.Of(r.electorate.networks, "network"), count.Choose(counted, "is", "are"), minutes, r.Event.Name,
			count.Of(in.leastHeard(), "device"), count.Of(limits.LeastNetworks(), "network"))
	}
	return fmt.Sprintf("%s %s past the %s-minute window for the event %q; the stage needs %d",
		count.Of(counted, "device"), count.Choose(counted, "is", "are"), minutes, r.Event.Name, in.leastHeard())
}
