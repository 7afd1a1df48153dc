package limit

import (
	"net/netip"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waft-ota/waft/models"
)

// streamRetry is the time that a client should wait before it opens a stream again.
const streamRetry = 30 * time.Second

// openStreams limits the number of open event streams for each key, and for each IPv4 /24 and IPv6 /48. Streams from
// loopback addresses are not counted.
type openStreams struct {
	most               int // 0 for no limit
	keyLimit, netLimit *limit
	mu                 sync.Mutex
	open               map[streamHolder]int
	all                prometheus.Gauge
}

// streamHolder identifies the holder of a stream: an identified caller, or a network.
type streamHolder struct {
	actorType models.ActorType
	actor     string
	network   netip.Prefix
}

func newOpenStreams(l limits, most int, metrics prometheus.Registerer) *openStreams {
	s := &openStreams{
		most: most, open: map[streamHolder]int{},
		keyLimit: l.named("streams_key", "this key has reached the number of open event streams that WAFT_MAX_STREAMS allows; close some"),
		netLimit: l.named("streams_network",
			"this network (IPv4 /24 or IPv6 /48) has reached the number of open event streams that WAFT_MAX_STREAMS allows; close some"),
		all: prometheus.NewGauge(prometheus.GaugeOpts{Name: "waft_event_streams", Help: "Open event streams."}),
	}
	metrics.MustRegister(s.all)
	return s
}

// Enter counts a stream of the actor, whose ID is "" for an anonymous caller, from an address. leave must be called
// once.
func (s *openStreams) Enter(who models.Actor, from netip.Addr) (leave func(), err error) {
	if s.most <= 0 || from.IsLoopback() {
		s.all.Inc()
		return s.all.Dec, nil
	}
	key, network := streamHolder{actorType: who.Type, actor: who.ID}, streamHolder{network: models.Network(from)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if who.ID != "" && s.open[key] >= s.most {
		return nil, s.keyLimit.reached(from, streamRetry)
	}
	if s.open[network] >= s.most {
		return nil, s.netLimit.reached(from, streamRetry)
	}
	holders := []streamHolder{network}
	if who.ID != "" {
		holders = append(holders, key)
	}
	for _, holder := range holders {
		s.open[holder]++
	}
	s.all.Inc()
	return func() { s.leave(holders) }, nil
}

func (s *openStreams) leave(holders []streamHolder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, holder := range holders {
		if s.open[holder]--; s.open[holder] == 0 {
			delete(s.open, holder)
		}
	}
	s.all.Dec()
}
