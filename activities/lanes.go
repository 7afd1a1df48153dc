package activities

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"go.temporal.io/sdk/temporal"
)

const (
	// laneWidth is how many attempts of one webhook a process makes at once, so that a slow receiver
	// does not occupy the worker.
	laneWidth = 32
	// lanePatience is how long an attempt waits for a place in its lane.
	lanePatience = time.Second
	// busyDelay is after how long, up to twice of it, an attempt without a place is retried.
	busyDelay = 5 * time.Second
)

// errorTypeBusy is the type of the error of an attempt without a place.
const errorTypeBusy = "busy"

// Lanes bound the attempts of each webhook at a time. The zero value is ready for use.
type Lanes struct {
	mu    sync.Mutex
	lanes map[int64]*lane
}

type lane struct {
	places chan struct{}
	// users counts the attempts that have a place or wait for one.
	users int
}

// enter takes a place in the lane of a webhook until release is called. Without a free place its
// error makes Temporal retry later.
func (l *Lanes) enter(ctx context.Context, webhookID int64) (release func(), err error) {
	own := l.join(webhookID)
	patience := time.NewTimer(lanePatience)
	defer patience.Stop()
	select {
	case own.places <- struct{}{}:
		return func() {
			<-own.places
			l.leave(webhookID)
		}, nil
	case <-patience.C:
		err = temporal.NewApplicationErrorWithOptions("many messages to this webhook are being sent; this one waits", errorTypeBusy,
			temporal.ApplicationErrorOptions{NextRetryDelay: busyDelay + rand.N(busyDelay)})
	case <-ctx.Done():
		err = ctx.Err()
	}
	l.leave(webhookID)
	return nil, err
}

func (l *Lanes) join(webhookID int64) *lane {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lanes == nil {
		l.lanes = map[int64]*lane{}
	}
	own := l.lanes[webhookID]
	if own == nil {
		own = &lane{places: make(chan struct{}, laneWidth)}
		l.lanes[webhookID] = own
	}
	own.users++
	return own
}

func (l *Lanes) leave(webhookID int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if own := l.lanes[webhookID]; own.users > 1 {
		own.users--
	} else {
		delete(l.lanes, webhookID)
	}
}
