package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// change is a transaction that changes a project. Methods without a result of type error
// keep the first one and do nothing after it, as in Postgres every statement after a
// failed one fails; the transaction ends with it.
type change struct {
	tx    *gorm.DB
	actor models.Actor
	// project has only its id in a change that Store.edit began.
	project models.Project
	quotas  models.Quotas
	// bumped says that devices are served anew, asked that the change has said whom that affects.
	bumped, asked bool
	// audited says that the change has an audit entry, of something else than an approval.
	audited bool
	// preview is what a preview finds, nil for a change that lasts.
	preview *models.PreviewedChange
	err     error
}

// errUnchanged is what fn of Store.change returns when there is nothing to change.
var errUnchanged = errors.New("unchanged")

// edit runs fn in a transaction without locking the project.
func (s *Units) edit(ctx context.Context, projectID int64, actor models.Actor, fn func(c *change) error) error {
	return s.db.inTx(ctx, func(tx *gorm.DB) error {
		c := &change{tx: tx, actor: actor, project: models.Project{ID: projectID}, quotas: s.quotas, preview: previewOf(ctx)}
		if err := fn(c); c.err == nil {
			c.err = err
		}
		c.checkAsked()
		c.checkScoped()
		c.carryOut()
		return c.err
	})
}

// inProject is edit with the project locked: its other changes wait meanwhile.
func (s *Units) inProject(ctx context.Context, projectID int64, actor models.Actor, fn func(c *change) error) error {
	return s.edit(ctx, projectID, actor, func(c *change) (err error) {
		if c.project, err = lockProject(c.tx, projectID); err != nil {
			return err
		}
		return fn(c)
	})
}

// change is inProject for what devices are served: it gives the project a new snapshot
// version, unless fn returns errUnchanged, which is no error.
func (s *Units) change(ctx context.Context, projectID int64, actor models.Actor, fn func(c *change) error) error {
	return s.inProject(ctx, projectID, actor, func(c *change) error {
		err := fn(c)
		if errors.Is(err, errUnchanged) {
			return nil
		}
		if err == nil {
			c.bumpSnapshot()
		}
		return err
	})
}

// apply validates in and makes a change with a result. run is edit, inProject or change.
func apply[T any](
	ctx context.Context, run func(context.Context, int64, models.Actor, func(c *change) error) error,
	projectID int64, actor models.Actor, in interface{ Validate() error }, fn func(c *change) (T, error),
) (result T, err error) {
	if err := in.Validate(); err != nil {
		return result, err
	}
	err = run(ctx, projectID, actor, func(c *change) error {
		result, err = fn(c)
		return err
	})
	return result, err
}

func (c *change) now() time.Time { return c.tx.NowFunc() }

// do runs a step unless an earlier one failed.
func (c *change) do(step func() error) {
	if c.err != nil {
		return
	}
	if err := step(); c.err == nil {
		c.err = err
	}
}

func (c *change) exec(sql string, args ...any) {
	c.do(func() error { return c.tx.Exec(sql, args...).Error })
}

// execEach runs statements whose only parameter is id.
func (c *change) execEach(id int64, statements ...string) {
	for _, statement := range statements {
		c.exec(statement, id)
	}
}

// create inserts a row, or the rows of a slice, and sets their ids.
func (c *change) create(rows any) {
	c.do(func() error { return c.tx.Create(rows).Error })
}

// update writes the given fields of a row.
func (c *change) update(row any, fields ...string) {
	c.do(func() error { return c.tx.Model(row).Select(fields).Updates(row).Error })
}

// audit records the change, and writes the messages to the webhooks that subscribe to it.
func (c *change) audit(action, entity string, id int64, details map[string]any) {
	c.audited = c.audited || entity != "approval"
	c.recordAudit(c.entry(c.actor, action, entity, id, details))
}

// bumpSnapshot gives the project a new snapshot version; the commit notifies all API processes.
func (c *change) bumpSnapshot() {
	c.bumped = true
	c.exec(`WITH bumped AS (UPDATE projects SET snapshot_version = snapshot_version + 1 WHERE id = ? RETURNING id)
		SELECT pg_notify(?, id::text) FROM bumped`, c.project.ID, models.NotifySnapshot)
}

// notify sends the id of a record on a channel of Postgres once the transaction commits.
func (c *change) notify(channel string, id int64) {
	c.exec("SELECT pg_notify(?, ?)", channel, strconv.FormatInt(id, 10))
}

// enqueue writes a message that the relay delivers after the transaction commits.
func (c *change) enqueue(kind models.OutboxKind, payload any) {
	raw, err := json.Marshal(payload)
	if err != nil {
		c.do(func() error { return fmt.Errorf("outbox payload of %s: %w", kind, err) })
	}
	c.exec(`WITH promised AS (INSERT INTO outbox (project_id, kind, payload) VALUES (?, ?, ?::jsonb) RETURNING id)
		SELECT pg_notify(?, '') FROM promised`, c.project.ID, kind, string(raw), models.NotifyOutbox)
}

// nextID returns an id for a record that needs it before it is inserted.
func (c *change) nextID() (id int64) {
	c.do(func() error { return c.tx.Raw("SELECT nextval('waft_ids')").Scan(&id).Error })
	return id
}

// refusal is err when refused, else nil.
func refusal(refused bool, err error) error {
	if refused {
		return err
	}
	return nil
}
