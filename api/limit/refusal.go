package limit

import (
	"net/netip"
	"time"
)

// Refusal returns the rate_limited error for a caller, an address or a network, that is to wait. The request that ends with it is
// counted and logged.
type Refusal func(from netip.Addr, wait time.Duration) error

// Refusal makes a limit whose counts its caller has. name is its label in metrics and the log, and detail tells callers why they wait.
func (s *Set) Refusal(name, detail string) Refusal { return s.limits.named(name, detail).reached }
