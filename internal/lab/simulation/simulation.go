// Package simulation runs rollouts of simulated devices against the health test of package rollout,
// to measure how often it is wrong and how soon it is right. Runs are seeded and repeatable.
package simulation

import (
	"math/rand/v2"
	"slices"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// Rollout is a simulated rollout.
type Rollout interface {
	// BreachAt runs it and returns how many devices of the share had reported at the breach, 0
	// without one.
	BreachAt(r *rand.Rand) int64
}

// Outcome counts the runs of a rollout and those with a breach.
type Outcome struct {
	Runs, Breaches int
	// MedianDevices is the median of the devices that had reported at a breach, 0 without any.
	MedianDevices int64
}

// Share is the part of the runs with a breach, 0–1.
func (o Outcome) Share() float64 { return float64(o.Breaches) / float64(o.Runs) }

// Play runs the rollout runs times.
func Play(r Rollout, seed uint64, runs int) Outcome {
	random := rand.New(rand.NewPCG(seed, 2026))
	var at []int64
	for range runs {
		if n := r.BreachAt(random); n > 0 {
			at = append(at, n)
		}
	}
	o := Outcome{Runs: runs, Breaches: len(at)}
	if len(at) > 0 {
		slices.Sort(at)
		o.MedianDevices = at[len(at)/2]
	}
	return o
}

// AgainstLimits is a rollout with absolute limits. Devices report one after the other; each crashes
// or has errors with its true rate, a fraction.
type AgainstLimits struct {
	CrashRate, ErrorRate float64
	// The rollout ends after so many Devices; health is judged after every Look of them.
	Devices, Look int64
	Thresholds    models.Thresholds
	// MinDevices is the stage's, for the point method.
	MinDevices int64
}

// BreachAt implements Rollout.
func (a AgainstLimits) BreachAt(r *rand.Rand) int64 {
	var h models.ReleaseHealth
	for h.Devices < a.Devices {
		h.Devices++
		crashed := r.Float64() < a.CrashRate
		if crashed {
			h.CrashedDevices++
		}
		if crashed || r.Float64() < a.ErrorRate {
			h.ErroredDevices++
		}
		if h.Devices%a.Look == 0 && breached(h, a.Thresholds, a.MinDevices, rollout.Comparison{}) {
			return h.Devices
		}
	}
	return 0
}

// AgainstControl is a rollout that is compared with its control group, stage by stage.
type AgainstControl struct {
	// Stages are shares, 0–100.
	Stages []float64
	// PerStage devices report in each stage, inside and outside the share together; health is
	// judged after every Look of them.
	PerStage, Look int64
	// Inside and Outside are true crash rates, fractions.
	Inside, Outside float64
	// MinNetworks is the policy's: 1 judges devices, nil votes.
	MinNetworks *int64
}

// BreachAt implements Rollout.
func (a AgainstControl) BreachAt(r *rand.Rand) int64 {
	var before rollout.Comparison
	var inside int64
	besideControl := models.Thresholds{Baseline: models.BaselineControl, MinNetworks: a.MinNetworks}
	for _, share := range a.Stages {
		var h models.ComparedHealth
		for n := int64(1); n <= a.PerStage; n++ {
			group, rate := &h.Outside, a.Outside
			if r.Float64() < share/100 {
				group, rate = &h.Inside, a.Inside
				inside++
			}
			group.Devices++
			if r.Float64() < rate {
				group.CrashedDevices++
				group.ErroredDevices++
			}
			health := models.ReleaseHealth{Devices: max(h.Inside.Devices, 1), Compared: h}
			if n%a.Look == 0 && breached(health, besideControl, 0, before) {
				return inside
			}
		}
		before = before.With(InNetworksOfTheirOwn(models.ReleaseHealth{Compared: h}).Compared, besideControl)
	}
	return 0
}

// InNetworksOfTheirOwn is the health with the votes of devices of which each has a network of its own.
func InNetworksOfTheirOwn(h models.ReleaseHealth) models.ReleaseHealth {
	h.Votes = models.VotesOfEach(models.DeviceCounts{
		Devices: h.Devices, ErroredDevices: h.ErroredDevices, CrashedDevices: h.CrashedDevices,
	})
	h.Compared.Inside.Votes = models.VotesOfEach(counts(h.Compared.Inside))
	h.Compared.Outside.Votes = models.VotesOfEach(counts(h.Compared.Outside))
	return h
}

func counts(g models.GroupHealth) models.DeviceCounts {
	return models.DeviceCounts{Devices: g.Devices, ErroredDevices: g.ErroredDevices, CrashedDevices: g.CrashedDevices}
}

func breached(h models.ReleaseHealth, t models.Thresholds, minDevices int64, before rollout.Comparison) bool {
	return rollout.Judge(InNetworksOfTheirOwn(h), t, minDevices, before).Verdict == rollout.VerdictBreach
}
