package models_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestCodesOfTerminals(t *testing.T) {
	t.Parallel()
	seen := map[models.TerminalCode]bool{}
	for range 1000 {
		code := models.NewTerminalCode()
		require.Regexp(t, `^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$`, code.Shown())
		require.False(t, seen[code])
		seen[code] = true
		parsed, ok := models.ParseTerminalCode(code.Shown())
		require.True(t, ok)
		require.Equal(t, code, parsed)
	}
	parsed, ok := models.ParseTerminalCode(" wdjb mjht")
	require.True(t, ok)
	require.Equal(t, models.TerminalCode("WDJBMJHT"), parsed)
	for _, bad := range []string{"", "WDJB", "WDJB-MJHTT", "WDJA-MJHT", "WDJ0-MJHT", "WDJB_MJHT", "WDJBMJHÄ", "W\x00JBMJHT"} {
		_, ok := models.ParseTerminalCode(bad)
		require.False(t, ok, "%q", bad)
	}
}

func TestPollsOfATerminal(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	l := models.NewTerminalLogin{Token: models.NewSecretToken(), Code: models.NewTerminalCode(), Name: "build-7"}.Login(start)
	require.NoError(t, l.Poll(start))
	require.Equal(t, models.CodeRateLimited, models.CodeOf(l.Poll(start.Add(4*time.Second))))
	require.Equal(t, models.CodeRateLimited, models.CodeOf(l.Poll(start.Add(9*time.Second))), "the interval is longer now")
	require.NoError(t, l.Poll(start.Add(15*time.Second)))
	for range 20 {
		require.Error(t, l.Poll(start.Add(16*time.Second)))
	}
	require.Equal(t, 60, l.PollSeconds)
	l.Status = models.TerminalConfirmed
	require.NoError(t, l.Poll(start.Add(16*time.Second)))
}

// A terminal has two minutes to get its session, after the person confirmed and after the first response.
func TestTheEndOfAConfirmedTerminal(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	l := models.NewTerminalLogin{Token: models.NewSecretToken(), Code: models.NewTerminalCode(), Name: "build-7"}.Login(start)
	early, late := l, l
	early.Confirm(start.Add(time.Minute))
	require.Equal(t, start.Add(models.TerminalLoginLife), early.ExpiresAt)
	early.GiveSession(start.Add(2 * time.Minute))
	early.GiveSession(start.Add(3 * time.Minute))
	require.Equal(t, start.Add(4*time.Minute), early.ExpiresAt, "the first response counts")
	late.Confirm(start.Add(9 * time.Minute))
	late.GiveSession(start.Add(10 * time.Minute))
	require.Equal(t, start.Add(11*time.Minute), late.ExpiresAt)
}
