package flags

import (
	"context"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// flagStateDays is the number of days that a flag's status in lists covers, as in its health.
const flagStateDays = 7

type listFlagsInput struct {
	rest.ListQuery
	State string `query:"state" enum:"stale,incident,degraded" doc:"State of the flags. incident and degraded: the health status over 7 days. stale: unused, which means older than 30 days and not evaluated for 30 days."`
}

func (h *Handlers) listFlags(ctx context.Context, in *listFlagsInput) (*rest.List[Flag], error) {
	filter := models.FlagFilter{}
	switch in.State {
	case "":
	case "stale":
		since := h.Now().Add(-models.FlagStale)
		used, err := h.Health.FlagsInUse(ctx, rest.ProjectOf(ctx), since)
		if err != nil {
			return nil, err
		}
		filter.Stale = &models.StaleFlags{MadeBefore: since, InUse: used}
	default:
		all, err := h.Health.FlagsHealth(ctx, rest.ProjectOf(ctx), flagStateDays, h.Now())
		if err != nil {
			return nil, err
		}
		filter.Keys = &[]string{}
		for key, health := range all {
			if statusOfFlag(health) == rollout.FlagStatus(in.State) {
				*filter.Keys = append(*filter.Keys, key)
			}
		}
	}
	return rest.Listed(ctx, in.ListQuery, flagRecord, func(p models.Page) ([]models.Flag, error) {
		return h.Flags.ListFlags(ctx, rest.ProjectOf(ctx), filter, p)
	})
}

// statusOfFlag returns the worst status among the flag's variations and all its devices together.
func statusOfFlag(h models.FlagHealth) rollout.FlagStatus {
	status := rollout.StatusOf(h.DeviceCounts, models.DeviceCounts{})
	for _, v := range h.Variations {
		status = status.Worse(rollout.StatusOf(v.DeviceCounts, h.Others(v)))
	}
	return status
}
