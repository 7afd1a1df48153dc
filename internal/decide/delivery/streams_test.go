package delivery

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestWithdrawn(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.channel("beta", tp.branch("other"))
	old, off, newest := tp.publish("production"), tp.publish("production", disabled), tp.publish("production")
	partial := tp.publish("production", percentage(10))
	s := tp.snapshot(t)
	uuids := map[int64]string{}
	for uuid, r := range s.releases {
		uuids[r.ID] = uuid
	}
	in := func(channel string, id int64) [2]bool {
		withdrawn, own := s.Withdrawn(models.Stream{Channel: channel, Platform: models.Android, RuntimeVersion: testRuntime}, uuids[id])
		return [2]bool{withdrawn, own}
	}
	gone, got := [2]bool{true, true}, [2]bool{false, true}
	require.Equal(t, [][2]bool{gone, gone, got, got}, [][2]bool{in("production", old), in("production", off), in("production", newest), in("production", partial)})
	require.Equal(t, [2]bool{true, false}, in("beta", newest), "another branch")
	require.Equal(t, [2]bool{true, false}, in("deleted", newest))
	require.Equal(t, [2]bool{}, in("production", -1), "not a release")
}

func TestStreams(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.channel("beta", tp.branchID("production"))
	tp.channel("empty", tp.branch("nothing"))
	old := tp.publish("production")
	tp.publish("production", disabled)
	partial := tp.publish("production", percentage(10))
	older := func(r *models.Release) { r.RuntimeVersion = "0.9.0" }
	halfway := tp.publish("production", older, percentage(50))
	next := tp.publish("next")
	tp.rollOut("next", 20)
	for _, id := range []int64{partial, next} {
		tp.state.RolloutWorkflows[id] = "rollout"
	}
	tp.production().IsPaused = true
	streams := tp.snapshot(t).Streams()
	newest, first, served := map[models.Stream]int64{}, map[models.Stream]int64{}, map[models.Stream][]int64{}
	for i := range streams {
		for _, u := range streams[i].Served {
			served[streams[i].Stream] = append(served[streams[i].Stream], u.ReleaseID)
			require.Equal(t, u.ReleaseID == 0, u.UpdateUUID == "")
		}
		streams[i].Served = nil
		if streams[i].Newest != nil {
			newest[streams[i].Stream] = streams[i].Newest.ID
		}
		first[streams[i].Stream] = streams[i].FirstID
		streams[i].Newest, streams[i].FirstID = nil, 0
	}
	of := func(channel, runtimeVersion string) models.Stream {
		return models.Stream{Channel: channel, Platform: models.Android, RuntimeVersion: runtimeVersion}
	}
	require.Equal(t, []models.ServedStream{
		{Stream: of("beta", "0.9.0")},
		{Stream: of("beta", testRuntime), RollingOut: []int64{partial}},
		{Stream: of("production", "0.9.0"), IsPaused: true},
		{Stream: of("production", testRuntime), IsPaused: true, RollingOut: []int64{partial, next}},
	}, streams)
	require.Equal(t, map[models.Stream]int64{of("beta", testRuntime): old, of("production", testRuntime): old}, newest)
	require.Equal(t, map[models.Stream]int64{
		of("beta", "0.9.0"): halfway, of("production", "0.9.0"): halfway,
		of("beta", testRuntime): partial, of("production", testRuntime): partial,
	}, first, "of the channel's own branch")
	copied := func(r *models.Release) { r.RepublishedFromID = &old }
	tp.publish("production", percentage(10), copied)
	tp.release(partial).IsEnabled = false
	for _, s := range tp.snapshot(t).Streams() {
		if s.Stream == of("beta", testRuntime) {
			require.Equal(t, old, s.FirstID, "the copy that a rollback published is not newer")
		}
	}
	require.Equal(t, map[models.Stream][]int64{
		of("beta", "0.9.0"): {halfway, 0}, of("production", "0.9.0"): {halfway, 0},
		of("beta", testRuntime): {partial, old}, of("production", testRuntime): {next, partial, old},
	}, served, "0 is the embedded update")
}
