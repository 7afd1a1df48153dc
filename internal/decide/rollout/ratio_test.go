package rollout_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/lab/benchratio"
	"github.com/waft-ota/waft/models"
)

// BenchmarkRatioPlan compares Plan with the formatting of a sentence.
func BenchmarkRatioPlan(b *testing.B) {
	in := rollout.Input{
		Status: models.ExecutionRunning, Stages: threeStages(), Thresholds: watchingCrashes(models.ActionAutoRollback),
		Ran: 30 * time.Minute, Health: reported(1000, 1), Now: now,
	}
	benchratio.Compare(b, "plan", func() {
		if fmt.Sprintf("%d of %d devices crashed: %.2f %%, until %v", 1, 1000, 0.1, now) == "" {
			b.Fatal("no sentence")
		}
	}, func() {
		if rollout.Plan(in).Action != rollout.ActionHold {
			b.Fatal("it does not hold")
		}
	})
}
