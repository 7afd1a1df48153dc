package telemetry

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// testRefusal is of a request of the device, for a channel that does not exist.
func testRefusal(device string, at time.Time, requests int64) models.RefusedRequests {
	return models.RefusedRequests{
		RefusedRequest: models.RefusedRequest{
			ProjectID: 7, Reason: models.RefusedUnknownChannel, Channel: "c", Platform: "ios", RuntimeVersion: "1", DeviceID: device,
		},
		Requests: requests, At: at,
	}
}

// The last 30 days are answered whatever day of the week it is, each request once and each
// device once, though weeks and days overlap.
func TestRefusedRequestsOfThirtyDays(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	// Asked some days from now, since what is older than 30 days may be gone.
	last := time.Now().UTC().Truncate(time.Millisecond).AddDate(0, 0, 7)
	var all []models.RefusedRequests
	for ago := range 45 {
		at := last.AddDate(0, 0, -ago)
		all = append(all, testRefusal("every day", at, 2), testRefusal(fmt.Sprintf("on day %d", ago), at, 1), testRefusal("", at, 5))
	}
	require.NoError(t, c.InsertRefusals(t.Context(), "token", all))
	for ago := range 8 {
		refused, err := c.ListRefused(t.Context(), 7, last.AddDate(0, 0, -ago))
		require.NoError(t, err)
		require.Equal(t, []models.RefusedSummary{{
			Reason: models.RefusedUnknownChannel, Channel: "c", Platform: "ios", RuntimeVersion: "1",
			// What came later is there as well.
			Requests: int64(8 * (refusedDays + ago)), Devices: int64(refusedDays + ago + 1), LastSeenAt: last,
		}}, refused, "asked %d days before the last", ago)
	}
}

// What was refused before refused_v2 is in it once, although a crash has parts of the
// upgrade repeated; nothing is taken in while it is copied.
func TestEarlierRefusalsAreTakenOver(t *testing.T) {
	t.Parallel()
	url := migratedURLTo(t, 33)
	c := openTestClickHouse(t, url)
	earlier := strings.Replace(sqlInsertRefusals, "refusals_in_v2", "refusals_in_v1", 1)
	insertEarlier := func(token string, refusals ...models.RefusedRequests) error {
		return insert(onceUnder(t.Context(), token), c, earlier, refusals, appendRefusal)
	}
	now := time.Now().UTC().Truncate(time.Millisecond)
	for ago := range 20 {
		at := now.AddDate(0, 0, -ago)
		require.NoError(t, insertEarlier(fmt.Sprintf("day %d", ago), testRefusal("every day", at, 2), testRefusal(fmt.Sprintf("on day %d", ago), at, 1)))
	}
	for _, version := range []int64{34, 34, 35, 35} {
		forget(t, c, version)
		migrateTo(t, url, version)
		require.ErrorContains(t, insertEarlier("during", testRefusal("too late", now, 1)), "refusals_in_v1",
			"an older process keeps what it has while version %d is the last", version)
	}
	require.NoError(t, Migrate(t.Context(), url))
	forget(t, c, 36)
	require.NoError(t, Migrate(t.Context(), url))
	requireRefused := func(requests, devices int64) {
		t.Helper()
		refused, err := c.ListRefused(t.Context(), 7, now)
		require.NoError(t, err)
		require.Len(t, refused, 1)
		require.Equal(t, []int64{requests, devices}, []int64{refused[0].Requests, refused[0].Devices})
		require.Equal(t, now, refused[0].LastSeenAt)
	}
	requireRefused(60, 21)
	require.NoError(t, c.InsertRefusals(t.Context(), "after", []models.RefusedRequests{testRefusal("every day", now, 3)}))
	requireRefused(63, 21)
	var more []models.RefusedRequests
	for i := range 30 {
		more = append(more, testRefusal(fmt.Sprintf("later %d", i), now, 1))
	}
	require.NoError(t, c.InsertRefusals(t.Context(), "more", more))
	requireRefused(93, 31) // those of before and after the upgrade cannot be merged
	require.Equal(t, 20, count(t, c, "SELECT uniqExact(day) FROM refused_daily WHERE project_id = 7"))
}
