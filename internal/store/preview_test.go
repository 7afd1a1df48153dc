package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/preview"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

const (
	previewRounds = 72
	// changesBetween is the number of random operations before each preview.
	changesBetween = 4
	previewDevices = 60
)

// previewed is a call that can be previewed.
type previewed struct {
	name string
	// call chooses the records that the call is about, mostly so that the call succeeds.
	call func(o *operator, w observer) func(ctx context.Context, actor models.Actor) error
}

// mostly returns an ID that a query finds and, now and then, any ID of a kind.
func (o *operator) mostly(w observer, kind, sql string, args ...any) int64 {
	found := w.lines(sql, args...)
	if len(found) == 0 || o.IntN(5) == 0 {
		return o.some(kind)
	}
	id, err := strconv.ParseInt(found[o.IntN(len(found))], 10, 64)
	require.NoError(w.f.T, err)
	return id
}

// newest returns the ID of a release, mostly one of the newest.
func (o *operator) newest(w observer) int64 {
	return o.mostly(w, "release", "SELECT id::text FROM releases WHERE deleted_at IS NULL ORDER BY id DESC LIMIT 6")
}

// rollout returns the ID of a rollout, mostly an open one with one of the given statuses.
func (o *operator) rollout(w observer, statuses ...string) int64 {
	return o.mostly(w, "execution", "SELECT id::text FROM rollout_executions WHERE status = ANY($1) ORDER BY id DESC LIMIT 4", statuses)
}

func previewedCommand(c models.RolloutCommand, statuses ...string) previewed {
	return previewed{string(c), func(o *operator, w observer) func(context.Context, models.Actor) error {
		id, in := o.rollout(w, statuses...), models.CommandInput{Revert: o.bool()}
		return func(ctx context.Context, actor models.Actor) error {
			in.Actor = actor
			subject, err := o.Store.RolloutSubject(ctx, o.project.ID, id)
			if err != nil {
				return err
			}
			return rollout.Rehearse(subject, c, in, time.Now().UTC(), applyIn(o.Store, ctx))
		}
	}}
}

func previewedRollback(scope models.ExecutionRollbackScope) previewed {
	return previewed{"roll back, " + string(scope), func(o *operator, w observer) func(context.Context, models.Actor) error {
		id, r := o.rollout(w, "running", "paused"), models.ExecutionRollback{Scope: scope}
		if scope == models.RollbackFlag {
			r.FlagID = new(o.mostly(w, "flag", `SELECT flag_id::text FROM release_flags l JOIN rollout_executions e ON e.update_id = l.release_id
				WHERE e.id = $1 ORDER BY l.flag_id`, id))
		}
		return func(ctx context.Context, actor models.Actor) error {
			_, err := o.Store.RollBackExecution(ctx, o.project.ID, actor, id, r)
			return err
		}
	}}
}

var previewedCalls = append(previewedContent, []previewed{
	previewedCommand(models.CommandPause, "running"), previewedCommand(models.CommandResume, "paused"),
	previewedCommand(models.CommandAdvance, "running", "paused"), previewedCommand(models.CommandCancel, "running", "paused"),
	previewedRollback(models.RollbackFlag), previewedRollback(models.RollbackRelease), previewedRollback(models.RollbackChannel),
	{"roll back", func(o *operator, w observer) func(context.Context, models.Actor) error {
		n := models.Rollback{
			Channel: []string{"production", "a"}[o.IntN(2)], RuntimeVersion: "1.0.0",
			Platform:      []models.Platform{models.IOS, models.Android}[o.IntN(2)],
			AllowDisabled: true, // otherwise a preview says more than its call does
		}
		if o.bool() {
			n.ToUpdateID = new(o.mostly(w, "release", `SELECT r.id::text FROM releases r JOIN channels c ON c.branch_id = r.branch_id
				WHERE c.name = $1 AND r.platform = $2 AND r.kind = 'update' AND r.deleted_at IS NULL ORDER BY r.id`, n.Channel, string(n.Platform)))
		}
		return func(ctx context.Context, actor models.Actor) error {
			_, err := o.Store.Rollback(ctx, o.project.ID, actor, n)
			return err
		}
	}},
	{"channel", func(o *operator, _ observer) func(context.Context, models.Actor) error {
		name := []string{"production", "a", "b", "c", o.name()}[o.IntN(5)]
		patch := []models.ChannelPatch{
			{BranchName: new([]string{"a", "b", "c"}[o.IntN(3)])}, {IsPaused: new(o.bool())}, {MinRuntimeVersion: mayClear(o, "1.5.0")},
			{
				RolloutBranchName: models.Nullable[string]{Set: true, Value: new("b")},
				RolloutPercentage: models.Nullable[float64]{Set: true, Value: new(o.share())},
			},
			{RolloutBranchName: mayClear(o, o.name()), RolloutPercentage: mayClear(o, o.share())},
		}[o.IntN(5)]
		return func(ctx context.Context, actor models.Actor) error {
			_, err := o.Store.UpdateChannel(ctx, o.project.ID, actor, name, patch)
			return err
		}
	}},
	{"patch", func(o *operator, w observer) func(context.Context, models.Actor) error {
		id := o.newest(w)
		patch := []models.ReleasePatch{
			{IsEnabled: new(o.bool())}, {IsCritical: new(o.bool())}, {RolloutPercentage: new(o.share())}, {LinkedFlags: &[]models.FlagLink{}},
			{IsEnabled: new(true), RolloutPercentage: new(o.share())},
		}[o.IntN(5)]
		return func(ctx context.Context, actor models.Actor) error {
			_, err := o.Store.UpdateRelease(ctx, o.project.ID, actor, id, patch)
			return err
		}
	}},
	{"delete", func(o *operator, w observer) func(context.Context, models.Actor) error {
		id := o.newest(w)
		return func(ctx context.Context, actor models.Actor) error {
			return o.Store.DeleteRelease(ctx, o.project.ID, actor, id)
		}
	}},
	{"republish", func(o *operator, w observer) func(context.Context, models.Actor) error {
		id := o.newest(w)
		n := models.Republish{Channels: [][]string{nil, {"production"}, {"a", "b"}}[o.IntN(3)]}
		if o.bool() {
			n.RolloutPolicyID = new(o.some("policy"))
		}
		if o.bool() {
			n.UpdateIDs = []int64{id}
		}
		return func(ctx context.Context, actor models.Actor) error {
			_, err := o.Store.Republish(ctx, o.project.ID, actor, id, n)
			return err
		}
	}},
	{"publish", func(o *operator, _ observer) func(context.Context, models.Actor) error {
		p := models.Publish{BuildID: o.some("build"), Channel: []string{"production", "a"}[o.IntN(2)], IsCritical: o.bool()}
		if o.bool() {
			p.RolloutPolicyID = new(o.some("policy"))
		} else {
			p.RolloutPercentage = new(o.share())
		}
		return func(ctx context.Context, actor models.Actor) error {
			_, err := o.Store.Publish(ctx, o.project.ID, actor, p)
			return err
		}
	}},
	{"start", func(o *operator, _ observer) func(context.Context, models.Actor) error {
		policy, id := o.some("policy"), o.some("release")
		r, err := o.Store.Publish(o.ctx, o.project.ID, storetest.Alice, models.Publish{
			BuildID: o.known.pick("build"+o.project.Slug, o.Rand), Channel: "production", RolloutPercentage: new(o.share()),
		})
		if err == nil && o.IntN(5) > 0 {
			id = r.ID
		}
		return func(ctx context.Context, actor models.Actor) error {
			_, err := o.Store.StartRollout(ctx, o.project.ID, actor, policy, id)
			return err
		}
	}},
	{"delete channel", func(o *operator, _ observer) func(context.Context, models.Actor) error {
		name := []string{"b", "c", "staging"}[o.IntN(3)] // wander publishes to the others
		return func(ctx context.Context, actor models.Actor) error {
			return o.Store.DeleteChannel(ctx, o.project.ID, actor, name)
		}
	}},
	// The two follow each other, so that later calls find a project that is not stopped.
	previewedStop("stop", false), previewedStop("resume", true),
}...)

// previewedStop returns a call that mostly stops or resumes the project, as resumes says, and now and then does the
// opposite.
func previewedStop(name string, resumes bool) previewed {
	return previewed{name, func(o *operator, _ observer) func(context.Context, models.Actor) error {
		if resumes != (o.IntN(5) == 0) {
			return func(ctx context.Context, actor models.Actor) error {
				return o.Store.ResumeProject(ctx, o.project.ID, actor)
			}
		}
		return func(ctx context.Context, actor models.Actor) error {
			_, err := o.Store.StopProject(ctx, o.project.ID, actor, models.NewEmergencyStop{Reason: "it hurts"})
			return err
		}
	}}
}

func applyIn(f *storetest.Fixture, ctx context.Context) rollout.Apply {
	return func(c models.ExecutionChange) (models.RolloutExecution, error) { return f.ApplyExecutionChange(ctx, c) }
}

func followMessage(f *storetest.Fixture, ctx context.Context, subject models.RolloutSubject, told models.RolloutMessage) error {
	return rollout.RehearseMessage(subject, told, time.Now().UTC(), applyIn(f, ctx))
}

// TestPreviewsSayWhatThenHappens previews random calls in random states and then makes the calls. Releases, rollouts,
// flags, user overrides and devices must change as the preview predicted. A call that fails must have failed in the same way in
// the preview. And a preview must not leave anything behind. With -short, each call has a third of the rounds.
func TestPreviewsSayWhatThenHappens(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	seed := enginetest.FreshSeed(t)
	o := &operator{
		Store: f, ctx: t.Context(), Rand: rand.New(rand.NewPCG(seed, 1)), project: f.Demo, tally: map[string]int{},
		known: &records{ids: map[string][]int64{}, owners: map[int64]int64{}},
	}
	o.prepare()
	w := observe(f)
	changed := map[string]int{}
	rounds := enginetest.Sized(previewRounds, previewRounds/3)
	for round := range 4 * previewRounds {
		c := previewedCalls[round%len(previewedCalls)]
		if round >= rounds && changed[c.name] > 0 {
			continue // further rounds only repeat the calls that have not changed anything yet
		}
		o.wander(w, round)
		o.content = content{}
		call := c.call(o, w)
		about := fmt.Sprintf("%s in round %d, seed %d", c.name, round, seed)
		require.NoError(t, o.follow(w), about) // a call may have prepared a release that supersedes others

		before := w.everything()
		w.notified()
		var foreseen any
		asked := func(ctx context.Context) (err error) {
			if err = call(ctx, viewerActor); err == nil {
				foreseen, err = o.readContent(ctx)
			}
			return err
		}
		said, refused := f.Preview(t.Context(), f.Demo.ID, asked,
			func(ctx context.Context, s models.RolloutSubject, m models.RolloutMessage) error {
				return followMessage(f, ctx, s, m)
			})
		require.Equal(t, before, w.everything(), about)
		require.Empty(t, w.notified(), about)

		facts, devices, contentBefore := w.facts(), w.devices(o), o.mustReadContent()
		err := call(t.Context(), storetest.Alice)
		if err != nil || refused != nil {
			require.Equal(t, models.CodeOf(err), models.CodeOf(refused), about)
			require.EqualError(t, refused, err.Error(), about)
			continue
		}
		require.NoError(t, o.follow(w), about)
		d := preview.DifferenceOf(said.Before, said.After)
		after := w.facts()
		require.Equal(t, after.since(facts), saidOf(d), about)
		query := preview.QueryOf(said, d)
		contentAfter := o.mustReadContent()
		require.Equal(t, foreseen, contentAfter, about)
		if o.content.check != nil {
			o.content.check(contentAfter, after)
		}
		isContentChanged := !reflect.DeepEqual(contentBefore, contentAfter)
		if len(d.Releases)+len(d.Executions)+len(d.Flags) > 0 || len(query.Channels) > 0 || isContentChanged {
			changed[c.name]++
		}
		seen := seenBy(query, devices)
		affected, err := preview.Affected(said, d, models.SeenDevices{Total: int64(len(seen)), List: seen})
		require.NoError(t, err)
		if drawn(d) {
			continue
		}
		require.EqualValues(t, facts.moved(after, devices), affected, about)
		if affected > 0 {
			changed["devices"]++
		}
	}
	for _, c := range previewedCalls {
		require.Positive(t, changed[c.name], "no preview of %s changed anything, so the test proves nothing; seed %d, %v", c.name, seed, changed)
	}
	require.Positive(t, changed["devices"], seed)
}

// drawn reports whether a call publishes a release for a percentage of devices. Which devices they are depends on its
// groupId, which is random.
func drawn(d preview.Difference) bool {
	return slices.ContainsFunc(d.Releases, func(r preview.Release) bool {
		return r.Published && r.After.RolloutPercentage > 0 && r.After.RolloutPercentage < 100
	})
}

// viewerActor previews the calls that Alice then makes.
var viewerActor = models.Actor{Type: models.ActorAPIKey, ID: "9", Name: "viewer", Role: models.RoleViewer}

// prepare creates the records that random operations use.
func (o *operator) prepare() {
	f := o.Store
	f.T.Helper()
	for _, name := range []string{"a", "b", "c"} {
		_, err := f.CreateChannel(o.ctx, f.Demo.ID, storetest.Alice, models.NewChannel{Name: name, BranchName: name})
		require.NoError(f.T, err)
	}
	for range 3 {
		o.learn("policy", f.MustPolicy().ID)
		o.learn("flag", storetest.AddFlag(f, o.name()+o.word(), storetest.Boolean).ID)
		o.learn("build", f.MustBuild(o.word()).ID)
		o.learn("build", f.MustBuildFor(models.Android, o.word()).ID)
	}
}

func (o *operator) word() string { return strconv.FormatUint(o.Uint64(), 36) }

// wander changes the state of the project randomly.
func (o *operator) wander(w observer, round int) {
	f := o.Store
	f.T.Helper()
	names := []string{
		"update channel", "publish", "patch release", "start rollout", "step of a rollout", "republish", "roll back", "delete release",
	}
	var usual []operation
	for _, op := range operations {
		if slices.Contains(names, op.name) {
			usual = append(usual, op)
		}
	}
	for range changesBetween {
		require.NoError(f.T, o.operate(usual))
	}
	// There is always an open rollout of a release that links a flag.
	own := func(kind string) int64 { return o.known.pick(kind+o.project.Slug, o.Rand) }
	flag, policy := own("flag"), own("policy")
	r, err := f.Publish(o.ctx, f.Demo.ID, storetest.Alice, models.Publish{
		BuildID: own("build"), Channel: []string{"production", "a"}[o.IntN(2)], RolloutPolicyID: &policy,
		LinkedFlags: []models.FlagLink{{FlagID: flag, Enabled: true}},
	})
	require.NoError(f.T, err)
	o.learn("release", r.ID)
	o.learn("execution", *r.RolloutExecutionID)
	if command := []models.RolloutCommand{models.CommandAdvance, models.CommandPause, ""}[round%len(previewedCalls)%3]; command != "" {
		subject, err := f.RolloutSubject(o.ctx, f.Demo.ID, *r.RolloutExecutionID)
		require.NoError(f.T, err)
		in := models.CommandInput{Actor: storetest.Alice}
		require.NoError(f.T, rollout.Rehearse(subject, command, in, time.Now().UTC(), applyIn(f, o.ctx)))
	}
	require.NoError(f.T, o.follow(w))
	w.pinShares()
}

// follow makes the changes of the workflows to which the outbox has sent messages since the last call.
func (o *operator) follow(w observer) error {
	for {
		lines := w.lines(`SELECT id || ' ' || kind || ' ' || payload FROM outbox WHERE id > $1 AND kind = ANY($2) ORDER BY id`, o.followed,
			[]models.OutboxKind{models.OutboxRolloutStart, models.OutboxRolloutSuperseded, models.OutboxRolloutDisabled})
		if len(lines) == 0 {
			return nil
		}
		for _, line := range lines {
			parts := strings.SplitN(line, " ", 3)
			told := models.RolloutMessage{Kind: models.OutboxKind(parts[1])}
			if err := json.Unmarshal([]byte(parts[2]), &told); err != nil {
				return err
			}
			o.followed, _ = strconv.ParseInt(parts[0], 10, 64)
			if err := o.hears(told); err != nil {
				return fmt.Errorf("%s: %w", line, err)
			}
		}
	}
}

// hears makes the change of a workflow that gets a message. A message about a release that is enabled again is dropped.
func (o *operator) hears(told models.RolloutMessage) error {
	f := o.Store
	if told.Kind == models.OutboxRolloutDisabled {
		r, err := f.Release(o.ctx, f.Demo.ID, told.ReleaseID)
		if models.CodeOf(err) == models.CodeNotFound || err == nil && r.IsEnabled {
			return nil
		}
	}
	id, err := f.ExecutionID(o.ctx, f.Demo.ID, told.WorkflowID)
	if err != nil {
		return err
	}
	subject, err := f.RolloutSubject(o.ctx, f.Demo.ID, id)
	if err != nil {
		return err
	}
	return followMessage(f, o.ctx, subject, told)
}
