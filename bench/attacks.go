package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/lab/simulation"
	"github.com/waft-ota/waft/models"
)

const (
	// attackedLimit is the limit of crashes, and attackedHealthy the crash rate of a healthy release, in
	// percent.
	attackedLimit   = 0.5
	attackedHealthy = attackedLimit / 2
	// attackedRuns are the rollouts of a cell, but in the short form.
	attackedRuns = 1000
	// attackedIDs are the attacker's ids in each network. More of them have the same vote.
	attackedIDs = 100
)

// attackers have so many networks.
var attackers = []int{0, 1, 3, 10, 100}

// newIDsAfter are the times at which an attacker with new IDs attacks, as numbers of honest devices that have reported.
var newIDsAfter = []int64{100, 1000}

// attackedFleet is the honest devices of a row, and their rollout.
type attackedFleet struct {
	name   string
	fleet  simulation.Fleet
	stages []float64
	// bad is the crash rate of a bad release, in percent: four times the limit, or more where so few
	// devices could not show that.
	bad float64
	// unobserved is simulation.Attacked's, minNetworks the policy's.
	unobserved  int64
	minNetworks *int64
	// runs is how many rollouts make a cell.
	runs int
}

func attackedFleets(runs int) []attackedFleet {
	staged := []float64{5, 25, 100}
	large := attackedFleet{name: "homes, 100,000 devices", fleet: simulation.Homes(100_000), stages: staged, bad: 2}
	guarded := large
	guarded.name, guarded.minNetworks = "homes, 100,000 devices, minNetworks 1,000", new(int64(1000))
	fleets := []attackedFleet{
		{name: "homes, 100 devices", fleet: simulation.Homes(100), stages: []float64{50, 100}, bad: 20},
		{name: "homes, 1,000 devices", fleet: simulation.Homes(1000), stages: staged, bad: 2},
		large, guarded,
		{name: "twenty testers in three offices", fleet: simulation.Offices(), stages: []float64{100}, bad: 100},
		{name: "900 of 1,000 in one carrier's network", fleet: simulation.Carrier(1000), stages: staged, bad: 2},
		{name: "90,000 of 100,000 in one carrier's network", fleet: simulation.Carrier(100_000), stages: staged, bad: 2},
		{name: "1,000 devices behind one proxy", fleet: simulation.Proxy(1000), stages: staged, bad: 2},
		{
			name: "launch day, 100,000 in homes, 500 at the same time", fleet: simulation.Homes(100_000), stages: []float64{100}, bad: 2,
			unobserved: 500,
		},
	}
	for i := range fleets {
		fleets[i].runs = runs
	}
	return fleets
}

// play runs the fleet's rollout of a release with a crash rate, in percent, under attack. Stages run until
// the part patience of their devices has reported.
func (f attackedFleet) play(rate, patience float64, a simulation.Attack) simulation.Fates {
	return f.playLimited(attackedLimit, rate, patience, a)
}

// playLimited plays rollouts like play, with a threshold of crashes in percent.
func (f attackedFleet) playLimited(limit, rate, patience float64, a simulation.Attack) simulation.Fates {
	return simulation.PlayFates(simulation.Attacked{
		Fleet: f.fleet, Attack: a, CrashRate: rate / 100, Thresholds: models.Thresholds{CrashRate: &limit, MinNetworks: f.minNetworks},
		Stages: f.stages, MinDevices: 100, Patience: patience, Unobserved: f.unobserved,
	}, statisticsSeed, f.runs)
}

// printAttacks prints what attackers do to rollouts. To force a rollback their ids crash, on a release
// of half the limit; to suppress one they are healthy, on a bad release. Aged ids report first of all,
// new ones when the attacker likes.
func printAttacks(ctx context.Context, runs int) error {
	heading := []string{" by an attacker's networks"}
	for _, networks := range attackers {
		heading = append(heading, strconv.Itoa(networks))
	}
	if err := printRows(ctx, runs, "healthy release,"+tabbed(heading), attackedFleet.forced); err != nil {
		return err
	}
	return printRows(ctx, runs, "bad release,"+tabbed(heading), attackedFleet.suppressed)
}

// printRows prints the rows of each fleet, which are simulated at the same time.
func printRows(ctx context.Context, runs int, heading string, rows func(attackedFleet) []string) error {
	fleets := attackedFleets(runs)
	simulated := make([][]string, len(fleets))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range fleets {
		group.Go(func() error {
			if ctx.Err() == nil {
				simulated[i] = rows(f)
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	t := newMarkdown(heading)
	for _, row := range slices.Concat(simulated...) {
		t.row("%s", row)
	}
	return t.print()
}

// printForced prints how often few networks force a rollback of a release at half the threshold when all other
// networks report: one network at any time, and ten after all others.
func printForced(ctx context.Context, runs int) error {
	type row struct {
		what  string
		fleet simulation.Fleet
		limit float64
		simulation.Attack
	}
	var rows []row
	for _, after := range []int64{0, 50, 500, 1000} {
		rows = append(rows, row{
			fmt.Sprintf("homes, 1,000 devices, limit 0.5 %%, one network after %d devices", after), simulation.Homes(1000), 0.5,
			simulation.Attack{Networks: 1, IDs: 1000, Crash: true, After: after},
		})
	}
	for _, networks := range []int64{1000, 2000} {
		for _, limit := range []float64{0.5, 1, 2, 5} {
			rows = append(rows, row{
				fmt.Sprintf("%d devices in networks of their own, limit %v %%, ten networks after all", networks, limit),
				simulation.Singles(networks), limit, simulation.Attack{Networks: 10, IDs: attackedIDs, Crash: true, After: networks},
			})
		}
	}
	cells := make([]string, len(rows))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, r := range rows {
		group.Go(func() error {
			if ctx.Err() == nil {
				f := attackedFleet{fleet: r.fleet, stages: []float64{100}, runs: runs}
				cells[i] = f.share(f.playLimited(r.limit, r.limit/2, 1, r.Attack).RolledBack)
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	t := newMarkdown(fmt.Sprintf("healthy release, one stage, %d rollouts each\trolled back", runs))
	for i, r := range rows {
		t.row("%s\t%s", r.what, cells[i])
	}
	return t.print()
}

// forced returns the results of attacks on a healthy release: the rollbacks for each time of the attack. For the
// last time it adds the number of rollouts that are held to the end, and the number of devices that report while they are held.
func (f attackedFleet) forced() (rows []string) {
	attacked := func(what string, after int64) {
		rolledBack, holding := []string{f.name + ": " + what + ", rolled back"}, []string{f.name + ": … held to the end, devices that report while held"}
		for _, networks := range attackers {
			fates := f.play(attackedHealthy, 1, simulation.Attack{Networks: networks, IDs: attackedIDs, Crash: true, After: after})
			rolledBack = append(rolledBack, f.share(fates.RolledBack))
			holding = append(holding, fmt.Sprintf("%s, %d", f.share(fates.Holding), fates.MedianHeld))
		}
		rows = append(rows, tabbed(rolledBack))
		if after == f.fleet.Devices()/2 {
			rows = append(rows, tabbed(holding))
		}
	}
	attacked("aged ids crash", 0)
	for _, after := range newIDsAfter {
		if after < f.fleet.Devices() {
			attacked(fmt.Sprintf("new ids crash after %d devices", after), after)
		}
	}
	attacked("new ids crash after half", f.fleet.Devices()/2)
	return rows
}

// suppressed returns the results of attacks on a bad release, with the time of its rollback.
func (f attackedFleet) suppressed() (rows []string) {
	name := fmt.Sprintf("%s, %v %% crash: ", f.name, f.bad)
	attacked := func(what string, after int64) {
		completes, rolledBack := []string{name + what + ", completes"}, []string{name + what + ", rolled back, after devices"}
		for _, networks := range attackers {
			fates := f.play(f.bad, 0.5, simulation.Attack{Networks: networks, IDs: attackedIDs, After: after})
			completes = append(completes, f.share(fates.Completed))
			cell := f.share(fates.RolledBack)
			if fates.RolledBack > 0 {
				cell += fmt.Sprintf(", %d", fates.MedianAt)
			}
			rolledBack = append(rolledBack, cell)
		}
		rows = append(rows, tabbed(completes), tabbed(rolledBack))
	}
	attacked("aged ids", 0)
	if after := newIDsAfter[0]; after < f.fleet.Devices() {
		attacked(fmt.Sprintf("new ids after %d devices", after), after)
	}
	return rows
}

// tabbed joins the cells of a row.
func tabbed(cells []string) string { return strings.Join(cells, "\t") }

// share formats a part of the runs in percent.
func (f attackedFleet) share(part int) string {
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(f.runs))
}
