package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/prometheus/procfs"
	"go.temporal.io/api/batch/v1"
	"go.temporal.io/api/workflowservice/v1"
	temporal "go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/app"
)

const (
	// idleWindow is how long each row of the table measures, but in the short form.
	idleWindow = time.Minute
	// idleSample is how many workflows' histories are counted.
	idleSample = 20
	// beginTime is the most that all rollouts may take to begin.
	beginTime = 10 * time.Minute
	// publishers publish at the same time.
	publishers = 16
)

// runIdle publishes s.requests rollouts at the same time and measures when all have begun. Then it measures
// their cost while they are idle, on one worker, in each of s.rounds minutes. API
// and worker run in this process, and the API is idle.
func runIdle(ctx context.Context, s *session) error {
	w, err := s.waft(ctx, app.Role{API: true, Worker: true}, nil)
	if err != nil {
		return err
	}
	p, err := w.project(ctx, uniqueSlug("idle"))
	if err != nil {
		return err
	}
	policy, err := p.newPolicy(ctx, 1)
	if err != nil {
		return err
	}
	tc, err := temporal.Dial(temporal.Options{HostPort: w.temporal})
	if err != nil {
		return fmt.Errorf("TEMPORAL_ADDRESS: %w", err)
	}
	defer tc.Close()
	i := &idle{
		temporal: tc, heap: reachable(), window: s.lasting(idleWindow),
		table: newTable("\tCPU of API and worker, % of one\tof the engines\theap KiB a rollout\thistory events an " +
			"hour and rollout\tevents so far"),
	}
	before := load()
	if err := i.row(ctx, "no rollouts"); err != nil {
		return err
	}
	begun := time.Now()
	i.rollouts = s.requests
	if i.sample, err = p.rollOutMany(ctx, policy, s.requests); err != nil {
		return err
	}
	published := time.Since(begun)
	if err := w.allBegun(ctx); err != nil {
		return err
	}
	fmt.Printf("%d rollouts, published within %.0f s, begun %.0f s later; %d CPUs, %s; load average before %s\n\n",
		s.requests, published.Seconds(), (time.Since(begun) - published).Seconds(), runtime.NumCPU(), runtime.Version(), before)
	for minute := range s.rounds {
		if err := i.row(ctx, fmt.Sprint("minute ", minute+1)); err != nil {
			return err
		}
	}
	err = errors.Join(i.table.print(), endAll(ctx, tc, w.taskQueue))
	fmt.Println("Load average after:", load())
	return err
}

// idle is a process with idle rollouts.
type idle struct {
	temporal temporal.Client
	table    table
	// heap is the heap in use before the rollouts, in bytes.
	heap     int64
	rollouts int
	// window is how long each row measures.
	window time.Duration
	// sample are the workflows of some rollouts.
	sample []string
}

// row measures for a window. Without rollouts it leaves out what is for each rollout.
func (i *idle) row(ctx context.Context, name string) error {
	own, all := ownTime(), stackTime()
	events, err := i.historyLength(ctx)
	if err != nil {
		return err
	}
	window := time.NewTimer(i.window)
	if err := wait(ctx, window.C); err != nil {
		return err
	}
	own, all = ownTime()-own, stackTime()-all
	now, err := i.historyLength(ctx)
	if err != nil {
		return err
	}
	percent := func(d time.Duration) float64 { return 100 * d.Seconds() / i.window.Seconds() }
	each := "\t\t"
	if i.rollouts > 0 {
		each = fmt.Sprintf("%.1f\t%.0f\t%.0f", float64(reachable()-i.heap)/1024/float64(i.rollouts), (now-events)*time.Hour.Seconds()/i.window.Seconds(), now)
	}
	i.table.row("%s\t%.1f\t%.1f\t%s", name, percent(own), percent(all-own), each)
	return nil
}

// endAll ends all rollouts in Temporal before its databases are deleted.
func endAll(ctx context.Context, tc temporal.Client, taskQueue string) error {
	_, err := tc.WorkflowService().StartBatchOperation(ctx, &workflowservice.StartBatchOperationRequest{
		Namespace: temporal.DefaultNamespace, JobId: taskQueue, Reason: "the benchmark is over",
		VisibilityQuery: fmt.Sprintf("TaskQueue = '%s' AND ExecutionStatus = 'Running'", taskQueue),
		Operation: &workflowservice.StartBatchOperationRequest_TerminationOperation{
			TerminationOperation: &batch.BatchOperationTermination{Identity: "bench"},
		},
	})
	return err
}

// rollOutMany starts n rollouts at the same time and returns the workflows of some.
func (p *project) rollOutMany(ctx context.Context, policy int64, n int) (sample []string, err error) {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(publishers)
	var mu sync.Mutex
	for i := range n {
		g.Go(func() error {
			release, err := p.rollout(ctx, policy)
			if err == nil && i%max(1, n/idleSample) == 0 {
				mu.Lock()
				defer mu.Unlock()
				sample = append(sample, fmt.Sprintf("rollout/%s/%d", p.slug, release.RolloutExecutionID))
			}
			return err
		})
	}
	err = g.Wait()
	return sample, err
}

// allBegun waits until every rollout has applied its first stage.
func (e engines) allBegun(ctx context.Context) error {
	conn, err := connect(ctx, e.databaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	ctx, cancel := context.WithTimeoutCause(ctx, beginTime, errors.New("not all rollouts began"))
	defer cancel()
	return until(ctx, 200*time.Millisecond, func() (bool, error) {
		var waiting int
		err := conn.QueryRow(ctx, "SELECT count(*) FROM rollout_executions WHERE version = 0").Scan(&waiting)
		return waiting == 0, err
	})
}

// historyLength returns the mean number of events of the sample's workflows, 0 without any.
func (i *idle) historyLength(ctx context.Context) (float64, error) {
	total := int64(0)
	for _, id := range i.sample {
		described, err := i.temporal.DescribeWorkflowExecution(ctx, id, "")
		if err != nil {
			return 0, fmt.Errorf("workflow %s: %w", id, err)
		}
		total += described.GetWorkflowExecutionInfo().GetHistoryLength()
	}
	return float64(total) / float64(max(1, len(i.sample))), nil
}

// reachable returns the number of bytes of the heap that are in use.
func reachable() int64 {
	runtime.GC()
	runtime.GC() // frees what the first one only marked
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// ownTime returns the CPU time of this process.
func ownTime() time.Duration {
	used, _ := cpuTime(os.Getpid())
	return used
}

// cpuTime returns the CPU time of a process, and its parent's ID; 0 if the system does not provide them.
func cpuTime(pid int) (used time.Duration, parent int) {
	process, err := procfs.NewProc(pid)
	if err != nil {
		return 0, 0
	}
	stat, err := process.Stat()
	if err != nil {
		return 0, 0
	}
	return time.Duration(stat.CPUTime() * float64(time.Second)), stat.PPID
}

// stackTime returns the CPU time of the parent of this process, the development stack, and its
// descendants: this process and the engines, if the stack started them.
func stackTime() (total time.Duration) {
	processes, err := procfs.AllProcs()
	if err != nil {
		return 0
	}
	parents, used := map[int]int{}, map[int]time.Duration{}
	for _, p := range processes {
		used[p.PID], parents[p.PID] = cpuTime(p.PID)
	}
	for pid, d := range used {
		for at := pid; at > 1; at = parents[at] {
			if at == os.Getppid() {
				total += d
				break
			}
		}
	}
	return total
}
