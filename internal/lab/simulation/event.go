package simulation

import (
	"math/rand/v2"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// AgainstEventLimit is a rollout with a threshold for a custom event. Devices begin to count one after the other. Each
// has reported the event with probability Rate.
type AgainstEventLimit struct {
	Rate  float64
	Limit models.EventLimit
	// The rollout ends after Devices devices. Health is judged after every Look devices.
	Devices, Look int64
	// MinNetworks is the policy's minNetworks. 1 judges devices; nil judges votes.
	MinNetworks *int64
}

// BreachAt implements Rollout.
func (a AgainstEventLimit) BreachAt(r *rand.Rand) int64 {
	limits := models.Thresholds{Events: []models.EventLimit{a.Limit}, MinNetworks: a.MinNetworks}
	var reported int64
	for devices := int64(1); devices <= a.Devices; devices++ {
		if r.Float64() < a.Rate {
			reported++
		}
		if devices%a.Look != 0 {
			continue
		}
		h := models.ReleaseHealth{Devices: devices, Events: []models.EventHealth{models.EventHealthOfEach(a.Limit, devices, reported)}}
		if breached(h, limits, 0, rollout.Comparison{}) {
			return devices
		}
	}
	return 0
}
