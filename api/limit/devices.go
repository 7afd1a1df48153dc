package limit

import (
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/guard/cardinality"
	"github.com/waft-ota/waft/models"
)

// KnownDevices remembers which device ids had something stored, and which of them were served a release. Its methods take
// them in lower case.
type KnownDevices interface {
	// Has reports whether the device id is known in the project.
	Has(projectID int64, device string) bool
	// Add makes the device id known.
	Add(projectID int64, device string)
	// Served reports whether AddServed was called with the device id.
	Served(projectID int64, device string) bool
	// AddServed makes the device id known as one that was served a release.
	AddServed(projectID int64, device string)
}

// Device identifies the device that sends a request to a project. Limits and telemetry ask it the same questions; it finds each
// answer when it is first asked.
type Device struct {
	// ID is the device's id in lower case, "" when the request has none.
	ID string
	// Project is the snapshot of the project.
	Project *delivery.Snapshot

	set     *Set
	request *gin.Context
	// identity is "" until Identity is called.
	identity           string
	trusted, trustRead bool
}

// Device returns the device that sends the request; id may be in any case.
func (s *Set) Device(c *gin.Context, project *delivery.Snapshot, id string) Device {
	return Device{ID: strings.ToLower(id), Project: project, set: s, request: c}
}

// Identity returns what telemetry calls the device.
func (d *Device) Identity() string {
	if d.identity == "" {
		d.identity = d.Project.DeviceIdentity(d.ID)
	}
	return d.identity
}

// Trusted reports whether the device has no budget: it is a program on this machine or in a network that the project
// trusts.
func (d *Device) Trusted() bool {
	if !d.trustRead {
		from := rest.SenderOf(d.request)
		d.trusted, d.trustRead = from.Local || from.IP.IsValid() && d.Project.Trusts(from.IP), true
	}
	return d.trusted
}

// Network returns the network that the device sends from. A device that is trusted is a network of its own: devices behind
// one address of a trusted network, and simulated ones, are not one.
func (d *Device) Network() models.NetworkHash {
	if d.Trusted() {
		return d.Project.OwnNetwork(d.Identity())
	}
	return d.Project.Network(rest.SenderOf(d.request).IP) // all that have no address are one network
}

// Allocation returns the allocation of Network: the networks of its origin AS where the operator's table has one, else an IPv4 /16
// or IPv6 /32. It is zero for a network that is an allocation by itself, as that of a trusted
// device is.
func (d *Device) Allocation() models.AllocationHash {
	if d.Trusted() {
		return 0
	}
	from := rest.SenderOf(d.request).IP
	if number := d.set.origins.Of(from); number != 0 {
		return d.Project.OriginAllocation(number)
	}
	return d.Project.Allocation(from)
}

// Source returns the source of the names in the request.
func (d *Device) Source() cardinality.Source {
	return cardinality.Source{
		Network: rest.SenderOf(d.request).Network, Trusted: d.Trusted(),
		Served: d.ID != "" && d.set.devices.known.Served(d.ProjectID(), d.ID),
	}
}

// NoteServed remembers that the device was served a release.
func (d *Device) NoteServed() { d.set.devices.known.AddServed(d.ProjectID(), d.ID) }

// Admit returns a CodeRateLimited error when the device is new in the project and its network's budget is spent.
func (d *Device) Admit() error {
	n := &d.set.devices
	if n.budget.rate <= 0 || n.known.Has(d.ProjectID(), d.ID) || d.Trusted() {
		return nil
	}
	if err := n.budget.take(d.origin()); err != nil {
		return err
	}
	n.known.Add(d.ProjectID(), d.ID)
	return nil
}

// AdmitExposure reports whether an exposure of the device is stored, and counts one that is not.
func (d *Device) AdmitExposure() bool {
	if d.Admit() != nil {
		d.set.devices.exposures.Inc()
		return false
	}
	return true
}

// AdmitReport returns a CodeRateLimited error when a report of the device is not stored: the device sends too much, or it
// is new and its network's budget of new devices is spent.
func (d *Device) AdmitReport() error {
	if err := d.set.Requests.CheckDevice(d.request, d.ID); err != nil {
		return err
	}
	err := d.Admit()
	if err != nil {
		d.set.devices.reports.Inc()
	}
	return err
}

// AdmitNote reports whether it is stored that a report of the device was refused.
func (d *Device) AdmitNote() bool {
	n := &d.set.devices
	return n.notes.rate <= 0 || n.known.Has(d.ProjectID(), d.ID) || d.Trusted() || n.notes.take(d.origin()) == nil
}

// ProjectID returns the id of the project.
func (d *Device) ProjectID() int64 { return d.Project.Project().ID }

// origin is the device's network as it counts in the project.
func (d *Device) origin() origin {
	return origin{project: d.ProjectID(), network: rest.SenderOf(d.request).Network}
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
