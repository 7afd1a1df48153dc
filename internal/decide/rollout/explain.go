package rollout

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/models"
)

// explain returns the sentence for a decision: the state, then the figures that a person needs, then what to do or what
// happens next. It begins in lower case and has no final period, because it follows a colon in messages and in the CLI. The
// evidence is not part of it; models.Observation has it.
func explain(in Input, limits models.Thresholds, d Decision) string {
	here := StageName(in.Stages, in.StageIndex)
	described := func() string { return in.describeHealth(d.Judgement, limits) }
	switch d.Action {
	case ActionRollBack:
		return fmt.Sprintf("rolled back in %s: %s", here, described())
	case ActionDropFlags:
		return fmt.Sprintf("linked flags reverted and %s restarted: %s. If a threshold is breached again, Waft rolls back the release",
			here, described())
	case ActionComplete:
		return fmt.Sprintf("%s is done and every device gets the release: %s", here, described())
	case ActionAdvance:
		return fmt.Sprintf("%s is done and %s begins: %s", here, StageName(in.Stages, d.Stage), described())
	case ActionHold:
	}
	switch d.WaitingFor {
	case models.WaitResume:
		switch {
		case d.Breached():
			return fmt.Sprintf("paused in %s while a threshold is breached: %s", here, described())
		case in.Health == nil:
			return fmt.Sprintf("paused in %s: %s", here, described())
		}
		return "paused in " + here
	case models.WaitThreshold:
		return fmt.Sprintf("%s is held: %s. %s", here, described(), in.afterHold(d, limits))
	case models.WaitNetworks:
		return fmt.Sprintf("%s is held until more networks report: %s", here, in.describeNetworks(d.Judgement, limits))
	case models.WaitDuration:
		return fmt.Sprintf("%s runs until at least %s", here, formatTime(d.Deadline))
	case models.WaitDevices:
		if in.Health.Devices >= in.stage().MinDevices {
			return fmt.Sprintf("%s waits for devices: %s", here, in.describeUnheard(*in.unheard(limits), limits))
		}
		return fmt.Sprintf("%s waits for more devices to report (%d of %d)", here, in.Health.Devices, in.stage().MinDevices)
	case models.WaitData:
		return fmt.Sprintf("%s is held: %s", here, described())
	default:
		return ""
	}
}

// afterHold returns the sentence that describes how a hold for a threshold ends.
func (in Input) afterHold(d Decision, limits models.Thresholds) string {
	if d.Breached() {
		return "Waiting for the breach to end. You can also advance the rollout, roll it back or cancel it"
	}
	r := d.Judgement.Worst
	plain := limits.Method == models.MethodPoint && r.Outside == nil
	switch e := r.electorate; {
	case plain && r.countedDevices(*in.Health, limits) < in.stage().MinDevices:
		least := in.stage().MinDevices
		return fmt.Sprintf("The threshold applies once %s %s", count.Of(least, "device"), count.Choose(least, "counts", "count"))
	case r.few && e.weight < limits.LeastNetworks():
		return fmt.Sprintf("Waiting for more networks to report (%d of %d)", e.weight, limits.LeastNetworks())
	case r.few:
		return "Waiting for networks in other allocations to report"
	case !plain && r.Rate() > r.Limit:
		return fmt.Sprintf("There is not enough evidence for a rollback yet. Waiting for more %s to report", r.unit())
	}
	return fmt.Sprintf("Waiting for more %s to report", r.unit())
}

// describeHealth describes the health, by the reading that decided if there is one.
func (in Input) describeHealth(j Judgement, limits models.Thresholds) string {
	switch {
	case in.Health == nil:
		return "device reports cannot be read. Check that ClickHouse is running"
	case j.Verdict == VerdictNoData && j.Worst != nil && j.Worst.below():
		return in.describeUnheard(*j.Worst, limits)
	case j.Verdict == VerdictNoData:
		return "no device has reported yet"
	case j.Worst == nil:
		return fmt.Sprintf("%s reported", haveOf(in.Health.Devices, "device"))
	}
	return j.Worst.describe()
}

// haveOf returns a number with its noun and the verb: "1 device has", "2 devices have".
func haveOf(n int64, noun string) string { return count.Of(n, noun) + count.Choose(n, " has", " have") }

// describeNetworks describes which networks have reported, which are missing, and what to do about it.
func (in Input) describeNetworks(j Judgement, limits models.Thresholds) string {
	v, least, devices := in.Health.Votes, limits.LeastNetworks(), in.Health.Devices
	var text string
	switch {
	case !j.FewNetworks:
		most := MaxPerNetwork(in.stage(), in.Thresholds)
		text = fmt.Sprintf("%d of the %s %s, because at most %s per network%s %s; the largest network has %d of the %s",
			v.CappedDevices, count.Of(in.stage().MinDevices, "required device"), count.Choose(v.CappedDevices, "counts", "count"),
			count.Of(most, "device"), in.allocationCap(), count.Choose(most, "counts", "count"), v.LargestDevices, count.Of(devices, "device"))
	case nearlyAll(v.LargestDevices, devices):
		text = fmt.Sprintf("%d of %s %s in one network, and a decision needs %s", v.LargestDevices, count.Of(devices, "device"),
			count.Choose(v.LargestDevices, "is", "are"), count.Of(least, "network"))
	case v.Allocations == 1 && v.Networks > 1:
		text = fmt.Sprintf("the %d reporting networks are in one allocation (an IPv4 /16, an IPv6 /32 or one origin AS), and one "+
			"allocation alone cannot decide", v.Networks)
	case v.Total() < v.Networks:
		text = fmt.Sprintf("%s reported, with %d of the %s, because the networks of one allocation have "+
			"at most %s together", haveOf(v.Networks, "network"), v.Total(), count.Of(least, "required vote"),
			count.Of(limits.MaxAllocationVotes(), "vote"))
	default:
		text = fmt.Sprintf("%d of the %s %s reported", v.Networks, count.Of(least, "required network"), count.Choose(v.Networks, "has", "have"))
	}
	if j.Worst != nil && j.Worst.Verdict == VerdictHold {
		text += "; " + j.Worst.describe()
	}
	return text + whatToDo
}

// allocationCap returns how many devices per allocation count for the stage, or "" if no allocation has several networks.
func (in Input) allocationCap() string {
	if v := in.Health.Votes; v.Allocations == 0 || v.Allocations == v.Networks {
		return ""
	}
	return fmt.Sprintf(" and %d per allocation", MaxPerAllocation(in.stage(), in.Thresholds))
}

// whatToDo names the settings that let more networks count. They do not affect devices that are already served the release,
// and a rollout keeps the policy that it began with.
const whatToDo = ". Wait for devices on other networks. If devices reach Waft through a proxy (a load balancer, Docker), add it to " +
	"WAFT_TRUSTED_PROXIES. If they share a network of yours, such as an office, add it to the project's trustedNetworks. Both " +
	"settings affect only devices that are served the release from now on. Or advance this rollout, and lower minNetworks in " +
	"the policy for the next one"

// nearlyAll reports whether at least nine in ten devices, and at least two, are in one network.
func nearlyAll(largest, devices int64) bool { return largest > 1 && 10*largest >= 9*devices }

// describe returns the rate, how it compares with its threshold or the control group, and the counts.
func (r Reading) describe() string {
	shown := r.shown(r.Group)
	rate, limit := percents(shown.Rate(), r.shownLimit())
	text := fmt.Sprintf("%s %s %s (%s of %s %s", r.Metric, rate, r.relation(limit),
		decimal(shown.Affected), decimal(shown.Counted), r.counts(shown.Counted))
	if r.Outside != nil {
		rate, limit = percents(r.Rate(), r.Limit)
		text = fmt.Sprintf("%s %s, control group %s (%s of %s %s; control group: %s of %s",
			r.Metric, rate, limit, decimal(r.Affected), decimal(r.Counted), r.counts(r.Counted),
			decimal(r.Outside.Affected), decimal(r.Outside.Counted))
	}
	if r.Verdict != VerdictFine && r.Votes {
		text += fmt.Sprintf("; %s without the %s", percent(r.shown(r.ballot.without).Rate()), r.ballot.leftOut())
	}
	return text + ")"
}

// relation describes how the rate compares with its threshold. limit is the threshold as text.
func (r Reading) relation(limit string) string {
	within, past, threshold := "is within", "above", "the threshold of "+limit
	if r.below() {
		within, past, threshold = "meets", "below", "the minimum of "+limit
	}
	switch {
	case r.Verdict == VerdictBreach:
		return "breaches " + threshold
	case r.Verdict == VerdictFine:
		return within + " " + threshold
	case r.Rate() <= r.Limit:
		return fmt.Sprintf("%s %s, but would be %s it without one %s", within, threshold, past, r.electorate.part())
	}
	return fmt.Sprintf("is %s %s", past, threshold)
}

// shown returns the group as people read it: the affected part is what reported the event, even for a minimum.
func (r Reading) shown(g Group) Group {
	if r.below() {
		g.Affected = g.Counted - g.Affected
	}
	return g
}

// shownLimit returns the threshold as the policy states it.
func (r Reading) shownLimit() float64 {
	if r.below() {
		return r.Event.Rate
	}
	return r.Limit
}

// unit returns the name of what the reading counts.
func (r Reading) unit() string {
	if r.Votes {
		return "networks"
	}
	return "devices"
}

// counts returns the words that follow the number of what was counted: votes, where networks of one allocation share votes.
func (r Reading) counts(counted float64) string {
	if e := r.electorate; e.weight < e.networks {
		return "votes of " + count.Of(e.networks, "network")
	}
	if counted == 1 {
		return strings.TrimSuffix(r.unit(), "s")
	}
	return r.unit()
}

// part returns the name of the largest part of the electorate that a judgement leaves out.
func (e electorate) part() string {
	if e.allocations < e.networks {
		return "allocation"
	}
	return "network"
}

// leftOut names the networks, or the allocation, whose votes are left out for a rollback.
func (b ballot) leftOut() string {
	if b.WithoutAllocation {
		return "most affected allocation"
	}
	if b.LeftOut == 1 {
		return "most affected network"
	}
	return fmt.Sprintf("%d most affected networks", b.LeftOut)
}

// StageName returns the name of a stage, counted from 1: "stage 2 of 3 (25%)".
func StageName(stages []models.Stage, index int) string {
	return fmt.Sprintf("stage %d of %d (%s)", index+1, len(stages), percent(stages[index].Percentage))
}

func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// percent formats a percentage with at most two decimals, as the dashboard does. Only 0 and 100 are formatted as 0% and 100%.
func percent(p float64) string {
	// The rate of votes is a sum, which may miss 0 or 100 by this much.
	const noise = 1e-6
	switch {
	case p > noise && p < 0.005:
		return "<0.01%"
	case p >= 99.995 && p < 100-noise:
		return ">99.99%"
	}
	return rounded(p, 2) + "%"
}

// percents formats two percentages that are compared. It adds a decimal if they differ and would look the same.
func percents(a, b float64) (string, string) {
	if a != b && percent(a) == percent(b) {
		return decimal(a) + "%", decimal(b) + "%"
	}
	return percent(a), percent(b)
}

// decimal formats a number with at most three decimals.
func decimal(x float64) string { return rounded(x, 3) }

func rounded(x float64, decimals int) string {
	near, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', decimals, 64), 64)
	return strconv.FormatFloat(near, 'f', -1, 64)
}
