package unit

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/base/backoff"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

const (
	// relayWorkers is how many messages one relay handles at once.
	relayWorkers = 4
	// relayPoll is how late a message may be that is tried again, or whose notification was lost.
	relayPoll = time.Second
	// RelayTimeout is how long handling one message may take.
	RelayTimeout = 30 * time.Second
	// maxLastError is how much of an error the message keeps, in bytes.
	maxLastError = 2000
)

// relayBackoff spaces the attempts at a message that cannot be relayed.
var relayBackoff = backoff.Policy{Min: time.Second, Max: time.Minute}

// Relay gives the messages of the outbox to a handler and deletes each after the handler
// succeeds. With any number of relays, a message is handled once, except after a crash
// between the two, so handlers must be idempotent. Messages for webhooks come after all
// others. There is no other order, and a message that fails delays no other.
type Relay struct {
	db     *pg.DB
	handle func(ctx context.Context, m models.OutboxMessage) error
	log    *slog.Logger
	// wake holds a token when there may be a message that no worker handles.
	wake chan struct{}
}

// NewRelay returns a relay that hands messages of the outbox in db to handle.
func NewRelay(db *pg.DB, handle func(ctx context.Context, m models.OutboxMessage) error, log *slog.Logger) *Relay {
	return &Relay{db: db, handle: handle, log: log, wake: make(chan struct{}, 1)}
}

// Run relays until ctx ends, finishes the messages in flight, and returns nil.
func (r *Relay) Run(ctx context.Context) error {
	var g errgroup.Group
	g.Go(func() error {
		return r.db.Listen(ctx, models.NotifyOutbox, func(string) { r.nudge() })
	})
	for range relayWorkers {
		g.Go(func() error {
			r.work(ctx)
			return nil
		})
	}
	return g.Wait()
}

// nudge wakes one idle worker.
func (r *Relay) nudge() {
	select {
	case r.wake <- struct{}{}:
	default: // a worker is about to read the outbox anyway
	}
}

// work relays what is due, and waits for more.
func (r *Relay) work(ctx context.Context) {
	for ctx.Err() == nil {
		relayed, err := r.relayOne(ctx)
		if err != nil {
			r.log.Warn("the outbox cannot be read; trying again", "error", err)
		}
		if relayed {
			continue
		}
		select {
		case <-ctx.Done():
		case <-r.wake:
		case <-time.After(backoff.Jitter(relayPoll)):
		}
	}
}

// relayOne handles one due message, if there is one. The transaction locks the message
// against other workers and relays. The end of ctx does not interrupt it.
func (r *Relay) relayOne(ctx context.Context) (relayed bool, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), RelayTimeout+pg.CheckTimeout)
	defer cancel()
	err = r.db.Attempt(ctx, nil, func(tx *gorm.DB) error {
		var due []models.OutboxMessage
		err := tx.Raw("SELECT * FROM outbox WHERE not_before <= now() ORDER BY priority, not_before, id LIMIT 1 FOR UPDATE SKIP LOCKED").
			Scan(&due).Error
		if err != nil || len(due) == 0 {
			return err
		}
		relayed = true
		r.nudge() // another worker takes the next one meanwhile
		return r.settle(ctx, tx, due[0])
	})
	return relayed && err == nil, pg.Translate(err)
}

// settle handles the message and deletes it, or schedules the next attempt.
func (r *Relay) settle(ctx context.Context, tx *gorm.DB, m models.OutboxMessage) error {
	handling, cancel := context.WithTimeout(ctx, RelayTimeout)
	defer cancel()
	failure := r.handle(handling, m)
	if failure == nil {
		return tx.Where("id = ?", m.ID).Delete(&models.OutboxMessage{}).Error
	}
	wait := relayBackoff.After(m.Attempts + 1)
	r.log.Warn("an outbox message could not be relayed; trying again", "message", m.ID, "kind", m.Kind,
		"attempt", m.Attempts+1, "in", wait, "error", failure)
	return tx.Exec(`UPDATE outbox SET attempts = attempts + 1, last_error = ?,
		not_before = clock_timestamp() + make_interval(secs => ?) WHERE id = ?`,
		models.StorableText(failure.Error(), maxLastError), wait.Seconds(), m.ID).Error
}

// OutboxBacklog returns how many messages wait, and the age of the oldest, 0 without any.
func (s *Units) OutboxBacklog(ctx context.Context) (waiting int64, oldest time.Duration, err error) {
	return s.db.Backlog(ctx, "outbox", "created_at")
}
