package unit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

var system = models.SystemActor("test")

// waitingCall is a call that waits for approval, and a change of a fact that the call depends on.
type waitingCall struct {
	call   func(ctx context.Context, actor models.Actor) error
	change func()
}

// waitingCalls are calls that depend on facts which their input does not have. Each prepares a project.
var waitingCalls = map[string]func(f *storetest.Fixture) waitingCall{
	"delete a channel": func(f *storetest.Fixture) waitingCall {
		protect(f, "staging", 1)
		return waitingCall{
			func(ctx context.Context, actor models.Actor) error {
				return f.DeleteChannel(ctx, f.Demo.ID, actor, "staging")
			},
			func() { pointTo(f, "staging", "production") },
		}
	},
	"return to a disabled release": func(f *storetest.Fixture) waitingCall {
		goal := f.MustPublish(storetest.Disabled)
		f.MustPublish()
		protect(f, "production", 1)
		return waitingCall{
			func(ctx context.Context, actor models.Actor) error {
				_, err := f.Rollback(ctx, f.Demo.ID, actor, models.Rollback{
					Channel: "production", Platform: goal.Platform, RuntimeVersion: goal.RuntimeVersion, ToUpdateID: &goal.ID, AllowDisabled: true,
				})
				return err
			},
			func() { patchRelease(f, goal.ID, models.ReleasePatch{IsEnabled: new(true)}) },
		}
	},
	"start a rollout": func(f *storetest.Fixture) waitingCall {
		r, policy := f.MustPublish(storetest.Share(5)), f.MustPolicy()
		protect(f, "production", 1)
		return waitingCall{
			func(ctx context.Context, actor models.Actor) error {
				_, err := f.StartRollout(ctx, f.Demo.ID, actor, policy.ID, r.ID)
				return err
			},
			func() { patchRelease(f, r.ID, models.ReleasePatch{RolloutPercentage: new(7.0)}) },
		}
	},
	"end an emergency stop": func(f *storetest.Fixture) waitingCall {
		protect(f, "production", 1)
		stop := func() {
			_, err := f.StopProject(f.T.Context(), f.Demo.ID, system, models.NewEmergencyStop{Reason: "it hurts"})
			require.NoError(f.T, err)
		}
		stop()
		resume := func(ctx context.Context, actor models.Actor) error { return f.ResumeProject(ctx, f.Demo.ID, actor) }
		return waitingCall{resume, func() {
			require.NoError(f.T, resume(f.T.Context(), system))
			stop()
		}}
	},
	"change a segment": func(f *storetest.Fixture) waitingCall {
		segment, flag, other := storetest.AddSegment(f, "beta"), storetest.AddFlag(f, "one"), storetest.AddFlag(f, "two")
		storetest.AddRule(f, flag, "green", storetest.ForSegment("beta"))
		protect(f, "production", 1)
		return waitingCall{
			func(ctx context.Context, actor models.Actor) error {
				_, err := f.UpdateSegment(ctx, f.Demo.ID, actor, segment.ID, models.SegmentPatch{MatchType: new(models.MatchAny)})
				return err
			},
			func() {
				_, err := f.CreateRule(f.T.Context(), f.Demo.ID, system, other.ID, models.NewFlagRule{
					RuleType: models.RuleSegment, VariantValue: new("green"), Config: models.RuleConfig{SegmentKey: "beta"},
				})
				require.NoError(f.T, err)
			},
		}
	},
	"change a flag": func(f *storetest.Fixture) waitingCall {
		flag := storetest.AddFlag(f, "one", func(n *models.NewFlag) { n.Enabled = false })
		protect(f, "production", 1)
		return waitingCall{
			func(ctx context.Context, actor models.Actor) error {
				_, err := f.UpdateFlag(ctx, f.Demo.ID, actor, flag.ID, models.FlagPatch{DefaultValue: json.RawMessage(`"blue"`)})
				return err
			},
			func() { enableFlag(f, flag.ID) },
		}
	},
	"change a flag on a channel": func(f *storetest.Fixture) waitingCall {
		flag := storetest.AddFlag(f, "one", func(n *models.NewFlag) { n.Enabled = false })
		protect(f, "production", 1)
		return waitingCall{
			func(ctx context.Context, actor models.Actor) error {
				_, _, err := f.UpdateFlagEnvironment(ctx, f.Demo.ID, actor, flag.ID, "production", models.FlagEnvironmentPatch{
					DefaultValue: storetest.SetTo(json.RawMessage(`"blue"`)),
				})
				return err
			},
			func() { enableFlag(f, flag.ID) },
		}
	},
	"copy a flag's settings": func(f *storetest.Fixture) waitingCall {
		flag := storetest.AddFlag(f, "one", func(n *models.NewFlag) { n.Enabled = false })
		_, _, err := f.UpdateFlagEnvironment(f.T.Context(), f.Demo.ID, system, flag.ID, "staging", models.FlagEnvironmentPatch{
			DefaultValue: storetest.SetTo(json.RawMessage(`"blue"`)),
		})
		require.NoError(f.T, err)
		protect(f, "production", 1)
		return waitingCall{
			func(ctx context.Context, actor models.Actor) error {
				_, err := f.CopyFlag(ctx, f.Demo.ID, actor, flag.ID, models.FlagCopy{FromChannel: "staging", ToChannel: "production"})
				return err
			},
			func() { enableFlag(f, flag.ID) },
		}
	},
}

func pointTo(f *storetest.Fixture, channel, branch string) {
	f.T.Helper()
	_, err := f.UpdateChannel(f.T.Context(), f.Demo.ID, system, channel, models.ChannelPatch{BranchName: &branch})
	require.NoError(f.T, err)
}

func patchRelease(f *storetest.Fixture, id int64, patch models.ReleasePatch) {
	f.T.Helper()
	_, err := f.UpdateRelease(f.T.Context(), f.Demo.ID, system, id, patch)
	require.NoError(f.T, err)
}

func enableFlag(f *storetest.Fixture, id int64) {
	f.T.Helper()
	_, err := f.UpdateFlag(f.T.Context(), f.Demo.ID, system, id, models.FlagPatch{Enabled: new(true)})
	require.NoError(f.T, err)
}

// asked requests approval of a call and returns the actor that applies it. The call is not approved yet.
func asked(f *storetest.Fixture, call func(ctx context.Context, actor models.Actor) error) models.Actor {
	f.T.Helper()
	var needed *models.ApprovalNeeded
	require.ErrorAs(f.T, call(f.T.Context(), editor), &needed)
	a, err := f.RequestApproval(f.T.Context(), f.Demo.ID, editor,
		models.StoredOperation{Action: "channel.update", InputVersion: 1, Input: []byte("{}")}, needed)
	require.NoError(f.T, err)
	by := a.Author()
	by.Role = editor.Role
	return by
}

// notYetApproved is the error of a call that matches its approval, before a person approves it.
const notYetApproved = "1 approval is required"

// An approval is valid for the facts that a call depends on, however its summary words them.
func TestAnApprovalIsForFactsAndNotForWords(t *testing.T) {
	t.Parallel()
	for name, prepare := range waitingCalls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			c := prepare(f)
			by := asked(f, c.call)
			f.MustExec("UPDATE approvals SET summary = 'in the words of another version' WHERE id = $1", by.ApprovalID)
			require.ErrorContains(t, c.call(t.Context(), by), notYetApproved)

			c.change()
			require.ErrorContains(t, c.call(t.Context(), by), "the call no longer does what was approved")
		})
	}
}

// The hash of an approval that an earlier version stored includes the summary.
func TestAnApprovalOfAnEarlierVersionStaysValid(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	o, err := f.CreateUserOverride(t.Context(), f.Demo.ID, storetest.Alice, models.NewUserOverride{UserID: "ada", BranchName: "staging"})
	require.NoError(t, err)
	protect(f, "production", 1)
	remove := func(ctx context.Context, actor models.Actor) error {
		return f.DeleteUserOverride(ctx, f.Demo.ID, actor, o.ID)
	}
	by := asked(f, remove)
	f.MustExec("UPDATE approvals SET summary = 'remove it', basis = sha256(convert_to($2, 'UTF8')) WHERE id = $1",
		by.ApprovalID, fmt.Sprintf(`["remove it",%d]`, o.ID))
	require.ErrorContains(t, remove(t.Context(), by), notYetApproved)
	f.MustExec("UPDATE approvals SET basis = sha256('x') WHERE id = $1", by.ApprovalID)
	require.ErrorContains(t, remove(t.Context(), by), "the call no longer does what was approved")
}

// A call that waits already waits again if devices would now receive something else, because its approval is out of date.
func TestACallThatWouldNowDoSomethingElseWaitsAgain(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	f.MustPublish()
	build := f.MustBuild("next").ID
	protect(f, "production", 1)
	publish := func(ctx context.Context, actor models.Actor) error {
		_, err := f.Publish(ctx, f.Demo.ID, actor, models.Publish{BuildID: build, Channel: "production", RolloutPercentage: new(10.0)})
		return err
	}
	first := asked(f, publish).ApprovalID
	require.Equal(t, first, asked(f, publish).ApprovalID)

	_, err := f.Publish(t.Context(), f.Demo.ID, system, models.Publish{BuildID: f.MustBuild("other").ID, Channel: "production"})
	require.NoError(t, err)
	second := asked(f, publish).ApprovalID
	require.NotEqual(t, first, second)
	require.Equal(t, second, asked(f, publish).ApprovalID)
}
