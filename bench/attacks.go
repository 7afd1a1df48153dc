package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/waft-ota/waft/internal/rollout/simulation"
	"github.com/waft-ota/waft/models"
)

// attackedRuns are the rollouts of a row of the table of attacks, for fleets of up to so many
// devices; larger fleets have a tenth.
const (
	attackedRuns  = 100
	attackedFleet = 2000
)

// attackedFleets are the honest devices of the table of attacks.
var attackedFleets = []struct {
	name string
	simulation.Fleet
	stages []float64
}{
	{"homes, 100 devices", simulation.Homes(100), []float64{50, 100}},
	{"homes, 1,000 devices", simulation.Homes(1000), []float64{5, 25, 100}},
	{"homes, 100,000 devices", simulation.Homes(100_000), []float64{5, 25, 100}},
	{"1,000 networks, all at once (launch day)", simulation.Singles(1000), []float64{100}},
	{"twenty testers in three offices", simulation.Offices(), []float64{100}},
	{"1,000 devices, nine in ten in one carrier's network", simulation.Carrier(1000), []float64{5, 25, 100}},
	{"1,000 devices behind one proxy", simulation.Proxy(1000), []float64{5, 25, 100}},
}

// printAttacks prints what attackers do to rollouts with a limit of 0.5 % crashes. To force a
// rollback their ids crash, on a release of half the limit; to suppress one they are healthy, from
// the start, on a release of four times the limit. Each has 100 ids in each network; more or older
// ones have the same vote.
func printAttacks(ctx context.Context) error {
	limit := 0.5
	thresholds := models.Thresholds{CrashRate: &limit}
	t := newMarkdown(fmt.Sprintf("seed %d\tattacker's networks\trolled back, attack at the start\tattack once all are heard\t"+
		"4x regression completes\trolled back\tafter devices, median\tholds at the end", statisticsSeed))
	for _, f := range attackedFleets {
		runs := attackedRuns
		if f.Devices() > attackedFleet {
			runs /= 10
		}
		play := func(rate, patience float64, a simulation.Attack) simulation.Fates {
			return simulation.PlayFates(simulation.Attacked{
				Fleet: f.Fleet, Attack: a, CrashRate: rate / 100, Thresholds: thresholds, Stages: f.stages, MinDevices: 100,
				Patience: patience, Look: 20,
			}, statisticsSeed, runs)
		}
		for _, networks := range []int{0, 1, 3, 10, 100} {
			if err := ctx.Err(); err != nil {
				return err
			}
			early := play(limit/2, 0.5, simulation.Attack{Networks: networks, IDs: 100, Crash: true})
			late := play(limit/2, 1, simulation.Attack{Networks: networks, IDs: 100, Crash: true, After: 1})
			bad := play(limit*4, 0.5, simulation.Attack{Networks: networks, IDs: 100})
			t.row("%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s", f.name, networks, share(early.RolledBack, runs), share(late.RolledBack, runs),
				share(bad.Completed, runs), share(bad.RolledBack, runs), strconv.FormatInt(bad.MedianAt, 10), share(bad.Holding, runs))
		}
	}
	return t.print()
}

func share(part, of int) string { return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(of)) }
