package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/waft-ota/waft/internal/backoff"
	"github.com/waft-ota/waft/models"
)

// maxReportWait bounds how long a device waits before it sends a report again,
// whatever Retry-After says: a fleet has more to do.
const maxReportWait = 5 * time.Second

// healthReport is the body of a health report.
type healthReport struct {
	ProjectSlug    string          `json:"projectSlug"`
	DeviceID       string          `json:"deviceId"`
	Channel        string          `json:"channel"`
	Platform       models.Platform `json:"platform"`
	RuntimeVersion string          `json:"runtimeVersion"`
	// UpdateUUID is nil while the embedded update runs.
	UpdateUUID *string       `json:"updateUuid"`
	Events     []healthEvent `json:"events"`
}

type healthEvent struct {
	Type       models.HealthEventType `json:"type"`
	Message    string                 `json:"message,omitempty"`
	ErrorName  string                 `json:"errorName,omitempty"`
	StackTrace string                 `json:"stackTrace,omitempty"`
	IsFatal    bool                   `json:"isFatal,omitempty"`
	Count      int64                  `json:"count"`
}

// launchEvents are what a device has to tell of one start of u.
func launchEvents(u *stored, crashed, errored bool) []healthEvent {
	events := []healthEvent{{Type: models.EventAppLaunch, Count: 1}}
	where := "at render (index.bundle:1:" + strconv.Itoa(1000+len(u.id())) + ")"
	if errored {
		events = append(events, healthEvent{
			Type: models.EventJSError, ErrorName: "TypeError", Count: 1, StackTrace: where,
			Message: "undefined is not an object (evaluating 'basket.items')",
		})
	}
	if crashed {
		events = append(events, healthEvent{
			Type: models.EventCrash, ErrorName: "RangeError", Count: 1, IsFatal: true, StackTrace: where,
			Message: "Maximum call stack size exceeded",
		})
	}
	return events
}

// sendReport delivers a report, trying again while the server cannot take it. All
// tries carry one idempotency key, so that it counts once. ok is true when the
// server acknowledged it.
func (f *Fleet) sendReport(ctx context.Context, d *device, r healthReport) (ok bool) {
	body, err := json.Marshal(r)
	if err != nil {
		f.fail(ctx, "report", err)
		return false
	}
	d.reports++
	key := fmt.Sprintf("%s-%s-%d", d.ID, f.run, d.reports)
	for attempt := 1; ; attempt++ {
		wait, err := f.postReport(ctx, key, body)
		if err == nil {
			f.counters.reports.Add(1)
			return true
		}
		f.fail(ctx, "report", err)
		if attempt >= f.options.ReportAttempts || wait < 0 || backoff.Sleep(ctx, wait) != nil {
			return false
		}
	}
}

// postReport sends a report once. The wait with an error says when to try again;
// it is negative when another try is of no use.
func (f *Fleet) postReport(ctx context.Context, key string, body []byte) (wait time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.options.reportURL(), bytes.NewReader(body))
	if err != nil {
		return -1, err
	}
	req.Header.Set("content-type", "application/json")
	req.Header.Set("idempotency-key", key)
	began := f.options.Now()
	res, err := f.http.Do(req)
	if err != nil {
		return time.Second, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	f.counters.report.add(f.options.Now().Sub(began))
	switch {
	case err != nil:
		return time.Second, err
	case res.StatusCode == http.StatusNoContent:
		return 0, nil
	case res.StatusCode == http.StatusTooManyRequests || res.StatusCode >= 500:
		wait = time.Second
		if seconds, err := strconv.Atoi(res.Header.Get("retry-after")); err == nil && seconds >= 0 {
			wait = min(time.Duration(seconds)*time.Second, maxReportWait)
		}
		return wait, &statusError{status: res.StatusCode, body: answer}
	default:
		return -1, &statusError{status: res.StatusCode, body: answer}
	}
}
