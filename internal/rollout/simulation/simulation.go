// Package simulation plays rollouts of invented devices against the health test of
// package rollout, to measure how often it is wrong and how soon it is right. Runs
// are seeded, so a figure can be made again.
package simulation

import (
	"math/rand/v2"
	"slices"

	"github.com/waft-ota/waft/internal/rollout"
	"github.com/waft-ota/waft/models"
)

// Rollout is one that can be played any number of times.
type Rollout interface {
	// BrokenAt plays it and returns how many devices of the share had reported when
	// the test called it bad, 0 when it never did.
	BrokenAt(r *rand.Rand) int64
}

// Outcome is what many plays of a rollout came to.
type Outcome struct {
	Runs int
	// Broken is how many of them were called bad.
	Broken int
	// MedianDevices is how many devices had reported then, at the median; 0 when none
	// was called bad.
	MedianDevices int64
}

// Share is the part of the runs that were called bad, 0–1.
func (o Outcome) Share() float64 { return float64(o.Broken) / float64(o.Runs) }

// Play plays the rollout runs times.
func Play(r Rollout, seed uint64, runs int) Outcome {
	random := rand.New(rand.NewPCG(seed, 2026))
	var at []int64
	for range runs {
		if n := r.BrokenAt(random); n > 0 {
			at = append(at, n)
		}
	}
	o := Outcome{Runs: runs, Broken: len(at)}
	if len(at) > 0 {
		slices.Sort(at)
		o.MedianDevices = at[len(at)/2]
	}
	return o
}

// AgainstLimits is a rollout that is judged by absolute limits: devices report one
// after the other, each crashing or erring with its true rate, a fraction.
type AgainstLimits struct {
	CrashRate, ErrorRate float64
	// Devices end the rollout; health is judged after every Look of them.
	Devices, Look int64
	Thresholds    models.Thresholds
	// MinDevices is the stage's, which the point method waits for.
	MinDevices int64
}

// BrokenAt plays the rollout.
func (a AgainstLimits) BrokenAt(r *rand.Rand) int64 {
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
		if h.Devices%a.Look == 0 && broken(h, a.Thresholds, a.MinDevices, rollout.Comparison{}) {
			return h.Devices
		}
	}
	return 0
}

// AgainstControl is a rollout that is compared with the devices outside its share,
// stage by stage.
type AgainstControl struct {
	// Stages are shares, 0–100.
	Stages []float64
	// PerStage devices report in each stage, inside and outside; health is judged after
	// every Look of them.
	PerStage, Look int64
	// Inside and Outside are true crash rates, fractions.
	Inside, Outside float64
}

var besideControl = models.Thresholds{Baseline: models.BaselineControl}

// BrokenAt plays the rollout.
func (a AgainstControl) BrokenAt(r *rand.Rand) int64 {
	var before rollout.Comparison
	var inside int64
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
			if n%a.Look == 0 && broken(health, besideControl, 0, before) {
				return inside
			}
		}
		before = before.With(h)
	}
	return 0
}

func broken(h models.ReleaseHealth, t models.Thresholds, minDevices int64, before rollout.Comparison) bool {
	return rollout.Judge(h, t, minDevices, before).Verdict == rollout.VerdictBreach
}
