package models

import (
	"fmt"
	"strings"
	"time"
)

// Rollback is a request to roll back the releases that a channel delivers.
type Rollback struct {
	Channel        string   `json:"channel"`
	Platform       Platform `json:"platform"`
	RuntimeVersion string   `json:"runtimeVersion"`
	// ToUpdateID is the ID of the release to return to; nil means the embedded update.
	ToUpdateID *int64 `json:"rollbackToUpdateId,omitempty"`
	// Others contains further platforms and runtime versions of the channel that are rolled back in the same transaction.
	Others []RollbackPart `json:"others,omitempty"`
	// AllowDisabled allows a rollback to releases that are disabled.
	AllowDisabled bool   `json:"allowDisabled,omitempty"`
	Reason        string `json:"reason,omitempty"`
}

// RollbackPart is a rollback of one platform and runtime version. ToUpdateID is the ID of the release to return to; nil means
// the embedded update.
type RollbackPart struct {
	Platform       Platform `json:"platform"`
	RuntimeVersion string   `json:"runtimeVersion"`
	ToUpdateID     *int64   `json:"rollbackToUpdateId,omitempty"`
}

// maxRollbackParts is the maximum number of platforms and runtime versions that one call rolls back.
const maxRollbackParts = 20

// Parts returns the rollbacks that the request consists of, at least one.
func (r Rollback) Parts() []RollbackPart {
	return append([]RollbackPart{{Platform: r.Platform, RuntimeVersion: r.RuntimeVersion, ToUpdateID: r.ToUpdateID}}, r.Others...)
}

func (r Rollback) Validate() error {
	var p Problems
	checkStreamName(&p, "channel", r.Channel)
	checkText(&p, "reason", r.Reason, maxReasonBytes)
	parts := r.Parts()
	if len(parts) > maxRollbackParts {
		p.Add("others", "must have at most %d entries", maxRollbackParts-1)
		return p.Err()
	}
	for i, part := range parts {
		within := partOf(i)
		checkOneOf(&p, within+"platform", part.Platform, IOS, Android)
		CheckRuntimeVersion(&p, within+"runtimeVersion", part.RuntimeVersion)
		if part.ToUpdateID != nil && *part.ToUpdateID <= 0 {
			p.Add(within+"rollbackToUpdateId", "must be the ID of a release")
		}
		for _, earlier := range parts[:i] {
			if earlier.Platform == part.Platform && earlier.RuntimeVersion == part.RuntimeVersion {
				p.Add(within+"platform", "%s with runtime version %q is listed twice", part.Platform.Shown(), part.RuntimeVersion)
			}
		}
	}
	return p.Err()
}

// partOf returns the path in the request of the fields of the part with the index.
func partOf(index int) string {
	if index == 0 {
		return ""
	}
	return fmt.Sprintf("others[%d].", index-1)
}

// RollbackGoalField returns the path in the request of the release that the part with the index returns to.
func RollbackGoalField(index int) string { return partOf(index) + "rollbackToUpdateId" }

// RollbackGoal is the release that a rollback returns to.
type RollbackGoal struct {
	UpdateID       int64
	ReleaseMessage string
	IsEnabled      bool
	// Disabling is nil for an enabled release.
	Disabling *Disabling
}

// Disabling holds the time, the actor and the reason of the disabling of a release.
type Disabling struct {
	At time.Time `json:"at"`
	// Type, ID and Name identify the actor.
	Type ActorType `json:"type"`
	ID   string    `json:"id"`
	Name string    `json:"name"`
	// Reason is "" if none was given.
	Reason string `json:"reason"`
}

// Sentence returns a sentence about the goal, which is disabled.
func (g RollbackGoal) Sentence() string {
	return g.Disabling.Sentence(ReleasePhrase(g.UpdateID, g.ReleaseMessage))
}

// Sentence describes the disabling of the release in one sentence. release is a phrase that identifies it.
func (d *Disabling) Sentence(release string) string {
	release = strings.ToUpper(release[:1]) + release[1:]
	if d == nil {
		return release + " is disabled."
	}
	by := Actor{Type: d.Type, ID: d.ID, Name: d.Name}.Shown()
	if d.Type == ActorSystem {
		by = "Waft"
	}
	text := fmt.Sprintf("%s was disabled by %s on %s", release, by, d.At.UTC().Format("2006-01-02 15:04 UTC"))
	if d.Reason != "" {
		text += ": " + strings.TrimSuffix(d.Reason, ".")
	}
	return text + "."
}

// RefuseDisabled returns an Error with CodeGoalDisabled that describes the goal.
func (g RollbackGoal) RefuseDisabled() error {
	e := Errorf(CodeGoalDisabled, "%s To return to it anyway, send allowDisabled: true", g.Sentence())
	e.Goal = &g
	return e
}

// ExecutionRollbackScope is the scope of a manual rollback of a rollout.
type ExecutionRollbackScope string

// Scopes, from narrow to wide.
const (
	// RollbackFlag reverts one linked flag; the rollout continues.
	RollbackFlag ExecutionRollbackScope = "flag"
	// RollbackRelease rolls back the release, on its platform.
	RollbackRelease ExecutionRollbackScope = "release"
	// RollbackChannel rolls back all releases of the branch that are newer than the last release that reached every device,
	// on every platform and runtime version.
	RollbackChannel ExecutionRollbackScope = "channel"
)

// ExecutionRollback is a request for a manual rollback of a rollout.
type ExecutionRollback struct {
	Scope ExecutionRollbackScope
	// FlagID is the flag to revert with the scope RollbackFlag, otherwise nil.
	FlagID *int64
	// AllPlatforms extends the scope RollbackRelease to the other platforms of the release's group on its branch.
	AllPlatforms bool
	Reason       string
}

func (r ExecutionRollback) Validate() error {
	var p Problems
	checkOneOf(&p, "scope", r.Scope, RollbackFlag, RollbackRelease, RollbackChannel)
	if r.Scope == RollbackFlag && r.FlagID == nil {
		p.Add("flagId", "is required with scope flag: name the linked flag to revert")
	} else if r.Scope != RollbackFlag && r.FlagID != nil {
		p.Add("flagId", "is only allowed with the scope flag")
	}
	if r.AllPlatforms && r.Scope != RollbackRelease {
		p.Add("allPlatforms", "is only allowed with the scope release")
	}
	checkText(&p, "reason", r.Reason, maxReasonBytes)
	return p.Err()
}
