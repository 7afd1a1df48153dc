package telemetry

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Days, weeks and spans must meet without gaps and overlaps on any day.
func TestSpansBeginEveryFourthMonday(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	for range 60 {
		span := firstSpan(day)
		require.Equal(t, time.Monday, span.Weekday())
		require.False(t, span.Before(firstMonday(day)))
		require.True(t, span.Before(day.AddDate(0, 0, 28)))
		// The expression of schema/00011_flag_spans.sql.
		require.Equal(t, span.Unix(), 345600+(span.Unix()-345600)/2419200*2419200)
		day = day.AddDate(0, 0, 1)
	}
}
