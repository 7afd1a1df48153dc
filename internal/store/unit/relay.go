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
	// relayWorkers is the number of messages that one relay handles at the same time.
	relayWorkers = 4
	// relayPoll is the maximum delay of a message that is retried, or whose notification was lost.
	relayPoll = time.Second
	// RelayTimeout is the maximum time for handling one message.
	RelayTimeout = 30 * time.Second
	// maxLastError is the maximum length in bytes of the error that is stored with a message.
	maxLastError = 2000
)

// relayBackoff spaces the attempts at a message that fails.
var relayBackoff = backoff.Policy{Min: time.Second, Max: time.Minute}

// Relay passes the messages of the outbox to a handler and deletes each message after the handler succeeds. With any
// number of relays, a message is handled once. Only after a crash between handling and deletion is it handled again, so
// handlers must be idempotent. Webhook messages come after all other messages. Apart from that there is no order, and a
// failing message does not delay other messages.
type Relay struct {
	db     *pg.DB
	handle func(ctx context.Context, m models.OutboxMessage) error
	log    *slog.Logger
	// wake contains a token if there may be a message that no worker is handling.
	wake chan struct{}
}

// NewRelay returns a relay that passes messages of the outbox in db to handle.
func NewRelay(db *pg.DB, handle func(ctx context.Context, m models.OutboxMessage) error, log *slog.Logger) *Relay {
	return &Relay{db: db, handle: handle, log: log, wake: make(chan struct{}, 1)}
}

// Run relays messages until ctx ends, finishes the messages in flight, and returns nil.
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

// work relays due messages and waits for more until ctx ends.
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

// relayOne handles one due message, if there is one. Its transaction locks the message against other workers and
// relays. It finishes even if ctx ends.
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
		r.nudge() // another worker can take the next message at the same time
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

// OutboxBacklog returns the number of waiting messages and the age of the oldest, or 0 if the outbox is empty.
func (s *Units) OutboxBacklog(ctx context.Context) (waiting int64, oldest time.Duration, err error) {
	return s.db.Backlog(ctx, "outbox", "created_at")
}
