package delivery

import (
	"fmt"
	"slices"
	"time"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// release is a release as devices see it.
type release struct {
	*models.Release
	// uuid is the update id in lower case.
	uuid string
	// served is what devices get the release as: its newest alias, else uuid itself. aliases are
	// the UUIDs of all aliases.
	served  updateID
	aliases []string
	// branch is nil when it was deleted; branchName is then the name that the release keeps.
	branch     *branch
	branchName string
	share      share

	// body is the answer that serves this release, nil when no device can get it.
	body *body
	// filters belong to that answer.
	filters []string
	// newerExcluded and othersExcluded are for a device that runs this release; see filterSet.
	newerExcluded, othersExcluded cachedFilters
}

// updateID is an update id of a release, in lower case, and the commit time that clients order
// it by.
type updateID struct {
	uuid string
	at   time.Time
}

func newRelease(r *models.Release, branches map[int64]*branch) *release {
	rel := &release{
		Release:    r,
		uuid:       r.UpdateUUID.String(),
		branch:     branches[r.BranchID],
		branchName: r.BranchName,
		share:      share{salt: r.ShareSalt, percentage: r.RolloutPercentage},
	}
	if rel.branch != nil {
		rel.branchName = rel.branch.name
	}
	rel.served = updateID{rel.uuid, r.CreatedAt}
	return rel
}

// has reports whether the update id is the release's own or an alias.
func (r *release) has(updateUUID string) bool {
	return updateUUID == r.uuid || slices.Contains(r.aliases, updateUUID)
}

// indexAliases adds the aliases to their releases, which are served as the newest alias.
func (s *Snapshot) indexAliases(aliases []models.ReleaseAlias) {
	for i := range aliases {
		rel := s.releases[aliases[i].OriginalUUID.String()]
		if rel == nil {
			continue
		}
		alias := updateID{aliases[i].UpdateUUID.String(), aliases[i].CreatedAt}
		rel.aliases = append(rel.aliases, alias.uuid)
		if alias.at.After(rel.served.at) {
			rel.served = alias
		}
		s.releases[alias.uuid] = rel
	}
}

// on reports whether the branch has the release and it is not deleted.
func (r *release) on(b *branch) bool { return r.branch == b && r.DeletedAt == nil }

// updates reports whether the release has a build, which devices store.
func (r *release) updates() bool { return r.Kind == models.KindUpdate }

// commitTime is a commit time in UTC with three decimals. Clients misread any other number of
// decimals.
func commitTime(t time.Time) string {
	return t.UTC().Truncate(time.Millisecond).Format("2006-01-02T15:04:05.000Z")
}

// share is the devices whose bucket under salt lies below the threshold of percentage (0–100).
type share struct {
	salt       string
	percentage float64
}

func (s share) includes(deviceID string) bool {
	return rollout.InShare(s.salt, deviceID, s.percentage)
}

// everyDevice reports whether the share includes all devices, also those without an id.
func (s share) everyDevice() bool { return rollout.Threshold(s.percentage) >= rollout.Buckets }

// explain says why the share includes the device or does not.
func (s share) explain(deviceID string) string {
	switch {
	case s.everyDevice():
		return fmt.Sprintf("its share of %v %% includes every device", s.percentage)
	case deviceID == "":
		return fmt.Sprintf("the request has no device id, so its share of %v %% does not include it", s.percentage)
	}
	compared, includes := "is below", "includes"
	if !s.includes(deviceID) {
		compared, includes = "is not below", "does not include"
	}
	return fmt.Sprintf("bucket %d %s threshold %d: its share of %v %% under %q %s the device",
		rollout.Bucket(s.salt, deviceID), compared, rollout.Threshold(s.percentage), s.percentage, s.salt, includes)
}
