package flags

import (
	"context"
	"errors"
	"fmt"

	"github.com/waft-ota/waft/api/manage/rollouts"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/models"
)

var previewDeleteDoc = rest.Repeatable(rest.Doc(tagFlags, "previewDeleteFlag", "Preview the deletion of a feature flag",
	"Returns what the DELETE would change, without changing it. devicesAffected is the number of devices that reported a value of the "+
		"flag in the last 7 days. A warning has the number of evaluations. If the DELETE would be refused, so is the preview. If it would "+
		"wait for approvals, the preview runs and has a warning."))

func (h *Handlers) previewDelete(ctx context.Context, in *rest.IDInput) (*rest.Output[rollouts.ChangePreview], error) {
	var flag models.Flag
	c, err := h.Previews.RunPreview(ctx, func(ctx context.Context) (err error) {
		if flag, err = h.Flags.Flag(ctx, rest.ProjectOf(ctx), in.ID); err != nil {
			return err
		}
		return h.Operations.Flags.DeleteFlag(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.ID)
	})
	if err != nil {
		return nil, err
	}
	record := rollouts.EmptyPreview(c)
	err = h.countUse(ctx, flag, &record)
	return &rest.Output[rollouts.ChangePreview]{Body: record}, err
}

// countUse adds to the record how much a flag is used, or a warning if that cannot be counted.
func (h *Handlers) countUse(ctx context.Context, flag models.Flag, record *rollouts.ChangePreview) error {
	counting, cancel := context.WithTimeout(ctx, rest.EstimateTime)
	defer cancel()
	health, err := h.Health.FlagHealth(counting, rest.ProjectOf(ctx), flag.Key, flagStateDays, h.Now())
	evaluated, failed := h.Health.FlagEvaluations(counting, rest.ProjectOf(ctx), flag.Key, flagStateDays, h.Now())
	if err := ctx.Err(); err != nil {
		return err
	}
	if errors.Join(err, failed) != nil {
		record.Warnings = append(record.Warnings, "The devices that use the flag cannot be counted while telemetry is unavailable.")
		return nil
	}
	record.DevicesAffected = &health.Devices
	use := fmt.Sprintf("The flag was not evaluated in the last %d days.", flagStateDays)
	if evaluated.Total > 0 {
		use = fmt.Sprintf("The flag was evaluated in the last %d days: %s.", flagStateDays, count.Of(evaluated.Total, "time"))
	}
	if evaluated.Total > 0 || health.Devices > 0 {
		use += " Apps that still ask for it would get the default value in their code."
	}
	record.Warnings = append(record.Warnings, use)
	return nil
}
