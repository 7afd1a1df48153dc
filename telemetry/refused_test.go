package telemetry

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// testRefusal returns requests of the device for a channel that does not exist.
func testRefusal(device string, at time.Time, requests int64) models.RefusedRequests {
	return models.RefusedRequests{
		RefusedRequest: models.RefusedRequest{
			ProjectID: 7, Reason: models.RefusedUnknownChannel, Channel: "c", Platform: "ios", RuntimeVersion: "1", DeviceID: device,
		},
		Requests: requests, At: at,
	}
}

// The last 30 days are covered on any weekday. Each request and device counts once, even though weeks and days
// overlap.
func TestRefusedRequestsOfThirtyDays(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	// The query runs some days in the future, because rows older than 30 days may be deleted.
	last := time.Now().UTC().Truncate(time.Millisecond).AddDate(0, 0, 7)
	var all []models.RefusedRequests
	for ago := range 45 {
		at := last.AddDate(0, 0, -ago)
		all = append(all, testRefusal("every day", at, 2), testRefusal(fmt.Sprintf("on day %d", ago), at, 1), testRefusal("", at, 5))
	}
	require.NoError(t, c.InsertRefused(t.Context(), "token", all))
	for ago := range 8 {
		refused, err := c.ListRefused(t.Context(), 7, last.AddDate(0, 0, -ago))
		require.NoError(t, err)
		require.Equal(t, []models.RefusedSummary{{
			Reason: models.RefusedUnknownChannel, Channel: "c", Platform: "ios", RuntimeVersion: "1",
			// Later rows are counted too.
			Requests: int64(8 * (refusedDays + ago)), Devices: int64(refusedDays + ago + 1), LastSeenAt: last,
		}}, refused, "asked %d days before the last", ago)
	}
}
