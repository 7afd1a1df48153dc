package limit

import (
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// KnownDevices remembers the device ids that had something stored. Its methods take them in lower case.
type KnownDevices interface {
	// Has reports whether the device id is known in the project.
	Has(projectID int64, device string) bool
	// Add makes the device id known.
	Add(projectID int64, device string)
}

// newDevices bounds what is stored for invented device ids: each network has a budget of new ids for each project.
// Above it devices are served all the same, but none of their exposures and reports is stored.
type newDevices struct {
	known  KnownDevices
	budget *limiter
	// notes bounds in the same way for how many refused devices a network has it stored that
	// their reports were refused.
	notes              *limiter
	exposures, reports prometheus.Counter
}

func newNewDevices(l limits, known KnownDevices, r Rates, metrics prometheus.Registerer, now func() time.Time) newDevices {
	refused := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "waft_new_devices_refused_total",
		Help: "Exposures and health reports not stored, because their network's budget for new device ids was spent.",
	}, []string{"of"})
	metrics.MustRegister(refused)
	spent := l.named("new_devices",
		"this network (IPv4 /24 or IPv6 /48) has more new devices than WAFT_NEW_DEVICES_PER_MINUTE and WAFT_NEW_DEVICES_BURST allow; "+
			"send the report later")
	budget := func() *limiter {
		return newLimiter(spent, r.NewDevicesPerMinute/60, r.NewDevicesBurst, now)
	}
	return newDevices{
		known: known, budget: budget(), notes: budget(),
		exposures: refused.WithLabelValues("exposure"), reports: refused.WithLabelValues("report"),
	}
}

// Admit returns a CodeRateLimited error when the device id, in any case, is new in the
// project and its network's budget is spent.
func (n *newDevices) Admit(c *gin.Context, s *delivery.Snapshot, device string) error {
	if n.budget.rate <= 0 {
		return nil
	}
	project, device := s.Project().ID, strings.ToLower(device)
	if n.known.Has(project, device) || Trusted(c, s) {
		return nil
	}
	if err := n.budget.take(projectNetwork(c, project)); err != nil {
		return err
	}
	n.known.Add(project, device)
	return nil
}

// AdmitExposure reports whether an exposure of the device is stored, and counts one that is not.
func (n *newDevices) AdmitExposure(c *gin.Context, s *delivery.Snapshot, device string) bool {
	if n.Admit(c, s, device) != nil {
		n.exposures.Inc()
		return false
	}
	return true
}

// AdmitReport returns a CodeRateLimited error when a report of the device is not stored: the device sends too much, or it
// is new and its network's budget of new devices is spent.
func (s *Set) AdmitReport(c *gin.Context, snapshot *delivery.Snapshot, device string) error {
	if err := s.Requests.CheckDevice(c, device); err != nil {
		return err
	}
	err := s.NewDevices.Admit(c, snapshot, device)
	if err != nil {
		s.NewDevices.reports.Inc()
	}
	return err
}

// AdmitNote reports whether it is stored that a report of the device was refused.
func (n *newDevices) AdmitNote(c *gin.Context, s *delivery.Snapshot, device string) bool {
	project := s.Project().ID
	return n.notes.rate <= 0 || n.known.Has(project, strings.ToLower(device)) || Trusted(c, s) ||
		n.notes.take(projectNetwork(c, project)) == nil
}

// projectNetwork is the client's network as it counts in a project.
func projectNetwork(c *gin.Context, project int64) origin {
	return origin{project: project, network: rest.SenderOf(c).Network}
}

// NetworkOf is the network of a device that the request serves. A device whose requests come
// straight from this machine, such as a simulated one, is a network of its own.
func NetworkOf(c *gin.Context, s *delivery.Snapshot, identity string) models.NetworkHash {
	from := rest.SenderOf(c)
	if from.Local {
		return s.OwnNetwork(identity)
	}
	return s.Network(from.IP, identity) // all that have no address are one network
}

// Trusted reports whether the client has no budget: it is a program on this machine or in a network that the
// project trusts.
func Trusted(c *gin.Context, s *delivery.Snapshot) bool {
	from := rest.SenderOf(c)
	return from.Local || from.IP.IsValid() && s.Trusts(from.IP)
}
