package models

// DefaultBuildRetentionDays is how long a new project keeps builds that no release
// needs.
const DefaultBuildRetentionDays = 90

const (
	maxBuildRetentionDays = 3650
	// maxTelemetryRetentionDays is as long as ClickHouse keeps roll-ups by device.
	maxTelemetryRetentionDays = 365
)

// Settings are what the admins of a project decide for it.
type Settings struct {
	// BuildRetentionDays is how many days after its upload the cleanup may delete
	// a build that no release needs; nil is never.
	BuildRetentionDays *int
	// TelemetryRetentionDays is after how many days what telemetry knows of single
	// devices is deleted, where ClickHouse does not delete it sooner; nil leaves it to
	// that.
	TelemetryRetentionDays *int
	// HashIDs makes telemetry know devices by a keyed hash of their ids only.
	HashIDs bool
}

// SettingsPatch changes the fields that are set.
type SettingsPatch struct {
	BuildRetentionDays     Nullable[int]
	TelemetryRetentionDays Nullable[int]
	HashIDs                *bool
}

// Validate reports every bad field.
func (s SettingsPatch) Validate() error {
	var p Problems
	if days := s.BuildRetentionDays.Value; days != nil && (*days < 1 || *days > maxBuildRetentionDays) {
		p.Add("buildRetentionDays", "must be from 1 to %d, or null to keep builds for ever", maxBuildRetentionDays)
	}
	if days := s.TelemetryRetentionDays.Value; days != nil && (*days < 1 || *days > maxTelemetryRetentionDays) {
		p.Add("telemetryRetentionDays", "must be from 1 to %d, or null to keep telemetry as long as any", maxTelemetryRetentionDays)
	}
	return p.Err()
}
