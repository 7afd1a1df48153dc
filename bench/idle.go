package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"
	"go.temporal.io/api/batch/v1"
	"go.temporal.io/api/workflowservice/v1"
	temporal "go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/app"
)

const (
	// idleWindow is how long each row of the table measures.
	idleWindow = time.Minute
	// idleSample is how many workflows' histories are counted.
	idleSample = 20
	// beginTime is the most that all rollouts may take to begin.
	beginTime = 10 * time.Minute
	// publishers publish at the same time.
	publishers = 16
)

// runIdle publishes o.requests rollouts at once, measures when all have begun, and then
// what they cost while nothing happens, on one worker, in each of o.rounds minutes. API
// and worker are this process, and the API does nothing.
func runIdle(ctx context.Context, o options) (err error) {
	engines, err := newEngines(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engines.close()) }()
	w, err := startRole(ctx, engines, app.Role{API: true, Worker: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	slug := uniqueSlug("idle")
	s, err := w.subject(ctx, slug)
	if err != nil {
		return err
	}
	policy, err := s.policy(ctx, 1)
	if err != nil {
		return err
	}
	tc, err := temporal.Dial(temporal.Options{HostPort: engines.temporal})
	if err != nil {
		return fmt.Errorf("TEMPORAL_ADDRESS: %w", err)
	}
	defer tc.Close()
	stack := stackProcess()
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "\tCPU of API and worker, % of one\tof the engines\theap KiB a rollout\thistory events an hour and rollout\tevents so far\t")
	heap, before := reachable(), load()
	if err := idleRow(ctx, tc, out, "no rollouts", nil, 0, stack, heap); err != nil {
		return err
	}
	begun := time.Now()
	sample, err := s.rollOutMany(ctx, slug, policy, o.requests)
	if err != nil {
		return err
	}
	published := time.Since(begun)
	if err := allBegun(ctx, engines.databaseURL); err != nil {
		return err
	}
	fmt.Printf("%d rollouts, published within %.0f s, begun %.0f s later; %d CPUs, %s; load average before %s\n\n",
		o.requests, published.Seconds(), (time.Since(begun) - published).Seconds(), runtime.NumCPU(), runtime.Version(), before)
	for minute := range o.rounds {
		if err := idleRow(ctx, tc, out, fmt.Sprint("minute ", minute+1), sample, o.requests, stack, heap); err != nil {
			return err
		}
	}
	err = errors.Join(out.Flush(), endAll(ctx, tc, w.taskQueue))
	fmt.Println("Load average after:", load())
	return err
}

// idleRow measures for idleWindow what some rollouts cost, sample being the workflows of a few, and prints it.
func idleRow(ctx context.Context, tc temporal.Client, out io.Writer, name string, sample []string, rollouts, stack int, heap int64) error {
	own, all := cpuTime(), treeTime(stack)
	events, err := historyLength(ctx, tc, sample)
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(idleWindow):
	}
	own, all = cpuTime()-own, treeTime(stack)-all
	now, err := historyLength(ctx, tc, sample)
	if err != nil {
		return err
	}
	percent := func(d time.Duration) float64 { return 100 * d.Seconds() / idleWindow.Seconds() }
	fmt.Fprintf(out, "%s\t%.1f\t%.1f\t%.1f\t%.0f\t%.0f\t\n", name, percent(own), percent(all-own),
		float64(reachable()-heap)/1024/float64(max(1, rollouts)), (now-events)*float64(time.Hour/idleWindow), now)
	return nil
}

// endAll leaves no rollout behind in Temporal, whose databases are about to go.
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

// rollOutMany starts n rollouts at once and returns the workflows of some.
func (s *subject) rollOutMany(ctx context.Context, slug string, policy int64, n int) (sample []string, err error) {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(publishers)
	var mu sync.Mutex
	for i := range n {
		g.Go(func() error {
			var release struct{ RolloutExecutionID int64 }
			err := s.create(ctx, s.publishPath(), "application/json", fmt.Sprintf(`{"channel": "production", "rolloutPolicyId": %d}`, policy), &release)
			if err == nil && i%max(1, n/idleSample) == 0 {
				mu.Lock()
				defer mu.Unlock()
				sample = append(sample, fmt.Sprintf("rollout/%s/%d", slug, release.RolloutExecutionID))
			}
			return err
		})
	}
	return sample, g.Wait()
}

// allBegun waits until every rollout has applied its first stage.
func allBegun(ctx context.Context, databaseURL string) error {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return errors.New("DATABASE_URL: Postgres is not reachable")
	}
	defer conn.Close(context.WithoutCancel(ctx))
	look := time.NewTicker(200 * time.Millisecond)
	defer look.Stop()
	for deadline := time.Now().Add(beginTime); time.Now().Before(deadline) && ctx.Err() == nil; <-look.C {
		var waiting int
		if err := conn.QueryRow(ctx, "SELECT count(*) FROM rollout_executions WHERE version = 0").Scan(&waiting); err != nil {
			return err
		}
		if waiting == 0 {
			return nil
		}
	}
	return errors.New("not all rollouts began")
}

// historyLength is the mean number of events of the workflows.
func historyLength(ctx context.Context, tc temporal.Client, workflows []string) (float64, error) {
	if len(workflows) == 0 {
		return 0, nil
	}
	total := int64(0)
	for _, id := range workflows {
		described, err := tc.DescribeWorkflowExecution(ctx, id, "")
		if err != nil {
			return 0, fmt.Errorf("workflow %s: %w", id, err)
		}
		total += described.GetWorkflowExecutionInfo().GetHistoryLength()
	}
	return float64(total) / float64(len(workflows)), nil
}

// cpuTime is what this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// stackProcess is the process that started the engines, the development stack among the
// ancestors of this one; 0 when the engines are elsewhere or the system does not tell.
func stackProcess() int {
	for pid := os.Getppid(); pid > 1; pid, _ = parentOf(pid) {
		command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil {
			return 0
		}
		if strings.Contains(strings.SplitN(string(command), "\x00", 2)[0], "devstack") {
			return pid
		}
	}
	return 0
}

// treeTime is what a process and all that descend from it have used.
func treeTime(root int) time.Duration {
	if root == 0 {
		return cpuTime()
	}
	parents, used := map[int]int{}, map[int]time.Duration{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			parents[pid], used[pid] = parentOf(pid)
		}
	}
	total := time.Duration(0)
	for pid, d := range used {
		for at := pid; at > 1; at = parents[at] {
			if at == root {
				total += d
				break
			}
		}
	}
	return total
}

// parentOf reads a process's parent and what it has used itself, from /proc/<pid>/stat.
func parentOf(pid int) (parent int, used time.Duration) {
	const tick = 10 * time.Millisecond // of the kernel's clock, USER_HZ
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	const ppid, utime, stime = 1, 11, 12
	if len(fields) <= stime {
		return 0, 0
	}
	parent, _ = strconv.Atoi(fields[ppid])
	user, _ := strconv.Atoi(fields[utime])
	system, _ := strconv.Atoi(fields[stime])
	return parent, time.Duration(user+system) * tick
}
