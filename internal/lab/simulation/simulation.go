// Package simulation runs rollouts of simulated devices against the health test of package rollout. It measures how often the
// test is wrong and how soon it is right. Runs are seeded and repeatable.
package simulation

import (
	"math/rand/v2"
	"slices"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// Rollout is a simulated rollout.
type Rollout interface {
	// BreachAt runs the rollout. It returns the number of devices inside the rollout that had reported at the breach, or 0
	// if there was no breach.
	BreachAt(r *rand.Rand) int64
}

// Outcome counts the runs of a rollout and the runs with a breach.
type Outcome struct {
	Runs, Breaches int
	// MedianDevices is the median number of devices that had reported at a breach, or 0 without a breach.
	MedianDevices int64
}

// Share returns the fraction of the runs with a breach, from 0 to 1.
func (o Outcome) Share() float64 { return float64(o.Breaches) / float64(o.Runs) }

// Play runs the rollout the given number of times.
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

// AgainstLimits is a rollout with absolute thresholds. Devices report one after the other. Each crashes or has errors with the
// given true rates, which are fractions.
type AgainstLimits struct {
	CrashRate, ErrorRate float64
	// The rollout ends after Devices devices. Health is judged after every Look devices.
	Devices, Look int64
	Thresholds    models.Thresholds
	// MinDevices is the minimum of the stage, for the point method.
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
	// Stages are rollout percentages, 0 to 100.
	Stages []float64
	// PerStage is the number of devices that report in each stage, inside and outside the rollout together. Health is
	// judged after every Look devices.
	PerStage, Look int64
	// Inside and Outside are the true crash rates, as fractions.
	Inside, Outside float64
	// MinNetworks is the policy's minNetworks. 1 judges devices; nil judges votes.
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

// InNetworksOfTheirOwn returns the health with votes as if each device had its own network.
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
