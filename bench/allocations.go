package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/lab/simulation"
	"github.com/waft-ota/waft/models"
)

// unbound makes each network an allocation of its own: without it the votes of allocations have no bound.
const unbound = math.MaxInt64

// allocationVotes are the values of thresholds.allocationVotes that are compared.
var allocationVotes = []int64{1, 2, 3, 5, 10, 12, 15, 20, 50, 100, unbound}

// crowd is a fleet of Providers with the number of rollouts that are simulated for it.
type crowd struct {
	devices int64
	// healthy is the number of rollouts of a healthy release per cell, runs the number of rollouts with a defect, and attacks the
	// number of rollouts per tried number of an attacker's allocations.
	healthy, runs, attacks int
}

// crowds returns the fleets in which half of the devices are behind one carrier. The short form leaves out the largest fleet, because
// even a single rollout per cell takes long.
func crowds(s *session) []crowd {
	if s.short {
		return []crowd{{1000, 1, 1, 1}, {10_000, 1, 1, 1}}
	}
	return []crowd{{1000, 10_000, 500, 50}, {10_000, 10_000, 500, 50}, {100_000, 500, 100, 10}}
}

// defect says on which devices a bad release crashes, and how often.
type defect struct {
	what string
	// rate is the crash rate of healthy devices and bad the crash rate of affected devices, fractions.
	rate, bad float64
	of        func(simulation.World) []bool
}

func defects() []defect {
	nobody := func(simulation.World) []bool { return nil }
	carrier := func(w simulation.World) []bool { return w.Carrier }
	country := func(w simulation.World) []bool { return w.Country }
	return []defect{
		{"healthy, 0.2 %", 0.002, 0, nobody},
		{"2 % of everybody", 0.02, 0, nobody},
		{"10 % of everybody", 0.1, 0, nobody},
		{"10 % of one carrier", 0.002, 0.1, carrier},
		{"half of one carrier", 0.002, 0.5, carrier},
		{"20 % of one country", 0.002, 0.2, country},
		{"half of one country", 0.002, 0.5, country},
	}
}

// inAllocations returns a rollout to a fleet of Providers in which the networks of one allocation have at most the given votes.
func inAllocations(w simulation.World, votes int64, d defect) simulation.Attacked {
	a := simulation.Attacked{
		Fleet: w.Fleet, Allocation: w.Allocation, CrashRate: d.rate, Defective: d.of(w), DefectRate: d.bad,
		Thresholds: models.Thresholds{CrashRate: new(attackedLimit), AllocationVotes: &votes},
		Stages:     []float64{100}, MinDevices: 100, Patience: 1,
	}
	if votes == unbound {
		a.Allocation = nil
	}
	return a
}

// runAllocations prints for each value of allocationVotes how soon defects are found and how many allocations force a rollback. It
// works without engines.
func runAllocations(ctx context.Context, s *session) error {
	heading := []string{" rolled back, after devices; allocationVotes"}
	for _, votes := range allocationVotes {
		heading = append(heading, votesText(votes))
	}
	var names []string
	var rows []func(votes int64) string
	for _, c := range crowds(s) {
		w := simulation.Providers(c.devices)
		for i, d := range defects() {
			runs := c.runs
			if i == 0 {
				runs = c.healthy
			}
			names = append(names, fmt.Sprintf("%d devices, %s, %d rollouts", c.devices, d.what, runs))
			rows = append(rows, func(votes int64) string { return rolledBack(inAllocations(w, votes, d), runs) })
		}
		for _, after := range []int64{0, c.devices / 10} {
			names = append(names, fmt.Sprintf("%d devices, allocations that force a rollback after %d devices", c.devices, after))
			rows = append(rows, func(votes int64) string { return cheapest(w, votes, after, c.attacks) })
		}
	}
	return printCells(ctx, heading, names, rows)
}

// rolledBack returns how often the rollout is rolled back, and after how many devices at the median.
func rolledBack(a simulation.Attacked, runs int) string {
	fates := simulation.PlayFates(a, statisticsSeed, runs)
	if fates.RolledBack == 0 {
		return "0"
	}
	return fmt.Sprintf("%.4g %%, %d", 100*float64(fates.RolledBack)/float64(fates.Runs), fates.MedianAt)
}

// printCells prints the rows, whose cells are simulated at the same time.
func printCells(ctx context.Context, heading, names []string, rows []func(votes int64) string) error {
	cells := make([][]string, len(rows))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, row := range rows {
		cells[i] = make([]string, len(allocationVotes))
		for j, votes := range allocationVotes {
			group.Go(func() error {
				if ctx.Err() == nil {
					cells[i][j] = row(votes)
				}
				return ctx.Err()
			})
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	t := newMarkdown("half behind one carrier," + tabbed(heading))
	for i, name := range names {
		t.row("%s", tabbed(slices.Concat([]string{name}, cells[i])))
	}
	return t.print()
}

// attackersAllocations are how many allocations an attacker is tried with, ascending.
var attackersAllocations = []int{1, 2, 3, 4, 5, 7, 10, 14, 20, 30, 50, 100, 200, 500}

// cheapest returns the fewest allocations with which an attacker has a healthy release rolled back in half of the rollouts. Each
// has as many networks as it has votes, at most 100.
func cheapest(w simulation.World, votes, after int64, runs int) string {
	healthy := defects()[0]
	for _, n := range attackersAllocations {
		a := inAllocations(w, votes, healthy)
		a.Attack = simulation.Attack{Networks: n, IDs: 1, Crash: true, After: after}
		if votes != unbound {
			a.Attack.Networks, a.Attack.Allocations = n*int(votes), n
		}
		if 2*simulation.PlayFates(a, statisticsSeed, runs).RolledBack >= runs {
			return strconv.Itoa(n)
		}
	}
	return fmt.Sprintf("over %d", attackersAllocations[len(attackersAllocations)-1])
}

func votesText(votes int64) string {
	if votes == unbound {
		return "no bound (networks)"
	}
	return strconv.FormatInt(votes, 10)
}
