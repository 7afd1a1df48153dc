package simulation

import (
	"math/rand/v2"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// AgainstEventLimit is a rollout with the limit of a custom event. Devices begin to count one after the other; each
// reported the event with the true rate, a fraction.
type AgainstEventLimit struct {
	Rate  float64
	Limit models.EventLimit
	// The rollout ends after so many Devices; health is judged after every Look of them.
	Devices, Look int64
	// MinNetworks is the policy's: 1 judges devices, nil votes.
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
