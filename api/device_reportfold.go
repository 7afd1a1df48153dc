package api

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waft-ota/waft/internal/delivery"
	"github.com/waft-ota/waft/models"
)

// foldedName stands for every value beyond what a project may have of its kind, and
// foldedUpdate for every such update: the UUID of all ones (RFC 9562, 5.10).
const (
	foldedName   = "(other)"
	foldedUpdate = "ffffffff-ffff-ffff-ffff-ffffffffffff"
)

// Of an event only so many tags and flag states are kept, the first by name.
const (
	maxEventTags       = 64
	maxEventFlagStates = 256
)

// dimension is a kind of value that telemetry groups by.
type dimension string

const (
	dimensionChannel   dimension = "channel"
	dimensionRuntime   dimension = "runtimeVersion"
	dimensionUpdate    dimension = "updateUuid"
	dimensionEventName dimension = "name"
	dimensionErrorName dimension = "errorName"
	dimensionTag       dimension = "tag"
	dimensionFlag      dimension = "flag"
	dimensionVariation dimension = "variation"
)

// foldLife is how long a value that was seen is let through again.
const foldLife = 24 * time.Hour

// foldBounds are how many values of each kind a project may report a day to one API
// process; those that it has itself go on being let through beyond it. They are more than any app has, and few enough
// that whoever invents new ones costs neither memory nor the speed of queries.
var foldBounds = map[dimension]int{
	dimensionChannel: 100, dimensionRuntime: 500, dimensionUpdate: 1000, dimensionEventName: 2000, dimensionErrorName: 2000,
	dimensionTag: 500, dimensionFlag: 1000, dimensionVariation: 5000,
}

// folder keeps the number of values that reports bring bounded. What is over the
// bound is not lost: it counts under one name.
type folder struct {
	seed   maphash.Seed
	now    func() time.Time
	folded map[dimension]prometheus.Counter

	mu sync.Mutex
	// seen are hashes of the values let through, by project and kind, since began.
	seen  map[int64]map[dimension]map[uint64]struct{}
	began time.Time
}

func newFolder(now func() time.Time, metrics prometheus.Registerer) *folder {
	f := &folder{seed: maphash.MakeSeed(), now: now, folded: map[dimension]prometheus.Counter{}}
	all := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "waft_reports_folded_total", Help: "Values in health reports that were replaced by (other), a project having reported too many of their kind.",
	}, []string{"dimension"})
	metrics.MustRegister(all)
	for d := range foldBounds {
		f.folded[d] = all.WithLabelValues(string(d))
	}
	return f
}

// fold bounds what the report of the snapshot's project says.
func (f *folder) fold(s *delivery.Snapshot, r *models.HealthReport) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := f.now(); now.Sub(f.began) >= foldLife {
		f.seen, f.began = map[int64]map[dimension]map[uint64]struct{}{}, now
	}
	r.Channel = f.one(s, dimensionChannel, r.Channel, foldedName)
	r.RuntimeVersion = f.one(s, dimensionRuntime, r.RuntimeVersion, foldedName)
	r.UpdateUUID = f.one(s, dimensionUpdate, r.UpdateUUID, foldedUpdate)
	for i := range r.Events {
		e := &r.Events[i]
		e.Name = f.one(s, dimensionEventName, e.Name, foldedName)
		e.ErrorName = f.one(s, dimensionErrorName, e.ErrorName, foldedName)
		e.Tags = f.names(s, dimensionTag, e.Tags, maxEventTags)
		e.FlagStates = f.names(s, dimensionFlag, e.FlagStates, maxEventFlagStates)
		for i, state := range e.FlagStates {
			if f.one(s, dimensionVariation, state.Name+"\x00"+state.Value, foldedName) == foldedName {
				e.FlagStates[i].Value = foldedName
			}
		}
	}
}

// own reports whether the project has the value itself, whoever reports it.
func own(s *delivery.Snapshot, d dimension, value string) (yes bool) {
	switch d {
	case dimensionChannel:
		return s.HasChannel(value)
	case dimensionRuntime:
		return s.HasRuntimeVersion(value)
	case dimensionUpdate:
		_, yes = s.CanonicalUpdate(value)
		return yes
	case dimensionFlag:
		return s.HasFlag(value)
	case dimensionVariation:
		flag, variation, _ := strings.Cut(value, "\x00")
		return s.HasVariation(flag, variation)
	case dimensionEventName, dimensionErrorName, dimensionTag:
	}
	return false
}

// one is value, or other when the project has too many of its kind.
func (f *folder) one(s *delivery.Snapshot, d dimension, value, other string) string {
	if value == "" {
		return value
	}
	project, hash := s.Project().ID, maphash.String(f.seed, value)
	seen := f.seen[project][d]
	if _, ok := seen[hash]; ok {
		return value
	}
	if len(seen) >= foldBounds[d] {
		if own(s, d, value) {
			return value
		}
		f.folded[d].Inc()
		return other
	}
	if seen == nil {
		if f.seen[project] == nil {
			f.seen[project] = map[dimension]map[uint64]struct{}{}
		}
		seen = map[uint64]struct{}{}
		f.seen[project][d] = seen
	}
	seen[hash] = struct{}{}
	return value
}

// names is one for the names of the texts, which come by name and of which the first few
// are kept.
func (f *folder) names(s *delivery.Snapshot, d dimension, texts models.Texts, few int) models.Texts {
	texts = texts[:min(len(texts), few)]
	kept := texts[:0]
	for _, t := range texts {
		if f.one(s, d, t.Name, foldedName) == t.Name {
			kept = append(kept, t)
		}
	}
	if len(kept) == len(texts) {
		return texts
	}
	other := models.Text{Name: foldedName, Value: foldedName}
	at, named := slices.BinarySearchFunc(kept, other, models.ByName)
	if named {
		kept[at] = other
		return kept
	}
	return slices.Insert(kept, at, other)
}
