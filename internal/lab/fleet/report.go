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

	"github.com/waft-ota/waft/internal/base/backoff"
	"github.com/waft-ota/waft/models"
)

const (
	// reportAttempts is how often a device tries to deliver a report.
	reportAttempts = 3
	// maxReportWait is the maximum wait before the next attempt, even if Retry-After is longer.
	maxReportWait = 5 * time.Second
)

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
	Type        models.HealthEventType `json:"type"`
	Message     string                 `json:"message,omitempty"`
	ErrorName   string                 `json:"errorName,omitempty"`
	StackTrace  string                 `json:"stackTrace,omitempty"`
	IsFatal     bool                   `json:"isFatal,omitempty"`
	Count       int64                  `json:"count"`
	Breadcrumbs []breadcrumb           `json:"breadcrumbs,omitempty"`
}

// launchEvents returns the events of a launch whose errors occurred at a time.
func launchEvents(u *stored, crashed, errored bool, at time.Time) []healthEvent {
	events := []healthEvent{{Type: models.EventAppLaunch, Count: 1}}
	where := "at render (index.bundle:1:" + strconv.Itoa(1000+len(u.id())) + ")"
	if errored {
		events = append(events, healthEvent{
			Type: models.EventJSError, ErrorName: "TypeError", Count: 1, StackTrace: where,
			Message: "undefined is not an object (evaluating 'basket.items')", Breadcrumbs: breadcrumbsBefore(at),
		})
	}
	if crashed {
		events = append(events, healthEvent{
			Type: models.EventCrash, ErrorName: "RangeError", Count: 1, IsFatal: true, StackTrace: where,
			Message: "Maximum call stack size exceeded", Breadcrumbs: breadcrumbsBefore(at),
		})
	}
	return events
}

// sendReport delivers a report, and reports whether the server acknowledged it. It tries again while the server is
// unavailable. All attempts have the same idempotency key, so that the report counts once.
func (f *Fleet) sendReport(ctx context.Context, d *device, r healthReport) bool {
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
			return true
		}
		f.fail(ctx, "report", err)
		if attempt >= reportAttempts || wait < 0 || backoff.Sleep(ctx, wait) != nil {
			return false
		}
	}
}

// postReport sends a report once. If it fails, wait is the time until the next attempt, or negative if another attempt
// cannot succeed.
func (f *Fleet) postReport(ctx context.Context, key string, body []byte) (wait time.Duration, err error) {
	address := f.options.BaseURL + "/v1/ota/health-metrics"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
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
	f.counters.took(&f.counters.report, f.options.Now().Sub(began))
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
