package device

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"

	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/reports"
	"github.com/waft-ota/waft/models"
)

// Reports stores health reports.
type Reports interface {
	// Append returns nil once the report is durable, and unavailable if that fails.
	Append(ctx context.Context, r models.HealthReport) error
}

// reportErrors are the statuses of the errors of reports.
var reportErrors = []int{
	http.StatusBadRequest, http.StatusNotFound, http.StatusRequestEntityTooLarge,
	http.StatusUnsupportedMediaType, http.StatusTooManyRequests, http.StatusServiceUnavailable,
}

var reportHealthDoc = huma.Operation{
	OperationID: "reportHealth", Tags: []string{tagDevices}, Summary: "Report a device's health",
	Description: "A report has at most 500 events and 512 KiB, before and after gzip. Unknown event types and fields are " +
		"skipped, and long strings are cut. At most 64 tags and 256 flag states per event are kept, the first ones by name. " +
		"Errors and crashes keep their newest 50 breadcrumbs, at most 64 KiB together. " +
		"If a project reports thousands of different names per day (of events, errors, flags, channels, runtime versions), " +
		"further new names count as `(other)`. A network may add a tenth of that number per hour, and half is reserved for " +
		"devices that were served a release.\n\n204 means that the report is durable and counts once. After 503, send it " +
		"again. After a lost response, send it again with the same Idempotency-Key: the report then counts once within 24 " +
		"hours. A release's health counts only devices that were served the release by a manifest request with the same " +
		"device ID. A device ID that is new to the project gets 429 once its network has added as many new devices as a " +
		"minute allows.",
	Parameters: []*huma.Param{{
		Name: rest.HeaderIdempotencyKey, In: "header", Example: rest.ExampleUUID, Schema: &huma.Schema{Type: huma.TypeString},
		Description: "Name of the report, unique among the reports of its device, at most 255 characters. If several reports " +
			"have the same name, only the first one counts.",
	}},
	Errors: reportErrors,
	RequestBody: &huma.RequestBody{
		Required: true, Content: rest.RecordContent("application/json", "HealthReport", HealthReport{}.Example()),
	},
	Responses: map[string]*huma.Response{"204": {Description: "The report is durable."}},
}

func (h *Handlers) reportHealth(c *gin.Context) { acknowledge(c, h.acceptReport(c)) }

// acknowledge responds to a report with 204, or with err.
func acknowledge(c *gin.Context, err error) {
	if err != nil {
		rest.Fail(c, err)
		return
	}
	c.Status(http.StatusNoContent)
}

func (h *Handlers) acceptReport(c *gin.Context) error {
	report, device, err := h.parseReport(c)
	if err != nil {
		return err
	}
	if err := device.AdmitReport(); err != nil {
		h.noteLimited(&device, report.UpdateUUID)
		return err
	}
	snapshot := device.Project
	// Even a report without known events counts its device as active.
	report.ProjectID, report.ReceivedAt = device.ProjectID(), h.Now()
	if key := c.GetHeader(rest.HeaderIdempotencyKey); key != "" {
		if utf8.RuneCountInString(key) > rest.MaxIdempotencyKey {
			return models.Errorf(models.CodeInvalid, "Idempotency-Key must be at most %d characters", rest.MaxIdempotencyKey)
		}
		report.ID, report.Keyed = models.ReportID(report.ProjectID, report.DeviceID, key), true
	}
	if canonical, ok := snapshot.CanonicalUpdate(report.UpdateUUID); ok {
		report.UpdateUUID = canonical
	}
	source := device.Source()
	h.nameLimits.Limit(report.ProjectID, snapshot, source, &report)
	report.DeviceID, report.ShareBucket = device.Identity(), snapshot.ShareBucket(device.ID, report.UpdateUUID)
	if report.HasErrors() {
		report.Source = models.ReportSource{Network: device.Network(), Trusted: source.Trusted, Served: source.Served}
	}
	return h.Reports.Append(c.Request.Context(), report)
}

// parseReport reads a report and finds the device that sends it.
func (h *Handlers) parseReport(c *gin.Context) (r models.HealthReport, device limit.Device, err error) {
	body, err := h.readReport(c)
	if err != nil {
		return r, device, err
	}
	slug, r, err := reports.ParseHealth(body)
	if err != nil {
		return r, device, err
	}
	snapshot, err := h.Snapshots.Project(slug)
	if err != nil {
		return r, device, err
	}
	return r, h.Limits.Device(c, snapshot, r.DeviceID), nil
}

const (
	// commonReportBytes is larger than most reports. It is the memory reserved for a report at first, because the
	// announced length may be false.
	commonReportBytes = 16 << 10
	// reportGrowth is the factor by which the memory grows for a longer report. With 2, which buffers use by default,
	// a report would leave three times as much garbage before it is refused as too large.
	reportGrowth = 8
)

// readReport reads the body and decompresses it. Both forms must be within the limit.
func (h *Handlers) readReport(c *gin.Context) ([]byte, error) {
	if err := checkReportType(c.GetHeader("Content-Type")); err != nil {
		return nil, err
	}
	limit := h.ReportBytes
	if c.Request.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	var from io.Reader = http.MaxBytesReader(c.Writer, c.Request.Body, limit)
	switch strings.ToLower(c.GetHeader("Content-Encoding")) {
	case "", "identity":
	case "gzip", "x-gzip":
		unpacked, err := gzip.NewReader(from)
		if err != nil {
			return nil, rest.Unreadable(err)
		}
		from = unpacked
	default:
		return nil, models.Errorf(models.CodeUnsupportedMedia, "the body may be compressed only with gzip")
	}
	var body bytes.Buffer
	for size := int64(commonReportBytes); int64(body.Len()) <= limit; size *= reportGrowth {
		size = min(size, limit+1)
		body.Grow(bytes.MinRead + int(size) - body.Len())
		if _, err := body.ReadFrom(io.LimitReader(from, size-int64(body.Len()))); err != nil {
			return nil, rest.Unreadable(err)
		}
		if int64(body.Len()) < size {
			return body.Bytes(), nil
		}
	}
	return nil, tooLarge(limit)
}

func tooLarge(limit int64) error {
	return models.Errorf(models.CodeTooLarge, "the report is larger than %d bytes; send its events in several reports", limit)
}

// checkReportType accepts JSON and plain text, because browser beacons send JSON as text.
func checkReportType(header string) error {
	if header == "" {
		return nil
	}
	media, _, err := mime.ParseMediaType(header)
	if err == nil && (media == "application/json" || media == "text/plain" || strings.HasSuffix(media, "+json")) {
		return nil
	}
	return models.Errorf(models.CodeUnsupportedMedia, "the body must be application/json")
}

// HealthReport documents the body that reports.ParseHealth reads.
type HealthReport struct {
	ProjectSlug    string        `json:"projectSlug" doc:"Slug or UUID of the project."`
	DeviceID       string        `json:"deviceId" maxLength:"256" doc:"Stable ID of the device, the same as in manifest requests."`
	Channel        string        `json:"channel,omitempty" default:"default"`
	Platform       string        `json:"platform" enum:"ios,android,web"`
	RuntimeVersion string        `json:"runtimeVersion"`
	UpdateUUID     *rest.UUID    `json:"updateUuid,omitempty" nullable:"true" doc:"ID of the running update; null or absent for the embedded update."`
	Events         []HealthEvent `json:"events" maxItems:"500"`
	_              struct{}      `additionalProperties:"true"`
}

// HealthEvent is one event of a report. The device counts equal events.
type HealthEvent struct {
	Type           string            `json:"type" doc:"Type of the event: js_error, crash, custom or app_launch. Events of other types are skipped."`
	Name           string            `json:"name,omitempty" doc:"Name of a custom event."`
	Message        string            `json:"message,omitempty"`
	ErrorName      string            `json:"errorName,omitempty"`
	StackTrace     string            `json:"stackTrace,omitempty"`
	ComponentStack string            `json:"componentStack,omitempty"`
	IsFatal        bool              `json:"isFatal,omitempty"`
	Count          int64             `json:"count" minimum:"1" maximum:"1000000" doc:"Number of occurrences."`
	Tags           map[string]string `json:"tags,omitempty"`
	FlagStates     map[string]string `json:"flagStates,omitempty" doc:"Flag variations that were active at the time."`

	Breadcrumbs []ReportedBreadcrumb `json:"breadcrumbs,omitempty" doc:"Steps before an error or crash, oldest first; the newest 50 are kept."`
	_           struct{}             `additionalProperties:"true"`
}

// ReportedBreadcrumb documents a breadcrumb that reports.ParseHealth reads.
type ReportedBreadcrumb struct {
	Timestamp *rest.Time        `json:"timestamp,omitempty" doc:"Time by the device's clock."`
	Category  string            `json:"category,omitempty" doc:"Kind of the breadcrumb, such as navigation or ui.tap; at most 64 characters are kept. A breadcrumb without category and message is skipped."`
	Message   string            `json:"message,omitempty" doc:"Description; at most 512 characters are kept."`
	Level     string            `json:"level,omitempty" default:"info" doc:"Severity: debug, info, warning or error. Any other value counts as info."`
	Data      map[string]string `json:"data,omitempty" doc:"Further data. The first 16 entries by name are kept, with names of at most 128 characters and values of at most 256."`
	_         struct{}          `additionalProperties:"true"`
}

func (HealthReport) Example() any {
	running := rest.UUID(rest.ExampleUUID)
	return HealthReport{
		ProjectSlug: rest.ExampleSlug, DeviceID: "2f1c9a80-6f0e-4a6d-9a57-0d6f1c6d1b11", Channel: "production",
		Platform: string(models.IOS), RuntimeVersion: "1.4.0", UpdateUUID: &running,
		Events: []HealthEvent{
			{Type: string(models.EventAppLaunch), Count: 1},
			{
				Type: string(models.EventJSError), Message: "undefined is not an object", ErrorName: "TypeError",
				Count: 2, FlagStates: map[string]string{"checkout-v2": "true"},
				Breadcrumbs: []ReportedBreadcrumb{{
					Timestamp: new(rest.ExampleTime), Category: "navigation", Message: "to the cart", Level: string(models.BreadcrumbInfo),
					Data: map[string]string{"from": "home"},
				}},
			},
		},
	}
}

const (
	// limitedReads is the number of limited reports per second that are read to find their device and release.
	// Reading more would make a flood expensive.
	limitedReads = 200
	// limitedBytes is the largest limited report that is read.
	limitedBytes = 64 << 10
)

// limitedReports limits the reading of reports above the rate limit, and counts them.
type limitedReports struct {
	reads          *rate.Limiter
	noted, unknown prometheus.Counter
}

func newLimitedReports(metrics prometheus.Registerer) limitedReports {
	all := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "waft_reports_limited_total",
		Help: "Health reports refused because of the rate limit, by whether their device and release were noted for the health of rollouts.",
	}, []string{"noted"})
	metrics.MustRegister(all)
	return limitedReports{rate.NewLimiter(limitedReads, limitedReads), all.WithLabelValues("true"), all.WithLabelValues("false")}
}

// noteLimited records a report above the rate limit, so that a rollout shows the devices that its health leaves out.
// It ignores updates that are not releases of the project, and new devices above their network's budget.
func (h *Handlers) noteLimited(device *limit.Device, updateUUID string) {
	update, ok := device.Project.CanonicalUpdate(updateUUID)
	if !ok || !device.AdmitNote() {
		h.limited.unknown.Inc()
		return
	}
	h.RefusedCounter.Limited(models.LimitedReport{ProjectID: device.ProjectID(), DeviceID: device.Identity(), UpdateUUID: update})
	h.limited.noted.Inc()
}

// limitReports applies the rate limit, using only the request's headers, and records reports above it.
func (h *Handlers) limitReports(c *gin.Context) {
	err := h.Limits.Requests.Check(c)
	if err == nil {
		return
	}
	defer rest.Fail(c, err)
	size := c.Request.ContentLength
	if size >= 0 && size <= limitedBytes && h.limited.reads.AllowN(h.Now(), 1) {
		if report, device, err := h.parseReport(c); err == nil {
			h.noteLimited(&device, report.UpdateUUID)
			return
		}
	}
	h.limited.unknown.Inc()
}
