package delivery

import (
	"fmt"
	"slices"
	"time"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// release is a release with the data that responses need.
type release struct {
	*models.Release
	// uuid is the update ID in lower case.
	uuid string
	// served is the update ID under which devices get the release: its newest alias, otherwise uuid. aliases are the
	// UUIDs of all aliases.
	served  updateID
	aliases []string
	// branch is nil if the branch was deleted. branchName is then the name that the release keeps.
	branch     *branch
	branchName string
	share      share

	// body is the response that serves this release, or nil if no device can get it.
	body *body
	// filters are the filters of that response.
	filters []string
	// newerExcluded and othersExcluded are filters for a device that runs this release (see filterSet).
	newerExcluded, othersExcluded cachedFilters
}

// updateID is an update ID of a release, in lower case, and the commit time by which clients order updates.
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

// has reports whether the update ID is the release's own or an alias.
func (r *release) has(updateUUID string) bool {
	return updateUUID == r.uuid || slices.Contains(r.aliases, updateUUID)
}

// indexAliases adds the aliases to their releases. A release is served under its newest alias.
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

// on reports whether the release is on the branch and not deleted.
func (r *release) on(b *branch) bool { return r.branch == b && r.DeletedAt == nil }

// updates reports whether the release has a build, which devices store.
func (r *release) updates() bool { return r.Kind == models.KindUpdate }

// commitTime formats a commit time in UTC with three decimals. Clients misread any other number of decimals.
func commitTime(t time.Time) string {
	return t.UTC().Truncate(time.Millisecond).Format("2006-01-02T15:04:05.000Z")
}

// share contains the devices whose bucket under salt is below the threshold of percentage (0–100).
type share struct {
	salt       string
	percentage float64
}

func (s share) includes(deviceID string) bool {
	return rollout.InShare(s.salt, deviceID, s.percentage)
}

// everyDevice reports whether the share includes all devices, even devices without an ID.
func (s share) everyDevice() bool { return rollout.Threshold(s.percentage) >= rollout.Buckets }

// explain returns the reason why the share includes the device or not.
func (s share) explain(deviceID string) string {
	switch {
	case s.everyDevice():
		return fmt.Sprintf("its rollout percentage of %v%% includes every device", s.percentage)
	case deviceID == "":
		return fmt.Sprintf("the request has no device ID, so the rollout percentage of %v%% does not include the device", s.percentage)
	}
	position := rollout.Position(rollout.Bucket(s.salt, deviceID), rollout.Threshold(s.percentage))
	if s.includes(deviceID) {
		return fmt.Sprintf("the device is in the first %v%%: its position is %s", s.percentage, position)
	}
	return fmt.Sprintf("the device is not in the %v%%: its position is %s", s.percentage, position)
}
