package activities

import (
	"context"
	"math/rand/v2"
	"time"

	"go.temporal.io/sdk/temporal"

	"github.com/waft-ota/waft/internal/base/keyed"
)

const (
	// laneWidth is the maximum number of attempts per webhook that a process makes at the same time, so that a slow
	// receiver does not occupy the worker.
	laneWidth = 32
	// lanePatience is how long an attempt waits for a place in its lane.
	lanePatience = time.Second
	// busyDelay is the minimum delay before an attempt without a place is retried. The maximum is twice as long.
	busyDelay = 5 * time.Second
)

// errorTypeBusy is the type of the error of an attempt without a place.
const errorTypeBusy = "busy"

// Lanes limits the concurrent attempts of each webhook.
type Lanes struct{ webhooks *keyed.Semaphore[int64] }

// NewLanes returns the lanes of a process.
func NewLanes() Lanes { return Lanes{keyed.NewSemaphore[int64](laneWidth)} }

// enter takes a place in the lane of a webhook, which is free again after release is called. If no place becomes free,
// it returns an error that makes Temporal retry later.
func (l Lanes) enter(ctx context.Context, webhookID int64) (release func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, lanePatience)
	defer cancel()
	release, err = l.webhooks.Acquire(waiting, webhookID)
	if err == nil {
		return release, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, temporal.NewApplicationErrorWithOptions("many messages are being sent to this webhook; this message waits", errorTypeBusy,
		temporal.ApplicationErrorOptions{NextRetryDelay: busyDelay + rand.N(busyDelay)})
}
