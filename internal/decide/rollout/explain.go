package rollout

import (
	"fmt"
	"strconv"
	"time"

	"github.com/waft-ota/waft/models"
)

// explain is the decision in a sentence: the state, the numbers, and what happens next.
func explain(in Input, limits models.Thresholds, d Decision) string {
	here := StageName(in.Stages, in.StageIndex)
	described := func() string { return in.describeHealth(d.Judgement, limits) }
	switch d.Action {
	case ActionRollBack:
		return fmt.Sprintf("rolled back in %s: %s", here, described())
	case ActionDropFlags:
		return fmt.Sprintf("linked flags reverted and %s starts again; another breach rolls back the release: %s", here, described())
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
			return fmt.Sprintf("paused in %s with a breach: %s", here, described())
		case in.Health == nil:
			return fmt.Sprintf("paused in %s: %s", here, described())
		}
		return "paused in " + here
	case models.WaitThreshold:
		switch {
		case d.Breached():
			return fmt.Sprintf("%s holds at the gate until the breach ends or someone advances, rolls back or cancels: %s", here, described())
		case limits.Method == models.MethodPoint && d.Judgement.Worst.Outside == nil &&
			d.Judgement.Worst.countedDevices(*in.Health, limits) < in.stage().MinDevices:
			return fmt.Sprintf("%s holds, since the limit applies from %d devices on: %s", here, in.stage().MinDevices, described())
		}
		return fmt.Sprintf("%s holds until more %s have reported: %s", here, d.Judgement.Worst.unit(), described())
	case models.WaitNetworks:
		return fmt.Sprintf("%s holds for more networks: %s", here, in.describeNetworks(d.Judgement, limits))
	case models.WaitDuration:
		return fmt.Sprintf("%s runs at least until %s", here, formatTime(d.Deadline))
	case models.WaitDevices:
		if in.Health.Devices >= in.stage().MinDevices {
			return fmt.Sprintf("%s waits for devices: %s", here, in.describeUnheard(*in.unheard(limits), limits))
		}
		return fmt.Sprintf("%s waits for devices: %d of %d have reported", here, in.Health.Devices, in.stage().MinDevices)
	case models.WaitData:
		return fmt.Sprintf("%s holds: %s", here, described())
	default:
		return ""
	}
}

// describeHealth is the health with the reading that decided, if there is one.
func (in Input) describeHealth(j Judgement, limits models.Thresholds) string {
	switch {
	case in.Health == nil:
		return "health cannot be read"
	case j.Verdict == VerdictNoData && j.Worst != nil && j.Worst.below():
		return in.describeUnheard(*j.Worst, limits)
	case j.Verdict == VerdictNoData:
		return "no device has reported yet"
	case j.Worst == nil:
		return fmt.Sprintf("%d devices reported", in.Health.Devices)
	}
	return j.Worst.describe(limits.Method)
}

// describeNetworks says which networks are heard, which are missing and what to do about it.
func (in Input) describeNetworks(j Judgement, limits models.Thresholds) string {
	v, least, devices := in.Health.Votes, limits.LeastNetworks(), in.Health.Devices
	oneNetwork := fmt.Sprintf("%d of %d devices come from one network", v.LargestDevices, devices)
	var text string
	switch {
	case !j.FewNetworks:
		text = fmt.Sprintf("%d of the %d devices that the stage takes count, since one network counts for at most %d%s, and %s",
			v.CappedDevices, in.stage().MinDevices, MaxPerNetwork(in.stage(), in.Thresholds), in.allocationCap(), oneNetwork)
	case nearlyAll(v.LargestDevices, devices):
		text = fmt.Sprintf("%s, and a decision takes %d networks", oneNetwork, least)
	case v.Allocations == 1 && v.Networks > 1:
		text = fmt.Sprintf("the %d networks that are heard are one allocation (an IPv4 /16 or an IPv6 /32), and no "+
			"allocation decides alone", v.Networks)
	case v.Total() < v.Networks:
		text = fmt.Sprintf("devices of %d networks have reported, which have %d of the %d votes that a decision takes: the networks of one "+
			"allocation have at most %d together", v.Networks, v.Total(), least, limits.MaxAllocationVotes())
	default:
		text = fmt.Sprintf("devices of %d of the %d networks that a decision takes have reported", v.Networks, least)
	}
	if j.Worst != nil && j.Worst.Verdict == VerdictHold {
		text += "; " + j.Worst.describe(limits.Method)
	}
	return text + whatToDo
}

// allocationCap says how many devices of one allocation count for the stage, where an allocation has several networks.
func (in Input) allocationCap() string {
	if v := in.Health.Votes; v.Allocations == 0 || v.Allocations == v.Networks {
		return ""
	}
	return fmt.Sprintf(" and one allocation for at most %d", MaxPerAllocation(in.stage(), in.Thresholds))
}

// whatToDo names the settings by which more networks are heard. They do not reach devices that are
// served already, and a rollout keeps the policy that it began with.
const whatToDo = ". Wait for devices in other networks. If a proxy is in front of Waft, such as a load balancer or Docker's, " +
	"name it in WAFT_TRUSTED_PROXIES; if the devices are in a network of yours, such as an office's, add that to the project's " +
	"trustedNetworks: either holds for devices that are served the release from then on. Or advance the rollout, and give " +
	"the policy of the next one a lower minNetworks"

// nearlyAll reports whether nine in ten devices or more, and not a single one, are in one network.
func nearlyAll(largest, devices int64) bool { return largest > 1 && 10*largest >= 9*devices }

// relations name how a rate compares with its limit. One that holds the stage is above or below it.
var relations = map[Verdict]string{VerdictFine: "is within", VerdictBreach: "breaches"}

// describe is a reading in words, with the evidence when that decides.
func (r Reading) describe(method models.EvidenceMethod) string {
	relation, past, limit := relations[r.Verdict], "above", "the limit"
	if r.below() {
		past, limit = "below", "the lower limit"
	}
	switch {
	case r.Verdict == VerdictHold && r.Rate() <= r.Limit:
		relation = "is, without one " + r.electorate.part() + ", " + past
	case r.Verdict == VerdictHold:
		relation = "is " + past
	}
	shown := r.shown(r.Group)
	text := fmt.Sprintf("%s %s %s %s of %s (%s of %s %s", r.Metric, percent(shown.Rate()), relation, limit,
		percent(r.shownLimit()), decimal(shown.Affected), decimal(shown.Counted), r.counts())
	if r.Outside != nil {
		text = fmt.Sprintf("%s %s, in the control group %s (%s of %s %s, in the control group %s of %s",
			r.Metric, percent(r.Rate()), percent(r.Limit), decimal(r.Affected), decimal(r.Counted), r.counts(),
			decimal(r.Outside.Affected), decimal(r.Outside.Counted))
	}
	if r.Verdict == VerdictFine {
		return text + ")"
	}
	if r.Votes {
		text += fmt.Sprintf("; without the %s %s", r.ballot.leftOut(), percent(r.shown(r.ballot.without).Rate()))
	}
	if r.Outside == nil && method == models.MethodPoint {
		return text + ")"
	}
	return fmt.Sprintf("%s; evidence %s, a breach needs %s)", text, number(r.Evidence), number(DecisiveEvidence))
}

// shown is a group as people read it: those that reported the event, also for a limit from below.
func (r Reading) shown(g Group) Group {
	if r.below() {
		g.Affected = g.Counted - g.Affected
	}
	return g
}

// shownLimit is the limit as the policy has it.
func (r Reading) shownLimit() float64 {
	if r.below() {
		return r.Event.Rate
	}
	return r.Limit
}

// unit is what the reading counts.
func (r Reading) unit() string {
	if r.Votes {
		return "networks"
	}
	return "devices"
}

// counts names what the reading counts, beside a number. Where networks of one allocation share votes, the number is of votes.
func (r Reading) counts() string {
	if e := r.electorate; e.weight < e.networks {
		return fmt.Sprintf("votes of %d networks", e.networks)
	}
	return r.unit()
}

// part names the largest part of the electorate that a judgement leaves out.
func (e electorate) part() string {
	if e.allocations < e.networks {
		return "allocation"
	}
	return "network"
}

// leftOut names the votes that are left out for a rollback.
func (b ballot) leftOut() string {
	if b.WithoutAllocation {
		return "most affected allocation"
	}
	return fmt.Sprintf("%d most affected", b.LeftOut)
}

// StageName is a stage counted from 1: "stage 2 of 3 (25 %)".
func StageName(stages []models.Stage, index int) string {
	return fmt.Sprintf("stage %d of %d (%s)", index+1, len(stages), percent(stages[index].Percentage))
}

func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// percent shows at most three decimals, as the API does.
func percent(p float64) string {
	return decimal(p) + " %"
}

// decimal shows at most three decimals.
func decimal(x float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', 3, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// number shows three significant digits, and no exact value above 1000.
func number(x float64) string {
	if x > 1000 {
		return "over 1000"
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
