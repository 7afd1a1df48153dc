package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"text/tabwriter"
	"time"

	"go.temporal.io/api/batch/v1"
	"go.temporal.io/api/workflowservice/v1"
	temporal "go.temporal.io/sdk/client"

	"github.com/waft-ota/waft/internal/app"
)

const (
	// idleWindow is how long each row of the table measures.
	idleWindow = time.Minute
	// idleSample is how many workflows' histories are counted.
	idleSample = 20
	// beginTime is the most that all rollouts may take to begin.
	beginTime = 10 * time.Minute
	// publishEvery is the pace at which rollouts begin.
	publishEvery = 200 * time.Millisecond
)

// runIdle measures what o.requests rollouts cost at once while nothing happens, on
// one worker, in each of o.rounds minutes after they began. API and worker are this
// process, and the API does nothing.
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
	heap, before := reachable(), load()
	begun := time.Now()
	sample, err := s.rollOutMany(ctx, slug, policy, o.requests)
	if err != nil {
		return err
	}
	published := time.Since(begun)
	if err := allBegun(ctx, tc, sample); err != nil {
		return err
	}
	fmt.Printf("%d rollouts, published within %.0f s, begun %.0f s later; %d CPUs, %s; load average before %s\n\n",
		o.requests, published.Seconds(), (time.Since(begun) - published).Seconds(), runtime.NumCPU(), runtime.Version(), before)
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "\tCPU, % of one\theap KiB a rollout\thistory events an hour and rollout\tevents so far\t")
	for minute := range o.rounds {
		cpu := cpuTime()
		events, err := historyLength(ctx, tc, sample)
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(idleWindow):
		}
		spent := cpuTime() - cpu
		now, err := historyLength(ctx, tc, sample)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "minute %d\t%.1f\t%.1f\t%.0f\t%.0f\t\n", minute+1, 100*spent.Seconds()/idleWindow.Seconds(),
			float64(reachable()-heap)/1024/float64(o.requests), (now-events)*float64(time.Hour/idleWindow), now)
	}
	fmt.Println("Load average after:", load())
	return errors.Join(out.Flush(), endAll(ctx, tc, w.taskQueue))
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

// rollOutMany starts n rollouts and returns the workflows of some.
func (s *subject) rollOutMany(ctx context.Context, slug string, policy int64, n int) (sample []string, err error) {
	pace := time.NewTicker(publishEvery)
	defer pace.Stop()
	for i := range n {
		<-pace.C
		var release struct{ RolloutExecutionID int64 }
		err := s.create(ctx, s.publishPath(), "application/json", fmt.Sprintf(`{"channel": "production", "rolloutPolicyId": %d}`, policy), &release)
		if err != nil {
			return nil, err
		}
		if i%max(1, n/idleSample) == 0 || i == n-1 {
			sample = append(sample, fmt.Sprintf("rollout/%s/%d", slug, release.RolloutExecutionID))
		}
	}
	return sample, nil
}

// allBegun waits until the workflows have applied their first stage; the last one
// began last.
func allBegun(ctx context.Context, tc temporal.Client, workflows []string) error {
	const begunAfter = 10 // events
	deadline := time.Now().Add(beginTime)
	for time.Now().Before(deadline) && ctx.Err() == nil {
		length, err := historyLength(ctx, tc, workflows[len(workflows)-1:])
		if err == nil && length > begunAfter {
			return nil
		}
		<-time.After(time.Second)
	}
	return errors.New("not all rollouts began")
}

// historyLength is the mean number of events of the workflows.
func historyLength(ctx context.Context, tc temporal.Client, workflows []string) (float64, error) {
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
