package delivery

import (
	"fmt"
	"reflect"

	"github.com/waft-ota/waft/models"
)

// branch is a stream of releases as devices see it.
type branch struct {
	id   int64
	name string
	// filter lets only updates of this branch run; filters is the whole header where
	// the branch has nothing to deny.
	filter  string
	filters []string
}

// indexBranches maps branches by id. Those of before that are the same stay.
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

// channel is what a device connects to.
type channel struct {
	name   string
	branch *branch
	// rollout is the branch of the devices in share, nil without a branch rollout.
	rollout *branch
	share   share
	paused  bool
	// minimum is nil when every runtime version is served.
	minimum *minimumVersion
}

func indexChannels(p models.ProjectSnapshot, branches map[int64]*branch, m *renderer) (map[string]*channel, error) {
	channels := make(map[string]*channel, len(p.Channels))
	for _, c := range p.Channels {
		ch := &channel{name: c.Name, branch: branches[c.BranchID], paused: c.IsPaused}
		if ch.branch == nil {
			return nil, fmt.Errorf("channel %s points to branch %d, which is missing", c.Name, c.BranchID)
		}
		if c.RolloutBranchID != nil && c.RolloutPercentage != nil {
			ch.rollout = branches[*c.RolloutBranchID]
			if ch.rollout == nil {
				return nil, fmt.Errorf("channel %s rolls out to branch %d, which is missing", c.Name, *c.RolloutBranchID)
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

// checkOverrides fails when an override points to a branch that is missing. There
// are many, so those that before has are looked at only when a branch went.
func (s *Snapshot) checkOverrides(before *Snapshot) error {
	if reflect.ValueOf(s.overrides).Pointer() == reflect.ValueOf(before.overrides).Pointer() {
		kept := 0
		for id := range before.branches {
			if s.branches[id] != nil {
				kept++
			}
		}
		if kept == len(before.branches) {
			return nil
		}
	}
	for _, id := range s.overrides {
		if s.branches[id] == nil {
			return fmt.Errorf("a user override points to branch %d, which is missing", id)
		}
	}
	return nil
}

// channelSalt is the salt of a channel's branch rollout.
func channelSalt(projectSlug, channelName string) string {
	return "channel:" + projectSlug + "/" + channelName
}
