package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tmaxmax/go-sse"

	"github.com/waft-ota/waft/internal/base/backoff"
)

// maxEventBytes bounds one event of a stream.
const maxEventBytes = 4 << 20

// errStreamEnded is a stream that the server closed.
var errStreamEnded = errors.New("the server ended the stream")

// WatchRollout calls each with the present state of a rollout and after every change, until
// each returns false or ctx ends. It reconnects after a broken connection, an error of the
// server (5xx) and 429; any other status ends it with an error.
func (w *Waft) WatchRollout(ctx context.Context, id int64, each func(RolloutExecution) (more bool)) error {
	return w.FollowRollout(ctx, id, each, func(error) {})
}

// FollowRollout watches a rollout as WatchRollout does, and calls lost before each attempt to reconnect.
func (w *Waft) FollowRollout(ctx context.Context, id int64, each func(RolloutExecution) (more bool), lost func(error)) error {
	retry := backoff.Policy{Min: 200 * time.Millisecond, Max: 5 * time.Second}
	for failures := 1; ; failures++ {
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
			failures = 1
		}
		lost(err)
		pause := retry.After(failures)
		if refusal != nil {
			pause = max(pause, refusal.RetryAfter)
		}
		if backoff.Sleep(ctx, pause) != nil {
			return ctx.Err()
		}
	}
}

// streamRollout reads one connection's events. It returns nil when each returned false.
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
