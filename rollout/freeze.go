package rollout

import (
	"fmt"
	"slices"
	"time"

	"github.com/waft-ota/waft/models"
)

// maxFreeze bounds how far ahead the end of a freeze is looked for: windows may
// cover the whole week, and whoever waits looks again then.
const maxFreeze = 8 * 24 * time.Hour

// FrozenUntil is when the freeze that holds at now ends, zero when none does.
// Windows that overlap or touch are one freeze. A zone that this machine does not
// know counts as UTC; policies with such a zone are refused when they are written.
func FrozenUntil(s models.Schedule, now time.Time) time.Time {
	zone, err := s.Location()
	if err != nil {
		zone = time.UTC
	}
	until := now
	for extended := true; extended && until.Sub(now) < maxFreeze; {
		extended = false
		for _, w := range s.FreezeWindows {
			if end := windowEnd(w, until.In(zone)); end.After(until) {
				until, extended = end, true
			}
		}
	}
	if !until.After(now) {
		return time.Time{}
	}
	return until.UTC()
}

// windowEnd is the end of the window that t lies in, zero outside of it. A window
// lasts a day at the most, so it began today or yesterday.
func windowEnd(w models.FreezeWindow, t time.Time) time.Time {
	from, errFrom := time.Parse(models.TimeOfDay, w.From)
	to, errTo := time.Parse(models.TimeOfDay, w.To)
	if errFrom != nil || errTo != nil {
		return time.Time{}
	}
	for back := range 2 {
		begins := onDay(t, -back, from)
		ends := onDay(t, -back, to)
		if !to.After(from) {
			ends = onDay(t, 1-back, to)
		}
		day := models.Weekdays[begins.Weekday()]
		if (len(w.Days) == 0 || slices.Contains(w.Days, day)) && !t.Before(begins) && t.Before(ends) {
			return ends
		}
	}
	return time.Time{}
}

// onDay is a time of day, days after the day of t, in t's zone.
func onDay(t time.Time, days int, of time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day()+days, of.Hour(), of.Minute(), 0, 0, t.Location())
}

// Freeze turns a decision to go to the next stage into one to wait until the
// freeze ends. Other decisions stand: a freeze keeps no bad release in place.
func Freeze(d Decision, in Input, until time.Time) Decision {
	if d.Action != ActionAdvance || until.IsZero() {
		return d
	}
	d.Action, d.Stage, d.WaitingFor, d.Deadline, d.Frozen = ActionHold, in.StageIndex, models.WaitDuration, until, true
	d.Reason = fmt.Sprintf("%s is done, and the policy's freeze keeps the next one from beginning until %s",
		StageName(in.Stages, in.StageIndex), until.UTC().Format("2006-01-02 15:04:05 UTC"))
	return d
}
