package release

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/models"
)

// undo is the rollback of the newest release of a target. It ends the release's rollout if one is open. Otherwise it returns the
// channel to the newest earlier release with other files, or to the embedded update.
type undo struct {
	target  client.StreamOverview
	release client.Update
	reason  string
	// both includes the other platform of the same publish.
	both bool
	// goal is the release to return to, nil for the embedded update and for the rollback of a rollout.
	goal *client.Update
	// parts and notes belong to a rollback of the channel. They are empty for the rollback of a rollout.
	parts []client.RollbackPart
	notes []string
}

// rollsOut reports whether the release has an open rollout.
func (u undo) rollsOut() bool { return len(u.parts) == 0 }

// newestOf returns the ID of the newest release that some devices of a target get, 0 for none.
func newestOf(t client.StreamOverview) (id int64) {
	if t.Release != nil {
		id = t.Release.ID
	}
	if t.NewestUpdateID != nil && isPartlyNewer(t) {
		id = max(id, *t.NewestUpdateID)
	}
	if t.Rollout != nil {
		id = max(id, t.Rollout.UpdateID)
	}
	return id
}

// newestTarget returns the target whose newest release is the newest of all.
func newestTarget(targets []client.StreamOverview) client.StreamOverview {
	return slices.MaxFunc(targets, func(a, b client.StreamOverview) int { return cmp.Compare(newestOf(a), newestOf(b)) })
}

// planUndo finds out what the rollback of a target's newest release returns to.
func planUndo(c command.Call, t client.StreamOverview, both bool, reason string) (*undo, error) {
	id := newestOf(t)
	if id == 0 {
		return nil, command.NotFoundf("%s has no release to roll back; devices run the embedded update", targetText(t))
	}
	res, err := c.API.GetUpdateWithResponse(c.Context(), id, &client.GetUpdateParams{})
	if err != nil {
		return nil, err
	}
	if res.JSON200 == nil {
		return nil, command.ErrNoRecord
	}
	u := &undo{target: t, release: *res.JSON200, reason: reason, both: both}
	switch {
	case u.release.RolloutExecutionID != nil:
		return u, nil
	case u.release.Kind == client.UpdateKindRollbackToEmbedded:
		return nil, command.NotFoundf("devices of %s get the embedded update already; `waft rollback --to` returns to a release", targetText(t))
	}
	goal, err := goalOf(c, u.release)
	if err != nil {
		return nil, err
	}
	u.goal = goal
	var to int64
	if goal != nil {
		to = goal.ID
	}
	u.parts = []client.RollbackPart{rollbackPart(string(t.Platform), t.RuntimeVersion, to)}
	if !both {
		return u, nil
	}
	return u, u.includeOther(c, goal)
}

// goalOf returns the newest enabled release before u that has other files, nil for none.
func goalOf(c command.Call, u client.Update) (*client.Update, error) {
	res, err := c.API.ListUpdatesWithResponse(c.Context(), &client.ListUpdatesParams{
		Branch: &u.BranchName, Platform: new(client.ListUpdatesParamsPlatform(u.Platform)), RuntimeVersion: &u.RuntimeVersion,
		Kind: new(client.ListUpdatesParamsKindUpdate), IsEnabled: new(client.ListUpdatesParamsIsEnabledTrue), Before: &u.ID,
		OtherFilesThan: &u.ID,
		Limit:          new(int64(1)),
	})
	if err != nil {
		return nil, err
	}
	if res.JSON200 == nil {
		return nil, command.ErrNoRecord
	}
	if len(*res.JSON200) == 0 {
		return nil, nil
	}
	return &(*res.JSON200)[0], nil
}

// includeOther adds the other platform, if the release was published for it too.
func (u *undo) includeOther(c command.Call, goal *client.Update) error {
	group, err := releasesOf(c, u.release)
	if err != nil {
		return err
	}
	partner := slices.IndexFunc(group, func(other client.Update) bool { return other.Platform != u.release.Platform && other.IsEnabled })
	if partner < 0 {
		return nil
	}
	if goal == nil {
		u.parts = append(u.parts, rollbackPart(string(group[partner].Platform), group[partner].RuntimeVersion, 0))
		return nil
	}
	others, notes, err := otherParts(c, u.target.Channel, *goal)
	u.parts, u.notes = append(u.parts, others...), notes
	return err
}

func (u undo) rolloutBody() client.RollbackExecutionBody {
	body := client.RollbackExecutionBody{Scope: client.RollbackExecutionBodyScope(models.RollbackRelease),
		Reason: command.Optional(u.reason)}
	if u.both {
		body.AllPlatforms = new(true)
	}
	return body
}

func (u undo) channelBody() client.RollbackBody {
	return rollbackBody(u.target.Channel, u.parts, u.reason, false)
}

// preview returns what the rollback changes, and the body of the response.
func (u undo) preview(c command.Call) (*client.ChangePreview, []byte, error) {
	var found command.Found[client.ChangePreview]
	var err error
	if u.rollsOut() {
		found, err = c.API.PreviewRollbackRolloutExecutionWithResponse(c.Context(), *u.release.RolloutExecutionID,
			&client.PreviewRollbackRolloutExecutionParams{}, u.rolloutBody())
	} else {
		found, err = c.API.PreviewRollBackWithResponse(c.Context(), &client.PreviewRollBackParams{}, u.channelBody())
	}
	switch {
	case err != nil:
		return nil, nil, err
	case found.GetJSON200() == nil:
		return nil, nil, command.ErrNoRecord
	}
	return found.GetJSON200(), found.GetBody(), nil
}

// sameChange reports whether two previews change the same. The number of devices is not compared, because it changes all the time.
func sameChange(a, b client.ChangePreview) bool {
	a.DevicesAffected, b.DevicesAffected = nil, nil
	one, errOne := json.Marshal(a)
	two, errTwo := json.Marshal(b)
	return errOne == nil && errTwo == nil && string(one) == string(two)
}

// done describes a rollback: the body of the response, and lines with a link.
type done struct {
	body  []byte
	lines []string
}

// do rolls back.
func (u undo) do(c command.Call) (*done, error) {
	if u.rollsOut() {
		res, err := c.API.RollbackRolloutExecutionWithResponse(c.Context(), *u.release.RolloutExecutionID,
			&client.RollbackRolloutExecutionParams{}, u.rolloutBody())
		switch {
		case err != nil:
			return nil, err
		case res.JSON200 == nil:
			return nil, command.ErrNoRecord
		}
		e := *res.JSON200
		return &done{res.Body, c.WithLink([]string{rolledBackLine(e)}, command.RolloutPage(e))}, nil
	}
	res, err := c.API.RollBackWithResponse(c.Context(), &client.RollBackParams{}, u.channelBody())
	switch {
	case err != nil:
		return nil, err
	case res.JSON201 == nil:
		return nil, command.ErrNoRecord
	}
	return &done{res.Body, c.WithLink(rolledBackLines(c, u.target.Channel, u.parts, u.notes)(*res.JSON201),
		command.ReleasePage(*res.JSON201))}, nil
}

func rolledBackLine(e client.RolloutExecution) string {
	line := fmt.Sprintf("rollout %d of %s is %s", e.ID, models.ReleasePhrase(e.UpdateID, e.ReleaseMessage), command.Words(string(e.Status)))
	if e.Successor != nil {
		return fmt.Sprintf("%s; its devices get release %d", line, e.Successor.UpdateID)
	}
	return line
}

// targetText names the devices of a target.
func targetText(t client.StreamOverview) string {
	return fmt.Sprintf("%s for %s %s", t.Channel, t.Platform, t.RuntimeVersion)
}
