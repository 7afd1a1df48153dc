package models

// DefaultBuildRetentionDays is how long a new project keeps builds that no release
// needs.
const DefaultBuildRetentionDays = 90

const maxBuildRetentionDays = 3650

// Settings are what the admins of a project decide for it.
type Settings struct {
	// BuildRetentionDays is how many days after its upload garbage collection may take
	// a build that no release needs; nil is never.
	BuildRetentionDays *int
}

// SettingsPatch changes the fields that are set.
type SettingsPatch struct {
	BuildRetentionDays Nullable[int]
}

// Validate reports every bad field.
func (s SettingsPatch) Validate() error {
	var p Problems
	if days := s.BuildRetentionDays.Value; days != nil && (*days < 1 || *days > maxBuildRetentionDays) {
		p.Add("buildRetentionDays", "must be from 1 to %d, or null to keep builds for ever", maxBuildRetentionDays)
	}
	return p.Err()
}
