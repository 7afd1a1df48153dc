package workflows_test

import (
	"maps"
	"time"

	"github.com/waft-ota/waft/internal/lab/votestest"
	"github.com/waft-ota/waft/models"
)

func init() { maps.Copy(scenarios, policyScenarios) }

var (
	graduated = models.Thresholds{
		CrashRate: limit(0.5), Action: models.ActionAutoRollback, Method: models.MethodSequential, RollbackScope: models.ScopeGraduated,
		MinNetworks: new(int64(1)),
	}
	beside = models.Thresholds{
		Action: models.ActionAutoRollback, Method: models.MethodSequential, Baseline: models.BaselineControl, MinNetworks: new(int64(1)),
	}
)

// compared returns an act that reports crashed devices inside and outside the rollout.
func compared(inside, insideCrashed, outside, outsideCrashed int64) func(*play) {
	return func(p *play) {
		p.set(func(fake *fakeRollout) {
			fake.health = models.ReleaseHealth{Devices: inside, Launches: inside, Compared: models.ComparedHealth{
				Inside:  models.GroupHealth{Devices: inside, ErroredDevices: insideCrashed, CrashedDevices: insideCrashed},
				Outside: models.GroupHealth{Devices: outside, ErroredDevices: outsideCrashed, CrashedDevices: outsideCrashed},
			}}
		})
		p.watched()
	}
}

func crashes(devices, crashed int64) models.DeviceCounts {
	return models.DeviceCounts{Devices: devices, ErroredDevices: crashed, CrashedDevices: crashed}
}

// voted returns an act that reports crashed devices in the networks of votes.
func voted(votes models.Votes, devices, crashed int64) func(*play) {
	return func(p *play) {
		p.set(func(fake *fakeRollout) {
			fake.health = models.ReleaseHealth{Devices: devices, ErroredDevices: crashed, CrashedDevices: crashed, Votes: votes}
		})
		p.watched()
	}
}

// linksFlags makes the release link a flag.
func linksFlags(fake *fakeRollout) { fake.subject.LinkedFlags = 1 }

// startsAt makes the policy wait for a time.
func startsAt(after time.Duration) func(*fakeRollout) {
	return func(fake *fakeRollout) {
		at := startOfPlay.Add(after)
		fake.subject.Execution.Schedule = models.Schedule{StartAt: &at}
	}
}

// frozenMornings adds a freeze window from 04:00 to 09:30 in Berlin, where the play starts at 05:00.
func frozenMornings(fake *fakeRollout) {
	fake.subject.Execution.Schedule = models.Schedule{
		TimeZone: "Europe/Berlin", FreezeWindows: []models.FreezeWindow{{From: "04:00", To: "09:30"}},
	}
}

// policyScenarios cover the settings of a policy other than stages and thresholds.
var policyScenarios = map[string]scenario{
	"a graduated rollback takes the flags back first, and that is enough": {
		thresholds: graduated, prepare: linksFlags,
		acts: func() []*act {
			return []*act{
				at(10*second, reports(1000, 1)), at(30*minute, spike(1100, 60)),
				at(31*minute, spike(900, 1)), at(2*hour, command(models.CommandCancel)),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"30m0s flags_reverted: running stage 0 5% duration drops flags",
			"1h30m0s stage_advanced: running stage 1 25% duration",
			"2h0m0s cancelled: cancelled stage 1 25%  revert",
		},
		reason: "cancelled by alice",
	},
	"a graduated rollback reverts the release at a second breach": {
		thresholds: graduated, prepare: linksFlags,
		acts: func() []*act {
			return []*act{at(30*minute, spike(1100, 60)), at(40*minute, spike(500, 30))}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"30m0s flags_reverted: running stage 0 5% duration drops flags",
			"40m0s rolled_back: rolled_back stage 0 5%  revert",
		},
		reason: "rolled back in stage 1 of 3 (5%): crash rate 6% breaches the threshold of 0.5% (30 of 500 devices)",
	},
	"a graduated rollback of a paused rollout leaves it paused": {
		thresholds: graduated, prepare: linksFlags,
		acts: func() []*act {
			return []*act{
				at(minute, command(models.CommandPause)), at(30*minute, spike(1100, 60)),
				at(hour, command(models.CommandCancel)),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"1m0s paused: paused stage 0 5% resume",
			"30m0s flags_reverted: paused stage 0 5% resume drops flags",
			"1h0m0s cancelled: cancelled stage 0 5%  revert",
		},
		reason: "cancelled by alice",
	},
	"without flags a graduated rollback is one of the release": {
		thresholds: graduated,
		acts:       func() []*act { return []*act{at(30*minute, spike(1100, 60))} },
		story: []string{
			"0s started: running stage 0 5% duration",
			"30m0s rolled_back: rolled_back stage 0 5%  revert",
		},
		reason: "rolled back in stage 1 of 3 (5%): crash rate 5.45% breaches the threshold of 0.5% (60 of 1100 devices)",
	},
	"what crashes inside and outside the share alike is not the release": {
		thresholds: beside,
		acts: func() []*act {
			return []*act{at(10*second, compared(500, 15, 9500, 300)), at(2*hour+minute, command(models.CommandCancel))}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"1h0m0s stage_advanced: running stage 1 25% duration",
			"2h0m0s stage_advanced: running stage 2 100% duration",
			"2h1m0s cancelled: cancelled stage 2 100%  revert",
		},
		reason: "cancelled by alice",
	},
	"what crashes more inside the share than outside it is rolled back": {
		thresholds: beside,
		acts: func() []*act {
			return []*act{at(10*second, compared(500, 15, 9500, 300)), at(90*minute, compared(2500, 120, 7500, 100))}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"1h0m0s stage_advanced: running stage 1 25% duration",
			"1h30m0s rolled_back: rolled_back stage 1 25%  revert",
		},
		reason: "rolled back in stage 2 of 3 (25%): crash rate 4.8%, control group 1.33% " +
			"(120 of 2500 devices; control group: 100 of 7500)",
	},
	"a start that falls into a freeze waits for its end": {
		prepare: func(fake *fakeRollout) {
			frozenMornings(fake)
			at := startOfPlay.Add(hour)
			fake.subject.Execution.Schedule.StartAt = &at
		},
		acts: func() []*act {
			return []*act{
				at(2*hour, command(models.CommandPause)), at(3*hour, command(models.CommandResume)),
				at(5*hour, command(models.CommandCancel)),
			}
		},
		story: []string{
			"2h0m0s paused: paused stage 0 0% resume",
			"3h0m0s resumed: running stage 0 0% duration",
			"4h30m0s started: running stage 0 5% duration",
			"5h0m0s cancelled: cancelled stage 0 5%  revert",
		},
		reason: "cancelled by alice",
	},
	"a stage's own limits and action are those of its stage, and of no other": {
		stages: func() []models.Stage {
			stages := hourly()
			stages[0].Thresholds = &models.Thresholds{CrashRate: limit(20)}
			stages[1].Thresholds = &models.Thresholds{Action: models.ActionGate}
			return stages
		},
		acts: func() []*act {
			return []*act{at(10*second, reports(1000, 100)), at(2*hour, command(models.CommandAdvance))}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"1h0m0s stage_advanced: running stage 1 25% duration",
			"1h0m0s held: running stage 1 25% threshold",
			"2h0m0s stage_advanced: running stage 2 100% duration",
			"2h0m0s rolled_back: rolled_back stage 2 100%  revert",
		},
		reason: "rolled back in stage 3 of 3 (100%): crash rate 10% breaches the threshold of 0.5% (100 of 1000 devices)",
	},
	"crashes of devices in one network hold for networks, and those of many roll back": {
		thresholds: models.Thresholds{CrashRate: limit(0.5), Action: models.ActionAutoRollback, Method: models.MethodSequential},
		acts: func() []*act {
			return []*act{at(20*minute, voted(votestest.With(models.Votes{}, crashes(27, 27), 34), 27, 27)), at(40*minute, voted(models.VotesOfEach(crashes(300, 30)), 300, 30))}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"20m0s held: running stage 0 5% networks",
			"40m0s rolled_back: rolled_back stage 0 5%  revert",
		},
		reason: "rolled back in stage 1 of 3 (5%): crash rate 10% breaches the threshold of 0.5% (30 of 300 networks; " +
			"9.7% without the most affected network)",
	},
	"the point method takes the rate for what it is once enough devices have reported": {
		thresholds: models.Thresholds{
			CrashRate: limit(0.5), Action: models.ActionAutoRollback, Method: models.MethodPoint, MinNetworks: new(int64(1)),
		},
		acts: func() []*act { return []*act{at(20*minute, spike(99, 1)), at(40*minute, spike(100, 1))} },
		story: []string{
			"0s started: running stage 0 5% duration",
			"20m0s held: running stage 0 5% threshold",
			"40m0s rolled_back: rolled_back stage 0 5%  revert",
		},
		reason: "rolled back in stage 1 of 3 (5%): crash rate 1% breaches the threshold of 0.5% (1 of 100 devices)",
	},
	"a rollout waits for its time, and a stage's clock counts from then": {
		prepare: startsAt(2 * hour),
		acts: func() []*act {
			return []*act{at(10*second, spike(1000, 1)), at(3*hour+minute, command(models.CommandCancel))}
		},
		story: []string{
			"2h0m0s started: running stage 0 5% duration",
			"3h0m0s stage_advanced: running stage 1 25% duration",
			"3h1m0s cancelled: cancelled stage 1 25%  revert",
		},
		reason: "cancelled by alice",
	},
	"an advance begins a rollout before its time": {
		prepare: startsAt(2 * hour),
		acts: func() []*act {
			return []*act{at(hour, command(models.CommandAdvance)), at(hour+minute, command(models.CommandCancel))}
		},
		story: []string{
			"1h0m0s started: running stage 0 5% duration",
			"1h1m0s cancelled: cancelled stage 0 5%  revert",
		},
		reason: "cancelled by alice",
	},
	"paused when its time comes, a rollout begins when it is resumed": {
		prepare: startsAt(2 * hour),
		acts: func() []*act {
			return []*act{
				at(hour, command(models.CommandPause)), at(3*hour, command(models.CommandResume)), at(3*hour+minute, command(models.CommandCancel)),
			}
		},
		story: []string{
			"1h0m0s paused: paused stage 0 0% resume",
			"3h0m0s resumed: running stage 0 0% duration",
			"3h0m0s started: running stage 0 5% duration",
			"3h1m0s cancelled: cancelled stage 0 5%  revert",
		},
		reason: "cancelled by alice",
	},
	"resumed before its time, a rollout still waits for it": {
		prepare: startsAt(2 * hour),
		acts: func() []*act {
			return []*act{
				at(hour, command(models.CommandPause)), at(hour+minute, command(models.CommandResume)),
				at(2*hour+minute, command(models.CommandCancel)),
			}
		},
		story: []string{
			"1h0m0s paused: paused stage 0 0% resume",
			"1h1m0s resumed: running stage 0 0% duration",
			"2h0m0s started: running stage 0 5% duration",
			"2h1m0s cancelled: cancelled stage 0 5%  revert",
		},
		reason: "cancelled by alice",
	},
	"a rollout that is cancelled before its time never begins": {
		prepare: startsAt(2 * hour),
		acts:    func() []*act { return []*act{at(hour, command(models.CommandCancel))} },
		story:   []string{"1h0m0s cancelled: cancelled stage 0 0%  revert"},
		reason:  "cancelled by alice",
	},
	"a freeze holds the next stage, and no command": {
		prepare: frozenMornings,
		acts: func() []*act {
			return []*act{
				at(10*second, reports(1000, 1)), at(2*hour, command(models.CommandAdvance)), at(4*hour, spike(1000, 1)),
				at(5*hour, command(models.CommandCancel)),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"1h0m0s held: running stage 0 5% duration",
			"2h0m0s stage_advanced: running stage 1 25% duration",
			"3h0m0s held: running stage 1 25% duration",
			"4h30m0s stage_advanced: running stage 2 100% duration",
			"5h0m0s cancelled: cancelled stage 2 100%  revert",
		},
		reason: "cancelled by alice",
	},
	"a breach in a freeze rolls back": {
		prepare: frozenMornings,
		acts:    func() []*act { return []*act{at(10*second, reports(1000, 1)), at(2*hour, spike(1100, 60))} },
		story: []string{
			"0s started: running stage 0 5% duration",
			"1h0m0s held: running stage 0 5% duration",
			"2h0m0s rolled_back: rolled_back stage 0 5%  revert",
		},
		reason: "rolled back in stage 1 of 3 (5%): crash rate 5.45% breaches the threshold of 0.5% (60 of 1100 devices)",
	},
}
