// Package cardinality limits the number of distinct names that telemetry groups by. A sender of invented names can neither make
// telemetry grow without limit nor exclude the names of other senders.
package cardinality

import (
	"maps"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// Fractions of a limit. A network may add a tenth per hour and a quarter in total. Devices that were never served may use half of
// each of these and of the limit; the rest is reserved for devices that were served.
const (
	hourShare  = 10
	totalShare = 4
	openShare  = 2
)

// Source identifies the sender of a name.
type Source struct {
	// Network is the client's: an IPv4 /24 or an IPv6 /48.
	Network netip.Addr
	// Trusted says that the network has no budget.
	Trusted bool
	// Served says that Waft served the device a release before.
	Served bool
}

// of returns the part of a limit that the source may use.
func (s Source) of(limit int) int {
	if s.Served {
		return limit
	}
	return limit / openShare
}

// Names contains the distinct names of one project, in dimensions that each have a limit. It is safe for concurrent use, and does not
// take a lock for known names.
type Names struct {
	limits []int
	// sets are the hashes of the names by dimension. A stored map never changes.
	sets []atomic.Pointer[map[uint64]struct{}]

	adding sync.Mutex
	// networks is guarded by adding. Each has added a name, so the limits bound how many there are.
	networks map[netip.Addr]*spent
}

// spent counts the names that a network has added, by dimension.
type spent struct {
	hour   int64 // since 1970
	inHour []int
	inAll  []int
}

// New makes Names with a limit for each dimension.
func New(limits ...int) *Names {
	n := &Names{limits: limits, sets: make([]atomic.Pointer[map[uint64]struct{}], len(limits)), networks: map[netip.Addr]*spent{}}
	for d := range n.sets {
		n.sets[d].Store(new(map[uint64]struct{}))
	}
	return n
}

// known reports whether the name with the hash was admitted.
func (n *Names) known(dimension int, hash uint64) bool {
	_, known := (*n.sets[dimension].Load())[hash]
	return known
}

// Admit reports whether the name with the hash is known, or may be added by the source at the time; it is then known.
func (n *Names) Admit(dimension int, hash uint64, from Source, at time.Time) bool {
	if n.known(dimension, hash) {
		return true
	}
	most := from.of(n.limits[dimension])
	if len(*n.sets[dimension].Load()) >= most {
		return false
	}
	n.adding.Lock()
	defer n.adding.Unlock()
	names := *n.sets[dimension].Load()
	if _, known := names[hash]; known {
		return true
	}
	if len(names) >= most || !from.Trusted && !n.spend(dimension, from, at) {
		return false
	}
	next := make(map[uint64]struct{}, len(names)+1)
	maps.Copy(next, names)
	next[hash] = struct{}{}
	n.sets[dimension].Store(&next)
	return true
}

// spend reports whether the source's network has budget left for a name of the dimension, and takes it.
func (n *Names) spend(dimension int, from Source, at time.Time) bool {
	s := n.networks[from.Network]
	if s == nil {
		s = &spent{inHour: make([]int, len(n.limits)), inAll: make([]int, len(n.limits))}
		n.networks[from.Network] = s
	}
	if hour := at.Unix() / 3600; hour != s.hour {
		s.hour = hour
		clear(s.inHour)
	}
	limit := n.limits[dimension]
	if s.inHour[dimension] >= from.of(limit/hourShare) || s.inAll[dimension] >= from.of(limit/totalShare) {
		return false
	}
	s.inHour[dimension]++
	s.inAll[dimension]++
	return true
}

// Period is for how long a name counts once it was admitted.
const Period = 24 * time.Hour

// Projects has the Names of each project and forgets them after each Period. It is safe for concurrent use.
type Projects struct {
	limits []int
	now    func() time.Time
	seen   atomic.Pointer[period]
}

// period has the names that were admitted since it began.
type period struct {
	began    time.Time
	projects sync.Map // of *Names, by project id
}

// NewProjects makes Projects with a limit for each dimension.
func NewProjects(now func() time.Time, limits ...int) *Projects {
	p := &Projects{limits: limits, now: now}
	p.seen.Store(&period{began: now()})
	return p
}

// Of returns the names of a project in this period.
func (p *Projects) Of(projectID int64) *Names {
	seen := p.seen.Load()
	if now := p.now(); now.Sub(seen.began) >= Period {
		p.seen.CompareAndSwap(seen, &period{began: now})
		seen = p.seen.Load()
	}
	names, ok := seen.projects.Load(projectID)
	if !ok {
		names, _ = seen.projects.LoadOrStore(projectID, New(p.limits...))
	}
	return names.(*Names)
}
