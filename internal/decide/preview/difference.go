package preview

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	"github.com/waft-ota/waft/models"
)

// Difference lists what a call would change.
type Difference struct {
	Releases   []Release
	Executions []Execution
	Flags      []Flag
	Channels   []Channel
}

// Channel is a channel that would be paused or resumed.
type Channel struct {
	Name          string
	Before, After ChannelState
}

// ChannelState is the state of a channel that a preview shows.
type ChannelState struct{ IsPaused bool }

// Release is a release that would change, or that the call would publish. A release to be published has no ID and no
// Before.
type Release struct {
	models.Release
	Published     bool
	Before, After *ReleaseState
}

// ReleaseState contains the fields of a release that a call may change.
type ReleaseState struct {
	IsEnabled         bool
	RolloutPercentage float64
	IsCritical        bool
}

// Execution is a rollout that would change, or that the call would start. A rollout to be started does not have a Before.
type Execution struct {
	models.RolloutExecution
	Started       bool
	Before, After ExecutionState
	// Recounts is true if its stage restarts, so that only later reports count.
	Recounts bool
}

// ExecutionState contains the fields of a rollout that a call may change.
type ExecutionState struct {
	Status     models.ExecutionStatus
	StageIndex int
	Percentage float64
}

// Flag is a flag whose value on the devices of a release would change. A link applies while its release is enabled.
type Flag struct {
	FlagID  int64
	FlagKey string
	// UpdateID is 0 for a release that the call would publish.
	UpdateID int64
	// Release is nil if UpdateID is 0.
	Release *models.Release
	// Before and After are nil if the release does not set the flag.
	Before, After *models.LinkedFlag
}

// DifferenceOf returns the difference between a project before and after a call. Channels are ordered by name, and all other
// lists by ID.
func DifferenceOf(before, after models.PreviewedState) (d Difference) {
	for _, id := range idsOf(before.Releases, after.Releases) {
		was, existed := before.Releases[id]
		is, exists := after.Releases[id]
		r := Release{Release: is, Published: !existed}
		if existed {
			r.Before = releaseState(was)
		}
		if exists {
			r.After = releaseState(is)
		}
		if !reflect.DeepEqual(r.Before, r.After) {
			d.Releases = append(d.Releases, r)
		}
		d.Flags = append(d.Flags, flagsOf(was, is, !existed)...)
	}
	for _, id := range idsOf(before.Executions, after.Executions) {
		was, existed := before.Executions[id]
		is := after.Executions[id]
		e := Execution{
			RolloutExecution: is, Started: !existed, Before: executionState(was), After: executionState(is),
			Recounts: existed && !reflect.DeepEqual(was.CountsSince, is.CountsSince),
		}
		if e.Before != e.After || e.Recounts {
			d.Executions = append(d.Executions, e)
		}
	}
	d.Channels = channelsOf(before.Served.Channels, after.Served.Channels)
	return d
}

// releaseState returns the state of a release, or nil for a deleted release.
func releaseState(r models.Release) *ReleaseState {
	if r.DeletedAt != nil {
		return nil
	}
	return &ReleaseState{r.IsEnabled, r.RolloutPercentage, r.IsCritical}
}

// channelsOf returns the channels that are paused in only one of the lists, ordered by name.
func channelsOf(before, after []models.Channel) (channels []Channel) {
	for _, was := range before {
		i := slices.IndexFunc(after, func(is models.Channel) bool { return is.ID == was.ID })
		if i >= 0 && after[i].IsPaused != was.IsPaused {
			channels = append(channels, Channel{was.Name, ChannelState{was.IsPaused}, ChannelState{after[i].IsPaused}})
		}
	}
	slices.SortFunc(channels, func(a, b Channel) int { return cmp.Compare(a.Name, b.Name) })
	return channels
}

func executionState(e models.RolloutExecution) ExecutionState {
	return ExecutionState{e.Status, e.StageIndex, e.Percentage}
}

func flagsOf(was, is models.Release, published bool) (flags []Flag) {
	before, after := linksOf(was), linksOf(is)
	for _, id := range idsOf(before, after) {
		f := Flag{FlagID: id, UpdateID: is.ID, Release: &is}
		if published {
			f.UpdateID, f.Release = 0, nil
		}
		if link, ok := before[id]; ok {
			f.Before, f.FlagKey = &link, link.FlagKey
		}
		if link, ok := after[id]; ok {
			f.After, f.FlagKey = &link, link.FlagKey
		}
		if !reflect.DeepEqual(f.Before, f.After) {
			flags = append(flags, f)
		}
	}
	return flags
}

// linksOf returns the flag links of a release that apply.
func linksOf(r models.Release) map[int64]models.LinkedFlag {
	links := map[int64]models.LinkedFlag{}
	if r.IsEnabled && r.DeletedAt == nil {
		for _, l := range r.LinkedFlags {
			links[l.FlagID] = l
		}
	}
	return links
}

func idsOf[T any](before, after map[int64]T) []int64 {
	ids := slices.AppendSeq(slices.Collect(maps.Keys(before)), maps.Keys(after))
	slices.Sort(ids)
	return slices.Compact(ids)
}
