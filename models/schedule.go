package models

import (
	"fmt"
	"slices"
	"time"
)

// Schedule restricts the times at which a stage may begin automatically. The zero value does not restrict them.
type Schedule struct {
	// StartAt is the earliest start of the first stage; nil, or a time in the past, means immediately.
	StartAt *time.Time `json:"startAt,omitempty"`
	// TimeZone is the IANA name of the time zone of FreezeWindows; "" is UTC.
	TimeZone      string         `json:"timeZone,omitempty"`
	FreezeWindows []FreezeWindow `json:"freezeWindows,omitempty"`
}

// FreezeWindow is a part of the day in which stages do not begin automatically.
type FreezeWindow struct {
	// Days are the days on which the window begins; empty means every day.
	Days []Weekday `json:"days,omitempty"`
	// From and To are times of day, HH:MM. A To at or before From is on the next day.
	From string `json:"from"`
	To   string `json:"to"`
}

// Weekday is a day of the week, as spelled in policies.
type Weekday string

// Weekdays, indexed by time.Weekday.
var Weekdays = [...]Weekday{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// TimeOfDay is the layout of FreezeWindow.From and To.
const TimeOfDay = "15:04"

const maxFreezeWindows = 20

// Location returns the time zone of the freeze windows.
func (s Schedule) Location() (*time.Location, error) {
	if s.TimeZone == "" {
		return time.UTC, nil
	}
	return time.LoadLocation(s.TimeZone)
}

func (s Schedule) check(p *Problems) {
	if _, err := s.Location(); err != nil || s.TimeZone == "Local" {
		p.Add("timeZone", "must be a name from the IANA time zone database, such as Europe/Berlin")
	}
	checkTime(p, "startAt", s.StartAt)
	if len(s.FreezeWindows) > maxFreezeWindows {
		p.Add("freezeWindows", "must contain at most %d windows", maxFreezeWindows)
		return
	}
	for i, w := range s.FreezeWindows {
		w.check(p, fmt.Sprintf("freezeWindows[%d]", i))
	}
}

func (w FreezeWindow) check(p *Problems, at string) {
	for i, day := range w.Days {
		if !slices.Contains(Weekdays[:], day) {
			p.Add(fmt.Sprintf("%s.days[%d]", at, i), "must be one of mon, tue, wed, thu, fri, sat, sun")
		}
	}
	for _, f := range []struct{ name, value string }{{"from", w.From}, {"to", w.To}} {
		if t, err := time.Parse(TimeOfDay, f.value); err != nil || t.Format(TimeOfDay) != f.value {
			p.Add(at+"."+f.name, "must be a time of day from 00:00 to 23:59")
		}
	}
}
