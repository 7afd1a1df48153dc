package delivery

import (
	"slices"

	"github.com/Masterminds/semver/v3"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// rule is the expected result for one device. It is computed slowly from the project's records, independently of how
// a Snapshot decides.
type rule struct {
	outcome Outcome
	branch  int64
	// release is the branch's release for the device, or nil.
	release *models.Release
}

// rules applies the rules of the resolution to a request on production.
func rules(tp *testProject, r Request) rule {
	ch := tp.production()
	if ch.IsPaused {
		return rule{outcome: OutcomeChannelPaused}
	}
	if ch.MinRuntimeVersion != nil && below(r.RuntimeVersion, *ch.MinRuntimeVersion) {
		return rule{outcome: OutcomeStoreUpdateRequired}
	}
	out := rule{outcome: OutcomeNoUpdate, branch: ch.BranchID}
	if p := ch.RolloutPercentage; p != nil && rollout.InShare("channel:demo/"+ch.Name, r.DeviceID, *p) {
		out.branch = *ch.RolloutBranchID
	}
	if id, ok := tp.state.UserOverrides[r.UserID]; ok && r.UserID != "" {
		out.branch = id
	}
	newestFirst := slices.SortedFunc(slices.Values(tp.state.Releases), models.NewestFirst)
	i := slices.IndexFunc(newestFirst, func(rel *models.Release) bool {
		return rel.BranchID == out.branch && rel.Platform == r.Platform && rel.RuntimeVersion == r.RuntimeVersion &&
			rel.IsEnabled && rel.DeletedAt == nil && rollout.InShare(rel.ShareSalt, r.DeviceID, rel.RolloutPercentage)
	})
	if i < 0 {
		return out
	}
	out.release = newestFirst[i]
	embedded := r.CurrentUpdateUUID != "" && r.CurrentUpdateUUID == r.EmbeddedUpdateUUID
	names := tp.names(out.release)
	switch update := out.release.Kind == models.KindUpdate; {
	case !update && embedded, update && slices.Contains(names, r.CurrentUpdateUUID):
		out.outcome = OutcomeUpToDate
	case !update:
		out.outcome = OutcomeRollbackToEmbedded
	case slices.ContainsFunc(r.RecentFailed, func(id string) bool { return slices.Contains(names, id) }):
		out.outcome = OutcomeNoUpdate
	default:
		out.outcome = OutcomeUpdate
	}
	return out
}

func below(runtimeVersion, minimum string) bool {
	v, err := semver.NewVersion(runtimeVersion)
	m, minErr := semver.NewVersion(minimum)
	return err == nil && minErr == nil && v.LessThan(m)
}

// names returns all update IDs of a release, oldest first.
func (tp *testProject) names(r *models.Release) []string {
	names := []string{r.UpdateUUID.String()}
	for _, a := range tp.state.Aliases {
		if a.ReleaseID == r.ID {
			names = append(names, a.UpdateUUID.String())
		}
	}
	return names
}

// runs returns the ID of the release that the device should run. It is embedded for the update inside the app.
func (r rule) runs() int64 {
	if r.release == nil || r.release.Kind == models.KindRollbackToEmbedded {
		return embedded
	}
	return r.release.ID
}
