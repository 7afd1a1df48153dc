package delivery

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/waft-ota/waft/models"
)

// release is a release as devices see it.
type release struct {
	*models.Release
	// uuid is the update UUID in lower case.
	uuid string
	// served is what devices get the release as: under its newest alias if it has any.
	// aliases are the UUIDs of them all.
	served  stamp
	aliases []string
	// branch is nil when it is gone; branchName is then what the release remembers.
	branch     *branch
	branchName string
	share      share

	// body is what a device is answered with, nil when no device can be answered with
	// this release.
	body *body
	// filters go with this release as the answer.
	filters []string
	// deny is the filter that excludes this release.
	deny string
	// held and alone are what withNewer and withOthers made.
	held, alone atomic.Pointer[[]string]
}

// stamp is a name of a release, in lower case, and the commit time that clients
// know it to have under that name.
type stamp struct {
	uuid string
	at   time.Time
}

// newRelease takes the texts of old, which was made of the same record, unless it is
// nil.
func newRelease(r *models.Release, branches map[int64]*branch, old *release) *release {
	rel := &release{
		Release:    r,
		branch:     branches[r.BranchID],
		branchName: r.BranchName,
		share:      share{salt: r.ShareSalt, percentage: r.RolloutPercentage},
	}
	if old != nil {
		rel.uuid, rel.deny = old.uuid, old.deny
	} else {
		rel.uuid, rel.deny = r.UpdateUUID.String(), denyFilter(r.ID)
	}
	if rel.branch != nil {
		rel.branchName = rel.branch.name
	}
	rel.served = stamp{rel.uuid, r.CreatedAt}
	return rel
}

// runsAs reports whether a device that runs the update runs this release.
func (r *release) runsAs(updateUUID string) bool {
	return updateUUID == r.uuid || slices.Contains(r.aliases, updateUUID)
}

// failedAs reports whether one of the updates is this release.
func (r *release) failedAs(updateUUIDs []string) bool {
	return slices.ContainsFunc(updateUUIDs, r.runsAs)
}

// indexAliases lets releases be found by their aliases, which are in the order of
// their commit times, and be served under the newest.
func (s *Snapshot) indexAliases(aliases []models.ReleaseAlias) {
	for i := range aliases {
		rel := s.releases[aliases[i].OriginalUUID.String()]
		if rel == nil {
			continue
		}
		alias := stamp{aliases[i].UpdateUUID.String(), aliases[i].CreatedAt}
		rel.aliases = append(rel.aliases, alias.uuid)
		if alias.at.After(rel.served.at) {
			rel.served = alias
		}
		s.releases[alias.uuid] = rel
	}
}

// CanonicalUpdate is the UUID, in lower case, that a release counts by which a
// device has under the given one, itself or an alias, if the project has it.
func (s *Snapshot) CanonicalUpdate(updateUUID string) (canonical string, ok bool) {
	rel := s.releases[updateUUID]
	if rel == nil {
		return "", false
	}
	return rel.uuid, true
}

// on reports whether the release is there to be served on the branch, enabled or
// not.
func (r *release) on(b *branch) bool { return r.branch == b && r.DeletedAt == nil }

// updates reports whether the release is one that a device stores.
func (r *release) updates() bool { return r.Kind == models.KindUpdate }

// commitTime is the time that a client orders by, exactly as it must be written:
// UTC with three decimals. Clients misread any other number of them.
func commitTime(t time.Time) string {
	return t.UTC().Truncate(time.Millisecond).Format("2006-01-02T15:04:05.000Z")
}
