package delivery

import (
	"fmt"

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

func indexBranches(list []models.Branch) (map[int64]*branch, error) {
	branches := make(map[int64]*branch, len(list))
	for _, b := range list {
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

func indexChannels(p models.ProjectSnapshot, branches map[int64]*branch) (map[string]*channel, error) {
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
			minimum, err := newMinimumVersion(*c.MinRuntimeVersion)
			if err != nil {
				return nil, fmt.Errorf("channel %s: %w", c.Name, err)
			}
			ch.minimum = minimum
		}
		channels[c.Name] = ch
	}
	return channels, nil
}

// indexOverrides maps user ids to the branches that they are sent to.
func indexOverrides(list []models.UserOverride, branches map[int64]*branch) (map[string]*branch, error) {
	overrides := make(map[string]*branch, len(list))
	for _, o := range list {
		b := branches[o.BranchID]
		if b == nil {
			return nil, fmt.Errorf("user override %d points to branch %d, which is missing", o.ID, o.BranchID)
		}
		overrides[o.UserID] = b
	}
	return overrides, nil
}

// channelSalt is the salt of a channel's branch rollout.
func channelSalt(projectSlug, channelName string) string {
	return "channel:" + projectSlug + "/" + channelName
}
