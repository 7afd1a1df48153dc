package rollout

import "github.com/waft-ota/waft/models"

// LimitSource is the origin of a limit.
type LimitSource string

const (
	// LimitOfPolicy is a threshold of the rollout policy by which the release was rolled out.
	LimitOfPolicy LimitSource = "policy"
	// LimitOfIncidents is IncidentRate.
	LimitOfIncidents LimitSource = "incidents"
)

// HealthLimit is the highest rate of a release that is not a problem, in percent of devices.
type HealthLimit struct {
	Rate   float64
	Source LimitSource
}

// HealthLimits are the limits of a release.
type HealthLimits struct{ Crashes, Errors HealthLimit }

// LimitsOf returns the limits of a release: the thresholds of its rollout in its current or last stage. If rollout is nil
// or has no such threshold, the limit is IncidentRate.
func LimitsOf(rollout *models.RolloutRule) HealthLimits {
	var thresholds models.Thresholds
	if rollout != nil {
		thresholds = EffectiveThresholds(rollout.Stages[min(rollout.StageIndex, len(rollout.Stages)-1)], rollout.Thresholds)
	}
	return HealthLimits{Crashes: limitOf(thresholds.CrashRate), Errors: limitOf(thresholds.ErrorRate)}
}

func limitOf(threshold *float64) HealthLimit {
	if threshold != nil {
		return HealthLimit{*threshold, LimitOfPolicy}
	}
	return HealthLimit{IncidentRate, LimitOfIncidents}
}
