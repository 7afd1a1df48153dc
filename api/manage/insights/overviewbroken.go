package insights

import (
	"maps"
	"slices"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// BrokenRelease is a release of a target with an open incident, or a release that Waft rolled back in the last hour.
type BrokenRelease struct {
	Health             ServedHealth                 `json:"health" doc:"Health of the release on the devices of the target, with its limits."`
	IsServed           bool                         `json:"isServed" doc:"Whether devices of the target get the release now."`
	RolloutExecutionID *int64                       `json:"rolloutExecutionId" nullable:"true" doc:"ID of the newest rollout of the release; null for none."`
	Incident           rest.OrNull[IncidentFigures] `json:"incident" doc:"Open incident of the release on the target; null for none."`
	rest.Disabling
	DisabledReason string `json:"disabledReason" doc:"Reason for disabling the release; empty if none was given, and for an enabled release."`
}

// IncidentFigures has the figures of an open incident.
type IncidentFigures struct {
	ID                int64     `json:"id"`
	Devices           int64     `json:"devices" doc:"Number of devices in the hour before checkedAt."`
	ErroredDevices    int64     `json:"erroredDevices" doc:"Number of these devices with a js_error or crash."`
	ErrorRate         float64   `json:"errorRate" doc:"Percentage of the hour's devices with an error."`
	BaselineErrorRate float64   `json:"baselineErrorRate" doc:"Percentage of devices with an error in the 24 hours before the incident opened; 0 without devices."`
	OpenedAt          rest.Time `json:"openedAt"`
	CheckedAt         rest.Time `json:"checkedAt" doc:"Time of the last check."`
}

// WaitingCall is a call that waits for approval.
type WaitingCall struct {
	ApprovalID int64  `json:"approvalId"`
	Action     string `json:"action" enum:"rollout.start,rollout.advance,rollout.resume"`
	Summary    string `json:"summary" doc:"Effect of the call, as a phrase."`
}

func brokenRelease(b models.BrokenRelease, s models.StreamOverview, records models.OverviewRecords) BrokenRelease {
	out := BrokenRelease{
		Health: servedHealth(b.ServedUpdate, b.Release, records.Rules), IsServed: isServed(s.ServedStream, b.ServedUpdate),
		RolloutExecutionID: b.RolloutID,
	}
	if b.Release != nil {
		out.Disabling, out.DisabledReason = rest.DisablingRecord(b.Release.Disabling)
	}
	if i := b.Incident; i != nil {
		out.Incident = rest.Present(IncidentFigures{
			ID: i.ID, Devices: i.Devices, ErroredDevices: i.ErroredDevices, ErrorRate: rest.Percent(i.ErrorRate()),
			BaselineErrorRate: rest.Percent(i.BaselineErrorRate()), OpenedAt: rest.Time{Time: i.OpenedAt}, CheckedAt: rest.Time{Time: i.CheckedAt},
		})
	}
	return out
}

func isServed(s models.ServedStream, u models.ServedUpdate) bool {
	return slices.ContainsFunc(s.Served, func(served models.ServedUpdate) bool { return served.UpdateUUID == u.UpdateUUID })
}

// withdrawnReleases returns the targets with broken releases that they are not served any more, as if these were served. A
// target that is not in served gets the embedded update.
func withdrawnReleases(served []models.ServedStream, broken map[models.Stream][]models.BrokenRelease) (withdrawn []models.ServedStream) {
	of := make(map[models.Stream]models.ServedStream, len(served))
	for _, s := range served {
		of[s.Stream] = s
	}
	for _, name := range slices.SortedFunc(maps.Keys(broken), models.Stream.Compare) {
		s, ok := of[name]
		if !ok {
			s.Served = []models.ServedUpdate{{}}
		}
		w := models.ServedStream{Stream: name}
		for _, b := range broken[name] {
			if !isServed(s, b.ServedUpdate) {
				w.Served = append(w.Served, b.ServedUpdate)
			}
		}
		if len(w.Served) > 0 {
			withdrawn = append(withdrawn, w)
		}
	}
	return withdrawn
}

// waitingCall returns the pending approval of a call on the rollout of the target, or on the release that it is served.
func waitingCall(s models.StreamOverview, waiting map[int64]models.WaitingCall) rest.OrNull[WaitingCall] {
	for _, id := range append(slices.Clone(s.RollingOut), served(s.ServedStream)...) {
		if call, ok := waiting[id]; ok {
			return rest.Present(WaitingCall(call))
		}
	}
	return rest.OrNull[WaitingCall]{}
}

// served returns the IDs of the releases that the target is served.
func served(s models.ServedStream) (ids []int64) {
	for _, u := range s.Served {
		ids = append(ids, u.ReleaseID)
	}
	return ids
}
