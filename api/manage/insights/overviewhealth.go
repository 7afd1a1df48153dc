package insights

import (
	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// ServedHealth is the health of one release that a target is served, on the devices of the target.
type ServedHealth struct {
	Release             rest.OrNull[releases.ReleaseName] `json:"release" doc:"Release of updateId; null for the embedded update."`
	UpdateID            *int64                            `json:"updateId" nullable:"true" doc:"ID of the release; null for the embedded update."`
	UpdateUUID          *uuid.UUID                        `json:"updateUuid" nullable:"true" format:"uuid" doc:"Update ID; null if updateId is null."`
	Devices             *int64                            `json:"devices" nullable:"true" doc:"Number of devices that reported on the release or failed to start it. The percentages are of these. Null while telemetry is unavailable."`
	CrashFreePercentage *float64                          `json:"crashFreePercentage" nullable:"true" doc:"Percentage of devices without a crash; null without devices, and while telemetry is unavailable."`
	CrashRate           *float64                          `json:"crashRate" nullable:"true" doc:"Percentage of devices with a crash; null without devices, and while telemetry is unavailable."`
	ErrorRate           *float64                          `json:"errorRate" nullable:"true" doc:"Percentage of devices with an error or a crash; null without devices, and while telemetry is unavailable."`
	CrashLimit          HealthLimit                       `json:"crashLimit" doc:"Limit of crashRate."`
	ErrorLimit          HealthLimit                       `json:"errorLimit" doc:"Limit of errorRate."`
}

// HealthLimit is the highest rate that is not a problem.
type HealthLimit struct {
	Rate   float64             `json:"rate" doc:"Percentage of devices."`
	Source rollout.LimitSource `json:"source" enum:"policy,incidents" doc:"policy: threshold of the policy by which the release was rolled out. incidents: rate from which Waft opens an incident on a release without earlier reports."`
}

// servedHealth returns the record of a served update without its figures. r is nil for the embedded update.
func servedHealth(u models.ServedUpdate, r *models.Release, rules map[int64]models.RolloutRule) ServedHealth {
	out := ServedHealth{Release: releases.NameOrNull(r)}
	if u.ReleaseID > 0 {
		out.UpdateID, out.UpdateUUID = &u.ReleaseID, rest.ParsedUUID(u.UpdateUUID)
	}
	limits := rollout.LimitsOf(nil)
	if rule, ok := rules[u.ReleaseID]; ok {
		limits = rollout.LimitsOf(&rule)
	}
	out.CrashLimit, out.ErrorLimit = HealthLimit(limits.Crashes), HealthLimit(limits.Errors)
	return out
}

func (h *ServedHealth) addCounts(c models.DeviceCounts) {
	h.Devices, h.CrashFreePercentage = &c.Devices, rest.CrashFree(c)
	if c.Devices > 0 {
		h.CrashRate, h.ErrorRate = new(rest.Percent(c.CrashRate())), new(rest.Percent(c.ErrorRate()))
	}
}
