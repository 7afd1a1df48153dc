package limit

import (
	"hash/maphash"
	"math"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/time/rate"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/base/cache"
)

// Rates are rate limits in requests per second on average. 0 disables a limit. Bursts may have the requests of ten
// seconds.
type Rates struct {
	// PerAddress limits each IPv4 address and each /64 of IPv6 addresses. Public endpoints and management have
	// separate limits, so that devices do not keep people at their address out. Loopback addresses do not have a
	// limit, because a proxy on the machine sends the requests of many clients.
	PerAddress float64
	// PerNetwork limits each IPv4 /24 and each IPv6 /48 in the same way.
	PerNetwork float64
	// UnknownKeys is the rate of API keys not recently seen as valid, and of CI tokens, setup links and invitations,
	// that an address may send. Its network may send unknownKeysNetwork times as many. Each costs a query.
	UnknownKeys float64
	// PerDevice limits each device at its address. The same device ID at another address has a separate limit.
	PerDevice float64
	// NewDevicesPerMinute is the average number of device IDs new to a project that an IPv4 /24 or IPv6 /48 may add
	// per minute. NewDevicesBurst is the number in a burst.
	NewDevicesPerMinute float64
	NewDevicesBurst     int
}

const (
	// rateBurst is the size of a burst, in seconds' worth of requests.
	rateBurst = 10
	// RateTracked limits the callers that a limiter has in memory to twice this number, of 150 bytes each. Above it,
	// the callers seen least recently get their whole burst again.
	RateTracked = 100_000
	// maxRefill limits the seconds after which a caller has its whole burst again.
	maxRefill = 1e9
	// unknownKeysNetwork is the limit of a network for unknown keys, as a multiple of the limit of an address.
	unknownKeysNetwork = 4
	// maxCallerBytes is larger than the length of any accepted device ID.
	maxCallerBytes = 256
)

// networkLimits limit the requests of an address and of its network. Loopback addresses do not have a limit.
type networkLimits struct{ address, network *limiter }

// rateLimits are the rate limits of public endpoints. Assets do not have any unless their download is recorded,
// because a device must get the files of an update that it was served.
type rateLimits struct {
	networkLimits
	device *limiter
}

func newRateLimiter(l *limit, perSecond float64, now func() time.Time) *limiter {
	return newLimiter(l, perSecond, int(perSecond*rateBurst), now)
}

func newRateLimits(l limits, r Rates, now func() time.Time) rateLimits {
	return rateLimits{
		networkLimits: networkLimits{
			newRateLimiter(l.named("address", "this address sends more requests than WAFT_RATE_PER_ADDRESS allows; slow down"),
				r.PerAddress, now),
			newRateLimiter(l.named("network",
				"this network (IPv4 /24 or IPv6 /48) sends more requests than WAFT_RATE_PER_NETWORK allows; slow down"), r.PerNetwork, now),
		},
		device: newRateLimiter(l.named("device", "this device sends more requests than WAFT_RATE_PER_DEVICE allows; slow down"),
			r.PerDevice, now),
	}
}

// newManagementLimits returns the limits of management.
func newManagementLimits(l limits, r Rates, now func() time.Time) networkLimits {
	return networkLimits{
		newRateLimiter(l.named("management_address",
			"this address sends more requests to management than WAFT_RATE_PER_ADDRESS allows; slow down"), r.PerAddress, now),
		newRateLimiter(l.named("management_network",
			"this network (IPv4 /24 or IPv6 /48) sends more requests to management than WAFT_RATE_PER_NETWORK allows; slow down"),
			r.PerNetwork, now),
	}
}

// newUnknownKeyLimits returns the limits of keys not recently seen as valid.
func newUnknownKeyLimits(l limits, r Rates, now func() time.Time) networkLimits {
	return networkLimits{
		newRateLimiter(l.named("unknown_keys_address",
			"this address sends more unknown API keys and tokens than WAFT_RATE_UNKNOWN_KEYS allows; slow down"), r.UnknownKeys, now),
		newRateLimiter(l.named("unknown_keys_network",
			"this network (IPv4 /24 or IPv6 /48) sends more unknown API keys and tokens than WAFT_RATE_UNKNOWN_KEYS allows; slow down"),
			r.UnknownKeys*unknownKeysNetwork, now),
	}
}

// Take returns an error if the address or its network exceeds its limit.
func (l networkLimits) Take(from rest.Sender) error {
	if from.Local {
		return nil
	}
	if err := l.address.take(origin{network: from.Address}); err != nil {
		return err
	}
	return l.network.take(origin{network: from.Network})
}

// Off reports whether both limits are disabled.
func (l networkLimits) Off() bool { return l.address.rate <= 0 && l.network.rate <= 0 }

// LimitManagement applies the limits of management to a request, before its key is looked up.
func (s *Set) LimitManagement(c *gin.Context) {
	if s.management.Off() {
		return
	}
	if err := s.management.Take(rest.SenderOf(c)); err != nil {
		rest.Fail(c, err)
	}
}

// LimitRequests applies the rate limits to a request.
func (s *Set) LimitRequests(c *gin.Context) {
	if err := s.Requests.Check(c); err != nil {
		rest.Fail(c, err)
	}
}

// Check applies the limits of the address, of its network and of the device that the headers name.
func (l rateLimits) Check(c *gin.Context) error {
	if l.Off() && l.device.rate <= 0 {
		return nil
	}
	from := rest.SenderOf(c)
	if err := l.Take(from); err != nil {
		return err
	}
	for _, name := range [...]string{"Client-Device-Id", "Expo-Device-Id", "Eas-Client-Id"} {
		if id := c.GetHeader(name); id != "" {
			if len(id) > maxCallerBytes {
				return nil // every handler rejects such an ID, and it would fill the memory
			}
			return l.device.take(deviceAt(from.Address, id))
		}
	}
	return nil
}

// CheckDevice applies the limit of the device.
func (l rateLimits) CheckDevice(c *gin.Context, id string) error {
	if l.device.rate <= 0 {
		return nil
	}
	return l.device.take(deviceAt(rest.SenderOf(c).Address, id))
}

// origin is the source of requests: a network, or one device in it.
type origin struct {
	project int64 // 0 for the requests to all projects
	network netip.Addr
	device  uint64 // a hash of the ID, so that a long ID does not take more memory; 0 for the whole network
}

// deviceSeed keys the hashes of device IDs.
var deviceSeed = maphash.MakeSeed()

// deviceAt returns the device with the ID, in any letter case, at an address.
func deviceAt(from netip.Addr, id string) origin {
	return origin{network: from, device: maphash.String(deviceSeed, strings.ToLower(id))}
}

// limiter limits the rate of each of many callers. It forgets a caller that has not sent anything for the time in
// which its whole burst is restored.
type limiter struct {
	limit *limit
	rate  float64 // per second; 0 for no limit
	burst int     // size of a burst
	now   func() time.Time

	mu      sync.Mutex
	callers *cache.Generations[origin, *rate.Limiter]
}

func newLimiter(l *limit, perSecond float64, burst int, now func() time.Time) *limiter {
	burst = max(1, burst)
	refilled := time.Duration(min(float64(burst)/perSecond, maxRefill) * float64(time.Second))
	return &limiter{
		limit: l, rate: perSecond, burst: burst, now: now, callers: cache.New[origin, *rate.Limiter](RateTracked, refilled),
	}
}

// take returns a CodeRateLimited error if the caller exceeds the limit.
func (l *limiter) take(caller origin) error {
	if l.rate <= 0 {
		return nil
	}
	now := l.now()
	own := l.of(caller, now)
	if own.AllowN(now, 1) {
		return nil
	}
	wait := (1 - own.TokensAt(now)) / l.rate
	return l.limit.reached(caller.network, time.Duration(math.Ceil(wait))*time.Second)
}

func (l *limiter) of(caller origin, now time.Time) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.callers.Expire(now)
	own, ok := l.callers.Get(caller)
	if !ok {
		own = rate.NewLimiter(rate.Limit(l.rate), l.burst)
		l.callers.Put(caller, own)
	}
	return own
}
