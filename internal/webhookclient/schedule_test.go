package webhookclient

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSchedule(t *testing.T) {
	t.Parallel()
	s := Schedule{5 * time.Second, 5 * time.Minute, 24 * time.Hour}
	for _, tc := range []struct {
		attempt    int
		retryAfter time.Duration
		jitter     float64
		want       time.Duration
		more       bool
	}{
		{1, 0, 0, 5 * time.Second, true},
		{1, 0, 1, 6 * time.Second, true},
		{2, 0, 0.5, 5*time.Minute + 30*time.Second, true},
		{3, 0, 0, 24 * time.Hour, true},
		{4, 0, 0, 0, false},
		{4, time.Hour, 0, 0, false},
		{0, 0, 0, 0, false},
		{1, time.Second, 0, 5 * time.Second, true}, // never sooner than planned
		{1, time.Minute, 0, time.Minute, true},
		{2, 1000 * time.Hour, 0, 24 * time.Hour, true}, // nor later than a day
		{3, 1000 * time.Hour, 1, 24*time.Hour + 24*time.Hour/5, true},
	} {
		wait, more := s.Next(tc.attempt, tc.retryAfter, tc.jitter)
		require.Equal(t, tc.more, more, "%+v", tc)
		require.Equal(t, tc.want, wait, "%+v", tc)
	}
	_, more := Schedule(nil).Next(1, 0, 0)
	require.False(t, more, "one attempt and no other")
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "120": 2 * time.Minute, " 7 ": 7 * time.Second, "0": 0, "-5": 0, "soon": 0, "1.5": 0,
		"9223372036854775807": 24 * time.Hour, "99999999999999999999": 0,
		now.Add(time.Hour).Format(http.TimeFormat): time.Hour, now.Add(-time.Hour).Format(http.TimeFormat): 0,
	} {
		require.Equal(t, want, retryAfter(header, now), header)
	}
}
