package pg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/waft-ota/waft/internal/base/backoff"
)

const (
	// listenCheck is how long a connection may be without notifications before it is pinged.
	listenCheck = 15 * time.Second
	// CheckTimeout is how long a connection may take to respond to a ping, and to close.
	CheckTimeout = 5 * time.Second
)

var betweenConnects = backoff.Policy{Min: 100 * time.Millisecond, Max: 5 * time.Second}

// Listen calls wake with the payload of every notification on channel until ctx ends, and then returns nil. All calls
// of wake come from one goroutine, so wake must not block.
//
// All calls of Listen share one connection outside the pool. Listen connects again if the connection breaks.
// Notifications sent while there is no connection are lost, so it calls wake with "" after each connect.
func (s *DB) Listen(ctx context.Context, channel string, wake func(payload string)) error {
	off := s.listener.on(ctx, channel, wake)
	<-ctx.Done()
	off()
	return nil
}

// listener receives the notifications of all channels on one connection.
type listener struct {
	config *pgx.ConnConfig
	log    *slog.Logger

	mu   sync.Mutex
	ears map[*ear]struct{}
	// interrupt ends a wait for notifications, so that the connection can listen to a new channel.
	interrupt context.CancelFunc
	// end closes the connection. It is nil until the first ear is added.
	end func()
}

// ear represents one call of Listen.
type ear struct {
	channel string
	wake    func(payload string)
	// told is the connection that has informed the ear, if any.
	told *connection
}

func newListener(config *pgx.ConnConfig, log *slog.Logger) *listener {
	return &listener{config: config, log: log, ears: map[*ear]struct{}{}, interrupt: func() {}}
}

// on adds an ear. The first ear opens the connection. After off returns, wake is not called any more.
func (l *listener) on(ctx context.Context, channel string, wake func(payload string)) (off func()) {
	own := &ear{channel: channel, wake: wake}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ears[own] = struct{}{}
	l.interrupt()
	if l.end == nil {
		ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // other ears may listen for longer than this one
		var running sync.WaitGroup
		running.Go(func() { l.run(ctx) })
		l.end = func() {
			cancel()
			running.Wait()
		}
	}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.ears, own)
	}
}

func (l *listener) close() {
	l.mu.Lock()
	end := l.end
	l.mu.Unlock()
	if end != nil {
		end()
	}
}

// run receives notifications until ctx ends.
func (l *listener) run(ctx context.Context) {
	for failures := 1; ctx.Err() == nil; failures++ {
		c := &connection{listener: l, channels: map[string]bool{}}
		lost := c.receive(ctx)
		if len(c.channels) > 0 {
			failures = 1
		}
		pause := betweenConnects.After(failures)
		if ctx.Err() == nil {
			l.log.Warn("no notifications from Postgres; connecting again", "channel", l.names(), "error", lost, "in", pause)
		}
		_ = backoff.Sleep(ctx, pause) // the loop checks whether ctx has ended
	}
}

// names returns the names of the channels that have ears.
func (l *listener) names() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	names := map[string]bool{}
	for e := range l.ears {
		names[e.channel] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(names)), ", ")
}

// connection is a connection of a listener, with the channels that it listens to.
type connection struct {
	*listener
	channels map[string]bool
}

// receive passes on notifications until the connection breaks or ctx ends.
func (c *connection) receive(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, c.config.Copy())
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer closeQuickly(ctx, conn)
	for {
		waiting, cancel := context.WithTimeout(ctx, listenCheck)
		if added := c.added(cancel); len(added) > 0 {
			cancel()
			if err := c.welcome(ctx, conn, added); err != nil {
				return err
			}
			continue
		}
		n, err := conn.WaitForNotification(waiting)
		interrupted := errors.Is(waiting.Err(), context.Canceled)
		cancel()
		switch {
		case err == nil:
			c.tell(n)
		case ctx.Err() == nil && interrupted:
		case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
			if err := ping(ctx, conn); err != nil {
				return err
			}
		default:
			return fmt.Errorf("wait for a notification: %w", err)
		}
	}
}

// added returns the ears that the connection has not informed yet. When the next ear is added, it calls interrupt.
func (c *connection) added(interrupt context.CancelFunc) (added []*ear) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.interrupt = interrupt
	for e := range c.ears {
		if e.told != c {
			added = append(added, e)
		}
	}
	return added
}

// welcome listens to the channels of the added ears and informs the ears that notifications may have been lost.
func (c *connection) welcome(ctx context.Context, conn *pgx.Conn, added []*ear) error {
	for _, e := range added {
		if !c.channels[e.channel] {
			if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{e.channel}.Sanitize()); err != nil {
				return fmt.Errorf("listen on %s: %w", e.channel, err)
			}
			c.channels[e.channel] = true
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range added {
		e.told = c
		if _, listens := c.ears[e]; listens {
			e.wake("")
		}
	}
	return nil
}

// tell wakes the ears of the notification's channel.
func (c *connection) tell(n *pgconn.Notification) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := range c.ears {
		if e.channel == n.Channel && e.told == c {
			e.wake(n.Payload)
		}
	}
}

// ping returns an error if the peer has disappeared without closing the connection.
func ping(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, CheckTimeout)
	defer cancel()
	if err := conn.Ping(ctx); err != nil {
		return fmt.Errorf("check the connection: %w", err)
	}
	return nil
}

// closeQuickly closes a connection, which may be dead. It works even after ctx has ended.
func closeQuickly(ctx context.Context, conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), CheckTimeout)
	defer cancel()
	conn.Close(ctx)
}
