package store_test

import (
	"fmt"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func (o *operator) learn(kind string, id int64) { o.known.learn(kind+o.project.Slug, id) }

// some returns the ID of a record of a kind. Now and then it returns the ID of another project's record or of another
// kind of record.
func (o *operator) some(kind string) int64 {
	if o.IntN(foreignIDsOneIn) == 0 {
		return o.known.pick(kind+[]string{"demo", "other"}[o.IntN(2)], o.Rand)
	}
	return o.known.pick(kind+o.project.Slug, o.Rand)
}

// name returns one of a few names, so that operators meet.
func (o *operator) name() string {
	return []string{"production", "staging", "a", "b", "c", "d"}[o.IntN(6)]
}

func (o *operator) share() float64 { return []float64{0, 1, 12.5, 50, 99.999, 100}[o.IntN(6)] }

func (o *operator) bool() bool { return o.IntN(2) == 0 }

// mayBe returns a pointer to v half of the time, and nil otherwise.
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

func (o *operator) createRule() error {
	n := models.NewFlagRule{RuleType: models.RuleUserList, VariantValue: new([]string{"red", "green", "blue"}[o.IntN(3)]), ChannelName: mayBe(o, o.name())}
	if o.bool() {
		n.RuleType, n.Config.SegmentKey = models.RuleSegment, o.name()
	} else {
		n.Config.UserIDs = []string{"ann"}
	}
	flag := o.some("flag")
	r, err := o.Store.CreateRule(o.ctx, o.project.ID, storetest.Alice, flag, n)
	if err == nil {
		o.known.own(r.ID, flag)
		o.learn("rule", r.ID)
	}
	return err
}

func (o *operator) updateVariation() error {
	flag := o.some("flag")
	f, err := o.Store.Flag(o.ctx, o.project.ID, flag)
	if err != nil {
		return err
	}
	v := f.Variations[o.IntN(len(f.Variations))]
	value := []string{"green", "blue", "yellow"}[o.IntN(3)]
	_, err = o.Store.UpdateVariation(o.ctx, o.project.ID, storetest.Alice, flag, v.ID,
		models.VariationPatch{Name: mayBe(o, v.Name+"'"), Value: mayBe(o, value)})
	return err
}

func (o *operator) updateChannel() error {
	patch := models.ChannelPatch{
		BranchName: mayBe(o, o.name()), RolloutBranchName: mayClear(o, o.name()), RolloutPercentage: mayClear(o, o.share()),
		MinRuntimeVersion: mayClear(o, "1.0.0"), IsPaused: mayBe(o, o.bool()),
	}
	_, err := o.Store.UpdateChannel(o.ctx, o.project.ID, storetest.Alice, o.name(), patch)
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
		p.LinkedFlags = []models.FlagLink{{FlagID: o.some("flag"), Enabled: true, Value: new([]string{"red", "green", "blue"}[o.IntN(3)])}}
	}
	if o.bool() { // one of a few groups
		group := uuid.NewSHA1(uuid.Nil, fmt.Append(nil, o.project.Slug, o.IntN(8)))
		p.GroupID = &group
	}
	r, err := o.Store.Publish(o.ctx, o.project.ID, storetest.Alice, p)
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
	_, err := o.Store.UpdateRelease(o.ctx, o.project.ID, storetest.Alice, o.some("release"), patch)
	return err
}

func (o *operator) startRollout() error {
	e, err := o.Store.StartRollout(o.ctx, o.project.ID, storetest.Alice, o.some("policy"), o.some("release"))
	if err == nil {
		o.learn("execution", e.ID)
	}
	return err
}

// step does what a workflow might do next: change the percentage, pause, or end. Several operators may step the same
// rollout at the same time.
func (o *operator) step() error {
	e, err := o.Store.Execution(o.ctx, o.project.ID, o.some("execution"))
	if err != nil {
		return err
	}
	c := storetest.Next(e)
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
