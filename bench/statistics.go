package main

import (
	"context"
	"fmt"
	"runtime"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/lab/simulation"
	"github.com/waft-ota/waft/models"
)

// With statisticsSeed and statisticsRuns the figures of docs/contribute/rollout-statistics.md
// come out again.
const (
	statisticsSeed = 1
	statisticsRuns = 10_000
)

// played is a row of the table of simulated rollouts.
type played struct {
	what string
	simulation.Rollout
}

// runStatistics simulates rollouts and prints the effects of attacks, and how often each rollout ends with a
// breach. It works without engines.
func runStatistics(ctx context.Context, s *session) error {
	attacked := s.size(s.size(attackedRuns)) // a fleet of 100,000 takes long even once
	if err := printAttacks(ctx, attacked); err != nil {
		return err
	}
	if err := printForced(ctx, attacked); err != nil {
		return err
	}
	if err := runAllocations(ctx, s); err != nil {
		return err
	}
	if err := printPlays(ctx, s.size(statisticsRuns), "votes of networks", nil); err != nil {
		return err
	}
	return printPlays(ctx, s.size(statisticsRuns), "devices counted", new(int64(1)))
}

// printPlays prints rollouts with minNetworks, by votes of networks when it is nil, of devices in
// networks of their own.
func printPlays(ctx context.Context, runs int, judged string, minNetworks *int64) error {
	rollouts := plays(minNetworks)
	outcomes := make([]simulation.Outcome, len(rollouts))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range rollouts {
		group.Go(func() error {
			if ctx.Err() == nil {
				outcomes[i] = simulation.Play(p, statisticsSeed, runs)
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	t := newMarkdown(fmt.Sprintf("%s, %d rollouts each, seed %d\tcalled bad\tof all\tdevices by then, median", judged, runs, statisticsSeed))
	for i, o := range outcomes {
		median := "–"
		if o.Breaches > 0 {
			median = strconv.FormatInt(o.MedianDevices, 10)
		}
		t.row("%s\t%d\t%.2f %%\t%s", rollouts[i].what, o.Breaches, 100*o.Share(), median)
	}
	return t.print()
}

func plays(minNetworks *int64) []played {
	limit := func(p float64) *float64 { return &p }
	crashes := models.Thresholds{CrashRate: limit(0.5), MinNetworks: minNetworks}
	both := models.Thresholds{CrashRate: limit(0.5), ErrorRate: limit(2), MinNetworks: minNetworks}
	point := models.Thresholds{CrashRate: limit(0.5), Method: models.MethodPoint, MinNetworks: minNetworks}
	against := func(rate float64, t models.Thresholds) simulation.AgainstLimits {
		return simulation.AgainstLimits{CrashRate: rate / 100, ErrorRate: rate * 3 / 100, Devices: 5000, Look: 20, Thresholds: t, MinDevices: 100}
	}
	eachObserved := against(0.2, crashes)
	eachObserved.Devices, eachObserved.Look = 1500, 1
	beside := func(inside, outside float64) simulation.AgainstControl {
		return simulation.AgainstControl{Stages: []float64{5, 25, 50}, PerStage: 4000, Look: 20, Inside: inside / 100, Outside: outside / 100, MinNetworks: minNetworks}
	}
	event := func(limit, rate float64, direction models.EventDirection) simulation.AgainstEventLimit {
		return simulation.AgainstEventLimit{
			Rate: rate / 100, Limit: models.EventLimit{Name: "event", Rate: limit, Direction: direction}, Devices: 5000, Look: 20, MinNetworks: minNetworks,
		}
	}
	return []played{
		{"threshold 0.5 % crashes, true rate 0.2 %", against(0.2, crashes)},
		{"threshold 0.5 %, true rate 0.2 %, up to 1,500 devices, each observed", eachObserved},
		{"threshold 0.5 %, true rate 0.5 %", against(0.5, crashes)},
		{"threshold 0.5 %, true rate 1 %", against(1, crashes)},
		{"threshold 0.5 %, true rate 2 %", against(2, crashes)},
		{"threshold 0.5 %, true rate 10 %", against(10, crashes)},
		{"thresholds 0.5 % crashes and 2 % errors, true rates 0.2 % and 0.6 %", against(0.2, both)},
		{"the same thresholds, true rates 2 % and 6 %", against(2, both)},
		{"method point, threshold 0.5 % after 100 devices, true rate 0.2 %", against(0.2, point)},
		{"with a control group, 3 % inside, 3 % outside", beside(3, 3)},
		{"with a control group, 4.5 % inside, 3 % outside", beside(4.5, 3)},
		{"with a control group, 6 % inside, 3 % outside", beside(6, 3)},
		{"with a control group, 12 % inside, 3 % outside", beside(12, 3)},
		{"with a control group, 0.2 % inside, 0.2 % outside", beside(0.2, 0.2)},
		{"with a control group, 2 % inside, 0.2 % outside", beside(2, 0.2)},
		{"event, maximum 5 %, true rate 3 %", event(5, 3, models.EventAbove)},
		{"event, maximum 5 %, true rate 10 %", event(5, 10, models.EventAbove)},
		{"event, minimum 40 %, true rate 45 %", event(40, 45, models.EventBelow)},
		{"event, minimum 40 %, true rate 40 %", event(40, 40, models.EventBelow)},
		{"event, minimum 40 %, true rate 30 %", event(40, 30, models.EventBelow)},
		{"event, minimum 40 %, true rate 10 %", event(40, 10, models.EventBelow)},
		{"event, minimum 5 %, true rate 2 %", event(5, 2, models.EventBelow)},
		{"event, minimum 95 %, true rate 90 %", event(95, 90, models.EventBelow)},
	}
}
