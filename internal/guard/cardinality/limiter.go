package cardinality

import (
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waft-ota/waft/internal/decide/reports"
	"github.com/waft-ota/waft/models"
)

// OtherName stands for every name above the cardinality limit of its dimension, and
// OtherUpdate for every such update: the UUID of all ones (RFC 9562, 5.10).
const (
	OtherName   = "(other)"
	OtherUpdate = "ffffffff-ffff-ffff-ffff-ffffffffffff"
)

// MaxEventTags and MaxEventFlagStates are how many tags and flag states of an event are
// kept, the first by name.
const (
	MaxEventTags       = 64
	MaxEventFlagStates = 256
)

// Dimension is a kind of name that telemetry groups by.
type Dimension int

// The dimensions of a health report.
const (
	Channel Dimension = iota
	RuntimeVersion
	Update
	EventName
	ErrorName
	Tag
	Flag
	Variation
	dimensions
)

// limits are how many names of each dimension a project may report in a Period to one
// process: more than an app has, and few enough to bound memory and the cost of queries. Source.of says
// what part of them a network may use, and which is reserved.
var limits = [dimensions]struct {
	label string
	names int
}{
	Channel: {"channel", 100}, RuntimeVersion: {"runtimeVersion", 500}, Update: {"updateUuid", 1000}, EventName: {"name", 2000},
	ErrorName: {"errorName", 2000}, Tag: {"tag", 500}, Flag: {"flag", 1000}, Variation: {"variation", 5000},
}

// Project returns the names that a project defines. Limits do not apply to these names.
type Project interface {
	HasChannel(name string) bool
	HasRuntimeVersion(version string) bool
	CanonicalUpdate(updateUUID string) (string, bool)
	HasFlag(key string) bool
	HasVariation(flagKey, value string) bool
}

// Limiter applies the cardinality limits: names above a limit count under OtherName. It is safe for concurrent use, and does not take
// a lock for names that were reported before.
type Limiter struct {
	seed  maphash.Seed
	now   func() time.Time
	other [dimensions]prometheus.Counter
	seen  *Projects
}

// NewLimiter registers the metric waft_reports_other_total.
func NewLimiter(now func() time.Time, metrics prometheus.Registerer) *Limiter {
	most := make([]int, dimensions)
	for d, limit := range limits {
		most[d] = limit.names
	}
	l := &Limiter{seed: maphash.MakeSeed(), now: now, seen: NewProjects(now, most...)}
	all := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "waft_reports_other_total", Help: "Names in health reports that were counted as (other), because the " +
			"project reported more of their dimension than the cardinality limit.",
	}, []string{"dimension"})
	metrics.MustRegister(all)
	for d := range l.other {
		l.other[d] = all.WithLabelValues(limits[d].label)
	}
	return l
}

// Limit replaces the names in the report that are above a limit or that the source may not add. It drops tags and flag states above
// their limits. Events keep their original name in addition to its replacement, because thresholds of rollout policies refer to
// events by name.
func (l *Limiter) Limit(projectID int64, project Project, from Source, r *models.HealthReport) {
	in := l.from(projectID, project, from)
	r.Channel = in.name(Channel, r.Channel, OtherName)
	r.RuntimeVersion = in.name(RuntimeVersion, r.RuntimeVersion, OtherName)
	r.UpdateUUID = in.name(Update, r.UpdateUUID, OtherUpdate)
	for i := range r.Events {
		e := &r.Events[i]
		if name := in.name(EventName, e.Name, OtherName); name != e.Name {
			e.Name, e.SentName = name, e.Name
		}
		e.ErrorName = in.name(ErrorName, e.ErrorName, OtherName)
		e.Tags = in.texts(Tag, e.Tags, MaxEventTags)
		e.FlagStates = in.texts(Flag, e.FlagStates, MaxEventFlagStates)
		for i, state := range e.FlagStates {
			if in.name(Variation, state.Name+"\x00"+state.Value, OtherName) == OtherName {
				e.FlagStates[i].Value = OtherName
			}
		}
	}
}

// LimitChannel returns the channel, or OtherName when it is above the limit or the source may not add it.
func (l *Limiter) LimitChannel(projectID int64, project Project, from Source, channel string) string {
	in := l.from(projectID, project, from)
	return in.name(Channel, channel, OtherName)
}

func (l *Limiter) from(projectID int64, project Project, from Source) limited {
	return limited{Limiter: l, project: project, source: from, at: l.now(), seen: l.seen.Of(projectID)}
}

// limited is a Limiter for one report.
type limited struct {
	*Limiter
	project Project
	source  Source
	at      time.Time
	seen    *Names
	// closed are the dimensions in which the source may not add further names.
	closed [dimensions]bool
}

// name returns value, or other if value may not be added.
func (l *limited) name(d Dimension, value, other string) string {
	if value == "" || l.admits(d, maphash.String(l.seed, value)) || own(l.project, d, value) {
		return value
	}
	l.other[d].Inc()
	return other
}

func (l *limited) admits(d Dimension, hash uint64) bool {
	if l.closed[d] {
		return l.seen.known(int(d), hash)
	}
	admitted := l.seen.Admit(int(d), hash, l.source, l.at)
	l.closed[d] = !admitted
	return admitted
}

// texts limits the names of the texts, which are sorted by name, and keeps the first few.
func (l *limited) texts(d Dimension, texts models.Texts, few int) models.Texts {
	texts = texts[:min(len(texts), few)]
	kept := texts[:0]
	for _, t := range texts {
		if l.name(d, t.Name, OtherName) == t.Name {
			kept = append(kept, t)
		}
	}
	if len(kept) == len(texts) {
		return texts
	}
	other := models.Text{Name: OtherName, Value: OtherName}
	at, named := slices.BinarySearchFunc(kept, other, models.ByName)
	if named {
		kept[at] = other
		return kept
	}
	return slices.Insert(kept, at, other)
}

// own reports whether the project has the value itself.
func own(p Project, d Dimension, value string) (yes bool) {
	switch d {
	case Channel:
		return value == reports.DefaultChannel || p.HasChannel(value)
	case RuntimeVersion:
		return p.HasRuntimeVersion(value)
	case Update:
		_, yes = p.CanonicalUpdate(value)
		return yes
	case Flag:
		return p.HasFlag(value)
	case Variation:
		flag, variation, _ := strings.Cut(value, "\x00")
		return p.HasVariation(flag, variation)
	default:
		return false
	}
}
