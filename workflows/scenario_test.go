package workflows_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

const (
	hour   = time.Hour
	minute = time.Minute
	second = time.Second
)

func limit(p float64) *float64 { return &p }

// hourly returns the policy of the scenarios: three stages of an hour and 100 devices each.
func hourly() []models.Stage {
	return []models.Stage{
		{Percentage: 5, MinDevices: 100, MinDurationMinutes: 60},
		{Percentage: 25, MinDevices: 100, MinDurationMinutes: 60},
		{Percentage: 100, MinDevices: 100, MinDurationMinutes: 60},
	}
}

// brief returns a policy like the demo's, with stages of seconds.
func brief() []models.Stage {
	return []models.Stage{
		{Percentage: 10, MinDevices: 1, MinDurationMinutes: 2.0 / 60},
		{Percentage: 50, MinDevices: 1, MinDurationMinutes: 3.5 / 60},
		{Percentage: 100, MinDevices: 1, MinDurationMinutes: 5.0 / 60},
	}
}

var (
	rollingBack = models.Thresholds{
		CrashRate: limit(0.5), Action: models.ActionAutoRollback, Method: models.MethodSequential, MinNetworks: new(int64(1)),
	}
	gating = models.Thresholds{
		CrashRate: limit(0.5), Action: models.ActionGate, Method: models.MethodSequential, MinNetworks: new(int64(1)),
	}
)

// scenario is a play that must have the same result wherever histories are cut.
type scenario struct {
	stages     func() []models.Stage
	thresholds models.Thresholds
	// prepare changes the fake rollout before the play. It may be nil.
	prepare func(*fakeRollout)
	acts    func() []*act
	// story is the expected timeline.
	story []string
	// refused contains the commands that are refused, with their messages. All other commands succeed.
	refused map[string]string
	reason  string
}

var scenarios = map[string]scenario{
	"a healthy release goes through its stages, each exactly as long as it has to": {
		acts: func() []*act { return []*act{at(10*second, reports(1000, 1))} },
		story: []string{
			"0s started: running stage 0 5% duration",
			"1h0m0s stage_advanced: running stage 1 25% duration",
			"2h0m0s stage_advanced: running stage 2 100% duration",
			"3h0m0s completed: completed stage 2 100% ",
		},
		reason: "stage 3 of 3 (100%) is done and every device gets the release: " +
			"crash rate 0.1% is within the threshold of 0.5% (1 of 1000 devices)",
	},
	"stages of seconds end on the second": {
		stages: brief,
		acts:   func() []*act { return []*act{at(500*time.Millisecond, spike(10, 0))} },
		story: []string{
			"0s started: running stage 0 10% duration",
			"2s stage_advanced: running stage 1 50% duration",
			"5.5s stage_advanced: running stage 2 100% duration",
			"10.5s completed: completed stage 2 100% ",
		},
		reason: "stage 3 of 3 (100%) is done and every device gets the release: crash rate 0% is within the threshold of 0.5% (0 of 10 devices)",
	},
	"a crash spike is rolled back within a second of its signal": {
		acts: func() []*act { return []*act{at(10*second, reports(1000, 1)), at(90*minute, spike(1100, 60))} },
		story: []string{
			"0s started: running stage 0 5% duration",
			"1h0m0s stage_advanced: running stage 1 25% duration",
			"1h30m0s rolled_back: rolled_back stage 1 25%  revert",
		},
		reason: "rolled back in stage 2 of 3 (25%): crash rate 5.45% breaches the threshold of 0.5% (60 of 1100 devices)",
	},
	"a crash spike that comes in two batches is rolled back with the second": {
		acts: func() []*act {
			return []*act{at(10*second, reports(1000, 1)), at(90*minute, spike(1010, 7)), at(90*minute+2*second, spike(1100, 60))}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"1h0m0s stage_advanced: running stage 1 25% duration",
			"1h30m0s held: running stage 1 25% threshold",
			"1h30m2s rolled_back: rolled_back stage 1 25%  revert",
		},
		reason: "rolled back in stage 2 of 3 (25%): crash rate 5.45% breaches the threshold of 0.5% (60 of 1100 devices)",
	},
	"a crash spike that no prompt tells of is found by the next sweep": {
		acts: func() []*act {
			return []*act{at(10*second, reports(1000, 1)), at(90*minute+15*second, reports(1100, 60))}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"1h0m0s stage_advanced: running stage 1 25% duration",
			"1h33m0s rolled_back: rolled_back stage 1 25%  revert",
		},
		reason: "rolled back in stage 2 of 3 (25%): crash rate 5.45% breaches the threshold of 0.5% (60 of 1100 devices)",
	},
	"a breach at a gate holds until someone advances": {
		thresholds: gating,
		acts: func() []*act {
			return []*act{at(30*minute, spike(1000, 50)), at(90*minute, command(models.CommandAdvance)), at(2*hour, command(models.CommandCancel))}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"30m0s held: running stage 0 5% threshold",
			"1h30m0s stage_advanced: running stage 1 25% duration",
			"1h30m0s held: running stage 1 25% threshold",
			"2h0m0s cancelled: cancelled stage 1 25%  revert",
		},
		reason: "cancelled by alice",
	},
	"a pause stops the stage's clock": {
		acts: func() []*act {
			return []*act{
				at(10*second, reports(1000, 1)), at(20*minute, command(models.CommandPause)),
				at(2*hour, command(models.CommandResume)), at(2*hour+50*minute, command(models.CommandCancel)),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"20m0s paused: paused stage 0 5% resume",
			"2h0m0s resumed: running stage 0 5% duration",
			"2h40m0s stage_advanced: running stage 1 25% duration",
			"2h50m0s cancelled: cancelled stage 1 25%  revert",
		},
		reason: "cancelled by alice",
	},
	"illegal commands are refused and change nothing": {
		acts: func() []*act {
			return []*act{
				at(1*second, command(models.CommandResume)),
				at(2*second, command(models.CommandPause)),
				at(3*second, command(models.CommandPause)),
				at(4*second, command(models.CommandResume)),
				at(5*second, commandWith(models.CommandCancel, workflows.RolloutCommandInput{Actor: alice, Reason: "enough", Revert: new(bool)})),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"2s paused: paused stage 0 5% resume",
			"4s resumed: running stage 0 5% duration",
			"5s cancelled: cancelled stage 0 5% ",
		},
		refused: map[string]string{
			"resume 1": "cannot resume a rollout that is running",
			"pause 2":  "cannot pause a rollout that is paused",
		},
		reason: "enough",
	},
	"of two commands at once the second meets the state that the first left": {
		acts: func() []*act {
			return []*act{at(minute, func(p *play) {
				command(models.CommandCancel)(p)
				command(models.CommandPause)(p)
			})}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"1m0s cancelled: cancelled stage 0 5%  revert",
		},
		refused: map[string]string{"pause 1": "cannot pause a rollout that is cancelled"},
		reason:  "cancelled by alice",
	},
	"an advance while paused goes to the next stage and stays paused": {
		acts: func() []*act {
			return []*act{
				at(10*second, reports(1000, 1)), at(minute, command(models.CommandPause)),
				at(2*minute, command(models.CommandAdvance)), at(3*hour, command(models.CommandResume)),
				at(3*hour+30*minute, command(models.CommandAdvance)), at(3*hour+40*minute, command(models.CommandAdvance)),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"1m0s paused: paused stage 0 5% resume",
			"2m0s stage_advanced: paused stage 1 25% resume",
			"3h0m0s resumed: running stage 1 25% duration",
			"3h30m0s stage_advanced: running stage 2 100% duration",
			"3h40m0s completed: completed stage 2 100% ",
		},
		reason: "advanced by alice",
	},
	"a breach while paused rolls back": {
		acts: func() []*act {
			return []*act{at(minute, command(models.CommandPause)), at(1*hour+minute, spike(500, 50))}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"1m0s paused: paused stage 0 5% resume",
			"1h1m0s rolled_back: rolled_back stage 0 5%  revert",
		},
		reason: "rolled back in stage 1 of 3 (5%): crash rate 10% breaches the threshold of 0.5% (50 of 500 devices)",
	},
	"a breach at a gate while paused stays paused and says so": {
		thresholds: gating,
		acts: func() []*act {
			return []*act{
				at(minute, command(models.CommandPause)), at(1*hour+minute, spike(500, 50)), at(2*hour, command(models.CommandResume)),
				at(2*hour+minute, command(models.CommandCancel)),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"1m0s paused: paused stage 0 5% resume",
			"1h1m0s held: paused stage 0 5% resume",
			"2h0m0s resumed: running stage 0 5% duration",
			"2h0m0s held: running stage 0 5% threshold",
			"2h1m0s cancelled: cancelled stage 0 5%  revert",
		},
		reason: "cancelled by alice",
	},
	"a newer release that reaches everybody ends the rollout without a revert": {
		acts: func() []*act { return []*act{at(20*minute, superseded(1077))} },
		story: []string{
			"0s started: running stage 0 5% duration",
			"20m0s cancelled: cancelled stage 0 5% ",
		},
		reason: "superseded by release 1077",
	},
	"a paused rollout is superseded as well": {
		acts: func() []*act {
			return []*act{at(minute, command(models.CommandPause)), at(20*minute, superseded(1077))}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"1m0s paused: paused stage 0 5% resume",
			"20m0s cancelled: cancelled stage 0 5% ",
		},
		reason: "superseded by release 1077",
	},
	"health that cannot be read for an hour holds the rollout, which then continues by itself": {
		acts: func() []*act {
			return []*act{
				at(10*second, reports(1000, 1)),
				at(50*minute, func(p *play) { p.set(func(fake *fakeRollout) { fake.blind = true }) }),
				at(110*minute, func(p *play) { p.set(func(fake *fakeRollout) { fake.blind = false }) }),
				at(115*minute, command(models.CommandCancel)),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"51m10s held: running stage 0 5% data",
			"1h51m0s stage_advanced: running stage 1 25% duration",
			"1h55m0s cancelled: cancelled stage 1 25%  revert",
		},
		reason: "cancelled by alice",
	},
	"silence holds the rollout": {
		acts: func() []*act {
			return []*act{at(2*hour, spike(100, 0)), at(2*hour+minute, command(models.CommandCancel))}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"1h0m0s held: running stage 0 5% data",
			"2h0m0s stage_advanced: running stage 1 25% duration",
			"2h1m0s cancelled: cancelled stage 1 25%  revert",
		},
		reason: "cancelled by alice",
	},
	"over the limit by chance holds until more devices have reported": {
		acts: func() []*act {
			return []*act{at(30*minute, spike(130, 1)), at(90*minute, spike(300, 1)), at(2*hour, command(models.CommandCancel))}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"30m0s held: running stage 0 5% threshold",
			"1h30m0s stage_advanced: running stage 1 25% duration",
			"2h0m0s cancelled: cancelled stage 1 25%  revert",
		},
		reason: "cancelled by alice",
	},
	"too few devices hold the stage": {
		acts: func() []*act {
			return []*act{at(30*minute, spike(99, 0)), at(90*minute, spike(100, 0)), at(2*hour, command(models.CommandCancel))}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"1h0m0s held: running stage 0 5% devices",
			"1h30m0s stage_advanced: running stage 1 25% duration",
			"2h0m0s cancelled: cancelled stage 1 25%  revert",
		},
		reason: "cancelled by alice",
	},
	"a store that is away delays a step, and the stage's time counts from when its share was in force": {
		acts: func() []*act {
			return []*act{
				at(10*second, reports(1000, 1)),
				at(hour-second, func(p *play) { p.set(func(fake *fakeRollout) { fake.storeAway = true }) }),
				at(hour+11*second, func(p *play) { p.set(func(fake *fakeRollout) { fake.storeAway = false }) }),
				at(2*hour+minute, command(models.CommandCancel)),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"1h0m0s stage_advanced: running stage 1 25% duration",
			"2h0m12s stage_advanced: running stage 2 100% duration",
			"2h1m0s cancelled: cancelled stage 2 100%  revert",
		},
		reason: "cancelled by alice",
	},
	"a cancellation in Temporal cancels the rollout and takes the release back": {
		acts: func() []*act { return []*act{at(minute, func(p *play) { p.env.CancelWorkflow() })} },
		story: []string{
			"0s started: running stage 0 5% duration",
			"1m0s cancelled: cancelled stage 0 5%  revert",
		},
		reason: "cancelled in Temporal",
	},
}

func (s scenario) play(t *testing.T, stepsPerRun int) *play {
	stages, thresholds := hourly(), rollingBack
	if s.stages != nil {
		stages = s.stages()
	}
	if s.thresholds.Action != "" {
		thresholds = s.thresholds
	}
	p := &play{
		fakeRollout: newFakeRollout(startOfPlay, stages, thresholds), t: t, acts: s.acts(),
		stepsPerRun: stepsPerRun, answers: map[string]error{},
	}
	if s.prepare != nil {
		s.prepare(p.fakeRollout)
	}
	p.perform()
	return p
}

func TestScenarios(t *testing.T) {
	t.Parallel()
	for name, s := range scenarios {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := s.play(t, 0)
			require.NoError(t, p.err)
			require.Equal(t, 1, p.runs)
			require.Equal(t, s.story, p.story())
			require.Equal(t, s.reason, p.result.Reason)
			require.Equal(t, p.row().Status, p.result.Status)
			require.Equal(t, p.row().Reason, p.result.Reason)
			require.Equal(t, p.row().Version, p.result.Changes)
			require.NotNil(t, p.row().EndedAt)
			s.requireAnswers(t, p)
		})
	}
}

func (s scenario) requireAnswers(t *testing.T, p *play) {
	t.Helper()
	for key, err := range p.answers {
		if message, refused := s.refused[key]; refused {
			requireRefused(t, err, "invalid_transition", message)
		} else {
			require.NoError(t, err, key)
		}
	}
}

// State that a continue-as-new lost would make the result of a cut history differ from the result of an uncut history.
func TestScenariosCutByContinueAsNew(t *testing.T) {
	t.Parallel()
	for name, s := range scenarios {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole := s.play(t, 0)
			for _, stepsPerRun := range []int{1, 3, 7} {
				t.Run(strconv.Itoa(stepsPerRun), func(t *testing.T) {
					t.Parallel()
					cut := s.play(t, stepsPerRun)
					require.NoError(t, cut.err)
					require.Equal(t, whole.fullStory(), cut.fullStory())
					require.Equal(t, whole.result, cut.result)
					s.requireAnswers(t, cut)
					if len(whole.written()) > 2*stepsPerRun {
						require.Greater(t, cut.runs, 1, "nothing was cut")
					}
				})
			}
		})
	}
}
