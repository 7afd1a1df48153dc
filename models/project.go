package models

import (
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Project is a tenant: all other records belong to exactly one project.
type Project struct {
	Versioned
	ID         int64
	UUID       uuid.UUID
	Name, Slug string
	CreatedAt  time.Time
	// SnapshotVersion grows with every change that may affect devices.
	SnapshotVersion int64
	// LastReleaseMillis is the newest commit time, in Unix milliseconds. It only grows.
	LastReleaseMillis int64
	// BuildRetentionDays, TelemetryRetentionDays, HashIDs and TrustedNetworks are as in Settings.
	BuildRetentionDays     *int
	TelemetryRetentionDays *int
	HashIDs                bool     `gorm:"column:hash_ids"`
	TrustedNetworks        []string `gorm:"type:jsonb;serializer:json"`
	// RepositoryURL is as in Settings.
	RepositoryURL string `gorm:"column:repository_url"`
	// HasProtected means that at least one channel of the project is protected. Postgres maintains the value.
	HasProtected bool `gorm:"->"`
	// SealedHashKey is the encrypted key that hashes device IDs and networks.
	SealedHashKey string
	// BackedUpAt and RestoredAt are the moments of the backup and of the restore that the project was last part of; nil if it
	// was created since, or was never restored.
	BackedUpAt, RestoredAt *time.Time
}

type NewProject struct {
	Name string
	// Slug is derived from Name if empty.
	Slug string
}

func (n *NewProject) Normalize() {
	if n.Slug == "" {
		n.Slug = slugFrom(n.Name)
	}
}

func (n NewProject) Validate() error {
	var p Problems
	checkName(&p, "name", n.Name)
	if !slugPattern().MatchString(n.Slug) {
		p.Add("slug", "must be 1 to %d lower-case letters, digits or hyphens and begin with a letter or digit", maxSlugBytes)
	}
	return p.Err()
}

// DefaultBuildRetentionDays is the value of BuildRetentionDays in a new project.
const DefaultBuildRetentionDays = 90

const (
	maxBuildRetentionDays = 3650
	// maxTelemetryRetentionDays is how long ClickHouse keeps roll-ups per device.
	maxTelemetryRetentionDays = 365
)

// Settings are the settings of a project, which its admins can change.
type Settings struct {
	// ETag is the ETag of the project.
	ETag string
	// BuildRetentionDays is the age at which the cleanup may delete an unused build; nil means never.
	BuildRetentionDays *int
	// TelemetryRetentionDays is the age at which telemetry of devices is deleted; nil means that only the retention of the
	// tables applies.
	TelemetryRetentionDays *int
	// HashIDs makes telemetry store a keyed hash of each device ID instead of the ID.
	HashIDs bool
	// TrustedNetworks are networks such as 203.0.113.0/24. Each device that is served from them counts as its own network;
	// see Votes. The list is never nil when read.
	TrustedNetworks []string
	// RepositoryURL is the https URL of the app's repository, without a slash at its end; "" for none.
	RepositoryURL string
}

type SettingsPatch struct {
	RepositoryURL                              *string
	BuildRetentionDays, TelemetryRetentionDays Nullable[int]
	HashIDs                                    *bool
	TrustedNetworks                            *[]string
}

func (s SettingsPatch) Validate() error {
	var p Problems
	if days := s.BuildRetentionDays.Value; days != nil && (*days < 1 || *days > maxBuildRetentionDays) {
		p.Add("buildRetentionDays", "must be from 1 to %d, or null to keep builds forever", maxBuildRetentionDays)
	}
	if days := s.TelemetryRetentionDays.Value; days != nil && (*days < 1 || *days > maxTelemetryRetentionDays) {
		p.Add("telemetryRetentionDays", "must be from 1 to %d, or null to use the retention of the tables",
			maxTelemetryRetentionDays)
	}
	ifSet(&p, "repositoryUrl", s.RepositoryURL, checkRepositoryURL)
	ifSet(&p, "trustedNetworks", s.TrustedNetworks, checkTrustedNetworks)
	return p.Err()
}

// maxRepositoryURL is the maximum length of the URL of a repository.
const maxRepositoryURL = 500

// checkRepositoryURL accepts "" and a URL to which people's browsers can safely be sent. Links append a path to it.
func checkRepositoryURL(p *Problems, field, v string) {
	u, err := url.Parse(v)
	switch {
	case v == "":
	case err != nil || !strings.HasPrefix(v, "https://") || u.Hostname() == "" || len(v) > maxRepositoryURL || !IsText(v):
		p.Add(field, "must be an https URL of at most %d bytes", maxRepositoryURL)
	case u.User != nil:
		p.Add(field, "must not contain a user name or password")
	case strings.ContainsAny(v, "?#"):
		p.Add(field, "must not contain a query or a fragment")
	case strings.HasSuffix(v, "/"):
		p.Add(field, "must not end with a slash")
	}
}
