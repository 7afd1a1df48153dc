package demo_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/lab/demo"
	"github.com/waft-ota/waft/internal/lab/fleet/fleettest"
	"github.com/waft-ota/waft/models"
)

// server is a fake Waft whose rollouts advance by the number of reports. A stage ends when there are enough reports for every
// device to have sent a few requests. A crash rolls back.
type server struct {
	devices *fleettest.Server
	fleet   int
	// neverBack disables rollbacks. twiceTheShare serves twice the rollout percentage.
	neverBack, twiceTheShare bool

	// now is the clock of the demo.
	now      func() time.Time
	mu       sync.Mutex
	rollouts []*rollout
	policies []models.NewRolloutPolicy
}

const (
	running   = client.RolloutExecutionStatus(models.ExecutionRunning)
	completed = client.RolloutExecutionStatus(models.ExecutionCompleted)
)

type rollout struct {
	execution client.RolloutExecution
	release   fleettest.Release
	reports   int
	changed   chan struct{} // closed and replaced at each change
}

func (s *server) EnsurePolicy(_ context.Context, p models.NewRolloutPolicy) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.policies = append(s.policies, p)
	return 7, p.Validate()
}

func (s *server) Publish(_ context.Context, p client.Publication) ([]client.Update, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	group, created := uuid.New(), s.now()
	var releases []client.Update
	for _, platform := range p.Platforms {
		e, err := client.OpenExport(p.Dir, platform)
		if err != nil {
			return nil, err
		}
		bundle, err := os.ReadFile(filepath.Join(p.Dir, e.Bundle))
		if err != nil {
			return nil, err
		}
		release := fleettest.Release{Platform: string(platform), Message: p.Message, Bundle: bundle}
		if p.PolicyID != 0 {
			release.Percentage = s.served(5)
		}
		release = s.devices.Publish(release)
		update := client.Update{
			ID: int64(len(releases) + 1), UpdateUUID: uuid.MustParse(release.ID), GroupID: group,
			Platform: client.UpdatePlatform(platform), CreatedAt: created,
		}
		r := &rollout{release: release, changed: make(chan struct{})}
		r.execution = client.RolloutExecution{
			ID: int64(len(s.rollouts) + 1), Platform: client.RolloutExecutionPlatform(platform), Status: running, Percentage: 5,
			Stages: make([]client.Stage, 3), Timeline: []client.RolloutEvent{s.event(models.EventStarted, 5)},
			WorkflowID: fmt.Sprintf("rollout/demo/%d", len(s.rollouts)+1),
		}
		if p.PolicyID != 0 {
			update.RolloutExecutionID = new(r.execution.ID)
		} else {
			r.execution.Status = completed
		}
		s.rollouts = append(s.rollouts, r)
		releases = append(releases, update)
	}
	return releases, nil
}

func (s *server) event(kind models.RolloutEventKind, percentage float64) client.RolloutEvent {
	return client.RolloutEvent{At: s.now(), Event: client.RolloutEventEvent(kind), Percentage: percentage}
}

func (s *server) served(percentage float64) float64 {
	if s.twiceTheShare {
		return min(2*percentage, 100)
	}
	return percentage
}

// took counts a report and advances the rollouts.
func (s *server) took(report fleettest.Report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.rollouts {
		if r.execution.Status != running || string(r.execution.Platform) != report.Platform {
			continue
		}
		r.reports++
		crashed := report.UpdateUUID != nil && *report.UpdateUUID == r.release.ID &&
			slices.ContainsFunc(report.Events, func(e fleettest.Event) bool { return e.Type == "crash" })
		switch {
		case crashed && !s.neverBack:
			s.rollBack(r)
		case s.neverBack && r.release.Message == demo.Broken:
		case r.reports > s.fleet:
			s.advance(r)
		}
	}
}

func (s *server) advance(r *rollout) {
	r.reports = 0
	r.execution.StageIndex++
	if r.execution.StageIndex == 3 {
		r.execution.Status, r.execution.EndedAt = completed, new(s.now())
	} else {
		r.execution.Percentage = []float64{5, 25, 100}[r.execution.StageIndex]
		// The event stream sends the timeline as it was at that time.
		r.execution.Timeline = append(slices.Clip(r.execution.Timeline), s.event(models.EventStageAdvanced, r.execution.Percentage))
		s.devices.Change(r.release.ID, func(f *fleettest.Release) { f.Percentage = s.served(r.execution.Percentage) })
	}
	close(r.changed)
	r.changed = make(chan struct{})
}

func (s *server) rollBack(r *rollout) {
	r.execution.Status = client.RolloutExecutionStatus(models.ExecutionRolledBack)
	r.execution.Reason, r.execution.EndedAt = "crash rate too high", new(s.now())
	s.devices.Change(r.release.ID, func(f *fleettest.Release) { f.Disabled = true })
	close(r.changed)
	r.changed = make(chan struct{})
}

func (s *server) WatchRollout(ctx context.Context, id int64, each func(client.RolloutExecution) bool) error {
	for {
		s.mu.Lock()
		r := s.rollouts[id-1]
		e, changed := r.execution, r.changed
		s.mu.Unlock()
		if !each(e) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

// story is a narrator that stores its calls.
type story struct {
	mu     sync.Mutex
	lines  []string
	scenes int
}

func (s *story) add(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, line)
}

func (s *story) Act(number, count int, title string) {
	s.add(fmt.Sprintf("%d/%d %s", number, count, title))
}
func (s *story) Say(_ demo.Tone, text string) { s.add(text) }
func (s *story) Show(demo.Scene) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scenes++
}

// play plays the demo on a server that the test may break, with a clock that runs twenty times as fast as the real clock.
func play(t *testing.T, spoil func(*server, *demo.Options)) (demo.Result, *story, *server) {
	t.Helper()
	s := &server{devices: fleettest.NewServer(t), fleet: 500}
	s.devices.OnReport(s.took)
	began := time.Now()
	o := demo.Defaults()
	o.BaseURL, o.Project, o.Devices, o.PerSecond, o.Workers = s.devices.URL, "demo", s.fleet, 3000, 8
	o.CrashPercent = 100      // the fleet is small
	o.MaxRollback = time.Hour // by the fast clock, so that a busy machine does not fail the test
	o.TemporalUI = "http://127.0.0.1:8233"
	o.Now = func() time.Time { return began.Add(20 * time.Since(began)) }
	s.now = o.Now
	var err error
	o.Cast, err = demo.FindCast("", t.TempDir(), o.RuntimeVersion)
	require.NoError(t, err)
	if spoil != nil {
		spoil(s, &o)
	}
	var told story
	result, err := demo.Play(t.Context(), o, s, &told)
	require.NoError(t, err)
	return result, &told, s
}

func failed(r demo.Result) []string {
	var claims []string
	for _, c := range r.Checks {
		if !c.OK {
			claims = append(claims, c.Claim+": "+c.Seen)
		}
	}
	return claims
}

func TestTheDemoSeesACorrectServerThrough(t *testing.T) {
	t.Parallel()
	result, told, s := play(t, nil)
	require.Empty(t, failed(result))
	require.True(t, result.OK())
	require.Positive(t, result.Reaction)
	require.GreaterOrEqual(t, result.Stats.Seen, int64(500))
	text := strings.Join(told.lines, "\n")
	for _, part := range []string{
		"1/3 a release for every device", "published stable to every device", "2/3", "next android: stage 2 of 3, 25% of devices",
		"next ios: completed", "3/3", "broken ios: the first device reported a crash", "broken android: crash rate too high",
	} {
		require.Contains(t, text, part)
	}
	require.Positive(t, told.scenes)
	require.Len(t, s.policies, 1)
	require.Contains(t, result.Links, "http://127.0.0.1:8233/namespaces/default/workflows/rollout%2Fdemo%2F3")
}

func TestTheDemoFailsWhenNothingIsTakenBack(t *testing.T) {
	t.Parallel()
	result, _, _ := play(t, func(s *server, o *demo.Options) {
		s.neverBack = true
		o.Patience = 500 * time.Millisecond
	})
	require.False(t, result.OK())
	require.Contains(t, strings.Join(failed(result), "\n"), "broken ios was rolled back: running")
}

func TestTheDemoFailsWhenAShareIsNotWhatItSays(t *testing.T) {
	t.Parallel()
	result, _, _ := play(t, func(s *server, _ *demo.Options) { s.twiceTheShare = true })
	require.False(t, result.OK())
	require.Contains(t, strings.Join(failed(result), "\n"), "at 25% reached that percentage of devices")
}

func TestAFleetTooSmallForTheFirstStageIsRefused(t *testing.T) {
	t.Parallel()
	o := demo.Defaults()
	o.Devices = 20
	_, err := demo.Play(t.Context(), o, nil, nil)
	require.ErrorContains(t, err, "at least 2400 devices")
}
