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
	// peerWindow and peerRequests are the minimum time and the minimum number of device requests for a decision about
	// proxies.
	peerWindow   = time.Minute
	peerRequests = 100
)

// peers notices if most requests of devices come from one address that looks like a proxy but is not trusted by the
// settings. All devices behind it then count as one address in limits and as one network in rollouts.
type peers struct {
	trusted []netip.Prefix
	log     *slog.Logger
	now     func() time.Time
	logged  rate.Sometimes

	mu     sync.Mutex
	began  time.Time
	window peerCounts
	// last is the previous window, if there was one.
	last peerCounts
}

// peerCounts counts the requests in a window, and finds the address that sent most of them.
type peerCounts struct {
	total int
	// leader is the address that sends more than half of the requests, if there is one (algorithm of Boyer and
	// Moore). lead decides when another address replaces it.
	leader netip.Addr
	lead   int
	// own counts the leader's requests since it became the leader, and forwarded counts how many of them have a
	// proxy's header.
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

// proxy returns the address that sent most requests, if it looks like a proxy. It does if its requests declare that
// they are forwarded, or if it is private, like load balancers in front of a server.
func (p peerCounts) proxy() (at netip.Addr, ok bool) {
	most := p.total >= peerRequests && p.own*2 > p.total
	return p.leader, most && (p.forwarded*2 > p.own || p.leader.IsPrivate())
}

// newPeers takes the networks from api.Deps, which are valid.
func newPeers(trusted []string, log *slog.Logger, now func() time.Time) *peers {
	p := &peers{log: log, now: now, began: now(), logged: rate.Sometimes{Interval: limitLogInterval}}
	p.trusted, _ = models.ParseNetworks(trusted)
	return p
}

// note counts a request of a device. It does not allocate.
func (p *peers) note(c *gin.Context) {
	at, err := netip.ParseAddrPort(c.Request.RemoteAddr)
	if err != nil {
		return
	}
	peer, forwarded := at.Addr().Unmap().WithZone(""), rest.Forwarded(c.Request)
	if peer.IsLoopback() && !forwarded {
		return // sent by a program on this machine
	}
	if slices.ContainsFunc(p.trusted, func(n netip.Prefix) bool { return n.Contains(peer) }) {
		peer, forwarded = netip.Addr{}, false // all trusted proxies count as one address without a warning
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

// Noting wraps the limit of a device endpoint, and counts its requests by peer.
func (s *Set) Noting(limit gin.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) {
		s.Peers.note(c)
		limit(c)
	}
}

// Warning returns a warning for operators, or "".
func (p *peers) Warning() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.window.total >= peerRequests {
		return p.window.warning()
	}
	return p.last.warning()
}

// warning returns a warning for operators about the window, or "".
func (p peerCounts) warning() string {
	at, ok := p.proxy()
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d of the last %d requests of devices came from %s, which looks like a proxy: add it to WAFT_TRUSTED_PROXIES, "+
		"so that each device counts for itself in rate limits and rollouts", p.own, p.total, at)
}
