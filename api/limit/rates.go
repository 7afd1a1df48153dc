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

// Rates are rate limits in requests a second on average; 0 is no limit. Ten seconds' worth of
// requests may come at once.
type Rates struct {
	// PerAddress is for each IPv4 address and each /64 of IPv6 addresses, once for public endpoints and
	// once for management, so that devices do not keep people at their address out. Loopback addresses
	// have no limit, because a proxy on the machine sends the requests of many clients.
	PerAddress float64
	// PerNetwork is for each IPv4 /24 and each IPv6 /48 in the same way.
	PerNetwork float64
	// UnknownKeys is how many API keys that were not valid lately an address may send, and tokens of CI jobs, setup links and
	// invitations; its network unknownKeysNetwork times as many. Each costs a query.
	UnknownKeys float64
	// PerDevice is for each device at its address. Another address that sends the
	// same device id has a limit of its own.
	PerDevice float64
	// NewDevicesPerMinute is how many device ids that are new to a project an IPv4 /24 or
	// IPv6 /48 may have stored a minute on average, NewDevicesBurst how many at once.
	NewDevicesPerMinute float64
	NewDevicesBurst     int
}

const (
	// rateBurst is how many seconds' worth of requests may come at once.
	rateBurst = 10
	// RateTracked bounds the number of callers that a limiter has in memory: twice as many, of
	// 150 bytes each. Above it those seen least recently have their whole burst again.
	RateTracked = 100_000
	// maxRefill bounds the seconds after which a caller has its whole burst again.
	maxRefill = 1e9
	// unknownKeysNetwork is how many addresses' worth of unknown keys a network may send.
	unknownKeysNetwork = 4
	// maxCallerBytes is more than the length of any accepted device id.
	maxCallerBytes = 256
)

// networkLimits limit what an address and its network send. Loopback addresses have no limit.
type networkLimits struct{ address, network *limiter }

// rateLimits are the rate limits of public endpoints. Assets have none unless their download
// is recorded, because a device must get the files of an update that it was served.
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

// newManagementLimits are those of management.
func newManagementLimits(l limits, r Rates, now func() time.Time) networkLimits {
	return networkLimits{
		newRateLimiter(l.named("management_address",
			"this address sends more requests to management than WAFT_RATE_PER_ADDRESS allows; slow down"), r.PerAddress, now),
		newRateLimiter(l.named("management_network",
			"this network (IPv4 /24 or IPv6 /48) sends more requests to management than WAFT_RATE_PER_NETWORK allows; slow down"),
			r.PerNetwork, now),
	}
}

// newUnknownKeyLimits are those of keys that were not valid lately.
func newUnknownKeyLimits(l limits, r Rates, now func() time.Time) networkLimits {
	return networkLimits{
		newRateLimiter(l.named("unknown_keys_address",
			"this address sends more unknown API keys and tokens than WAFT_RATE_UNKNOWN_KEYS allows; slow down"), r.UnknownKeys, now),
		newRateLimiter(l.named("unknown_keys_network",
			"this network (IPv4 /24 or IPv6 /48) sends more unknown API keys and tokens than WAFT_RATE_UNKNOWN_KEYS allows; slow down"),
			r.UnknownKeys*unknownKeysNetwork, now),
	}
}

// Take returns an error when the address or its network is above its limit.
func (l networkLimits) Take(from rest.Sender) error {
	if from.Local {
		return nil
	}
	if err := l.address.take(origin{network: from.Address}); err != nil {
		return err
	}
	return l.network.take(origin{network: from.Network})
}

// Off reports whether nothing is limited.
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
				return nil // every handler rejects it, and it would fill the memory
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
	device  uint64 // a hash of the id, so that its length costs no memory; 0 for the whole network
}

// deviceSeed keys the hashes of device ids.
var deviceSeed = maphash.MakeSeed()

// deviceAt is the device with the id, in any case, at an address.
func deviceAt(from netip.Addr, id string) origin {
	return origin{network: from, device: maphash.String(deviceSeed, strings.ToLower(id))}
}

// limiter limits the rate of each of many callers. It forgets callers that have sent
// nothing for as long as it takes to have the whole burst again.
type limiter struct {
	limit *limit
	rate  float64 // a second; 0 is none
	burst int     // how many at once
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

// take returns a CodeRateLimited error when the caller is above the limit.
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
