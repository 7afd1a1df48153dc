package unit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// Change is a transaction that changes a project. Methods that do not return an error keep the first failure in Err and
// do nothing after it, because Postgres fails every statement that follows a failed one. The transaction then fails
// with Err.
type Change struct {
	// Tx is the transaction. Statements that must not run after a failure go through Do.
	Tx *gorm.DB
	// Actor identifies the account, API key or part of Waft that makes the change.
	Actor models.Actor
	// Project contains only its ID until LockProject or ReadProject has read the rest.
	Project models.Project
	// Quotas limits the number of records of the project.
	Quotas models.Quotas
	// bumped says that the change affects what devices are served, and later that only a further change makes that matter. asked says that
	// the change has declared its effect.
	bumped, later, asked bool
	// audited says that the change has an audit entry about something other than an approval.
	audited bool
	// matched says that the change has compared its record with Actor.IfMatch.
	matched bool
	// made contains the IDs of the releases that the change has created.
	made []int64
	// offered lists the offers of the protected channels before the change, and guarded the IDs of the branches behind
	// them.
	offered []models.Offer
	guarded []int64
	// preview collects the findings of a preview. It is nil for a change that is kept.
	preview *models.PreviewedChange
	// Err is the first failure of a method that does not return an error.
	Err error
}

// ErrUnchanged is the error that fn of Units.ChangeServed returns if there is nothing to change.
var ErrUnchanged = errors.New("unchanged")

// Edit runs fn in a transaction. It locks only the rows that fn locks.
func (s *Units) Edit(ctx context.Context, projectID int64, actor models.Actor, fn func(c *Change) error) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		c := &Change{Tx: tx, Actor: actor, Project: models.Project{ID: projectID}, Quotas: s.Quotas, preview: pg.PreviewOf(ctx)}
		if err := fn(c); c.Err == nil {
			c.Err = err
		}
		c.checkAsked()
		c.checkScoped()
		c.checkMatched()
		c.serve()
		c.carryOut()
		return c.Err
	})
}

// ChangeServed runs fn like Edit, for changes of what devices are served. It locks the project first and gives it a new
// snapshot version. If fn returns ErrUnchanged, the version stays the same and ChangeServed returns nil.
func (s *Units) ChangeServed(ctx context.Context, projectID int64, actor models.Actor, fn func(c *Change) error) error {
	return s.Edit(ctx, projectID, actor, func(c *Change) error {
		if err := c.LockProject(); err != nil {
			return err
		}
		err := fn(c)
		if errors.Is(err, ErrUnchanged) {
			return nil
		}
		if err == nil {
			c.BumpSnapshot()
		}
		return err
	})
}

// Apply validates in and makes a change that has a result. run is Units.Edit or Units.ChangeServed.
func Apply[T any](
	ctx context.Context, run func(context.Context, int64, models.Actor, func(c *Change) error) error,
	projectID int64, actor models.Actor, in interface{ Validate() error }, fn func(c *Change) (T, error),
) (result T, err error) {
	if err := in.Validate(); err != nil {
		return result, err
	}
	err = run(ctx, projectID, actor, func(c *Change) error {
		result, err = fn(c)
		return err
	})
	return result, err
}

// Now returns the time to store in records of the change.
func (c *Change) Now() time.Time { return c.Tx.NowFunc() }

// Do runs step unless an earlier step failed.
func (c *Change) Do(step func() error) {
	if c.Err == nil && c.preview != nil {
		c.Err = MakeWay(c.Tx)
	}
	if c.Err != nil {
		return
	}
	if err := step(); c.Err == nil {
		c.Err = err
	}
}

// Exec runs a statement.
func (c *Change) Exec(sql string, args ...any) {
	c.Do(func() error { return c.Tx.Exec(sql, args...).Error })
}

// ExecEach runs statements whose only parameter is id.
func (c *Change) ExecEach(id int64, statements ...string) {
	for _, statement := range statements {
		c.Exec(statement, id)
	}
}

// Create inserts a row, or the rows of a slice, and sets their IDs.
func (c *Change) Create(rows any) {
	c.Do(func() error { return c.Tx.Create(rows).Error })
}

// Update writes the given fields of a row and reads back the row's new version.
func (c *Change) Update(row any, fields ...string) {
	q := c.Tx.Model(row).Select(fields)
	if _, ok := row.(tagged); ok {
		q = q.Clauses(clause.Returning{Columns: []clause.Column{{Name: "version"}}})
	}
	c.Do(func() error { return q.Updates(row).Error })
}

// tagged is a record with an ETag.
type tagged interface{ ETag(id int64) string }

// Match fails the change if its actor requires another version of the record. The caller has locked the record, so the
// version cannot change before the transaction ends.
func (c *Change) Match(id int64, record tagged) {
	c.matched = true
	c.Do(func() error { return c.Actor.IfMatch.Check(record.ETag(id)) })
}

// checkMatched fails a change whose actor requires a version although the record has no versions.
func (c *Change) checkMatched() {
	c.Do(func() error {
		if c.audited && !c.matched {
			return c.Actor.IfMatch.Check("")
		}
		return nil
	})
}

// Audit records the change in the audit log and writes messages to the webhooks that subscribe to the action.
func (c *Change) Audit(action, entity string, id int64, details map[string]any) {
	c.audited = c.audited || entity != "approval"
	c.RecordAudit(c.Entry(c.Actor, action, entity, id, details))
}

// ReturnTo declares the release that a rollback returns to, nil for the embedded update. It fails the change if the
// release is disabled and the call does not allow that. A preview is not refused; it has the release in its result.
func (c *Change) ReturnTo(goal *models.RollbackGoal, allowDisabled bool) {
	if c.preview != nil {
		c.preview.Goals = append(c.preview.Goals, goal)
		return
	}
	c.Do(func() error {
		if goal == nil || goal.IsEnabled || allowDisabled {
			return nil
		}
		return goal.RefuseDisabled()
	})
}

// BumpSnapshot gives the project a new snapshot version at the end of the transaction. The commit notifies all API
// processes.
func (c *Change) BumpSnapshot() { c.bumped, c.later = true, false }

// BumpSnapshotLater gives the project a new snapshot version like BumpSnapshot, but API processes may wait a moment for the next change
// before they serve this one.
func (c *Change) BumpSnapshotLater() { c.later, c.bumped = !c.bumped || c.later, true }

// serve gives the project a new snapshot version if the change called BumpSnapshot, and records the channels' current
// offers. It locks the project, so it is the last step of a change that has not locked it yet.
func (c *Change) serve() {
	if !c.bumped || c.preview != nil { // a preview must not lock anything that a change needs
		return
	}
	offers, err := json.Marshal(c.largestOffers())
	c.Do(func() error { return err })
	ending := ""
	if c.later {
		ending = models.NotifyLater
	}
	c.Exec(`WITH kept AS (`+keepLargestOffers+`),
		bumped AS (UPDATE projects SET snapshot_version = snapshot_version + 1, last_release_millis = greatest(last_release_millis, ?)
			WHERE id = ? RETURNING id)
		SELECT pg_notify(?, id::text || ?) FROM bumped`, string(offers), c.Project.LastReleaseMillis, c.Project.ID, models.NotifySnapshot, ending)
}

// Notify sends the ID of a record on a Postgres notification channel once the transaction commits.
func (c *Change) Notify(channel string, id int64) {
	c.Exec("SELECT pg_notify(?, ?)", channel, strconv.FormatInt(id, 10))
}

// Enqueue writes an outbox message, which the relay delivers after the transaction commits.
func (c *Change) Enqueue(kind models.OutboxKind, payload any) {
	raw, err := json.Marshal(payload)
	if err != nil {
		c.Do(func() error { return fmt.Errorf("outbox payload of %s: %w", kind, err) })
	}
	c.Exec(`WITH promised AS (INSERT INTO outbox (project_id, kind, payload) VALUES (?, ?, ?::jsonb) RETURNING id)
		SELECT pg_notify(?, '') FROM promised`, c.Project.ID, kind, string(raw), models.NotifyOutbox)
}

// NextID returns an ID for a record whose ID is needed before the record is inserted.
func (c *Change) NextID() (id int64) {
	c.Do(func() error { return c.Tx.Raw("SELECT nextval('waft_ids')").Scan(&id).Error })
	return id
}

// Refusal returns err if refused is true, and nil otherwise.
func Refusal(refused bool, err error) error {
	if refused {
		return err
	}
	return nil
}
