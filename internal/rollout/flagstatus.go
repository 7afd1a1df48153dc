package rollout

import "github.com/waft-ota/waft/models"

// FlagStatus says how a flag, or one of its variations, stands.
type FlagStatus string

// Flag statuses, from best to worst.
const (
	FlagHealthy  FlagStatus = "healthy"
	FlagDegraded FlagStatus = "degraded"
	FlagIncident FlagStatus = "incident"
)

const (
	// Below these percentages of crash-free devices a flag is no longer healthy.
	degradedCrashFree = 99.5
	incidentCrashFree = 99.0
	// flagChance is how unlikely a difference must be to count.
	flagChance = 0.05
	// An incident needs more: a device or two say nothing, however few there are.
	incidentChance  = 0.01
	incidentDevices = 3
)

// StatusOf is how devices fare under a variation (contract, section 6): an incident
// when fewer than 99 % are crash-free with evidence, degraded when fewer than 99.5 %
// are or significantly more of them err than of the devices under other variations.
func StatusOf(counts, others models.DeviceCounts) FlagStatus {
	switch {
	case counts.Devices == 0:
		return FlagHealthy
	case counts.CrashFreePercentage() < incidentCrashFree && counts.CrashedDevices >= incidentDevices &&
		ChanceAtRate(counts.CrashedDevices, counts.Devices, 1-incidentCrashFree/100) <= incidentChance:
		return FlagIncident
	case counts.CrashFreePercentage() < degradedCrashFree,
		ChanceOfAsMany(counts.ErroredDevices, counts.Devices, others.ErroredDevices, others.Devices) <= flagChance:
		return FlagDegraded
	default:
		return FlagHealthy
	}
}

// Worse is the worse of two statuses.
func (s FlagStatus) Worse(than FlagStatus) FlagStatus {
	rank := map[FlagStatus]int{FlagHealthy: 0, FlagDegraded: 1, FlagIncident: 2}
	if rank[than] > rank[s] {
		return than
	}
	return s
}
