package rollout

import (
	"slices"

	"github.com/waft-ota/waft/models"
)

// FlagStatus is the health of a flag or of one of its variations.
type FlagStatus string

// Flag statuses, from best to worst.
const (
	FlagHealthy  FlagStatus = "healthy"
	FlagDegraded FlagStatus = "degraded"
	FlagIncident FlagStatus = "incident"
)

const (
	// Below these percentages of crash-free devices, a flag is degraded or an incident.
	degradedCrashFree = 99.5
	incidentCrashFree = 99.0
	// flagChance is the maximum chance at which a difference is significant.
	flagChance = 0.05
	// An incident needs a smaller chance, and at least incidentDevices crashed devices.
	incidentChance  = 0.01
	incidentDevices = 3
)

// StatusOf returns the status of a variation. It is an incident if significantly fewer than 99% of its devices are
// crash-free. It is degraded if fewer than 99.5% are crash-free, or if significantly more of its devices have errors than
// devices with other variations.
func StatusOf(counts, others models.DeviceCounts) FlagStatus {
	switch {
	case counts.Devices == 0:
		return FlagHealthy
	case counts.CrashFreePercentage() < incidentCrashFree && counts.CrashedDevices >= incidentDevices &&
		chanceAtRate(counts.CrashedDevices, counts.Devices, 1-incidentCrashFree/100) <= incidentChance:
		return FlagIncident
	case counts.CrashFreePercentage() < degradedCrashFree,
		chanceOfAsMany(counts.ErroredDevices, counts.Devices, others.ErroredDevices, others.Devices) <= flagChance:
		return FlagDegraded
	default:
		return FlagHealthy
	}
}

// Worse returns the worse of two statuses.
func (s FlagStatus) Worse(than FlagStatus) FlagStatus {
	order := []FlagStatus{FlagHealthy, FlagDegraded, FlagIncident}
	return order[max(slices.Index(order, s), slices.Index(order, than))]
}
