package demo

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/waft-ota/waft/models"
)

// Options configure the demo.
type Options struct {
	BaseURL        string
	Project        string
	Channel        string
	RuntimeVersion string
	// Devices is the size of the fleet, half iOS and half Android. PerSecond is the number of devices that start the app per
	// second.
	Devices   int
	PerSecond float64
	Workers   int
	Seed      int64
	// StageTime is the minimum time of each stage of the policy.
	StageTime time.Duration
	// CrashPercent is the percentage of devices that crash on the broken release.
	CrashPercent float64
	// MaxRollback is the maximum time from the first crash report until the rollback is served.
	MaxRollback time.Duration
	// Patience is the maximum duration of each wait for an expectation, and of each request of a device.
	Patience time.Duration
	// Cast contains the exports of the three releases.
	Cast Cast
	// AllowRemote lets the fleet talk to a server on another machine.
	AllowRemote bool
	// TemporalUI is the address of Temporal's web UI, or "". Namespace is the namespace of the workflows.
	TemporalUI string
	Namespace  string
	// Now is the clock; nil means the real clock.
	Now func() time.Time
}

// Defaults returns the options of a demo that takes about a minute.
func Defaults() Options {
	return Options{
		Channel: "production", RuntimeVersion: "1.0.0",
		Devices: 3000, PerSecond: 1000, Workers: 32, Seed: 1,
		StageTime: 8 * time.Second, CrashPercent: 20,
		MaxRollback: 10 * time.Second, Patience: 2 * time.Minute,
		Namespace: "default",
	}
}

// Fast returns the options of a demo of about half a minute, even if the demo shares two processors with the server and its engines.
// It starts devices at less than half of the rate, and a smaller fleet needs a higher percentage of crashes.
func Fast() Options {
	o := Defaults()
	o.Devices, o.PerSecond, o.CrashPercent, o.StageTime = 1200, 400, 60, 3*time.Second
	return o
}

// crashLimit is the policy's threshold for the crash rate, in percent.
const crashLimit = 1.0

// minCrashes is the minimum average number of devices per platform that crash in the first stage. A rollback needs about
// four crashes, because each device is in its own network and the most affected network is left out.
const minCrashes = 12

// minDevices returns the size of the smallest fleet with minCrashes crashes.
func (o Options) minDevices() int {
	return int(math.Ceil(2 * minCrashes / (stages[0] / 100 * o.CrashPercent / 100)))
}

func (o Options) validate() error {
	switch {
	case o.CrashPercent <= crashLimit:
		return errors.New("the broken release must crash more often than the policy allows")
	case o.Devices < o.minDevices():
		return fmt.Errorf("the demo needs at least %d devices: if %v%% of devices crash and the first stage is %v%%, "+
			"a smaller fleet has too few crashes for a rollback",
			o.minDevices(), o.CrashPercent, stages[0])
	case o.StageTime <= 0 || o.Patience <= 0 || o.MaxRollback <= 0:
		return errors.New("the stage time, the patience and the maximum rollback time must be above 0")
	}
	return nil
}

// stages are the rollout percentages of the demo's policy.
var stages = []float64{5, 25, 100}

// policy returns the rollout policy of the second and third release.
func (o Options) policy() models.NewRolloutPolicy {
	perPlatform := float64(o.Devices) / 2
	p := models.NewRolloutPolicy{
		Name:        fmt.Sprintf("demo: 5, 25, 100%% for %v each, %d devices, at most %v%% crashes", o.StageTime, o.Devices, crashLimit),
		Description: "Created by waft demo.",
		IsActive:    true,
		Thresholds: models.Thresholds{
			CrashRate: new(crashLimit), Action: models.ActionAutoRollback,
			Method: models.MethodSequential, RollbackScope: models.ScopeRelease,
		},
	}
	for _, percentage := range stages {
		p.Stages = append(p.Stages, models.Stage{
			Percentage: percentage,
			// A third of the stage's devices of one platform.
			MinDevices:         int64(perPlatform * percentage / 100 / 3),
			MinDurationMinutes: o.StageTime.Minutes(),
		})
	}
	return p
}
