package delivery

import (
	"fmt"
	"reflect"

	"github.com/Masterminds/semver/v3"

	"github.com/waft-ota/waft/models"
)

// branch is a branch with the manifest filter that belongs to it.
type branch struct {
	id   int64
	name string
	// filter allows only updates of this branch to run. filters is the header of a response that excludes nothing
	// else.
	filter  string
	filters []string
}

// indexBranches returns the branches by ID. It reuses unchanged branches from before.
func indexBranches(list []models.Branch, before map[int64]*branch) (map[int64]*branch, error) {
	branches := make(map[int64]*branch, len(list))
	for _, b := range list {
		if old := before[b.ID]; old != nil && old.name == b.Name {
			branches[b.ID] = old
			continue
		}
		filter, err := branchFilter(b.Name)
		if err != nil {
			return nil, err
		}
		branches[b.ID] = &branch{id: b.ID, name: b.Name, filter: filter, filters: []string{filter}}
	}
	return branches, nil
}

// channel is a channel with the branches that it serves.
type channel struct {
	name   string
	branch *branch
	// rollout is the branch for the devices in share, or nil without a branch rollout.
	rollout *branch
	share   share
	paused  bool
	// minimum is nil if the channel serves every runtime version.
	minimum *minimumVersion
	// changedAt is the Unix time in nanoseconds of the last change to the channel.
	changedAt int64
}

func indexChannels(p models.ProjectSnapshot, branches map[int64]*branch, m *renderer) (map[string]*channel, error) {
	channels := make(map[string]*channel, len(p.Channels))
	for _, c := range p.Channels {
		ch := &channel{name: c.Name, branch: branches[c.BranchID], paused: c.IsPaused, changedAt: c.UpdatedAt.UnixNano()}
		if ch.branch == nil {
			return nil, fmt.Errorf("channel %s points to branch %d, which does not exist", c.Name, c.BranchID)
		}
		if c.RolloutBranchID != nil && c.RolloutPercentage != nil {
			ch.rollout = branches[*c.RolloutBranchID]
			if ch.rollout == nil {
				return nil, fmt.Errorf("channel %s rolls out branch %d, which does not exist", c.Name, *c.RolloutBranchID)
			}
			ch.share = share{salt: channelSalt(p.Project.Slug, c.Name), percentage: *c.RolloutPercentage}
		}
		if c.MinRuntimeVersion != nil {
			minimum, err := newMinimumVersion(*c.MinRuntimeVersion, m)
			if err != nil {
				return nil, fmt.Errorf("channel %s: %w", c.Name, err)
			}
			ch.minimum = minimum
		}
		channels[c.Name] = ch
	}
	return channels, nil
}

// channelSalt returns the salt of a channel's branch rollout.
func channelSalt(projectSlug, channelName string) string {
	return "channel:" + projectSlug + "/" + channelName
}

// minimumVersion is the oldest runtime version that a channel serves.
type minimumVersion struct {
	text string
	// version is nil if text is not a version. Then no device is below the minimum.
	version *semver.Version
	// header and directive tell a device below the minimum to get a new binary from the app store.
	header    []string
	directive *body
}

func newMinimumVersion(text string, m *renderer) (*minimumVersion, error) {
	directive, err := m.noUpdate(text)
	if err != nil {
		return nil, err
	}
	v := &minimumVersion{text: text, header: []string{text}, directive: directive}
	if version, err := semver.NewVersion(text); err == nil {
		v.version = version
	}
	return v, nil
}

// below reports whether a runtime version is below the minimum. Both must parse as semantic versions, and missing
// parts count as 0.
func (m *minimumVersion) below(runtimeVersion string) bool {
	if m.version == nil {
		return false
	}
	version, err := semver.NewVersion(runtimeVersion)
	return err == nil && version.LessThan(m.version)
}

// BelowMinimum reports whether devices with a runtime version are below the minimum of a channel and need a new
// binary from the app store.
func BelowMinimum(minimum, runtimeVersion string) bool {
	version, err := semver.NewVersion(minimum)
	if err != nil {
		return false
	}
	return (&minimumVersion{version: version}).below(runtimeVersion)
}

// checkOverrides returns an error if a user override points to a branch that does not exist. A project may have many
// overrides, so unchanged overrides are checked only if a branch was deleted.
func (s *Snapshot) checkOverrides(before *Snapshot) error {
	check := reflect.ValueOf(s.overrides).Pointer() != reflect.ValueOf(before.overrides).Pointer()
	for id := range before.branches {
		check = check || s.branches[id] == nil
	}
	if !check {
		return nil
	}
	for _, id := range s.overrides {
		if s.branches[id] == nil {
			return fmt.Errorf("a user override points to branch %d, which does not exist", id)
		}
	}
	return nil
}
