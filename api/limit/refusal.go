package limit

import (
	"net/netip"
	"time"
)

// Refusal returns the rate_limited error for a caller (an address or a network) that must wait. The request that
// returns it is counted and logged.
type Refusal func(from netip.Addr, wait time.Duration) error

// Refusal creates a limit whose counts are kept by the caller. name is its label in metrics and the log, and detail
// tells clients why they wait.
func (s *Set) Refusal(name, detail string) Refusal { return s.limits.named(name, detail).reached }
