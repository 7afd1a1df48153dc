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

// windowEnd is when the window that t lies in ends, zero outside of it. Windows are
// hours of the clock on the wall: t lies in one when that clock, as the zone has it,
// shows a time of the window, also where clocks were put ahead past its beginning or
// back into it. Where the zone's clocks change before the window ends, that moment is
// answered, from which on another clock counts.
func windowEnd(w models.FreezeWindow, t time.Time) time.Time {
	from, errFrom := timeOfDay(w.From)
	to, errTo := timeOfDay(w.To)
	if errFrom != nil || errTo != nil {
		return time.Time{}
	}
	clock := clockOf(t)
	var left time.Duration
	switch today, yesterday := begins(w, t.Weekday()), begins(w, (t.Weekday()+6)%7); {
	case from < to && today && from <= clock && clock < to:
		left = to - clock
	case to <= from && today && from <= clock:
		left = to - clock + 24*time.Hour
	case to <= from && yesterday && clock < to:
		left = to - clock
	default:
		return time.Time{}
	}
	if _, changes := t.ZoneBounds(); !changes.IsZero() && changes.Before(t.Add(left)) {
		return changes
	}
	return t.Add(left)
}

// timeOfDay is how far the hands of the clock have come since midnight.
func timeOfDay(text string) (time.Duration, error) {
	t, err := time.Parse(models.TimeOfDay, text)
	return clockOf(t), err
}

func clockOf(t time.Time) time.Duration {
	hour, minute, second := t.Clock()
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second +
		time.Duration(t.Nanosecond())
}

// begins reports whether the window begins on a day of the week.
func begins(w models.FreezeWindow, day time.Weekday) bool {
	return len(w.Days) == 0 || slices.Contains(w.Days, models.Weekdays[day])
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
