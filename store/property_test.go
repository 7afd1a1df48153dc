package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// How much the property test does: enough for every pair of operations to meet.
const (
	operators = 12
	// Operators do a burst of few kinds of operations at a time, all of them the
	// same kinds, so that these meet; every kind has its turn in each pass.
	passes           = 3
	kindsOfABurst    = 6
	burstEach        = 10
	propertyTestTime = 3 * time.Minute
	// foreignIDsOneIn is how seldom an operator uses an id of any project.
	foreignIDsOneIn = 20
	// maxIdle is how many kinds of operations may be out of luck in one run.
	maxIdle = 4
)

// TestInvariantsHoldUnderRandomConcurrentOperations lets operators do whatever
// the management API allows, at once and with names that collide, and then looks
// for broken invariants. The order is the machine's, so that a seed does not
// repeat a failure exactly; the audit log says what happened.
func TestInvariantsHoldUnderRandomConcurrentOperations(t *testing.T) {
	t.Parallel()
	f := setup(t)
	seed := uint64(time.Now().UnixNano())
	ctx, cancel := context.WithTimeout(t.Context(), propertyTestTime)
	defer cancel()
	known := &records{ids: map[string][]int64{}, owners: map[int64]int64{}}
	projects := []models.Project{f.project, f.newProject("other")}

	var all sync.WaitGroup
	tallies := make([]map[string]int, operators)
	failures := make([]error, operators)
	for i := range operators {
		all.Go(func() {
			o := &operator{
				Store: f, ctx: ctx, Rand: rand.New(rand.NewPCG(seed, uint64(i+1))), known: known,
				project: projects[i%len(projects)], tally: map[string]int{},
			}
			tallies[i] = o.tally
			for _, burst := range bursts(seed) {
				for range burstEach {
					if failures[i] = o.operate(burst); failures[i] != nil {
						return
					}
				}
			}
		})
	}
	all.Wait()
	for _, err := range failures {
		require.NoError(t, err, "seed %d", seed)
	}
	f.requireInvariants()
	total := map[string]int{}
	for _, tally := range tallies {
		for name, n := range tally {
			total[name] += n
		}
	}
	idle := map[string]bool{}
	for _, op := range operations {
		if total[op.name] == 0 {
			idle[op.name] = true
		}
	}
	require.LessOrEqual(t, len(idle), maxIdle, "too many kinds of operations never succeeded, so that they prove nothing: %v; seed %d, %v", idle, seed, total)
}

// records are the ids that operators learnt of, by kind, also of what is gone
// since.
type records struct {
	mu  sync.Mutex
	ids map[string][]int64
	// owners are the flags of rules.
	owners map[int64]int64
}

func (r *records) own(id, owner int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.owners[id] = owner
}

func (r *records) ownerOf(id int64) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.owners[id]
}

func (r *records) learn(key string, id int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ids[key] = append(r.ids[key], id)
}

func (r *records) pick(key string, rng *rand.Rand) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	ids := r.ids[key]
	if len(ids) == 0 {
		return 1 << 40
	}
	// Recent ones are mostly still there.
	recent := ids[max(0, len(ids)-8):]
	return recent[rng.IntN(len(recent))]
}

// operator does random things to one project.
type operator struct {
	Store *fixture
	ctx   context.Context
	*rand.Rand
	known   *records
	project models.Project
	// tally counts the operations that succeeded.
	tally map[string]int
}

// bursts are the same for everybody who has the seed.
func bursts(seed uint64) (all [][]operation) {
	rng := rand.New(rand.NewPCG(seed, 0))
	shuffled := slices.Clone(operations)
	for range passes {
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		all = append(all, slices.Collect(slices.Chunk(slices.Clone(shuffled), kindsOfABurst))...)
	}
	return all
}

// operate does one random operation of a burst. A refusal of the domain is fine, an error
// that a caller can do nothing about is not.
func (o *operator) operate(burst []operation) error {
	op := burst[o.IntN(len(burst))]
	err := op.run(o)
	switch models.CodeOf(err) {
	case "":
		o.tally[op.name]++
		return nil
	case models.CodeInvalid, models.CodeNotFound, models.CodeAlreadyExists, models.CodeInUse, models.CodePolicyLocked,
		models.CodeRolloutInProgress, models.CodeInvalidTransition:
		return nil
	default:
		return fmt.Errorf("%s: %w", op.name, err)
	}
}

func (o *operator) learn(kind string, id int64) { o.known.learn(kind+o.project.Slug, id) }

// some is the id of a record of a kind; now and then that of another project, or
// of another kind.
func (o *operator) some(kind string) int64 {
	if o.IntN(foreignIDsOneIn) == 0 {
		return o.known.pick(kind+[]string{"demo", "other"}[o.IntN(2)], o.Rand)
	}
	return o.known.pick(kind+o.project.Slug, o.Rand)
}

// name is one of few, so that operators meet.
func (o *operator) name() string {
	return []string{"production", "staging", "a", "b", "c", "d"}[o.IntN(6)]
}

func (o *operator) share() float64 { return []float64{0, 1, 12.5, 50, 99.999, 100}[o.IntN(6)] }

func (o *operator) bool() bool { return o.IntN(2) == 0 }

// mayBe is v half of the time.
func mayBe[T any](o *operator, v T) *T {
	if o.bool() {
		return nil
	}
	return &v
}

func mayClear[T any](o *operator, v T) models.Nullable[T] {
	if o.bool() {
		return models.Nullable[T]{}
	}
	return models.Nullable[T]{Set: true, Value: mayBe(o, v)}
}

type operation struct {
	name string
	run  func(o *operator) error
}

// operations are what an operator may do. One that is here more often is done
// more often.
var operations = []operation{
	{"create branch", func(o *operator) error {
		_, err := o.Store.CreateBranch(o.ctx, o.project.ID, alice, models.NewBranch{Name: o.name()})
		return err
	}},
	{"delete branch", func(o *operator) error {
		return o.Store.DeleteBranch(o.ctx, o.project.ID, alice, o.name())
	}},
	{"create channel", func(o *operator) error {
		_, err := o.Store.CreateChannel(o.ctx, o.project.ID, alice, models.NewChannel{Name: o.name(), BranchName: o.name()})
		return err
	}},
	{"update channel", (*operator).updateChannel},
	{"update channel", (*operator).updateChannel},
	{"delete channel", func(o *operator) error {
		if o.IntN(4) > 0 { // else few would be left to publish to
			return nil
		}
		return o.Store.DeleteChannel(o.ctx, o.project.ID, alice, o.name())
	}},
	{"upload", func(o *operator) error {
		// Few contents, so that uploads share files.
		n := newBuild([]models.Platform{models.IOS, models.Android}[o.IntN(2)], fmt.Sprint("content ", o.IntN(8)))
		md5s := make([]string, len(n.Assets))
		for i, a := range n.Assets {
			md5s[i] = a.MD5
		}
		hold, err := o.Store.HoldBlobs(o.ctx, o.project.ID, md5s)
		if err != nil {
			return err
		}
		n.HoldID = hold.ID
		b, err := o.Store.CreateBuild(o.ctx, o.project.ID, alice, n)
		if err == nil {
			o.learn("build", b.ID)
		}
		return err
	}},
	{"delete build", func(o *operator) error {
		return o.Store.DeleteBuild(o.ctx, o.project.ID, alice, o.some("build"))
	}},
	{"publish", (*operator).publish},
	{"publish", (*operator).publish},
	{"publish", (*operator).publish},
	{"patch release", (*operator).patchRelease},
	{"patch release", (*operator).patchRelease},
	{"delete release", func(o *operator) error {
		return o.Store.DeleteRelease(o.ctx, o.project.ID, alice, o.some("release"))
	}},
	{"create policy", func(o *operator) error {
		n := newPolicy()
		n.IsActive, n.Channel = o.IntN(4) > 0, nil
		if o.IntN(4) == 0 {
			channel := o.name()
			n.Channel = &channel
		}
		p, err := o.Store.CreatePolicy(o.ctx, o.project.ID, alice, n)
		if err == nil {
			o.learn("policy", p.ID)
		}
		return err
	}},
	{"start rollout", (*operator).startRollout},
	{"start rollout", (*operator).startRollout},
	{"step of a rollout", (*operator).step},
	{"step of a rollout", (*operator).step},
	{"step of a rollout", (*operator).step},
	{"create key", func(o *operator) error {
		k, err := o.Store.CreateAPIKey(o.ctx, o.project.ID, alice, models.NewAPIKey{Name: o.name(), Role: models.RoleEditor}, models.NewAPIKeyToken())
		if err == nil {
			o.learn("key", k.ID)
		}
		return err
	}},
	{"revoke key", func(o *operator) error {
		return o.Store.RevokeAPIKey(o.ctx, o.project.ID, alice, o.some("key"))
	}},
	{"create override", func(o *operator) error {
		v, err := o.Store.CreateUserOverride(o.ctx, o.project.ID, alice, models.NewUserOverride{UserID: o.name(), BranchName: o.name()})
		if err == nil {
			o.learn("override", v.ID)
		}
		return err
	}},
	{"delete override", func(o *operator) error {
		return o.Store.DeleteUserOverride(o.ctx, o.project.ID, alice, o.some("override"))
	}},
	{"update policy", func(o *operator) error {
		_, err := o.Store.UpdatePolicy(o.ctx, o.project.ID, alice, o.some("policy"), models.PolicyPatch{
			Name: mayBe(o, o.name()), IsActive: mayBe(o, o.IntN(4) > 0),
			Stages: mayBe(o, []models.Stage{{Percentage: 1 + float64(o.IntN(90))}, {Percentage: 100}}),
		})
		return err
	}},
	{"delete policy", func(o *operator) error {
		return o.Store.DeletePolicy(o.ctx, o.project.ID, alice, o.some("policy"))
	}},
	{"republish", func(o *operator) error {
		n := models.Republish{ReleaseMessage: mayBe(o, o.name())}
		if o.bool() {
			n.Channels = []string{o.name()}
		}
		out, err := o.Store.Republish(o.ctx, o.project.ID, alice, o.some("release"), n)
		for _, r := range out.Updates {
			o.learn("release", r.ID)
		}
		return err
	}},
	{"roll back", func(o *operator) error {
		n := models.Rollback{
			Channel: o.name(), Platform: []models.Platform{models.IOS, models.Android}[o.IntN(2)], RuntimeVersion: "1.0.0",
			ToUpdateID: mayBe(o, o.some("release")),
		}
		r, err := o.Store.Rollback(o.ctx, o.project.ID, alice, n)
		if err == nil {
			o.learn("release", r.ID)
		}
		return err
	}},
	{"create flag", func(o *operator) error {
		flag, err := o.Store.CreateFlag(o.ctx, o.project.ID, alice, models.NewFlag{
			Key: o.name(), FlagType: models.FlagString, DefaultValue: json.RawMessage(`"red"`), Enabled: o.bool(),
			Variations: []models.NewVariation{{Name: "Red", Value: "red"}, {Name: "Green", Value: "green"}},
		})
		if err == nil {
			o.learn("flag", flag.ID)
		}
		return err
	}},
	{"update flag", func(o *operator) error {
		_, err := o.Store.UpdateFlag(o.ctx, o.project.ID, alice, o.some("flag"), models.FlagPatch{
			Name: mayBe(o, o.name()), Enabled: mayBe(o, o.bool()),
			Variations: mayBe(o, []models.NewVariation{{Name: "Red", Value: "red"}, {Name: "Green", Value: []string{"green", "blue"}[o.IntN(2)]}}),
		})
		return err
	}},
	{"delete flag", func(o *operator) error {
		return o.Store.DeleteFlag(o.ctx, o.project.ID, alice, o.some("flag"))
	}},
	{"create rule", (*operator).createRule},
	{"create rule", (*operator).createRule},
	{"delete rule", func(o *operator) error {
		rule := o.some("rule")
		return o.Store.DeleteRule(o.ctx, o.project.ID, alice, o.known.ownerOf(rule), rule)
	}},
	{"set flag environment", func(o *operator) error {
		_, _, err := o.Store.UpdateFlagEnvironment(o.ctx, o.project.ID, alice, o.some("flag"), o.name(), models.FlagEnvironmentPatch{
			Enabled: mayClear(o, o.bool()), DefaultValue: mayClear(o, json.RawMessage(`"green"`)),
		})
		return err
	}},
	{"create segment", func(o *operator) error {
		g, err := o.Store.CreateSegment(o.ctx, o.project.ID, alice, models.NewSegment{
			Key: o.name(), Name: o.name(), MatchType: models.MatchAll, Conditions: []models.Condition{{Attribute: "a", Operator: models.OpExists}},
		})
		if err == nil {
			o.learn("segment", g.ID)
		}
		return err
	}},
	{"delete segment", func(o *operator) error {
		return o.Store.DeleteSegment(o.ctx, o.project.ID, alice, o.some("segment"))
	}},
	{"see context", func(o *operator) error {
		c, _, err := o.Store.SaveContext(o.ctx, o.project.ID, alice, models.SeenContext{
			Kind: "user", TargetingKey: o.name(), Name: mayBe(o, o.name()), Attributes: map[string]any{o.name(): o.IntN(3)},
		})
		if err == nil {
			o.learn("context", c.ID)
		}
		return err
	}},
	{"delete context", func(o *operator) error {
		return o.Store.DeleteContext(o.ctx, o.project.ID, alice, o.some("context"))
	}},
	{"create webhook", func(o *operator) error {
		w, _, err := o.Store.CreateWebhook(o.ctx, o.project.ID, alice, models.NewWebhook{URL: "https://example.com/" + o.name(), Events: []string{"*"}, IsActive: o.bool()})
		if err == nil {
			o.learn("webhook", w.ID)
		}
		return err
	}},
	{"rotate webhook secret", func(o *operator) error {
		_, _, err := o.Store.RotateWebhookSecret(o.ctx, o.project.ID, alice, o.some("webhook"))
		return err
	}},
	{"delete webhook", func(o *operator) error {
		return o.Store.DeleteWebhook(o.ctx, o.project.ID, alice, o.some("webhook"))
	}},
	{"collect garbage", func(o *operator) error {
		if _, err := o.Store.CollectGarbage(o.ctx, o.project.ID, alice, nil); err != nil {
			return err
		}
		_, err := o.Store.RemoveBlobs(o.ctx, o.project.ID, func(context.Context, string) error { return nil })
		return err
	}},
	{"read everything", func(o *operator) error {
		_, err := o.Store.Snapshot(o.ctx, o.project.ID)
		return err
	}},
	{"make and delete a project", func(o *operator) error {
		if o.IntN(3) > 0 {
			return nil
		}
		slug := fmt.Sprint("passing-", o.IntN(4))
		_, err := o.Store.CreateProject(o.ctx, alice, models.NewProject{Name: slug, Slug: slug})
		if err != nil && models.CodeOf(err) != models.CodeAlreadyExists {
			return err
		}
		return o.Store.DeleteProject(o.ctx, alice, slug)
	}},
}

func (o *operator) createRule() error {
	n := models.NewFlagRule{RuleType: models.RuleUserList, VariantValue: ptr([]string{"red", "green", "blue"}[o.IntN(3)]), ChannelName: mayBe(o, o.name())}
	if o.bool() {
		n.RuleType, n.Config.SegmentKey = models.RuleSegment, o.name()
	} else {
		n.Config.UserIDs = []string{"ann"}
	}
	flag := o.some("flag")
	r, err := o.Store.CreateRule(o.ctx, o.project.ID, alice, flag, n)
	if err == nil {
		o.known.own(r.ID, flag)
		o.learn("rule", r.ID)
	}
	return err
}

func (o *operator) updateChannel() error {
	patch := models.ChannelPatch{
		BranchName: mayBe(o, o.name()), RolloutBranchName: mayClear(o, o.name()), RolloutPercentage: mayClear(o, o.share()),
		MinRuntimeVersion: mayClear(o, "1.0.0"), IsPaused: mayBe(o, o.bool()),
	}
	_, err := o.Store.UpdateChannel(o.ctx, o.project.ID, alice, o.name(), patch)
	return err
}

func (o *operator) publish() error {
	p := models.Publish{BuildID: o.some("build"), Channel: o.name(), IsCritical: o.bool()}
	if o.IntN(3) == 0 {
		p.Channel, p.Branch = "", o.name()
	}
	switch o.IntN(3) {
	case 0:
		policy := o.some("policy")
		p.RolloutPolicyID = &policy
	case 1:
		p.RolloutPercentage, p.IsEnabled = mayBe(o, o.share()), mayBe(o, o.bool())
	}
	if o.IntN(4) == 0 {
		p.LinkedFlags = []models.FlagLink{{FlagID: o.some("flag"), Enabled: true, Value: ptr([]string{"red", "green", "blue"}[o.IntN(3)])}}
	}
	if o.bool() { // one of few groups
		group := uuid.NewSHA1(uuid.Nil, fmt.Append(nil, o.project.Slug, o.IntN(8)))
		p.GroupID = &group
	}
	r, err := o.Store.Publish(o.ctx, o.project.ID, alice, p)
	if err == nil {
		o.learn("release", r.ID)
		if r.RolloutExecutionID != nil {
			o.learn("execution", *r.RolloutExecutionID)
		}
	}
	return err
}

func (o *operator) patchRelease() error {
	patch := models.ReleasePatch{
		IsEnabled: mayBe(o, o.bool()), IsCritical: mayBe(o, o.bool()), RolloutPercentage: mayBe(o, o.share()),
		ReleaseMessage: mayBe(o, o.name()),
	}
	_, err := o.Store.UpdateRelease(o.ctx, o.project.ID, alice, o.some("release"), patch)
	return err
}

func (o *operator) startRollout() error {
	e, err := o.Store.StartRollout(o.ctx, o.project.ID, alice, o.some("policy"), o.some("release"))
	if err == nil {
		o.learn("execution", e.ID)
	}
	return err
}

// step does what a workflow does next: another share, a pause, an end. Several
// operators may step one execution at once.
func (o *operator) step() error {
	e, err := o.Store.Execution(o.ctx, o.project.ID, o.some("execution"))
	if err != nil {
		return err
	}
	c := next(e)
	c.Percentage = o.share()
	kinds := map[models.ExecutionStatus]models.RolloutEventKind{
		models.ExecutionRunning: models.EventStageAdvanced, models.ExecutionPaused: models.EventPaused,
		models.ExecutionCompleted: models.EventCompleted, models.ExecutionCancelled: models.EventCancelled,
		models.ExecutionRolledBack: models.EventRolledBack,
	}
	c.Status = []models.ExecutionStatus{
		models.ExecutionRunning, models.ExecutionRunning, models.ExecutionPaused, models.ExecutionCompleted,
		models.ExecutionCancelled, models.ExecutionRolledBack,
	}[o.IntN(6)]
	c.Revert = c.Status == models.ExecutionRolledBack || c.Status == models.ExecutionCancelled && o.bool()
	c.Event = &models.RolloutEvent{Event: kinds[c.Status], Actor: "system", Percentage: c.Percentage}
	_, err = o.Store.ApplyExecutionChange(o.ctx, c)
	return err
}
