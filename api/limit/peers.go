package limit

import (
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/time/rate"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

const (
	// peerWindow is the least time, and peerRequests the least number of requests of devices, that a decision
	// about proxies is made of.
	peerWindow   = time.Minute
	peerRequests = 100
)

// peers notices when most requests of devices come from one address that looks like a proxy, but that the
// settings do not trust. All devices behind it are then one address to the limits and one network to rollouts.
type peers struct {
	trusted []netip.Prefix
	log     *slog.Logger
	now     func() time.Time
	logged  rate.Sometimes

	mu     sync.Mutex
	began  time.Time
	window peerCounts
	// last is the window before, once there was one.
	last peerCounts
}

// peerCounts are what a window of requests says about the address that sent most of them.
type peerCounts struct {
	total int
	// leader sends more than half of the requests, if any address does (Boyer and Moore); lead decides when
	// another takes its place.
	leader netip.Addr
	lead   int
	// own and forwarded are the leader's requests since it took the place, and those of them with a header of a
	// proxy.
	own, forwarded int
}

// add counts a request.
func (p *peerCounts) add(peer netip.Addr, forwarded bool) {
	p.total++
	switch {
	case peer == p.leader:
		p.lead++
	case p.lead == 0:
		p.leader, p.lead, p.own, p.forwarded = peer, 1, 0, 0
	default:
		p.lead--
		return
	}
	p.own++
	if forwarded {
		p.forwarded++
	}
}

// proxy returns the address that most requests came from when it looks like a proxy: it says that it forwards
// requests, or it is private, as balancers in front of a server are.
func (p peerCounts) proxy() (at netip.Addr, ok bool) {
	most := p.total >= peerRequests && p.own*2 > p.total
	return p.leader, most && (p.forwarded*2 > p.own || p.leader.IsPrivate())
}

// newPeers takes the networks of api.Deps, which are known to be valid.
func newPeers(trusted []string, log *slog.Logger, now func() time.Time) *peers {
	p := &peers{log: log, now: now, began: now(), logged: rate.Sometimes{Interval: limitLogInterval}}
	p.trusted, _ = models.ParseNetworks(trusted)
	return p
}

// note counts a request of a device. It allocates nothing.
func (p *peers) note(c *gin.Context) {
	at, err := netip.ParseAddrPort(c.Request.RemoteAddr)
	if err != nil {
		return
	}
	peer, forwarded := at.Addr().Unmap().WithZone(""), rest.Forwarded(c.Request)
	if peer.IsLoopback() && !forwarded {
		return // a program on this machine
	}
	if slices.ContainsFunc(p.trusted, func(n netip.Prefix) bool { return n.Contains(peer) }) {
		peer, forwarded = netip.Addr{}, false // all that are trusted are one, and none to warn of
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.window.add(peer, forwarded)
	if p.window.total%peerRequests != 0 {
		return
	}
	if _, ok := p.window.proxy(); ok {
		p.logged.Do(func() { p.log.Warn("WAFT_TRUSTED_PROXIES seems to miss a proxy", "detail", p.window.warning()) })
	}
	if now := p.now(); now.Sub(p.began) >= peerWindow {
		p.window, p.last, p.began = peerCounts{}, p.window, now
	}
}

// Noting is the limit of an endpoint of devices, which notes where its requests come from.
func (s *Set) Noting(limit gin.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) {
		s.Peers.note(c)
		limit(c)
	}
}

// Warning is what operators should know, "" for nothing.
func (p *peers) Warning() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.window.total >= peerRequests {
		return p.window.warning()
	}
	return p.last.warning()
}

// warning is what operators should know of the window, "" for nothing.
func (p peerCounts) warning() string {
	at, ok := p.proxy()
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d of the last %d requests of devices came from %s, which looks like a proxy: add it to WAFT_TRUSTED_PROXIES, "+
		"so that each device counts for itself in rate limits and rollouts", p.own, p.total, at)
}
