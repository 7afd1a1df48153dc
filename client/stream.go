package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/tmaxmax/go-sse"

	"github.com/waft-ota/waft/internal/base/backoff"
)

// maxEventBytes bounds one event of a stream.
const maxEventBytes = 4 << 20

// maxSilence is the time without a byte after which a connection is broken: the server sends a heartbeat every 15 s.
const maxSilence = 45 * time.Second

var (
	// errStreamEnded is a stream that the server closed.
	errStreamEnded = errors.New("the server ended the stream")
	// errSilent is a connection that stays silent, as after a computer slept or while the server hangs.
	errSilent = errors.New("the server is silent")
)

// WatchRollout calls each with the present state of a rollout and after every change, until
// each returns false or ctx ends. It reconnects after a broken connection, an error of the
// server (5xx) and 429; any other status ends it with an error. Behind a proxy that holds events back, it reads the state once a
// minute.
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
		if errors.Is(err, errSilent) && !seen { // a proxy may hold the events back
			if !w.lookAtRollout(ctx, id, each) {
				return nil
			}
		}
		pause := retry.After(failures)
		if refusal != nil {
			pause = max(pause, refusal.RetryAfter)
		}
		if backoff.Sleep(ctx, pause) != nil {
			return ctx.Err()
		}
	}
}

// lookAtRollout calls each with the present state of a rollout. If the state cannot be read, the next stream returns the reason.
func (w *Waft) lookAtRollout(ctx context.Context, id int64, each func(RolloutExecution) bool) (more bool) {
	res, err := w.GetRolloutExecutionWithResponse(ctx, id, &GetRolloutExecutionParams{})
	if err != nil || res.JSON200 == nil {
		return true
	}
	return each(*res.JSON200)
}

// heard is the body of a stream. Each byte delays the timer.
type heard struct {
	io.Reader
	timer *time.Timer
}

func (h heard) Read(p []byte) (n int, err error) {
	n, err = h.Reader.Read(p)
	if n > 0 {
		h.timer.Reset(maxSilence)
	}
	return n, err
}

// streamRollout reads one connection's events. It returns nil when each returned false.
func (w *Waft) streamRollout(ctx context.Context, id int64, each func(RolloutExecution) bool) (seen bool, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	silence := time.AfterFunc(maxSilence, func() { stop(errSilent) })
	defer silence.Stop()
	res, err := w.StreamRolloutExecution(ctx, id, &StreamRolloutExecutionParams{})
	if err != nil {
		return false, cmp.Or(ofSilence(ctx), err)
	}
	defer res.Body.Close()
	for event, err := range sse.Read(heard{res.Body, silence}, &sse.ReadConfig{MaxEventSize: maxEventBytes}) {
		if err != nil {
			return seen, cmp.Or(ofSilence(ctx), err)
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

// ofSilence returns errSilent if ctx ended because of silence.
func ofSilence(ctx context.Context) error {
	if errors.Is(context.Cause(ctx), errSilent) {
		return errSilent
	}
	return nil
}
