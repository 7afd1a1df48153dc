package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// column is one measurement: a flag, and people for which the same rule decides.
type column struct {
	name string
	of   part
	flag string
	on   bool
}

var columns = []column{
	{"user list", byList, flagOn, true},
	{"attributes and version", byAttributes, flagOn, true},
	{"country", byCountry, flagOn, true},
	{"25 %, on", byShare, flagOn, true},
	{"25 %, off", byShare, flagOn, false},
	{"flag off", byShare, flagOff, false},
}

// peopleAtOnce is how many people each measurement evaluates for in turn.
const peopleAtOnce = 1024

// result has the times of one peer in one column.
type result struct {
	evaluations []func() bool
	on          bool
	took        []float64
	count       int
	bytes       uint64
	allocations uint64
}

// newResult prepares the evaluations. Whose share holds is each peer's own decision.
func newResult(p peer, c column) (r result, err error) {
	r.on = c.on
	for i := 0; len(r.evaluations) < peopleAtOnce; i++ {
		person, of := personOf(i)
		if of != c.of {
			continue
		}
		evaluation, err := p.prepare(person, c.flag)
		if err != nil {
			return r, fmt.Errorf("%s: %w", p.name, err)
		}
		if evaluation() == c.on {
			r.evaluations = append(r.evaluations, evaluation)
		}
	}
	return r, nil
}

// measure evaluates for a while. It fails when an evaluation changes, whose inputs do not.
func (r *result) measure(each time.Duration) error {
	var before, after runtime.MemStats
	runtime.GC() // of what the peer before has left
	runtime.ReadMemStats(&before)
	began := time.Now()
	n := 0
	var took time.Duration
	for took < each {
		for _, evaluation := range r.evaluations {
			if evaluation() != r.on {
				return errors.New("an evaluation changed")
			}
		}
		n += len(r.evaluations)
		took = time.Since(began)
	}
	runtime.ReadMemStats(&after)
	r.took = append(r.took, float64(took)/float64(n))
	r.count += n
	r.bytes += after.TotalAlloc - before.TotalAlloc
	r.allocations += after.Mallocs - before.Mallocs
	return nil
}

// ns returns the time of an evaluation in nanoseconds, in the round that other programs disturbed least.
func (r *result) ns() float64 { return slices.Min(r.took) }

func (r *result) perOp(total uint64) float64 { return float64(total) / float64(r.count) }

// fallThrough is the most that the evaluation of a share may take, in nanoseconds.
const fallThrough = 300

// report prints the tables. Waft is the first of the peers.
func report(part string, peers []peer, results [][]result) error {
	fmt.Printf("\n%s; %d CPUs, %s\n", part, runtime.NumCPU(), runtime.Version())
	err := printTable(peers, part+": ns an evaluation", func(i, j int) string {
		if j == 0 {
			return fmt.Sprintf("%.0f", results[i][j].ns())
		}
		return fmt.Sprintf("%.0f (%.1f×)", results[i][j].ns(), results[i][j].ns()/results[i][0].ns())
	})
	if err == nil {
		err = printTable(peers, part+": bytes and allocations", func(i, j int) string {
			return fmt.Sprintf("%.0f, %.0f", results[i][j].perOp(results[i][j].bytes), results[i][j].perOp(results[i][j].allocations))
		})
	}
	return err
}

// printTable prints a table: a row for each peer, a cell for each column i and peer j.
func printTable(peers []peer, heading string, cell func(i, j int) string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	row := []string{"\n| " + heading}
	for _, c := range columns {
		row = append(row, c.name)
	}
	fmt.Fprintln(w, strings.Join(row, "\t| ")+"\t|")
	fmt.Fprintln(w, strings.Repeat("|---\t", len(row))+"|")
	for j, p := range peers {
		row := []string{"| " + p.name}
		for i := range columns {
			row = append(row, cell(i, j))
		}
		fmt.Fprintln(w, strings.Join(row, "\t| ")+"\t|")
	}
	return w.Flush()
}

// lost returns where Waft is not the fastest, or where a share takes too long or allocates.
func lost(peers []peer, results [][]result) (err error) {
	for i, c := range columns {
		ours := &results[i][0]
		if c.of == byShare && (ours.ns() >= fallThrough || ours.perOp(ours.allocations) > .01) {
			err = errors.Join(err, fmt.Errorf("%s: an evaluation takes %.0f ns, %.2f allocations", c.name, ours.ns(), ours.perOp(ours.allocations)))
		}
		for j, p := range peers[1:] {
			if results[i][j+1].ns() <= ours.ns() {
				err = errors.Join(err, fmt.Errorf("%s: %s is faster", c.name, p.name))
			}
		}
	}
	return err
}
