package pg

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/waft-ota/waft/internal/base/backoff"
)

const (
	// listenCheck is how long a connection has no notifications before it is pinged.
	listenCheck = 15 * time.Second
	// CheckTimeout is how long a connection may take to answer a ping, and to end.
	CheckTimeout = 5 * time.Second
)

var betweenConnects = backoff.Policy{Min: 100 * time.Millisecond, Max: 5 * time.Second}

// Listen calls wake with the payload of every notification on channel, from one goroutine,
// so wake must not block. Notifications sent while there is no connection are lost, so it
// calls wake with "" after each connect. Listen uses a connection of its own, connects again
// when it breaks, and returns nil when ctx ends.
func (s *DB) Listen(ctx context.Context, channel string, wake func(payload string)) error {
	for failures := 1; ctx.Err() == nil; failures++ {
		connected, lost := s.listenUntilLost(ctx, channel, wake)
		if connected {
			failures = 1
		}
		pause := betweenConnects.After(failures)
		if ctx.Err() == nil {
			s.log.Warn("no notifications from Postgres; connecting again", "channel", channel, "error", lost, "in", pause)
		}
		_ = backoff.Sleep(ctx, pause) // the loop sees that ctx ended
	}
	return nil
}

// listenUntilLost listens on one connection until it breaks or ctx ends.
func (s *DB) listenUntilLost(ctx context.Context, channel string, wake func(payload string)) (connected bool, err error) {
	conn, err := pgx.ConnectConfig(ctx, s.config.Copy())
	if err != nil {
		return false, fmt.Errorf("connect: %w", err)
	}
	defer closeQuickly(ctx, conn)
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{channel}.Sanitize()); err != nil {
		return false, fmt.Errorf("listen on %s: %w", channel, err)
	}
	wake("")
	for {
		waiting, cancel := context.WithTimeout(ctx, listenCheck)
		n, err := conn.WaitForNotification(waiting)
		cancel()
		switch {
		case err == nil:
			wake(n.Payload)
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			if err := ping(ctx, conn); err != nil {
				return true, err
			}
		default:
			return true, fmt.Errorf("wait for a notification: %w", err)
		}
	}
}

// ping detects a peer that is gone without having closed the connection.
func ping(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, CheckTimeout)
	defer cancel()
	if err := conn.Ping(ctx); err != nil {
		return fmt.Errorf("check the connection: %w", err)
	}
	return nil
}

// closeQuickly closes a connection, which may be dead, even after ctx ended.
func closeQuickly(ctx context.Context, conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), CheckTimeout)
	defer cancel()
	conn.Close(ctx)
}
