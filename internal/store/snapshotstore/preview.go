package snapshotstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/base/backoff"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/releasestore"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

var (
	// errUndone undoes the changes of a preview.
	errUndone = errors.New("a preview is undone")
	// errPreviewTime is why the context of a preview ends after previewTime.
	errPreviewTime = errors.New("the preview took too long")
)

const (
	// previewTime is the maximum duration of a preview. previewWait is how long a preview that met a concurrent change
	// is retried.
	previewTime = 3 * time.Second
	previewWait = 2 * time.Second
	// previewPause is the pause before such a retry.
	previewPause = 25 * time.Millisecond
)

// previewLimits makes a preview give up immediately if it meets a row locked by a change, because that change may be
// waiting for the preview.
const previewLimits = "SET LOCAL lock_timeout = '5ms'"

// Preview runs do, which calls the Store with its context, reads what do has changed in the project, and undoes the
// changes. The changes are invisible to everyone else, including their audit entries, messages and notifications.
//
// Preview does not lock the project. If it meets a concurrent change of the same rows, it undoes its work immediately
// and tries again later, for at most previewWait. After that, or after previewTime, it returns unavailable. A change
// that would need approval, or is reserved for admins, is made anyway and recorded in the result.
//
// follow makes the change that a rollout's workflow makes when it gets a message. do and follow may run more than once;
// Preview returns their errors.
func (s *SnapshotReader) Preview(
	ctx context.Context, projectID int64, do func(context.Context) error,
	follow func(context.Context, models.RolloutSubject, models.RolloutMessage) error,
) (p models.PreviewedChange, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, previewTime, errPreviewTime)
	defer cancel()
	for giveUp := time.Now().Add(previewWait); ; {
		p, err = s.previewOnce(ctx, projectID, do, follow)
		if !errors.Is(err, unit.ErrMadeWay) && !pg.IsConflict(err) || time.Now().After(giveUp) ||
			backoff.Sleep(ctx, backoff.Jitter(previewPause)) != nil {
			return p, ofTime(ctx, err)
		}
	}
}

// ofTime returns err, or an error that names the time if the preview ended because of it. Postgres reports a cancelled query as if it was
// unavailable.
func ofTime(ctx context.Context, err error) error {
	if models.CodeOf(err) != models.CodeUnavailable || !errors.Is(context.Cause(ctx), errPreviewTime) {
		return err
	}
	return &models.Error{
		Code: models.CodeUnavailable, RetryAfter: 2 * time.Second, Cause: err,
		Message: fmt.Sprintf("the preview took longer than %v; try again, or make the change without a preview",
			previewTime),
	}
}

func (s *SnapshotReader) previewOnce(
	ctx context.Context, projectID int64, do func(context.Context) error,
	follow func(context.Context, models.RolloutSubject, models.RolloutMessage) error,
) (p models.PreviewedChange, err error) {
	err = s.db.InOneState(ctx, func(tx *gorm.DB) error {
		if err := tx.Exec(previewLimits).Error; err != nil {
			return err
		}
		project, err := unit.OneProject(tx.Where("id = ?", projectID))
		if err != nil {
			return err
		}
		p = models.PreviewedChange{HashedIDs: project.HashIDs}
		if err := tx.Table("user_overrides").Where("project_id = ?", projectID).Count(&p.Overrides).Error; err != nil {
			return err
		}
		reading := previewReading{project: project}
		if err := reading.addChannels(tx, nil); err != nil {
			return err
		}
		ctx = pg.Previewing(ctx, tx, &p)
		err = pg.Nested(tx, func(tx *gorm.DB) error {
			if err := do(ctx); err != nil {
				return err
			}
			if err := s.followMessages(ctx, tx, projectID, follow); err != nil {
				return err
			}
			if err := errors.Join(reading.find(tx), unit.MakeWay(tx)); err != nil {
				return err
			}
			if p.After, err = reading.state(tx); err != nil {
				return err
			}
			return errUndone
		})
		if !errors.Is(err, errUndone) {
			return err
		}
		p.Before, err = reading.state(tx)
		return err
	})
	return p, err
}

// followed lists the kinds of messages after which a workflow changes what a preview shows.
var followed = []models.OutboxKind{models.OutboxRolloutStart, models.OutboxRolloutSuperseded, models.OutboxRolloutDisabled}

// followMessages makes the changes of the workflows to which the outbox sends messages. Such a change may send further
// messages.
func (s *SnapshotReader) followMessages(
	ctx context.Context, tx *gorm.DB, projectID int64,
	follow func(context.Context, models.RolloutSubject, models.RolloutMessage) error,
) error {
	last := int64(0)
	for {
		messages, err := pg.All[models.OutboxMessage](tx.Table("outbox").
			Where("project_id = ? AND kind IN ? AND id > ?", projectID, followed, last).Where(writtenHere).Order("id"))
		if err != nil || len(messages) == 0 {
			return err
		}
		for _, m := range messages {
			last = m.ID
			if err := s.followMessage(ctx, tx, m, follow); err != nil {
				return err
			}
		}
	}
}

func (s *SnapshotReader) followMessage(
	ctx context.Context, tx *gorm.DB, m models.OutboxMessage, follow func(context.Context, models.RolloutSubject, models.RolloutMessage) error,
) error {
	told := models.RolloutMessage{Kind: m.Kind}
	if err := json.Unmarshal(m.Payload, &told); err != nil {
		return fmt.Errorf("payload of outbox message %d (%s): %w", m.ID, m.Kind, err)
	}
	e, err := pg.One[models.RolloutExecution](
		tx.Where("project_id = ? AND workflow_id = ?", m.ProjectID, told.WorkflowID), "rollout %s", told.WorkflowID)
	if err != nil {
		return err
	}
	subject, err := s.releases.RolloutSubject(ctx, m.ProjectID, e.ID)
	if err != nil {
		return err
	}
	return follow(ctx, subject, told)
}

// writtenHere is a condition for rows that this transaction or one of its savepoints wrote. This transaction cannot see
// rows of later transactions.
const writtenHere = "age(xmin) <= age(pg_current_xact_id()::xid)"

// previewReading identifies the part of a project that a change affects.
type previewReading struct {
	project              models.Project
	releases, executions []int64
	channels             map[int64]models.Channel
	// concerned contains the IDs of the affected channels. branches contains the IDs of all branches that these
	// channels point to, before or after the change.
	concerned, branches []int64
}

// find collects the changed records.
func (r *previewReading) find(tx *gorm.DB) error {
	var channels []int64
	for table, ids := range map[string]*[]int64{"releases": &r.releases, "rollout_executions": &r.executions, "channels": &channels} {
		if err := tx.Table(table).Where("project_id = ?", r.project.ID).Where(writtenHere).Order("id").Pluck("id", ids).Error; err != nil {
			return err
		}
	}
	var touched []int64
	if err := tx.Table("releases").Where("id IN ?", r.releases).Distinct().Pluck("branch_id", &touched).Error; err != nil {
		return err
	}
	for id, channel := range r.channels {
		if slices.ContainsFunc(branchesOf(channel), func(b int64) bool { return slices.Contains(touched, b) }) {
			channels = append(channels, id)
		}
	}
	before := r.channels
	slices.Sort(channels)
	r.concerned = slices.Compact(channels)
	r.branches = touched
	if err := r.addChannels(tx, r.concerned); err != nil {
		return err
	}
	for id, channel := range before {
		if _, ok := r.channels[id]; !ok { // the change deletes the channel
			r.concerned, r.branches = append(r.concerned, id), append(r.branches, branchesOf(channel)...)
		}
	}
	slices.Sort(r.branches)
	r.branches = slices.Compact(r.branches)
	return nil
}

// addChannels reads the channels of the project. The branches that the concerned channels point to, now or before, are
// added to r.branches.
func (r *previewReading) addChannels(tx *gorm.DB, concerned []int64) error {
	list, err := pg.All[models.Channel](tx.Where("project_id = ?", r.project.ID))
	if err != nil {
		return err
	}
	now := make(map[int64]models.Channel, len(list))
	for _, c := range list {
		now[c.ID] = c
	}
	for _, id := range concerned {
		r.branches = append(r.branches, append(branchesOf(r.channels[id]), branchesOf(now[id])...)...)
	}
	r.channels = now
	return nil
}

// branchesOf returns the IDs of the branches that a channel points to.
func branchesOf(c models.Channel) []int64 {
	if c.RolloutBranchID == nil {
		return []int64{c.BranchID}
	}
	return []int64{c.BranchID, *c.RolloutBranchID}
}

// state returns the affected part of the project as the transaction sees it.
func (r *previewReading) state(tx *gorm.DB) (models.PreviewedState, error) {
	state := models.PreviewedState{Releases: map[int64]models.Release{}, Executions: map[int64]models.RolloutExecution{}}
	releases, err := pg.All[models.Release](releasestore.SelectReleases(tx).Where("releases.id IN ?", r.releases).Order("releases.id"))
	if err != nil {
		return state, err
	}
	for _, release := range releases {
		state.Releases[release.ID] = release
	}
	executions, err := pg.All[models.RolloutExecution](tx.Select("rollout_executions.*, "+releasestore.MessageOfExecution+" AS release_message").
		Where("id IN ?", r.executions).Order("id"))
	if err != nil {
		return state, err
	}
	for _, e := range executions {
		state.Executions[e.ID] = e
	}
	state.Served = models.ProjectSnapshot{Project: r.project}
	state.Served.Channels, err = pg.All[models.Channel](unit.SelectChannels(tx).Where("channels.id IN ?", r.concerned).Order("channels.id"))
	if err != nil {
		return state, err
	}
	if state.Served.Branches, err = pg.All[models.Branch](tx.Where("id IN ?", r.branches).Order("id")); err != nil {
		return state, err
	}
	if state.Served.Releases, err = r.served(tx); err != nil {
		return state, err
	}
	state.Served.Aliases, err = pg.All[models.ReleaseAlias](tx.Where("project_id = ?", r.project.ID).
		Where("release_id IN (SELECT id FROM releases WHERE project_id = ? AND branch_id IN ?)", r.project.ID, r.branches).Order("created_at"))
	return state, err
}

// releasesAtOnce is the number of releases that a preview reads before it checks again whether a change waits for it.
const releasesAtOnce = 100

// served returns the releases of the branches in the order of NewestFirst.
func (r *previewReading) served(tx *gorm.DB) (served []*models.Release, err error) {
	var ids []int64
	err = tx.Table("releases").Where("project_id = ? AND branch_id IN ? AND deleted_at IS NULL", r.project.ID, r.branches).
		Pluck("id", &ids).Error
	if err != nil {
		return nil, err
	}
	for some := range slices.Chunk(ids, releasesAtOnce) {
		read, err := pg.All[*models.Release](releasesOf(tx).Where("releases.id IN ?", some))
		if err = errors.Join(err, unit.MakeWay(tx)); err != nil {
			return nil, err
		}
		served = append(served, read...)
	}
	slices.SortFunc(served, func(a, b *models.Release) int { return models.NewestFirst(a, b) })
	return served, nil
}
