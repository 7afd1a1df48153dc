package api

import (
	"math"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/time/rate"

	"github.com/waft-ota/waft/models"
)

// Rates bound what public endpoints take, in requests a second on average; 0 is no
// bound. Short bursts may be ten times as fast.
type Rates struct {
	// PerAddress is for each client address, an IPv6 one counting with its /64. The
	// machine's own addresses are not bound: a proxy on it may speak for everybody.
	PerAddress float64
	// PerDevice is for each device at its address, so that nobody can use up the
	// share of somebody else's device.
	PerDevice float64
}

const (
	// rateBurst is how many seconds' worth of requests may come at once.
	rateBurst = 10
	// rateTracked is how many callers are told apart before old ones are forgotten.
	rateTracked = 100_000
	// maxCallerBytes is more than any device id has that is taken.
	maxCallerBytes = 256
)

// limits are the bounds of the public endpoints. Assets have none: what a device
// was told to download it must get.
type limits struct {
	address, device *limiter
}

func newLimits(r Rates, now func() time.Time) limits {
	return limits{address: newLimiter(r.PerAddress, now), device: newLimiter(r.PerDevice, now)}
}

// origin is who sends requests: everybody in a network, or one device in it.
type origin struct {
	network netip.Addr
	device  string // in lower case, "" for everybody
}

// requests refuses a request when its address, or the device that its headers
// name, sends too many.
func (l limits) requests(c *gin.Context) {
	if err := l.check(c); err != nil {
		fail(c, err)
	}
}

// check is why requests refuses, nil when it does not.
func (l limits) check(c *gin.Context) error {
	if l.address.off() && l.device.off() {
		return nil
	}
	from := clientNetwork(c.ClientIP())
	if !from.IsLoopback() {
		if err := l.address.take(origin{network: from}); err != nil {
			return err
		}
	}
	for _, name := range [...]string{"Client-Device-Id", "Expo-Device-Id", "Eas-Client-Id"} {
		if id := c.GetHeader(name); id != "" {
			if len(id) > maxCallerBytes {
				return nil // no handler takes it, and remembering it would fill the memory
			}
			return l.device.take(origin{from, strings.ToLower(id)})
		}
	}
	return nil
}

// ofDevice refuses a request of a device that sends too many.
func (l limits) ofDevice(c *gin.Context, id string) error {
	if l.device.off() {
		return nil
	}
	return l.device.take(origin{clientNetwork(c.ClientIP()), strings.ToLower(id)})
}

// clientNetwork is what a client is told apart by: an IPv4 address, or the network
// of an IPv6 one, since a client has 2^64 of those.
func clientNetwork(ip string) netip.Addr {
	at, err := netip.ParseAddr(ip)
	if err != nil {
		return netip.Addr{}
	}
	if at = at.Unmap().WithZone(""); at.Is4() || at.IsLoopback() {
		return at
	}
	network, err := at.Prefix(64)
	if err != nil {
		return at
	}
	return network.Addr()
}

// limiter bounds how often each of many callers may do something. Callers who have
// been quiet for long enough to have their whole burst again are forgotten.
type limiter struct {
	rate float64 // a second; 0 is no bound
	now  func() time.Time

	mu sync.Mutex
	// current are the callers since turned, previous those of the time before.
	current, previous map[origin]*rate.Limiter
	turned            time.Time
}

func newLimiter(perSecond float64, now func() time.Time) *limiter {
	return &limiter{rate: perSecond, now: now, current: map[origin]*rate.Limiter{}, turned: now()}
}

// off reports whether there is no bound.
func (l *limiter) off() bool { return l.rate <= 0 }

// take is nil when the caller may, else a CodeRateLimited error.
func (l *limiter) take(caller origin) error {
	if l.off() {
		return nil
	}
	now := l.now()
	own := l.of(caller, now)
	if own.AllowN(now, 1) {
		return nil
	}
	wait := (1 - own.TokensAt(now)) / l.rate
	return &models.Error{
		Code: models.CodeRateLimited, Message: "too many requests; slow down",
		RetryAfter: time.Duration(math.Ceil(wait)) * time.Second,
	}
}

func (l *limiter) of(caller origin, now time.Time) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.current) >= rateTracked || now.Sub(l.turned) > rateBurst*time.Second {
		l.current, l.previous, l.turned = make(map[origin]*rate.Limiter, len(l.current)), l.current, now
	}
	own := l.current[caller]
	if own == nil {
		if own = l.previous[caller]; own == nil {
			own = rate.NewLimiter(rate.Limit(l.rate), max(1, int(l.rate*rateBurst)))
		}
		l.current[caller] = own
	}
	return own
}
