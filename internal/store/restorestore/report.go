package restorestore

import (
	"fmt"
	"strings"
	"time"

	"github.com/waft-ota/waft/internal/base/count"
)

// Report describes a restore to the operator. It is stored with the restore as JSON.
type Report struct {
	Source     string    `json:"source"`
	BackedUpAt time.Time `json:"backedUpAt"`
	RestoredAt time.Time `json:"restoredAt"`
	// Projects lists the slugs of the restored projects.
	Projects []string `json:"projects"`
	// Rollouts lists the rollouts that were running, and are paused now.
	Rollouts []PausedRollout `json:"rollouts"`
	// Approvals, Schedules, Deliveries and Mails are the numbers of calls, changes of flags, webhook messages and emails that
	// wait again.
	Approvals  int `json:"approvals"`
	Schedules  int `json:"schedules"`
	Deliveries int `json:"deliveries"`
	Mails      int `json:"mails"`
	// Sessions is the number of sessions that ended.
	Sessions int `json:"sessions"`
	// Keys lists the API keys that were created or revoked in the day before the backup.
	Keys []Key `json:"keys"`
	// SecretKeyLost is as in Facts. SigningKeys are then the projects whose code signing key was deleted, and Webhooks the
	// webhooks that were deleted.
	SecretKeyLost bool      `json:"secretKeyLost"`
	SigningKeys   []string  `json:"signingKeys"`
	Webhooks      []Webhook `json:"webhooks"`
}

// PausedRollout is a rollout that was running in the backup. Percentage is its rollout percentage, from 0 to 100.
type PausedRollout struct {
	Project    string  `json:"project"`
	ID         int64   `json:"id"`
	Release    string  `json:"release"`
	Percentage float64 `json:"percentage"`
}

// Key is an API key that was created or revoked shortly before the backup. RevokedAt is nil for a valid key.
type Key struct {
	Project   string     `json:"project"`
	Name      string     `json:"name"`
	Prefix    string     `json:"prefix"`
	Role      string     `json:"role"`
	CreatedAt time.Time  `json:"createdAt"`
	RevokedAt *time.Time `json:"revokedAt,omitempty"`
}

// Webhook is a webhook whose secret is lost. URL shows neither passwords nor tokens.
type Webhook struct {
	Project string `json:"project"`
	URL     string `json:"url"`
}

const timeFormat = "2006-01-02 15:04:05 UTC"

// String returns the report as lines of text for the operator.
func (r Report) String() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	backup := r.BackedUpAt.UTC().Format(timeFormat)
	line("Restored %s from the backup of %s.", count.Of(len(r.Projects), "project"), backup)
	r.writeRollouts(line)
	line("Releases that were disabled or rolled back after %s are served again: roll them back again.", backup)
	line("Waiting again: %s, %s, %s, %s.", count.Of(r.Approvals, "approval"), count.Of(r.Schedules, "scheduled change")+" of flags",
		count.Of(r.Deliveries, "webhook message"), count.Of(r.Mails, "emailed invitation"))
	line("A webhook message that was sent after the backup is sent again, with the same webhook-id.")
	line("All sessions have ended (%d): everybody signs in again, and terminals run `waft login`.", r.Sessions)
	line("Passwords, passkeys, members and roles are as they were at %s. Remove the members again that you removed after that.", backup)
	r.writeKeys(line, backup)
	r.writeLostSecrets(line)
	return b.String()
}

type printer = func(format string, args ...any)

func (r Report) writeRollouts(line printer) {
	if len(r.Rollouts) == 0 {
		line("No rollout was running.")
		return
	}
	line("Paused %s. Check the health of each release, then resume the rollout:", count.Of(len(r.Rollouts), "rollout"))
	for _, e := range r.Rollouts {
		line("  %s: rollout %d of %s, at %g%%", e.Project, e.ID, e.Release, e.Percentage)
	}
}

func (r Report) writeKeys(line printer, backup string) {
	line("API keys that were created after %s do not work any more: create them again.", backup)
	line("API keys that were revoked after %s are valid again: revoke them again.", backup)
	if len(r.Keys) == 0 {
		line("The backup does not list these keys. In the 24 hours before it, no key was created or revoked.")
		return
	}
	line("The backup does not list these keys. In the 24 hours before it, these keys were created or revoked:")
	for _, k := range r.Keys {
		revoked := "valid"
		if k.RevokedAt != nil {
			revoked = "revoked " + k.RevokedAt.UTC().Format(timeFormat)
		}
		line("  %s: %s (%s, %s), created %s, %s", k.Project, k.Name, k.Role, k.Prefix, k.CreatedAt.UTC().Format(timeFormat), revoked)
	}
}

func (r Report) writeLostSecrets(line printer) {
	if !r.SecretKeyLost {
		return
	}
	line("The WAFT_SECRET_KEY of the backup is lost. The restore deleted the secrets that it had encrypted:")
	for _, project := range r.SigningKeys {
		line("  %s: the code signing key. Upload it again: until then, apps that expect signatures refuse every update.", project)
	}
	for _, w := range r.Webhooks {
		line("  %s: the webhook to %s, with its deliveries. Create it again.", w.Project, w.URL)
	}
	line("  Every project: the key that hashes device IDs and networks. Each counts once more as a new one, and hashIds is off.")
}
