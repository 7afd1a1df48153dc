package activities

import (
	"context"
	"sync"
	"time"
)

const (
	// laneWidth is how many attempts of one webhook a process makes at once. A receiver
	// that lets each of them wait for its full time holds no more of the worker's room.
	laneWidth = 32
	// lanePatience is how long an attempt waits for a place, which a receiver that
	// answers frees quickly.
	lanePatience = time.Second
)

// Lanes keep the attempts of one webhook from taking all the room of a worker. The zero
// value is ready for use.
type Lanes struct {
	mu    sync.Mutex
	lanes map[int64]*lane
}

type lane struct {
	places chan struct{}
	// users are those who wait for a place or have one.
	users int
}

// enter takes a place in the lane of a webhook until release is called. Its error tells
// Temporal to come back later.
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
		err = busy()
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
