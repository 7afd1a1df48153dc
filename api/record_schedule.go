package api

import (
	"time"

	"github.com/waft-ota/waft/models"
)

// FreezeWindow is a part of a day in which no stage begins by itself.
type FreezeWindow struct {
	Days []models.Weekday `json:"days,omitempty" enum:"mon,tue,wed,thu,fri,sat,sun" doc:"Days on which it begins; every day when absent or empty."`
	From string           `json:"from" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"Time of day in the policy's time zone, HH:MM."`
	To   string           `json:"to" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"Time of day; at or before from it is on the next day."`
}

// Schedule says when rollouts by a policy move by themselves.
type Schedule struct {
	StartAt       *Time          `json:"startAt" nullable:"true" doc:"When the first stage begins at the earliest; null for at once."`
	TimeZone      string         `json:"timeZone" doc:"Zone of the freeze windows, as the IANA time zone database names it."`
	FreezeWindows []FreezeWindow `json:"freezeWindows" doc:"Periods in which no stage begins by itself. Thresholds are observed, and people can advance the rollout."`
}

func scheduleRecord(s models.Schedule) Schedule {
	record := Schedule{StartAt: timeOrNull(s.StartAt), TimeZone: s.TimeZone, FreezeWindows: rendered(s.FreezeWindows, windowRecord)}
	if record.TimeZone == "" {
		record.TimeZone = time.UTC.String()
	}
	return record
}

func windowRecord(w models.FreezeWindow) FreezeWindow { return FreezeWindow(w) }

// windowModels is nil without windows, as a policy that never had any.
func windowModels(windows []FreezeWindow) []models.FreezeWindow {
	if len(windows) == 0 {
		return nil
	}
	return rendered(windows, func(w FreezeWindow) models.FreezeWindow { return models.FreezeWindow(w) })
}

func exampleWindows() []FreezeWindow {
	return []FreezeWindow{{Days: []models.Weekday{"fri"}, From: "16:00", To: "00:00"}, {Days: []models.Weekday{"sat", "sun"}, From: "00:00", To: "00:00"}}
}
