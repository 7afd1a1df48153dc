package stack

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// Status prints what runs in the folder and where.
func (s *Stack) Status() error {
	table := tabwriter.NewWriter(s.Out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "NAME\tPID\tSTATE\tADDRESS")
	for _, svc := range slices.Concat(s.engines(), s.server()) {
		record := process.Load(s.Dir, svc.name)
		pid, state, address := "-", "stopped", "-"
		switch {
		case record.Alive():
			pid, state, address = strconv.Itoa(record.Pid), "running", record.Address
		case record.Pid != 0:
			pid, state = strconv.Itoa(record.Pid), "died, see "+record.Log
		case svc.external != "" && os.Getenv(svc.external) != "":
			state, address = "external", "given in "+svc.external
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", svc.name, pid, state, address)
		if svc.name == "temporal" && record.Alive() {
			fmt.Fprintf(table, "temporal-ui\t%s\t%s\thttp://%s\n", pid, state, loopback(s.ports.TemporalUI))
		}
	}
	return table.Flush()
}
