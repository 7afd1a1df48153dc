package telemetry

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// trueComparison computes ComparedHealth by its definition, from all reports.
func trueComparison(reports []models.HealthReport, served map[string]bool, q models.HealthQuery) (compared models.ComparedHealth) {
	asked := func(r models.HealthReport) bool {
		return served[r.DeviceID] && r.ProjectID == q.ProjectID && !r.ReceivedAt.Before(q.Control.Since) && r.Platform == q.Control.Platform &&
			r.RuntimeVersion == q.Control.RuntimeVersion && (q.Control.Channel == "" || r.Channel == q.Control.Channel)
	}
	first := map[string]time.Time{}
	for _, r := range reports {
		if at, ok := first[r.DeviceID]; asked(r) && (!ok || r.ReceivedAt.Before(at)) {
			first[r.DeviceID] = r.ReceivedAt
		}
	}
	errored, crashed := map[string]bool{}, map[string]bool{}
	for _, r := range reports {
		if !asked(r) || r.ReceivedAt.After(first[r.DeviceID].Add(24*time.Hour)) {
			continue
		}
		for _, e := range r.Events {
			errored[r.DeviceID] = errored[r.DeviceID] || e.Type == models.EventJSError || e.Type == models.EventCrash
			crashed[r.DeviceID] = crashed[r.DeviceID] || e.Type == models.EventCrash
		}
	}
	inside, outside := map[string]bool{}, map[string]bool{}
	for device := range first {
		group := &compared.Outside
		if rollout.InShare(q.Salt, device, q.Percentage) {
			group = &compared.Inside
		}
		devices := outside
		if rollout.InShare(q.Salt, device, q.Percentage) {
			devices = inside
		}
		devices[device] = true
		group.Devices++
		if errored[device] {
			group.ErroredDevices++
		}
		if crashed[device] {
			group.CrashedDevices++
		}
	}
	compared.Inside.Votes, compared.Outside.Votes = trueVotes(inside, errored, crashed, q), trueVotes(outside, errored, crashed, q)
	return compared
}

func TestTheComparisonWithTheControlIsTheTruth(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	rng := rand.New(rand.NewPCG(3, 5))
	begin := time.Now().UTC().Add(-6 * 24 * time.Hour).Truncate(time.Second)
	// Devices run different releases or the embedded update, because only the assignment counts.
	updates := []string{"", "0b1f9b2e-0000-4f0e-9a55-6d1f6f3c2a10", "0b1f9b2e-1111-4f0e-9a55-6d1f6f3c2a10"}
	reports := fleetReports(rng, 40_000, begin, updates)
	for i := range reports {
		switch rng.IntN(12) {
		case 0:
			reports[i].Channel = "staging"
		case 1:
			reports[i].Platform = models.Android
		case 2:
			reports[i].RuntimeVersion = "9.9.9"
		}
	}
	served, exposures := map[string]bool{}, []models.HealthReport{}
	for _, r := range reports {
		if r.UpdateUUID != "" && r.ProjectID == testReport("d").ProjectID && len(r.DeviceID)%2 == 0 {
			served[r.DeviceID] = true
			exposures = append(exposures, r)
		}
	}
	require.NoError(t, c.InsertExposures(t.Context(), "node/exposures", exposuresOf(exposures...)))
	require.NoError(t, insertAll(t, c, "node/1-40000", reports))
	sample := testReport("d")
	for _, channel := range []string{sample.Channel, ""} {
		for _, percentage := range []float64{1, 25, 99} {
			q := models.HealthQuery{
				ProjectID: sample.ProjectID, UpdateUUID: updates[1], Salt: "release:compare", Percentage: percentage, Since: begin,
				AllocationVotes: 3,
				Control: &models.ControlQuery{
					Channel: channel, Platform: sample.Platform, RuntimeVersion: sample.RuntimeVersion, Since: begin.Add(30 * time.Hour),
				},
			}
			want := trueComparison(reports, served, q)
			require.Positive(t, want.Inside.Devices)
			require.Positive(t, want.Outside.CrashedDevices)
			got, err := c.ReleaseHealth(t.Context(), q)
			require.NoError(t, err)
			require.Equal(t, want, got.Compared, "channel %q, %g %%", channel, percentage)
		}
	}
}
