package preview

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// advanced returns the preview of a release whose rollout percentage changes, next to an older release for every device.
func advanced(from, to float64) models.PreviewedChange {
	release := func(id int64, percentage float64) models.Release {
		group := uuid.NewSHA1(uuid.Nil, []byte{byte(id)})
		return models.Release{
			ID: id, UpdateUUID: group, GroupID: group, ShareSalt: models.ReleaseSalt(group), BranchID: 3, BranchName: "main", Platform: models.IOS,
			RuntimeVersion: "1.0.0", IsEnabled: true, RolloutPercentage: percentage, Kind: models.KindUpdate,
			CreatedAt: noon.Add(time.Duration(id) * time.Second),
		}
	}
	state := func(percentage float64) models.PreviewedState {
		older, newer := release(16, 100), release(17, percentage)
		return models.PreviewedState{
			Releases: map[int64]models.Release{17: newer},
			Served: models.ProjectSnapshot{
				Project: models.Project{ID: 1, Slug: "demo"}, Branches: []models.Branch{{ID: 3, Name: "main"}},
				Channels: []models.Channel{{ID: 4, Name: "production", BranchID: 3}}, Releases: []*models.Release{&newer, &older},
			},
		}
	}
	return models.PreviewedChange{Before: state(from), After: state(to)}
}

func TestAffectedDevicesAreThoseBetweenTwoShares(t *testing.T) {
	t.Parallel()
	c := advanced(10, 35)
	d := DifferenceOf(c.Before, c.After)
	require.Len(t, d.Releases, 1)
	r := d.Releases[0]
	require.Equal(t, []any{&ReleaseState{true, 10, false}, &ReleaseState{true, 35, false}, false}, []any{r.Before, r.After, r.Published})
	var seen models.SeenDevices
	between := int64(0)
	for n := range 2000 {
		device := models.SeenDevice{
			DeviceID: fmt.Sprintf("device-%d", n), UpdateUUID: c.Before.Served.Releases[1].UpdateUUID.String(),
			Stream: models.Stream{Channel: "production", Platform: models.IOS, RuntimeVersion: "1.0.0"},
		}
		if rollout.InShare(r.ShareSalt, device.DeviceID, 35) && !rollout.InShare(r.ShareSalt, device.DeviceID, 10) {
			between++
		}
		seen.List = append(seen.List, device)
	}
	seen.Total = int64(len(seen.List))
	affected, err := Affected(c, d, seen)
	require.NoError(t, err)
	require.Positive(t, between)
	require.Equal(t, between, affected)

	seen.Total *= 10 // a sample
	affected, err = Affected(c, d, seen)
	require.NoError(t, err)
	require.Equal(t, 10*between, affected)
}

func TestOnlyDevicesThatAChangeConcernsAreAskedFor(t *testing.T) {
	t.Parallel()
	c := advanced(10, 35)
	stream := models.Stream{Platform: models.IOS, RuntimeVersion: "1.0.0"}
	require.Equal(t, models.PreviewQuery{Channels: []string{"production"}, Streams: []models.Stream{stream}}, QueryOf(c, Difference{}))
	c.After.Served.Channels = []models.Channel{{ID: 4, Name: "production", BranchID: 3, IsPaused: true, UpdatedAt: noon}}
	require.Equal(t, models.PreviewQuery{Channels: []string{"production"}}, QueryOf(c, Difference{}))
	c = advanced(10, 10)
	c.Before.Releases, c.After.Releases = nil, nil
	require.Empty(t, QueryOf(c, Difference{}))
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	warned := func(c models.PreviewedChange) []string {
		texts, err := Warnings(c, DifferenceOf(c.Before, c.After), 21)
		require.NoError(t, err)
		return texts
	}
	require.Empty(t, warned(advanced(10, 35)))
	nothing := advanced(10, 10)
	require.Equal(t, []string{"This call would not change anything."}, warned(nothing))

	c := advanced(10, 35)
	c.Needed = []models.ApprovalNeeded{{Channels: []string{"production"}, Required: 2}, {Channels: []string{"a", "b"}}}
	c.Overrides = 3
	c.After.Served.Channels[0].MinRuntimeVersion = new("2.0.0")
	c.After.Served.Channels = append(c.After.Served.Channels, models.Channel{ID: 5, Name: "beta", BranchID: 3, IsPaused: true})
	critical := c.Before.Releases[17]
	critical.IsCritical = true
	c.Before.Releases[17] = critical
	critical.IsEnabled = false
	c.After.Releases[17] = critical
	c.After.Releases[18] = models.Release{
		ID: 18, Kind: models.KindRollbackToEmbedded, Platform: models.IOS, RuntimeVersion: "1.0.0", IsEnabled: true,
	}
	open := models.RolloutExecution{ID: 21, UpdateID: 17, Status: models.ExecutionRunning}
	other := models.RolloutExecution{ID: 22, UpdateID: 16, ReleaseMessage: "Faster checkout", Status: models.ExecutionPaused}
	c.Before.Executions = map[int64]models.RolloutExecution{21: open, 22: other}
	open.Status, other.Status = models.ExecutionRolledBack, models.ExecutionCancelled
	c.After.Executions = map[int64]models.RolloutExecution{21: open, 22: other}
	require.Equal(t, []string{
		"Channel production is protected. The call would wait for approvals (2 required).",
		"The channels a, b are protected. Only admins may make this call.",
		"This call would disable release 17, which is critical.",
		"iOS devices with runtime version 1.0.0 would return to the embedded update.",
		"The rollout of release “Faster checkout” (#16) would be cancelled.",
		"Channel production requires at least runtime version 2.0.0. Its devices with runtime version 1.0.0 do not get updates.",
		"Channel beta is paused. Its devices do not get updates until it is resumed.",
		"The project has user overrides (3). The number of affected devices ignores them.",
	}, warned(c))
}

func TestChannelsThatArePausedOrResumedAreTold(t *testing.T) {
	t.Parallel()
	state := func(channels ...models.Channel) models.PreviewedState {
		return models.PreviewedState{Served: models.ProjectSnapshot{Channels: channels}}
	}
	channel := func(id int64, name string, paused bool) models.Channel {
		return models.Channel{ID: id, Name: name, IsPaused: paused}
	}
	d := DifferenceOf(
		state(channel(4, "production", false), channel(5, "beta", true), channel(6, "old", true), channel(7, "gone", false)),
		state(channel(4, "production", true), channel(5, "beta", false), channel(6, "old", true), channel(8, "new", true)),
	)
	require.Equal(t, []Channel{
		{"beta", ChannelState{true}, ChannelState{false}}, {"production", ChannelState{false}, ChannelState{true}},
	}, d.Channels)
}

func TestLinkedFlagsAreInForceWhileTheirReleaseIsEnabled(t *testing.T) {
	t.Parallel()
	link := models.LinkedFlag{FlagID: 5, FlagKey: "checkout", Enabled: true, Value: "true"}
	with := func(id int64, enabled bool, links ...models.LinkedFlag) map[int64]models.Release {
		return map[int64]models.Release{id: {ID: id, IsEnabled: enabled, LinkedFlags: links}}
	}
	state := func(releases map[int64]models.Release) models.PreviewedState {
		return models.PreviewedState{Releases: releases}
	}
	flags := func(before, after map[int64]models.Release) []Flag {
		flags := DifferenceOf(state(before), state(after)).Flags
		for i, f := range flags {
			require.Equal(t, f.UpdateID != 0, f.Release != nil)
			flags[i].Release = nil
		}
		return flags
	}
	require.Equal(t, []Flag{{FlagID: 5, FlagKey: "checkout", UpdateID: 17, Before: &link}}, flags(with(17, true, link), with(17, false, link)))
	require.Equal(t, []Flag{{FlagID: 5, FlagKey: "checkout", UpdateID: 17, Before: &link}}, flags(with(17, true, link), with(17, true)))
	require.Equal(t, []Flag{{FlagID: 5, FlagKey: "checkout", After: &link}}, flags(nil, with(18, true, link)))
	require.Empty(t, flags(with(17, false, link), with(17, false)))
}
