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

// KnownDevices remembers the device IDs for which something is stored, and which of these devices were served a
// release. Its methods take IDs in lower case.
type KnownDevices interface {
	// Has reports whether the device ID is known in the project.
	Has(projectID int64, device string) bool
	// Add makes the device ID known.
	Add(projectID int64, device string)
	// Served reports whether AddServed was called with the device ID.
	Served(projectID int64, device string) bool
	// AddServed makes the device ID known and records that the device was served a release.
	AddServed(projectID int64, device string)
}

// Device identifies the device that sends a request to a project. Limits and telemetry need the same facts about it,
// and each fact is determined when it is first needed.
type Device struct {
	// ID is the device's ID in lower case, or "" if the request does not have one.
	ID string
	// Project is the snapshot of the project.
	Project *delivery.Snapshot

	set     *Set
	request *gin.Context
	// identity is "" until Identity is called.
	identity           string
	trusted, trustRead bool
}

// Device returns the device that sends the request. id may be in any letter case.
func (s *Set) Device(c *gin.Context, project *delivery.Snapshot, id string) Device {
	return Device{ID: strings.ToLower(id), Project: project, set: s, request: c}
}

// Identity returns the ID under which telemetry stores the device.
func (d *Device) Identity() string {
	if d.identity == "" {
		d.identity = d.Project.DeviceIdentity(d.ID)
	}
	return d.identity
}

// Trusted reports whether the device is exempt from budgets, because it is a program on this machine or in a network
// that the project trusts.
func (d *Device) Trusted() bool {
	if !d.trustRead {
		from := rest.SenderOf(d.request)
		d.trusted, d.trustRead = from.Local || from.IP.IsValid() && d.Project.Trusts(from.IP), true
	}
	return d.trusted
}

// Network returns the network that the device sends from. Each trusted device counts as its own network: the devices
// behind one address of a trusted network, and simulated devices, must not count as one network.
func (d *Device) Network() models.NetworkHash {
	if d.Trusted() {
		return d.Project.OwnNetwork(d.Identity())
	}
	return d.Project.Network(rest.SenderOf(d.request).IP) // all devices without an address count as one network
}

// Allocation returns the allocation of Network. It consists of the networks of its origin AS if the operator's table
// has one, otherwise it is an IPv4 /16 or IPv6 /32. It is zero for a trusted device, whose network is an allocation
// of its own.
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

// Admit returns a CodeRateLimited error if the device is new in the project and its network's budget is spent.
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

// AdmitExposure reports whether an exposure of the device is stored. It counts exposures that are not stored.
func (d *Device) AdmitExposure() bool {
	if d.Admit() != nil {
		d.set.devices.exposures.Inc()
		return false
	}
	return true
}

// AdmitReport returns a CodeRateLimited error if a report of the device must not be stored, because the device sends
// too much, or is new and its network's budget of new devices is spent.
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

// AdmitNote reports whether the refusal of a report of the device is stored.
func (d *Device) AdmitNote() bool {
	n := &d.set.devices
	return n.notes.rate <= 0 || n.known.Has(d.ProjectID(), d.ID) || d.Trusted() || n.notes.take(d.origin()) == nil
}

// ProjectID returns the ID of the project.
func (d *Device) ProjectID() int64 { return d.Project.Project().ID }

// origin returns the device's network, whose budget the device uses in the project.
func (d *Device) origin() origin {
	return origin{project: d.ProjectID(), network: rest.SenderOf(d.request).Network}
}

// newDevices limits the data that is stored for invented device IDs: each network has a budget of new IDs for each
// project. Above it, devices are still served, but their exposures and reports are not stored.
type newDevices struct {
	known  KnownDevices
	budget *limiter
	// notes limits, in the same way, the number of devices per network whose refused reports are recorded.
	notes              *limiter
	exposures, reports prometheus.Counter
}

func newNewDevices(l limits, known KnownDevices, r Rates, metrics prometheus.Registerer, now func() time.Time) newDevices {
	refused := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "waft_new_devices_refused_total",
		Help: "Exposures and health reports that were not stored, because their network's budget for new device IDs was spent.",
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
