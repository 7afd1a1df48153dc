package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tmaxmax/go-sse"
)

// maxEventBytes bounds one event of a stream.
const maxEventBytes = 4 << 20

// errStreamEnded is a stream that the server closed.
var errStreamEnded = errors.New("the server ended the stream")

// WatchRollout calls each with a rollout as it stands and after every change,
// until each says that it has seen enough or ctx ends. A connection that breaks is
// made again; only a refusal by the server ends the watch with an error.
func (w *Waft) WatchRollout(ctx context.Context, id int64, each func(RolloutExecution) (more bool)) error {
	const firstPause, longestPause = 200 * time.Millisecond, 5 * time.Second
	pause := firstPause
	for {
		seen, err := w.streamRollout(ctx, id, each)
		var refusal *Error
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &refusal) && refusal.Status < http.StatusInternalServerError &&
			refusal.Status != http.StatusTooManyRequests:
			return err
		}
		if seen {
			pause = firstPause
		}
		if refusal != nil {
			pause = max(pause, refusal.RetryAfter)
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
		pause = min(2*pause, longestPause)
	}
}

// streamRollout reads one connection's events. A nil error means that each has
// seen enough.
func (w *Waft) streamRollout(ctx context.Context, id int64, each func(RolloutExecution) bool) (seen bool, err error) {
	res, err := w.StreamRolloutExecution(ctx, id, &StreamRolloutExecutionParams{})
	if err != nil {
		return false, err
	}
	defer res.Body.Close()
	for event, err := range sse.Read(res.Body, &sse.ReadConfig{MaxEventSize: maxEventBytes}) {
		if err != nil {
			return seen, err
		}
		if event.Type != "execution" {
			continue
		}
		var e RolloutExecution
		if err := json.Unmarshal([]byte(event.Data), &e); err != nil {
			return seen, fmt.Errorf("an event of rollout %d: %w", id, err)
		}
		seen = true
		if !each(e) {
			return seen, nil
		}
	}
	return seen, errStreamEnded
}
