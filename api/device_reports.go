package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/internal/reports"
	"github.com/waft-ota/waft/models"
)

// Reports takes in what devices say about themselves.
type Reports interface {
	// Append returns nil once the report survives the end of any process, and
	// unavailable when it does not.
	Append(ctx context.Context, r models.HealthReport) error
}

// commonReportBytes is more than most reports have.
const commonReportBytes = 16 << 10

type reportHandlers struct {
	reports   Reports
	snapshots Snapshots
	now       func() time.Time
	maxBytes  int64
	limits    limits
	limiter   *reports.Limiter
	limited   limitedBook
}

var reportHealthDoc = huma.Operation{
	OperationID: "reportHealth", Tags: []string{tagDevices}, Summary: "Report a device's health",
	Description: "At most 500 events and 512 KiB, also after gzip. Event types and fields that Waft does not know are skipped. Long texts are cut; of an event at most 64 tags and 256 flag states are kept, the first by name; a project that reports thousands of different names a day (of events, errors, flags, channels, runtime versions) finds further new ones under `(other)`. 204 means that the report is durable and counts once; on 503 send it again. Whoever does not hear the answer sends it again under the same Idempotency-Key: it counts once within 24 hours, whichever process takes it in. A release's health counts only devices that were served the release by a manifest request with the same device id.",
	Parameters: []*huma.Param{{
		Name: headerIdempotencyKey, In: "header", Example: exampleUUID, Schema: &huma.Schema{Type: huma.TypeString},
		Description: "Names the report among those of its device, at most 255 characters. Of several with the same name the first counts, whatever the others hold.",
	}},
	Errors: []int{
		http.StatusBadRequest, http.StatusNotFound, http.StatusRequestEntityTooLarge,
		http.StatusUnsupportedMediaType, http.StatusTooManyRequests, http.StatusServiceUnavailable,
	},
	Responses: map[string]*huma.Response{"204": {Description: "The report is durable."}},
}

func (h reportHandlers) report(c *gin.Context) {
	if err := h.accept(c); err != nil {
		fail(c, err)
		return
	}
	c.Status(http.StatusNoContent)
}

func (h reportHandlers) accept(c *gin.Context) error {
	slug, report, err := h.parse(c)
	if err != nil {
		return err
	}
	snapshot, ok := h.snapshots.Project(slug)
	if !ok {
		return models.Errorf(models.CodeNotFound, "there is no project %q", slug)
	}
	if err := h.limits.ofDevice(c, report.DeviceID); err != nil {
		h.limited.note(snapshot, report)
		return err
	}
	// A report without an event that Waft knows still shows an active device.
	report.ProjectID, report.ReceivedAt = snapshot.Project().ID, h.now().UTC()
	if err := name(&report, c.GetHeader(headerIdempotencyKey)); err != nil {
		return err
	}
	if canonical, ok := snapshot.CanonicalUpdate(report.UpdateUUID); ok {
		report.UpdateUUID = canonical
	}
	h.limiter.Limit(report.ProjectID, snapshot, &report)
	report.DeviceID, report.ShareBucket = snapshot.DeviceIdentity(report.DeviceID, report.UpdateUUID)
	return h.reports.Append(c.Request.Context(), report)
}

// name gives the report the id that it has whenever it comes with the key.
func name(r *models.HealthReport, key string) error {
	switch {
	case key == "":
		return nil
	case utf8.RuneCountInString(key) > maxIdempotencyKey:
		return models.Errorf(models.CodeInvalid, "Idempotency-Key must be at most %d characters", maxIdempotencyKey)
	}
	r.ID, r.Keyed = models.ReportID(r.ProjectID, r.DeviceID, key), true
	return nil
}

// reportBodies are bytes.Buffers that bodies were read into.
var reportBodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// parse reads the report that the body holds.
func (h reportHandlers) parse(c *gin.Context) (projectSlug string, r models.HealthReport, err error) {
	body := reportBodies.Get().(*bytes.Buffer)
	defer func() {
		if body.Cap() <= commonReportBytes {
			body.Reset()
			reportBodies.Put(body)
		}
	}()
	if err := h.read(c, body); err != nil {
		return "", r, err
	}
	return reports.ParseHealth(body.Bytes()) // which copies what it keeps
}

// read reads the body, unpacked, unless it is larger than allowed in either form.
func (h reportHandlers) read(c *gin.Context, body *bytes.Buffer) error {
	if err := checkReportType(c.GetHeader("Content-Type")); err != nil {
		return err
	}
	var from io.Reader = http.MaxBytesReader(c.Writer, c.Request.Body, h.maxBytes)
	switch strings.ToLower(c.GetHeader("Content-Encoding")) {
	case "", "identity":
	case "gzip", "x-gzip":
		unpacked, err := gzip.NewReader(from)
		if err != nil {
			return unreadable(err)
		}
		from = unpacked
	default:
		return models.Errorf(models.CodeUnsupportedMedia, "the body may be packed with gzip only")
	}
	// Room for most reports at once, and for no more than that on somebody's word.
	body.Grow(bytes.MinRead + int(min(max(c.Request.ContentLength, 0), commonReportBytes-bytes.MinRead)))
	if _, err := body.ReadFrom(io.LimitReader(from, h.maxBytes+1)); err != nil {
		return unreadable(err)
	}
	if int64(body.Len()) > h.maxBytes {
		return models.Errorf(models.CodeTooLarge, "the report is larger than %d bytes; send its events in several", h.maxBytes)
	}
	return nil
}

// unreadable is the answer to a body that did not arrive as announced.
func unreadable(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return err
	}
	e := models.Errorf(models.CodeInvalid, "the body could not be read to its end")
	e.Cause = err
	return e
}

// checkReportType lets JSON pass, and text, which is what browsers' beacons send
// it as.
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

// HealthReport documents the report; reports.ParseHealth reads it.
type HealthReport struct {
	ProjectSlug    string        `json:"projectSlug" doc:"The project's slug or UUID."`
	DeviceID       string        `json:"deviceId" maxLength:"256" doc:"Stable id of the device, the same as in manifest requests."`
	Channel        string        `json:"channel,omitempty" default:"default"`
	Platform       string        `json:"platform" enum:"ios,android"`
	RuntimeVersion string        `json:"runtimeVersion"`
	UpdateUUID     *UUID         `json:"updateUuid,omitempty" nullable:"true" doc:"The running update; null or absent for the one inside the app."`
	Events         []HealthEvent `json:"events" maxItems:"500"`
	_              struct{}      `additionalProperties:"true"`
}

// HealthEvent is one event of a report; equal ones are counted by the device.
type HealthEvent struct {
	Type           string            `json:"type" doc:"js_error, crash, custom or app_launch; events of other types are skipped."`
	Name           string            `json:"name,omitempty" doc:"Of a custom event."`
	Message        string            `json:"message,omitempty"`
	ErrorName      string            `json:"errorName,omitempty"`
	StackTrace     string            `json:"stackTrace,omitempty"`
	ComponentStack string            `json:"componentStack,omitempty"`
	IsFatal        bool              `json:"isFatal,omitempty"`
	Count          int64             `json:"count" minimum:"1" maximum:"1000000" doc:"How often it occurred."`
	Tags           map[string]string `json:"tags,omitempty"`
	FlagStates     map[string]string `json:"flagStates,omitempty" doc:"Flag variations that were active at the time."`
	_              struct{}          `additionalProperties:"true"`
}

func (HealthReport) example() any {
	running := UUID(exampleUUID)
	return HealthReport{
		ProjectSlug: exampleSlug, DeviceID: "2f1c9a80-6f0e-4a6d-9a57-0d6f1c6d1b11", Channel: "production",
		Platform: string(models.IOS), RuntimeVersion: "1.4.0", UpdateUUID: &running,
		Events: []HealthEvent{
			{Type: string(models.EventAppLaunch), Count: 1},
			{
				Type: string(models.EventJSError), Message: "undefined is not an object", ErrorName: "TypeError",
				Count: 2, FlagStates: map[string]string{"checkout-v2": "true"},
			},
		},
	}
}
