package rollout_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

func TestFrozenUntil(t *testing.T) {
	t.Parallel()
	nights := models.Schedule{TimeZone: "Europe/Berlin", FreezeWindows: []models.FreezeWindow{{From: "18:00", To: "08:00"}}}
	weekend := models.Schedule{TimeZone: "Europe/Berlin", FreezeWindows: []models.FreezeWindow{
		{Days: []models.Weekday{"fri"}, From: "16:00", To: "00:00"},
		{Days: []models.Weekday{"sat", "sun"}, From: "00:00", To: "00:00"},
	}}
	always := models.Schedule{FreezeWindows: []models.FreezeWindow{{From: "00:00", To: "00:00"}}}
	berlin := func(from, to string) models.Schedule {
		return models.Schedule{TimeZone: "Europe/Berlin", FreezeWindows: []models.FreezeWindow{{From: from, To: to}}}
	}
	sundays := models.Schedule{TimeZone: "America/New_York", FreezeWindows: []models.FreezeWindow{{Days: []models.Weekday{"sun"}, From: "00:00", To: "00:00"}}}
	for name, tc := range map[string]struct {
		schedule models.Schedule
		now      string
		until    string
	}{
		// Berlin: 2026-03-29 02:00 CET is 03:00 CEST, 2026-10-25 03:00 CEST is 02:00 CET.
		"it begins in the hour that is left out":     {berlin("02:30", "06:00"), "2026-03-29T01:00:00Z", "2026-03-29T04:00:00Z"},
		"a moment before that hour":                  {berlin("02:30", "06:00"), "2026-03-29T00:59:59Z", ""},
		"it ends in the hour that is left out":       {berlin("01:00", "02:30"), "2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z"},
		"all of it is left out":                      {berlin("02:10", "02:50"), "2026-03-29T01:00:00Z", ""},
		"the hour that comes twice, the first time":  {berlin("02:00", "02:30"), "2026-10-25T00:10:00Z", "2026-10-25T00:30:00Z"},
		"between the two":                            {berlin("02:00", "02:30"), "2026-10-25T00:40:00Z", ""},
		"the hour that comes twice, the second time": {berlin("02:00", "02:30"), "2026-10-25T01:10:00Z", "2026-10-25T01:30:00Z"},
		"it ends with the hour that comes twice":     {berlin("01:00", "03:00"), "2026-10-25T00:10:00Z", "2026-10-25T02:00:00Z"},
		"the night in which clocks go back":          {nights, "2026-10-24T20:00:00Z", "2026-10-25T07:00:00Z"},
		"a day of twenty-five hours":                 {sundays, "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"},
		"a day of twenty-three hours":                {sundays, "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"},
		"no windows":                                 {models.Schedule{}, "2026-03-04T12:00:00Z", ""},
		"before the window":                          {nights, "2026-03-04T16:59:59Z", ""},
		"as it begins":                               {nights, "2026-03-04T17:00:00Z", "2026-03-05T07:00:00Z"},
		"past midnight, yesterday's window":          {nights, "2026-03-05T02:00:00Z", "2026-03-05T07:00:00Z"},
		"as it ends":                                 {nights, "2026-03-05T07:00:00Z", ""},
		"the night in which clocks go ahead":         {nights, "2026-03-28T23:00:00Z", "2026-03-29T06:00:00Z"},
		"friday before four":                         {weekend, "2026-03-06T14:00:00Z", ""},
		"friday evening runs into monday":            {weekend, "2026-03-06T15:00:00Z", "2026-03-08T23:00:00Z"},
		"sunday":                                     {weekend, "2026-03-08T12:00:00Z", "2026-03-08T23:00:00Z"},
		"monday":                                     {weekend, "2026-03-08T23:00:00Z", ""},
		"always, so look again in days":              {always, "2026-03-04T12:00:00Z", "2026-03-13T00:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now, err := time.Parse(time.RFC3339, tc.now)
			require.NoError(t, err)
			var want time.Time
			if tc.until != "" {
				want, err = time.Parse(time.RFC3339, tc.until)
				require.NoError(t, err)
			}
			require.Equal(t, want, rollout.FrozenUntil(tc.schedule, now))
		})
	}
}

// A freeze never ends inside another window, and a time without a freeze is not inside any window.
func TestAFreezeEndsOutsideEveryWindow(t *testing.T) {
	t.Parallel()
	clock := rapid.Custom(func(t *rapid.T) string {
		return time.Date(2026, 1, 1, rapid.IntRange(0, 23).Draw(t, "hour"), rapid.IntRange(0, 59).Draw(t, "minute"), 0, 0, time.UTC).
			Format(models.TimeOfDay)
	})
	rapid.Check(t, func(t *rapid.T) {
		schedule := models.Schedule{
			TimeZone: rapid.SampledFrom([]string{"", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"}).Draw(t, "zone"),
			FreezeWindows: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) models.FreezeWindow {
				return models.FreezeWindow{
					Days: rapid.SliceOfNDistinct(rapid.SampledFrom(models.Weekdays[:]), 0, 3, rapid.ID[models.Weekday]).Draw(t, "days"),
					From: clock.Draw(t, "from"), To: clock.Draw(t, "to"),
				}
			}), 0, 4).Draw(t, "windows"),
		}
		now := time.Unix(rapid.Int64Range(1767225600, 1798761600).Draw(t, "now"), 0).UTC()
		until := rollout.FrozenUntil(schedule, now)
		if until.IsZero() || until.Sub(now) >= 8*24*time.Hour {
			return
		}
		require.True(t, until.After(now))
		require.Zero(t, rollout.FrozenUntil(schedule, until), "frozen again at %s", until)
		require.NotZero(t, rollout.FrozenUntil(schedule, until.Add(-time.Second)))
	})
}

// A freeze only holds an advance.
func TestAFreezeHoldsOnlyTheNextStage(t *testing.T) {
	t.Parallel()
	in := rollout.Input{Stages: []models.Stage{{Percentage: 5}, {Percentage: 100}}}
	until := time.Date(2026, 3, 5, 7, 0, 0, 0, time.UTC)
	held := rollout.Freeze(rollout.Decision{Action: rollout.ActionAdvance, Stage: 1}, in, until)
	require.Equal(t, rollout.Decision{
		Action: rollout.ActionHold, WaitingFor: models.WaitDuration, Deadline: until, Frozen: true,
		Reason: "stage 1 of 2 (5%) is done; a freeze window holds the next stage until 2026-03-05 07:00:00 UTC",
	}, held)
	for _, action := range []rollout.Action{rollout.ActionHold, rollout.ActionComplete, rollout.ActionRollBack} {
		d := rollout.Decision{Action: action, Reason: "as it is"}
		require.Equal(t, d, rollout.Freeze(d, in, until))
	}
	advancing := rollout.Decision{Action: rollout.ActionAdvance, Stage: 1}
	require.Equal(t, advancing, rollout.Freeze(advancing, in, time.Time{}))
}
