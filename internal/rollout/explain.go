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
	described := func() string { return in.describeHealth(d.Judgement, limits.Method) }
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
		case limits.Method == models.MethodPoint && d.Judgement.Worst.Outside == nil:
			return fmt.Sprintf("%s holds, since the limit applies from %d devices on: %s", here, in.stage().MinDevices, described())
		}
		return fmt.Sprintf("%s holds until more devices have reported: %s", here, described())
	case models.WaitDuration:
		return fmt.Sprintf("%s runs at least until %s", here, formatTime(d.Deadline))
	case models.WaitDevices:
		return fmt.Sprintf("%s waits for devices: %d of %d have reported", here, in.Health.Devices, in.stage().MinDevices)
	case models.WaitData:
		return fmt.Sprintf("%s holds: %s", here, described())
	default:
		return ""
	}
}

// describeHealth is the health with the reading that decided, if there is one.
func (in Input) describeHealth(j Judgement, method models.EvidenceMethod) string {
	switch {
	case in.Health == nil:
		return "health cannot be read"
	case j.Verdict == VerdictNoData:
		return "no device has reported yet"
	case j.Worst == nil:
		return fmt.Sprintf("%d devices reported", in.Health.Devices)
	}
	return j.Worst.describe(method)
}

// relations name how a rate compares with its limit.
var relations = map[Verdict]string{VerdictFine: "is within", VerdictHold: "is above", VerdictBreach: "breaches"}

// describe is a reading in words, with the evidence when that decides.
func (r Reading) describe(method models.EvidenceMethod) string {
	text := fmt.Sprintf("%s %s %s the limit of %s (%d of %d devices",
		r.Metric, percent(r.Rate), relations[r.Verdict], percent(r.Limit), r.Affected, r.Devices)
	if r.Outside != nil {
		text = fmt.Sprintf("%s %s, in the control group %s (%d of %d devices, in the control group %d of %d",
			r.Metric, percent(r.Rate), percent(r.Limit), r.Affected, r.Devices, r.Outside.Affected, r.Outside.Devices)
	}
	if r.Verdict == VerdictFine || r.Outside == nil && method == models.MethodPoint {
		return text + ")"
	}
	return fmt.Sprintf("%s; evidence %s, a breach needs %s)", text, number(r.Evidence), number(DecisiveEvidence))
}

// StageName is a stage counted from 1: "stage 2 of 3 (25 %)".
func StageName(stages []models.Stage, index int) string {
	return fmt.Sprintf("stage %d of %d (%s)", index+1, len(stages), percent(stages[index].Percentage))
}

func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// percent shows at most three decimals, as the API does.
func percent(p float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(p, 'f', 3, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64) + " %"
}

// number shows three significant digits, and no exact value above 1000.
func number(x float64) string {
	if x > 1000 {
		return "over 1000"
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
