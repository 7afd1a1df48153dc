package cardinality

import (
	"sync"
	"sync/atomic"
	"time"
)

// Period is for how long a name counts once it was admitted.
const Period = 24 * time.Hour

// Projects are the Names of each project, which begin anew after each Period. It is safe for concurrent use.
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

// Of are the names of a project in this period.
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
