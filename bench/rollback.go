package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"go.temporal.io/api/enums/v1"
	temporal "go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/models"
)

const (
	// crashing is the number of devices of a rollout that crash at the same time.
	crashing = 8
	// backgroundDevices launch the app all the while on another channel.
	backgroundDevices = 20_000
	backgroundWorkers = 64
	// takenBackIn is the share of the rollouts' first stage, in percent.
	takenBackIn = 20
	// seenEvery is how often ClickHouse is queried for the reports.
	seenEvery = 10 * time.Millisecond
	// During a rollback ClickHouse is queried every insertedEvery, and a device asks for its update every askEvery: more often
	// would take processors from what is measured. A query takes ClickHouse some 4 ms.
	insertedEvery = 50 * time.Millisecond
	askEvery      = 10 * time.Millisecond
	// rollbackTime is the most that a rollback of commands may take.
	rollbackTime = 30 * time.Second
)

// runRollback measures the time from the first report of a crash until a device is served the rollback, over
// s.rounds rollouts. During that time other devices send s.requests launches per second. Each release
// has a build with a source map of its own, which no process has read before the first crash.
func runRollback(ctx context.Context, s *session) (err error) {
	w, err := s.waft(ctx, app.Role{API: true, Worker: true}, nil)
	if err != nil {
		return err
	}
	p, err := w.project(ctx, uniqueSlug("rollbacks"))
	if err != nil {
		return err
	}
	r := &rollbacks{project: p, mapBytes: s.sourceMap << 20, limit: s.limit}
	if r.temporal, err = temporal.Dial(temporal.Options{HostPort: w.temporal}); err != nil {
		return fmt.Errorf("TEMPORAL_ADDRESS: %w", err)
	}
	defer r.temporal.Close()
	if r.policy, err = r.newPolicy(ctx, takenBackIn); err != nil {
		return err
	}
	if err := r.publish(ctx); err != nil {
		return err
	}
	if err := w.rolloutsWait(ctx, s.waiting); err != nil {
		return err
	}
	launched, err := s.background(ctx, r.project)
	if err != nil {
		return err
	}
	before := load()
	steps := make([]samples, len(rollbackSteps))
	begun := time.Now()
	for range s.rounds {
		took, err := r.one(ctx)
		if err != nil {
			return err
		}
		for i, d := range took {
			steps[i].add([]time.Duration{d}, 0)
		}
	}
	fmt.Printf("%d rollbacks of releases with a source map of %d MiB, under %.0f launches a second (%d wanted), "+
		"%d other rollouts wait; %s\n\n",
		s.rounds, s.sourceMap, float64(launched())/time.Since(begun).Seconds(), s.requests, s.waiting, machine(before))
	t := newTable("\tmedian ms\tp95 ms\tmost ms")
	for i, step := range rollbackSteps {
		t.row("%s\t%.0f\t%.0f\t%.0f", step, steps[i].ms(.5), steps[i].ms(.95), steps[i].ms(1))
	}
	return t.print()
}

// rolloutsWait publishes n rollouts of another project that wait in their first stage.
func (w *waft) rolloutsWait(ctx context.Context, n int) error {
	if n == 0 {
		return nil
	}
	p, err := w.project(ctx, uniqueSlug("waiting"))
	if err != nil {
		return err
	}
	policy, err := p.newPolicy(ctx, 1)
	if err != nil {
		return err
	}
	if _, err := p.rollOutMany(ctx, policy, n); err != nil {
		return err
	}
	return w.allBegun(ctx)
}

// rollbackSteps follow one another, and the last row is their sum. The groups of the errors are inserted at the same time.
var rollbackSteps = [...]string{
	"first crash reported → acknowledged", "→ inserted", "→ judged, workflow signalled", "→ workflow decided",
	"→ committed", "→ served to a device", "first crash reported → served", "first crash reported → grouped by source",
}

// rollbacks are rollouts of one project that crash.
type rollbacks struct {
	*project
	policy   int64
	temporal temporal.Client
	mapBytes int
	// limit is the most time that one rollback may take.
	limit time.Duration
}

// newPolicy makes one whose first stage lasts for ten hours.
func (p *project) newPolicy(ctx context.Context, percentage int) (int64, error) {
	var made struct{ ID int64 }
	err := p.create(ctx, "/v1/ota/rollout-policies", "application/json", fmt.Sprintf(
		`{"name": "bench %s", "stages": [{"percentage": %d, "minDurationMinutes": 600}, {"percentage": 100}], "thresholds": {"crashRate": 2}}`,
		uuid.NewString(), percentage), &made)
	return made.ID, err
}

// background lets devices of the staging channel launch the app until the end of the session.
func (s *session) background(ctx context.Context, p *project) (launched func() int64, err error) {
	devices, err := fleet.New(fleet.Options{
		BaseURL: p.w.url, ProjectSlug: p.slug, Channel: "staging", RuntimeVersion: "1.0.0", Devices: backgroundDevices,
		IOSPercent: 100, Seed: 1, Assets: fleet.AssetPolicy{Rest: fleet.AssetHead},
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		ended <- devices.Run(ctx, fleet.Load{Workers: backgroundWorkers, PerSecond: float64(s.requests)})
	}()
	s.atEnd(func() error {
		cancel()
		defer devices.Close()
		return <-ended
	})
	return func() int64 { return devices.Stats().Launches }, nil
}

// rollout publishes a release under the policy.
func (p *project) rollout(ctx context.Context, policy int64) (release rolledOut, err error) {
	err = p.create(ctx, p.publishPath(), "application/json", fmt.Sprintf(`{"channel": "production", "rolloutPolicyId": %d}`, policy), &release)
	return release, err
}

// rolledOut is the response to a publish that begins a rollout.
type rolledOut struct {
	GroupID            uuid.UUID
	UpdateUUID         string
	RolloutExecutionID int64
}

// one rolls out a release, crashes it, and returns the duration of each step.
func (r *rollbacks) one(ctx context.Context) (took [len(rollbackSteps)]time.Duration, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, r.limit, errors.New("a rollback took too long"))
	defer cancel()
	if r.mapBytes > 0 {
		r.sourceMap = sourceMapOf(uuid.NewString(), r.mapBytes)
	}
	if _, err := r.upload(ctx, "", []byte(uuid.NewString()), nil); err != nil {
		return took, err
	}
	release, err := r.rollout(ctx, r.policy)
	if err != nil {
		return took, err
	}
	var devices []string
	for len(devices) < crashing {
		if id := uuid.NewString(); rollout.InShare(models.ReleaseSalt(release.GroupID), id, takenBackIn) {
			devices = append(devices, id)
		}
	}
	for _, device := range devices {
		if _, err := r.await(ctx, device, func(id string) bool { return id == release.UpdateUUID }); err != nil {
			return took, err
		}
	}
	commits, err := r.w.listen(ctx)
	if err != nil {
		return took, err
	}
	defer commits.Close(context.WithoutCancel(ctx))

	sent := time.Now()
	acknowledged, err := r.crash(ctx, devices, release.UpdateUUID)
	if err != nil {
		return took, err
	}
	var seen, grouped, committed, served time.Time
	g, waiting := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		seen, err = r.inserted(waiting, "health_reports", release.UpdateUUID, "crashes > 0")
		return err
	})
	g.Go(func() error {
		_, err := commits.WaitForNotification(waiting)
		committed = time.Now()
		return err
	})
	g.Go(func() (err error) {
		served, err = r.await(waiting, devices[0], func(id string) bool { return id != "" && id != release.UpdateUUID })
		return err
	})
	if err := g.Wait(); err != nil {
		return took, err
	}
	grouped, err = r.inserted(ctx, "health_events", release.UpdateUUID, "fingerprint > 0")
	if err != nil {
		return took, err
	}
	signalled, decided, err := r.decided(ctx, release.RolloutExecutionID)
	if err != nil {
		return took, err
	}
	// The decision may have had enough evidence before the last report was inserted.
	if signalled.Before(seen) {
		seen = signalled
	}
	return [...]time.Duration{
		acknowledged.Sub(sent), seen.Sub(acknowledged), signalled.Sub(seen), decided.Sub(signalled), committed.Sub(decided),
		served.Sub(committed), served.Sub(sent), grouped.Sub(sent),
	}, nil
}

// crashEvents are a launch that crashes in a place that the source map has.
const crashEvents = `{"type": "app_launch", "count": 1},
	{"type": "crash", "count": 1, "errorName": "TypeError", "message": "x is undefined",
	"stackTrace": "TypeError: x is undefined\n    at t (address at index.bundle:1:5000)\n    at n (address at index.bundle:1:9000)"}`

// crash sends the reports of all devices at the same time and returns the time at which the first one was
// acknowledged.
func (r *rollbacks) crash(ctx context.Context, devices []string, update string) (first time.Time, err error) {
	var once sync.Once
	g, ctx := errgroup.WithContext(ctx)
	for _, device := range devices {
		g.Go(func() error {
			err := r.report(ctx, device, update, crashEvents)
			once.Do(func() { first = time.Now() })
			return err
		})
	}
	err = g.Wait()
	return first, err
}

// await returns the time at which a device is served the right update.
func (r *rollbacks) await(ctx context.Context, device string, right func(update string) bool) (time.Time, error) {
	return r.w.awaitUpdate(ctx, askEvery, r.slug, map[string]string{
		"Expo-Channel-Name": "production", "Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0", "Eas-Client-Id": device,
		"Accept": "application/expo+json",
	}, right)
}

// inserted returns when queries see rows of all devices that meet a condition.
func (r *rollbacks) inserted(ctx context.Context, table, update, condition string) (time.Time, error) {
	err := until(ctx, insertedEvery, func() (bool, error) {
		text, err := query(ctx, r.w.clickHouseURL,
			fmt.Sprintf("SELECT count() FROM %s WHERE update_uuid = '%s' AND %s", table, update, condition))
		return text == strconv.Itoa(crashing), err
	})
	return time.Now(), err
}

// decided returns when the workflow of a rollout was signalled first, and when it had its last change written.
func (r *rollbacks) decided(ctx context.Context, id int64) (signalled, decided time.Time, err error) {
	var e struct{ Status, WorkflowID string }
	if err := r.get(ctx, fmt.Sprintf("/v1/ota/rollout-executions/%d", id), &e); err != nil {
		return signalled, decided, err
	}
	if e.Status != string(models.ExecutionRolledBack) {
		return signalled, decided, fmt.Errorf("rollout %d is %s", id, e.Status)
	}
	history := r.temporal.GetWorkflowHistory(ctx, e.WorkflowID, "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for history.HasNext() {
		event, err := history.Next()
		if err != nil {
			return signalled, decided, err
		}
		switch event.EventType {
		case enums.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED:
			if signalled.IsZero() {
				signalled = event.EventTime.AsTime()
			}
		case enums.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
			decided = event.EventTime.AsTime()
		default:
		}
	}
	return signalled, decided, nil
}

// sourceMapOf makes a source map of so many bytes, with a name that no other has, as long lines of one bundle have it.
func sourceMapOf(name string, bytes int) []byte {
	const source, segment = "  return item.price.cents;\\n", ",IAAC"
	sources := strings.Repeat(source, bytes/2/len(source))
	mappings := strings.Repeat(segment, bytes/2/len(segment))
	return fmt.Appendf(nil, `{"version":3,"sources":["/app/%s.js"],"sourcesContent":["%s"],"names":[],"mappings":"AAAA%s"}`,
		name, sources, mappings)
}
