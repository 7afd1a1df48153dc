package api

import (
	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"

	"github.com/waft-ota/waft/internal/delivery"
	"github.com/waft-ota/waft/models"
)

const (
	// limitedReads is how many refused reports a second are read for what they are of:
	// enough to know who is refused, and few enough that a flood stays cheap.
	limitedReads = 200
	// limitedBytes is the largest refused report that is read.
	limitedBytes = 64 << 10
)

// limitedBook writes down whose health reports are refused for their rate: a decision
// says what it leaves out.
type limitedBook struct {
	refusals Refusals
	reads    *rate.Limiter
	// noted and unknown count refused reports.
	noted, unknown prometheus.Counter
}

func newLimitedBook(refusals Refusals, metrics prometheus.Registerer) limitedBook {
	all := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "waft_reports_limited_total",
		Help: "Health reports refused for their rate, by whether device and release were noted for the health of rollouts.",
	}, []string{"noted"})
	metrics.MustRegister(all)
	return limitedBook{refusals, rate.NewLimiter(limitedReads, limitedReads), all.WithLabelValues("true"), all.WithLabelValues("false")}
}

// note leaves out what is no release of the project: a device may say anything.
func (b limitedBook) note(s *delivery.Snapshot, r models.HealthReport) {
	update, ok := s.CanonicalUpdate(r.UpdateUUID)
	if !ok {
		b.unknown.Inc()
		return
	}
	device, _ := s.DeviceIdentity(r.DeviceID, update)
	b.refusals.Limited(models.LimitedReport{ProjectID: s.Project().ID, DeviceID: device, UpdateUUID: update})
	b.noted.Inc()
}

// within refuses a report when its address, or the device that its headers name, sends
// too many.
func (h reportHandlers) within(c *gin.Context) {
	err := h.limits.check(c)
	if err == nil {
		return
	}
	if snapshot, report, ok := h.readLimited(c); ok {
		h.limited.note(snapshot, report)
	} else {
		h.limited.unknown.Inc()
	}
	fail(c, err)
}

// readLimited reads a refused report, if that is cheap and it is one.
func (h reportHandlers) readLimited(c *gin.Context) (s *delivery.Snapshot, r models.HealthReport, ok bool) {
	if size := c.Request.ContentLength; size < 0 || size > limitedBytes || !h.limited.reads.AllowN(h.now(), 1) {
		return nil, r, false
	}
	slug, r, err := h.parse(c)
	if err != nil {
		return nil, r, false
	}
	s, ok = h.snapshots.Project(slug)
	return s, r, ok
}
