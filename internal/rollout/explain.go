package rollout

import (
	"fmt"
	"strconv"

	"github.com/waft-ota/waft/models"
)

// explain puts a decision into words for a person who was woken by it: what is
// the case, in numbers, and what happens or can be done next.
func explain(in Input, limits models.Thresholds, d Decision) string {
	here := StageName(in.Stages, in.StageIndex)
	switch d.Action {
	case ActionRollBack:
		return fmt.Sprintf("rolled back in %s: %s", here, d.Judgement.Worst.describe(limits.Method))
	case ActionDropFlags:
		return fmt.Sprintf("linked flags taken back, the release stays: %s begins again, and the release follows if it still breaks a limit: %s",
			here, d.Judgement.Worst.describe(limits.Method))
	case ActionComplete:
		return fmt.Sprintf("%s is done: every device gets the release now%s", here, healthNote(in.Health, d.Judgement))
	case ActionAdvance:
		return fmt.Sprintf("%s is done: on to %s%s", here, StageName(in.Stages, d.Stage), healthNote(in.Health, d.Judgement))
	case ActionHold:
	}
	switch d.WaitingFor {
	case models.WaitResume:
		return explainPaused(here, limits, in, d)
	case models.WaitThreshold:
		return explainThreshold(here, limits, in, d)
	case models.WaitDuration:
		return fmt.Sprintf("%s runs until %s at the least", here, d.Deadline.UTC().Format("2006-01-02 15:04:05 UTC"))
	case models.WaitDevices:
		return fmt.Sprintf("%s waits for devices: %d of %d have reported", here, in.Health.Devices, in.stage().MinDevices)
	case models.WaitData:
		if in.Health == nil {
			return fmt.Sprintf("health cannot be read right now, so %s holds; it goes on by itself once health is back", here)
		}
		return fmt.Sprintf("no device has reported on the release yet, and silence is not health: %s waits for the first reports", here)
	default:
		return ""
	}
}

func explainPaused(here string, limits models.Thresholds, in Input, d Decision) string {
	switch {
	case d.Judgement.Verdict == VerdictBreach:
		return fmt.Sprintf("paused in %s, and a limit is broken: %s", here, d.Judgement.Worst.describe(limits.Method))
	case in.Health == nil:
		return fmt.Sprintf("paused in %s; health cannot be read right now", here)
	default:
		return fmt.Sprintf("paused in %s", here)
	}
}

func explainThreshold(here string, limits models.Thresholds, in Input, d Decision) string {
	described := d.Judgement.Worst.describe(limits.Method)
	if d.Judgement.Verdict == VerdictBreach {
		return fmt.Sprintf("a limit is broken and the policy says gate, so %s holds until it is met again, or until someone advances, rolls back or cancels: %s", here, described)
	}
	if limits.Method == models.MethodPoint && d.Judgement.Worst.Outside == nil {
		return fmt.Sprintf("%s holds: the limit counts from %d devices on: %s", here, in.stage().MinDevices, described)
	}
	return fmt.Sprintf("%s holds until more devices have reported, too few to be sure: %s", here, described)
}

// describe is a reading in words, with what the method decides on.
func (r Reading) describe(method models.EvidenceMethod) string {
	what := r.Metric.verb()
	text := fmt.Sprintf("%d of %d devices %s (%s, limit %s)", r.Affected, r.Devices, what, percent(r.Rate), percent(r.Limit))
	if r.Outside != nil {
		text = fmt.Sprintf("%d of %d devices inside the share %s (%s), outside it %d of %d (%s)", r.Affected, r.Devices, what,
			percent(r.Rate), r.Outside.Affected, r.Outside.Devices, percent(r.Limit))
	} else if method == models.MethodPoint {
		return text
	}
	return fmt.Sprintf("%s, evidence %s where %s decides", text, number(r.Evidence), number(DecisiveEvidence))
}

// verb is what devices that count for the metric did.
func (m Metric) verb() string {
	if m == MetricErrorRate {
		return "had errors"
	}
	return "crashed"
}

func healthNote(health *models.ReleaseHealth, j Judgement) string {
	switch {
	case health == nil:
		return ""
	case j.Worst == nil:
		return fmt.Sprintf(" (%d devices reported)", health.Devices)
	case j.Worst.Outside != nil:
		return fmt.Sprintf(" (%s %s inside the share, %s outside it)", percent(j.Worst.Rate), j.Worst.Metric.verb(), percent(j.Worst.Limit))
	default:
		return fmt.Sprintf(" (%d of %d devices %s: %s, limit %s)",
			j.Worst.Affected, j.Worst.Devices, j.Worst.Metric.verb(), percent(j.Worst.Rate), percent(j.Worst.Limit))
	}
}

// StageName is a stage as people count it: "stage 2 of 3 (25 %)".
func StageName(stages []models.Stage, index int) string {
	return fmt.Sprintf("stage %d of %d (%s)", index+1, len(stages), percent(stages[index].Percentage))
}

// percent shows at most three decimals, as the wire does.
func percent(p float64) string {
	return strconv.FormatFloat(rounded(p), 'f', -1, 64) + " %"
}

// number shows three significant digits; how far past a thousand nobody needs to
// know.
func number(x float64) string {
	if x > 1000 {
		return "over 1000"
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

func rounded(p float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(p, 'f', 3, 64), 64)
	return r
}
