package api

import (
	"hash/maphash"
	"sync"
	"time"

	"github.com/waft-ota/waft/models"
)

const (
	// exposureShards is how many locks the noted exposures are spread over, so that
	// devices do not wait for each other.
	exposureShards = 32
	// exposuresRemembered bounds how many exposures are remembered, for at most twice
	// exposureTime.
	exposuresRemembered = 1 << 20
	exposureTime        = time.Hour
)

// notedExposures remembers which exposures were noted lately, so that a device that
// asks again and again is noted once. It forgets each within 2 × exposureTime: noting
// it again is harmless, and one that was lost must be noted again. It keeps only a hash
// of 64 bits of each. Two that have the same hash count as one, which happens to one
// device in 10^13.
type notedExposures struct {
	seed   maphash.Seed
	now    func() time.Time
	shards [exposureShards]exposureShard
}

// exposureShard holds the exposures since turned, and those of the time before.
type exposureShard struct {
	mu                sync.Mutex
	current, previous map[uint64]struct{}
	turned            time.Time
	_                 [16]byte // keeps the locks of neighbours off one cache line
}

func newNotedExposures(now func() time.Time) *notedExposures {
	return &notedExposures{seed: maphash.MakeSeed(), now: now}
}

// add notes an exposure and reports whether it is a new one.
func (n *notedExposures) add(s *models.Exposure) bool {
	var h maphash.Hash
	h.SetSeed(n.seed)
	for _, part := range [...]string{s.DeviceID, s.UpdateUUID, string(s.Kind), s.Channel, s.RuntimeVersion, string(s.Platform)} {
		_, _ = h.WriteString(part) // it never fails
		_ = h.WriteByte(0)
	}
	sum := h.Sum64()
	return n.shards[sum%exposureShards].add(sum, n.now())
}

func (s *exposureShard) add(sum uint64, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil || len(s.current) >= exposuresRemembered/2/exposureShards || now.Sub(s.turned) > exposureTime {
		s.current, s.previous, s.turned = map[uint64]struct{}{}, s.current, now
	}
	if _, noted := s.current[sum]; noted {
		return false
	}
	if _, noted := s.previous[sum]; noted {
		return false
	}
	s.current[sum] = struct{}{}
	return true
}

// forget makes every exposure a new one.
func (n *notedExposures) forget() {
	for i := range n.shards {
		s := &n.shards[i]
		s.mu.Lock()
		s.current, s.previous = nil, nil
		s.mu.Unlock()
	}
}
