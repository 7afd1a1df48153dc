package release

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// rollbackOf names what a rollback affects: a platform, or both if it is empty, and a runtime version. to is the ID of the
// release to return to, 0 for the embedded update.
type rollbackOf struct {
	platform, runtime string
	to                int64
}

// parts returns the platforms and runtime versions to roll back, each with the release to return to. notes describe the
// platforms that are left out. With a platform and a runtime version, it does not call the API.
func (of rollbackOf) parts(c command.Call, channel string) (parts []client.RollbackPart, notes []string, err error) {
	if of.platform != "" && of.runtime != "" {
		return []client.RollbackPart{rollbackPart(of.platform, of.runtime, of.to)}, nil, nil
	}
	if of.to == 0 {
		parts, err = of.embeddedParts(c, channel)
		return parts, nil, err
	}
	res, err := c.API.GetUpdateWithResponse(c.Context(), of.to, &client.GetUpdateParams{})
	if err != nil {
		return nil, nil, err
	}
	if res.JSON200 == nil {
		return nil, nil, command.ErrNoRecord
	}
	goal := *res.JSON200
	parts = []client.RollbackPart{rollbackPart(cmp.Or(of.platform, string(goal.Platform)), cmp.Or(of.runtime, goal.RuntimeVersion), of.to)}
	if of.platform != "" {
		return parts, nil, nil
	}
	others, notes, err := otherParts(c, channel, goal)
	return append(parts, others...), notes, err
}

// rollbackPart returns the rollback of one platform to the release with the ID to, 0 for the embedded update.
func rollbackPart(platform, runtime string, to int64) client.RollbackPart {
	part := client.RollbackPart{Platform: client.RollbackPartPlatform(platform), RuntimeVersion: runtime}
	if to != 0 {
		part.RollbackToUpdateID = &to
	}
	return part
}

// otherParts returns the other platform of the group of goal, unless every device of that platform has the files already.
func otherParts(
	c command.Call, channel string, goal client.Update,
) (parts []client.RollbackPart, notes []string, err error) {
	targets, err := targetsOf(c, channel)
	if err != nil {
		return nil, nil, err
	}
	group, err := releasesOf(c, goal)
	if err != nil {
		return nil, nil, err
	}
	counterpart := slices.IndexFunc(group, func(u client.Update) bool {
		return u.Platform != goal.Platform && u.Kind == client.UpdateKindUpdate
	})
	if counterpart < 0 {
		for _, platform := range platformsOf(targets) {
			if platform != string(goal.Platform) {
				notes = append(notes, fmt.Sprintf("%s keeps what it has, because release %d was not published for it", platform, goal.ID))
			}
		}
		return nil, notes, nil
	}
	other := group[counterpart]
	if slices.ContainsFunc(targets, func(t client.StreamOverview) bool { return everyDeviceHas(t, other) }) {
		note := fmt.Sprintf("%s keeps what it has, because every device gets the files of release %d already", other.Platform, other.ID)
		return nil, []string{note}, nil
	}
	return []client.RollbackPart{rollbackPart(string(other.Platform), other.RuntimeVersion, other.ID)}, nil, nil
}

// embeddedParts returns every platform on which some devices of the runtime version get a release.
func (of rollbackOf) embeddedParts(c command.Call, channel string) (parts []client.RollbackPart, err error) {
	targets, err := targetsOf(c, channel)
	if err != nil {
		return nil, err
	}
	for _, t := range targets {
		if t.RuntimeVersion == of.runtime && someDevicesHave(t) {
			parts = append(parts, rollbackPart(string(t.Platform), t.RuntimeVersion, 0))
		}
	}
	if len(parts) == 0 {
		return nil, command.NotFoundf("channel %q does not have a release for runtime version %q; `waft releases list --channel %[1]s` "+
			"lists its releases", channel, of.runtime)
	}
	return parts, nil
}

// targetsOf returns the targets of a channel, or of all channels if it is "", for platforms that have releases.
func targetsOf(c command.Call, channel string) ([]client.StreamOverview, error) {
	res, err := c.API.GetOverviewWithResponse(c.Context(), &client.GetOverviewParams{Channel: command.Optional(channel)})
	if err != nil {
		return nil, err
	}
	if res.JSON200 == nil {
		return nil, command.ErrNoRecord
	}
	hasNoReleases := func(t client.StreamOverview) bool { return !client.RollbackPartPlatform(t.Platform).Valid() }
	return slices.DeleteFunc(*res.JSON200, hasNoReleases), nil
}

// platformsOf returns the platforms of targets, each once.
func platformsOf(targets []client.StreamOverview) []string {
	platforms := make([]string, len(targets))
	for i, t := range targets {
		platforms[i] = string(t.Platform)
	}
	slices.Sort(platforms)
	return slices.Compact(platforms)
}

// someDevicesHave reports whether some devices of a target get a release.
func someDevicesHave(t client.StreamOverview) bool {
	return t.Rollout != nil || isPartlyNewer(t) || t.Release != nil && t.Release.Kind == client.UpdateKindUpdate
}

// everyDeviceHas reports whether every device of a target gets the files of u already.
func everyDeviceHas(t client.StreamOverview, u client.Update) bool {
	r := t.Release
	return string(t.Platform) == string(u.Platform) && t.RuntimeVersion == u.RuntimeVersion && t.Rollout == nil && !isPartlyNewer(t) &&
		r != nil && r.BuildID != nil && u.BuildID != nil && *r.BuildID == *u.BuildID
}

// isPartlyNewer reports whether some devices of a target get a newer release than the others.
func isPartlyNewer(t client.StreamOverview) bool {
	return t.NewestUpdateID != nil && (t.Release == nil || *t.NewestUpdateID != t.Release.ID)
}

// releasesOf returns the releases of u's group on its branch.
func releasesOf(c command.Call, u client.Update) ([]client.Update, error) {
	res, err := c.API.ListUpdatesWithResponse(c.Context(), &client.ListUpdatesParams{
		GroupID: &u.GroupID, Branch: &u.BranchName, Limit: new(command.ListLimit),
	})
	if err != nil {
		return nil, err
	}
	if res.JSON200 == nil {
		return nil, command.ErrNoRecord
	}
	return *res.JSON200, nil
}
