package telemetry

import (
	"context"
	"errors"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"golang.org/x/sync/singleflight"
)

const (
	// patience is the time after which an interactive query that has not ended checks that ClickHouse responds to others.
	patience = time.Second
	// pingTime is the maximum time that ClickHouse may take to respond to a ping.
	pingTime = 3 * time.Second
)

// errSilent is the cause of the end of a query during which ClickHouse does not respond to pings either.
var errSilent = errors.New("ClickHouse does not respond")

// pulse finds out whether ClickHouse responds. A query that waits for a ClickHouse that hangs looks like a costly query;
// only a ping tells them apart.
type pulse struct {
	ping    func(context.Context) error
	running singleflight.Group
}

// watch returns a context that ends when ClickHouse does not respond, with the cause errSilent. done ends the watch.
func (p *pulse) watch(ctx context.Context) (watched context.Context, done func()) {
	watched, stop := context.WithCancelCause(ctx)
	go func() {
		check := time.NewTicker(patience)
		defer check.Stop()
		for {
			select {
			case <-watched.Done():
				return
			case <-check.C:
				if !p.beats(watched) {
					stop(errSilent)
					return
				}
			}
		}
	}()
	return watched, func() { stop(context.Canceled) }
}

// beats reports whether ClickHouse responds, even with an error. Simultaneous callers share one ping.
func (p *pulse) beats(ctx context.Context) bool {
	_, err, _ := p.running.Do("", func() (any, error) {
		// A caller that leaves must not change the result for the others.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pingTime)
		defer cancel()
		return nil, p.ping(ctx)
	})
	var refused *clickhouse.Exception
	return err == nil || errors.As(err, &refused)
}
