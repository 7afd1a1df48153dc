package ingest

import (
	"log/slog"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// limitedReport records that a report of the device on testUpdate was rejected by the rate limit.
func limitedReport(deviceID string) models.LimitedReport {
	return models.LimitedReport{ProjectID: 7, DeviceID: deviceID, UpdateUUID: testUpdate}
}

func TestLimitedDevicesAreNotedOnceAMinuteAndBounded(t *testing.T) {
	t.Parallel()
	now := time.Now()
	c := NewRefusedCounter(nil, slog.New(slog.DiscardHandler), func() time.Time { return now })
	first := limitedReport("d")
	for range 3 {
		c.Limited(first)
	}
	require.Equal(t, []models.LimitedReports{{LimitedReport: first, At: now}}, c.take().limited)
	c.Limited(first)
	require.Empty(t, c.take().limited, "the device was recorded")
	for n := range 3 * limitedDevices {
		c.Limited(limitedReport(strconv.Itoa(n)))
	}
	require.Len(t, c.take().limited, limitedDevices-1)
	now = now.Add(limitedInterval)
	c.Limited(first)
	require.Len(t, c.take().limited, 1, "another minute")
}
