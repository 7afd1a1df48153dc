package models

import (
	"time"

	"github.com/google/uuid"
)

// Project is the tenant: everything else belongs to exactly one.
type Project struct {
	Versioned
	ID         int64
	UUID       uuid.UUID
	Name, Slug string
	CreatedAt  time.Time
	// SnapshotVersion grows with every change that may alter what devices are served.
	SnapshotVersion int64
	// LastReleaseMillis is the newest commit time, in Unix milliseconds. It only grows.
	LastReleaseMillis int64
	// BuildRetentionDays, TelemetryRetentionDays, HashIDs and TrustedNetworks are those of Settings.
	BuildRetentionDays     *int
	TelemetryRetentionDays *int
	HashIDs                bool     `gorm:"column:hash_ids"`
	TrustedNetworks        []string `gorm:"type:jsonb;serializer:json"`
	// HasProtected says that a channel of the project is protected. Postgres keeps it.
	HasProtected bool `gorm:"->"`
	// SealedHashKey is the encrypted key that hashes device ids and networks.
	SealedHashKey string
}

type NewProject struct {
	Name string
	// Slug is made from Name when empty.
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
	if !slugPattern.MatchString(n.Slug) {
		p.Add("slug", "must be 1 to %d lower-case letters, digits or hyphens and begin with a letter or digit", maxSlugBytes)
	}
	return p.Err()
}

// DefaultBuildRetentionDays is BuildRetentionDays of a new project.
const DefaultBuildRetentionDays = 90

const (
	maxBuildRetentionDays = 3650
	// maxTelemetryRetentionDays is how long ClickHouse keeps roll-ups by device.
	maxTelemetryRetentionDays = 365
)

// Settings are the choices of a project's admins.
type Settings struct {
	// ETag is the ETag of the project.
	ETag string
	// BuildRetentionDays is the age at which the cleanup may delete a build without need; nil is never.
	BuildRetentionDays *int
	// TelemetryRetentionDays is the age at which telemetry of devices is deleted; nil leaves it to the tables.
	TelemetryRetentionDays *int
	// HashIDs stores a keyed hash of each device id in telemetry instead of the id.
	HashIDs bool
	// TrustedNetworks are networks such as 203.0.113.0/24. Each device that is served from them is a
	// network of its own, see Votes. Never nil when read.
	TrustedNetworks []string
}

type SettingsPatch struct {
	BuildRetentionDays, TelemetryRetentionDays Nullable[int]
	HashIDs                                    *bool
	TrustedNetworks                            *[]string
}

func (s SettingsPatch) Validate() error {
	var p Problems
	if days := s.BuildRetentionDays.Value; days != nil && (*days < 1 || *days > maxBuildRetentionDays) {
		p.Add("buildRetentionDays", "must be from 1 to %d, or null to keep builds for ever", maxBuildRetentionDays)
	}
	if days := s.TelemetryRetentionDays.Value; days != nil && (*days < 1 || *days > maxTelemetryRetentionDays) {
		p.Add("telemetryRetentionDays", "must be from 1 to %d, or null to keep telemetry as long as its tables do",
			maxTelemetryRetentionDays)
	}
	ifSet(&p, "trustedNetworks", s.TrustedNetworks, checkTrustedNetworks)
	return p.Err()
}
