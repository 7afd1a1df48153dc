package rollout

import (
	"fmt"
	"slices"
	"time"

	"github.com/waft-ota/waft/models"
)

// maxFreeze is the maximum length of a freeze that FrozenUntil searches, because windows may cover the whole week. The
// rollout checks again at its end.
const maxFreeze = 8 * 24 * time.Hour

// FrozenUntil returns the end of the freeze at now, or zero if there is no freeze. Windows that overlap or touch are one
// freeze. A time zone that is not installed on this machine counts as UTC; the API refuses policies with such a zone.
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

// windowEnd returns the end of the window if t is inside it, or zero. Windows follow the wall clock of t's zone. If
// clocks change before the window's end, the result is the time of the change, and the search continues from there.
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

// timeOfDay parses a time on the wall clock, and returns it as the duration since midnight.
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

// Freeze replaces a decision to advance with a hold until the freeze ends. It returns other decisions as they are: a
// freeze does not prevent a rollback.
func Freeze(d Decision, in Input, until time.Time) Decision {
	if d.Action != ActionAdvance || until.IsZero() {
		return d
	}
	d.Action, d.Stage, d.WaitingFor, d.Deadline, d.Frozen = ActionHold, in.StageIndex, models.WaitDuration, until, true
	d.Reason = fmt.Sprintf("%s is done; a freeze window holds the next stage until %s",
		StageName(in.Stages, in.StageIndex), formatTime(until))
	return d
}
