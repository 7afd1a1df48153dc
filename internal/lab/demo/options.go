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
	// Devices is the size of the fleet, half iOS and half Android, and PerSecond how
	// many of them start the app each second.
	Devices   int
	PerSecond float64
	Workers   int
	Seed      int64
	// StageTime is the least time of each stage of the policy.
	StageTime time.Duration
	// CrashPercent is the share of devices that crash on the broken release, in percent.
	CrashPercent float64
	// MaxRollback is the longest time from the first crash report until the rollback is
	// served.
	MaxRollback time.Duration
	// Patience bounds each wait for something that is expected, and each request of a device.
	Patience time.Duration
	// Cast are the exports of the three releases.
	Cast Cast
	// AllowRemote lets the fleet talk to a server on another machine.
	AllowRemote bool
	// TemporalUI is the address of Temporal's web UI, or "", and Namespace the namespace of
	// the workflows.
	TemporalUI string
	Namespace  string
	// Now is the clock; nil means the real one.
	Now func() time.Time
}

// Defaults are the options of a demo that takes about a minute.
func Defaults() Options {
	return Options{
		Channel: "production", RuntimeVersion: "1.0.0",
		Devices: 3000, PerSecond: 1000, Workers: 32, Seed: 1,
		StageTime: 8 * time.Second, CrashPercent: 20,
		MaxRollback: 10 * time.Second, Patience: 2 * time.Minute,
		Namespace: "default",
	}
}

// crashLimit is the policy's threshold for the crash rate, in percent.
const crashLimit = 1.0

// minCrashes is how many devices of each platform crash in the first stage on average, at least. A
// rollback takes about four: what is compared is without the most affected network, and each device is one.
const minCrashes = 12

// minDevices is the smallest fleet of which that many crash.
func (o Options) minDevices() int {
	return int(math.Ceil(2 * minCrashes / (stages[0] / 100 * o.CrashPercent / 100)))
}

func (o Options) validate() error {
	switch {
	case o.CrashPercent <= crashLimit:
		return errors.New("the broken release must crash more often than the policy allows")
	case o.Devices < o.minDevices():
		return fmt.Errorf("the demo needs at least %d devices: when %v %% crash, too few do in a first stage of %v %% of a smaller fleet",
			o.minDevices(), o.CrashPercent, stages[0])
	case o.StageTime <= 0 || o.Patience <= 0 || o.MaxRollback <= 0:
		return errors.New("times must be above 0")
	}
	return nil
}

// stages are the shares of the demo's policy, in percent.
var stages = []float64{5, 25, 100}

// policy is the rollout policy of the second and third release.
func (o Options) policy() models.NewRolloutPolicy {
	perPlatform := float64(o.Devices) / 2
	p := models.NewRolloutPolicy{
		Name:        fmt.Sprintf("demo: 5, 25, 100 %% for %v each, %d devices, at most %v %% crashes", o.StageTime, o.Devices, crashLimit),
		Description: "Made by waft demo.",
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
