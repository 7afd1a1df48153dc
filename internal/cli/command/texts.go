package command

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// OrDash returns the value as a string, or a dash for nil.
func OrDash[T any](v *T) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprint(*v)
}

// ActorText returns the name of a person, a key or a component of Waft.
func ActorText(actorType, id, name string) string {
	if actor := (models.Actor{Type: models.ActorType(actorType), ID: id, Name: name}); !actor.Internal() {
		return actor.Shown()
	}
	return name
}

// OneLine returns the text without line breaks, cut to width cells of a terminal.
func OneLine(text string, width int) string {
	return terminal.Shorten(terminal.Plain(Cell(text)), width) // Plain goes first, because escape sequences have no width
}

// Cell returns the text without line breaks, for a table, which shortens it where it does not fit a terminal.
func Cell(text string) string { return strings.Join(strings.Fields(text), " ") }

// Words returns a name of the API as words, such as rolled back for rolled_back.
func Words(name string) string { return strings.ReplaceAll(name, "_", " ") }

// ReleaseMessage returns the release notes. For a successor it also names the releases that it replaces.
func ReleaseMessage(u client.Update) string {
	switch {
	case u.Kind == client.UpdateKindRollbackToEmbedded:
		return "back to the embedded update"
	case len(u.RolledBackUpdateIds) > 0 && u.RepublishedFromID != nil:
		return fmt.Sprintf("copy of release %d, which replaces %s: %s", *u.RepublishedFromID, IDList(u.RolledBackUpdateIds), u.ReleaseMessage)
	}
	return u.ReleaseMessage
}

// RunningText identifies what a device runs: a release, an update that the project does not have, or the embedded update.
func RunningText(update *uuid.UUID, release *client.ReleaseName) string {
	switch {
	case release != nil:
		return ReleasePhrase(release.UpdateID, release)
	case update != nil:
		return "update " + update.String()
	}
	return "the embedded update"
}

// ReleasePhrase identifies a release by the first line of its notes and its ID. Without notes, it returns the ID only.
func ReleasePhrase(id int64, name *client.ReleaseName) string {
	if name == nil {
		return models.ReleasePhrase(id, "")
	}
	return models.ReleasePhrase(id, name.ReleaseMessage)
}

// IDList returns the IDs separated by commas.
func IDList(ids []int64) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.FormatInt(id, 10)
	}
	return strings.Join(texts, ", ")
}

// LinkText returns the value that a linked flag has on the devices that run the release.
func LinkText(l client.LinkedFlag) string {
	if !l.Enabled {
		return "off"
	}
	return "on, " + l.Value
}

// RolloutText returns the state of a rollout in one line.
func RolloutText(e models.RolloutExecution) string {
	text := fmt.Sprintf("%s, stage %s, rollout percentage %v%%", Words(string(e.Status)), StageText(e), e.Percentage)
	if h := e.Health; h != nil && h.Devices == 0 { // the rate is unknown
		text += ", 0 devices"
	} else if h != nil {
		text += fmt.Sprintf(", %s, crash rate %.2f%% (%d)%s", count.Of(h.Devices, "device"), h.CrashRate, h.CrashedDevices, votesText(e))
	}
	if e.WaitingFor != "" {
		text += ", waiting for " + string(e.WaitingFor)
	}
	return text
}

// votesText returns the crash rate as the mean vote of the networks, or "" where devices decide instead of networks.
func votesText(e models.RolloutExecution) string {
	v, limits := e.Health.Votes, e.Thresholds
	if e.StageIndex < len(e.Stages) {
		limits = rollout.EffectiveThresholds(e.Stages[e.StageIndex], limits)
	}
	if v.Networks == 0 || limits.LeastNetworks() == 1 {
		return ""
	}
	rate := 100 * v.Crashed.Sum / float64(v.Networks)
	if v.Networks == 1 {
		return fmt.Sprintf(", %.2f%% by the vote of 1 network", rate)
	}
	return fmt.Sprintf(", %.2f%% by the votes of %d networks", rate, v.Networks)
}

// StageText returns the number of the current stage and the number of stages.
func StageText(e models.RolloutExecution) string {
	return fmt.Sprintf("%d of %d", min(e.StageIndex+1, len(e.Stages)), len(e.Stages))
}

// EvidenceText formats an e-value. Values above 1000 are not shown exactly.
func EvidenceText(e float64) string {
	if e > 1000 {
		return "over 1000"
	}
	return fmt.Sprintf("%.2f", e)
}
