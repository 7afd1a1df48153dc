package stack

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// Status prints what runs in the folder and where.
func (s *Stack) Status() error {
	table := tabwriter.NewWriter(s.Out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "NAME\tPID\tSTATE\tADDRESS")
	addresses := s.engineAddresses()
	for _, svc := range slices.Concat(s.engines(), s.server()) {
		record := process.Load(s.Dir, svc.name)
		pid, state, address := "-", "stopped", "-"
		switch {
		case record.Alive():
			// An engine's address has the user and the password.
			pid, state, address = strconv.Itoa(record.Pid), "running", cmp.Or(addresses[svc.external], record.Address)
		case record.Pid != 0:
			pid, state = strconv.Itoa(record.Pid), "died, see "+record.Log
		case svc.external != "" && os.Getenv(svc.external) != "":
			state, address = "external", "given in "+svc.external
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", svc.name, pid, state, address)
		if svc.name == "temporal" && record.Alive() {
			fmt.Fprintf(table, "temporal-ui\t%s\t%s\thttp://%s\n", pid, state, named(s.ports.TemporalUI))
		}
	}
	return table.Flush()
}

// Wait blocks until ctx ends and then stops everything. It reports processes that end
// before, and returns when another command has stopped all of them.
func (s *Stack) Wait(ctx context.Context) error {
	s.say("watching %s", s.Dir)
	reported := map[string]int{}
	// An earlier command started the processes. They are not children, so this polls.
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for s.reportEnded(reported) {
		select {
		case <-ctx.Done():
			return s.Down()
		case <-tick.C:
		}
	}
	s.say("nothing is running in %s", s.Dir)
	return nil
}

// reportEnded reports processes that ended without a command, each once. reported has the
// pids of those, by name. It returns false when no process is recorded.
func (s *Stack) reportEnded(reported map[string]int) (recorded bool) {
	for _, svc := range slices.Concat(s.server(), s.engines()) {
		record := process.Load(s.Dir, svc.name)
		recorded = recorded || record.Pid != 0
		if record.Pid != 0 && !record.Alive() && reported[svc.name] != record.Pid {
			s.say("%s (pid %d) has ended: see %s", svc.name, record.Pid, record.Log)
			reported[svc.name] = record.Pid
		}
	}
	return recorded
}
