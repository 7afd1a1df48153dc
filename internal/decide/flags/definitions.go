// Package flags evaluates the feature flags of a project, and renders them for clients that evaluate flags
// themselves. The package does not do I/O and does not read the clock.
package flags

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/internal/base/encoded"
	"github.com/waft-ota/waft/models"
)

// Definitions contain the flags of one project for every channel. They are safe for concurrent use.
type Definitions struct {
	compiler *compiler
	channels map[string]struct{}

	mu       sync.Mutex
	rendered map[string]Document
	bytes    int
}

// maxRendered is the maximum total size of the documents that a project keeps, except that a single document may be
// larger. It does not include the compressed variants, which are smaller.
const maxRendered = 32 << 20

// Document contains the flags that a client downloads.
type Document struct {
	Body []byte
	// Version changes if and only if the flags change.
	Version string
	// Encoded is Body with its compressed variants.
	Encoded *encoded.Content
}

// NewDefinitions prepares the flags of a project. The document of a channel is rendered when it is first used. set is
// the compiled set of the same project, whose patterns are reused; it may be nil.
func NewDefinitions(p models.ProjectSnapshot, set *Set) *Definitions {
	if set == nil {
		set = &Set{patterns: patternsOf(p, nil)}
	}
	c := &compiler{
		patterns: set.patterns,
		flags:    p.Flags, segments: make(map[string]models.Segment, len(p.Segments)), overrides: overrides(p), updates: updates(p),
	}
	for _, s := range p.Segments {
		c.segments[s.Key] = s
	}
	d := &Definitions{compiler: c, channels: make(map[string]struct{}, len(p.Channels)+1), rendered: map[string]Document{}}
	for _, channel := range append([]models.Channel{{}}, p.Channels...) {
		d.channels[channel.Name] = struct{}{}
	}
	return d
}

// IsRendered reports whether Channel can return the document of a channel without rendering it. It is true for a
// channel that does not exist.
func (d *Definitions) IsRendered(channel string) bool {
	_, exists := d.channels[channel]
	_, known := d.known(channel)
	return known || !exists
}

// Channel returns the document of a channel. For "" it returns the flags without the settings of any channel. ok is
// false if the channel does not exist. Channel calls rest repeatedly while it renders.
func (d *Definitions) Channel(channel string, rest func()) (document Document, ok bool, err error) {
	if _, ok = d.channels[channel]; !ok {
		return document, false, nil
	}
	if document, known := d.known(channel); known {
		return document, true, nil
	}
	if document, err = d.compiler.document(channel, rest); err != nil {
		return document, true, err
	}
	document.Encoded = encoded.New(document.Body)
	return d.keep(channel, document), true, nil
}

func (d *Definitions) known(channel string) (document Document, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	document, ok = d.rendered[channel]
	return document, ok
}

// keep stores a document and returns it. If the channel's document is already stored, keep returns that document.
func (d *Definitions) keep(channel string, document Document) Document {
	d.mu.Lock()
	defer d.mu.Unlock()
	if kept, known := d.rendered[channel]; known {
		return kept
	}
	if d.bytes+len(document.Body) > maxRendered {
		clear(d.rendered)
		d.bytes = 0
	}
	d.rendered[channel] = document
	d.bytes += len(document.Body)
	return document
}

// override is a flag that a release links.
type override struct {
	updateUUID string
	link       models.LinkedFlag
}

// value returns the flag's value on the release, as a string. A flag that is not boolean and is linked as off has the
// channel's default there.
func (o override) value(t models.FlagType, defaultValue string) string {
	if !o.link.Enabled && t != models.FlagBoolean {
		return defaultValue
	}
	return o.link.Value
}

// overrides returns the links of enabled releases by flag ID, newest release first, once for every update ID of the
// release.
func overrides(p models.ProjectSnapshot) map[int64][]override {
	aliases := map[int64][]uuid.UUID{}
	for _, a := range p.Aliases {
		aliases[a.ReleaseID] = append(aliases[a.ReleaseID], a.UpdateUUID)
	}
	found := map[int64][]override{}
	for _, r := range p.Releases {
		if !r.IsEnabled || r.DeletedAt != nil {
			continue
		}
		ids := append([]uuid.UUID{r.UpdateUUID}, aliases[r.ID]...)
		for _, l := range r.LinkedFlags {
			for _, id := range ids {
				found[l.FlagID] = append(found[l.FlagID], override{id.String(), l})
			}
		}
	}
	return found
}

// definition is a flag on the wire. Values are typed.
type definition struct {
	Key              string            `json:"key"`
	FlagType         models.FlagType   `json:"flagType"`
	DefaultValue     json.RawMessage   `json:"defaultValue"`
	Enabled          bool              `json:"enabled"`
	Variations       []variation       `json:"variations"`
	Rules            []ruleDefinition  `json:"rules"`
	ReleaseOverrides []releaseOverride `json:"releaseOverrides"`
}

// disabledFlag is a flag that is off for the channel.
type disabledFlag struct {
	Key          string          `json:"key"`
	FlagType     models.FlagType `json:"flagType"`
	DefaultValue json.RawMessage `json:"defaultValue"`
	// Variant is the name of the variation with the value, or "".
	Variant string `json:"variant,omitempty"`
}

type variation struct {
	ID    int64           `json:"id"`
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

type releaseOverride struct {
	UpdateUUID string          `json:"updateUuid"`
	Value      json.RawMessage `json:"value"`
}

// compiler renders the flags of a project.
type compiler struct {
	flags     []models.Flag
	segments  map[string]models.Segment
	patterns  patterns
	overrides map[int64][]override
	updates   []update
}

const (
	// hashedBytes are hashed within 0.3 milliseconds.
	hashedBytes = 64 << 10
	// bodyExtra is more than the size of a document without its lists.
	bodyExtra = 128
)

// document renders two lists of flags, sorted by key: the flags that are on for the channel or linked by a release,
// and the flags that are off. It calls rest repeatedly.
func (c *compiler) document(channel string, rest func()) (Document, error) {
	flags := slices.SortedFunc(slices.Values(c.flags), func(a, b models.Flag) int { return strings.Compare(a.Key, b.Key) })
	var served, disabled [][]byte
	for _, f := range flags {
		d, err := c.define(f, channel)
		if err != nil {
			return Document{}, fmt.Errorf("flag %s: %w", f.Key, err)
		}
		rest()
		if d.Enabled || len(d.ReleaseOverrides) > 0 {
			if served, err = appendJSON(served, d); err != nil {
				return Document{}, err
			}
		}
		if !d.Enabled {
			_, defaultValue := f.In(channel)
			named, _ := f.Variation(defaultValue)
			if disabled, err = appendJSON(disabled, disabledFlag{d.Key, d.FlagType, d.DefaultValue, named.Name}); err != nil {
				return Document{}, err
			}
		}
		rest()
	}
	updates, err := json.Marshal(c.updates)
	if err != nil {
		return Document{}, err
	}
	size := len(updates) + bodyExtra
	for _, text := range slices.Concat(served, disabled) {
		size += len(text) + 1
	}
	rest()
	body := appendList(append(make([]byte, 0, size), `{"flags":`...), served)
	body = appendList(append(body, `,"disabledFlags":`...), disabled)
	body = append(append(append(body, `,"updates":`...), updates...), `,"version":"`...)
	rest()
	digest := sha256.New()
	for part := range slices.Chunk(body, hashedBytes) {
		digest.Write(part)
		rest()
	}
	version := hex.EncodeToString(digest.Sum(nil)[:12])
	return Document{Body: append(body, version+`"}`...), Version: version}, nil
}

// appendList appends a JSON array of the texts.
func appendList(body []byte, texts [][]byte) []byte {
	body = append(body, '[')
	for i, text := range texts {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, text...)
	}
	return append(body, ']')
}

// appendJSON appends a value as JSON.
func appendJSON(texts [][]byte, value any) ([][]byte, error) {
	text, err := json.Marshal(value)
	return append(texts, text), err
}

func (c *compiler) define(f models.Flag, channel string) (d definition, err error) {
	enabled, defaultValue := f.In(channel)
	d = definition{
		Key: f.Key, FlagType: f.FlagType, Enabled: enabled,
		Variations: make([]variation, len(f.Variations)), Rules: []ruleDefinition{}, ReleaseOverrides: []releaseOverride{},
	}
	if d.DefaultValue, err = f.FlagType.Typed(defaultValue); err != nil {
		return d, err
	}
	for i, v := range f.Variations {
		d.Variations[i] = variation{ID: v.ID, Name: v.Name}
		if d.Variations[i].Value, err = f.FlagType.Typed(v.Value); err != nil {
			return d, err
		}
	}
	for _, o := range c.overrides[f.ID] {
		typed, err := f.FlagType.Typed(o.value(f.FlagType, defaultValue))
		if err != nil {
			return d, err
		}
		d.ReleaseOverrides = append(d.ReleaseOverrides, releaseOverride{o.updateUUID, typed})
	}
	if !enabled {
		return d, nil // clients ignore the rules
	}
	for _, r := range f.Rules {
		if r.ChannelName != nil && *r.ChannelName != channel {
			continue
		}
		compiled, err := c.rule(f, r)
		if err != nil {
			return d, fmt.Errorf("rule %d: %w", r.ID, err)
		}
		d.Rules = append(d.Rules, compiled)
	}
	return d, nil
}
