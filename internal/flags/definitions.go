package flags

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/waft-ota/waft/models"
)

// Definitions are the flags of one project for every channel. They are immutable
// and safe for concurrent use.
type Definitions struct {
	channels map[string]func() (Document, error)
}

// Document is what a client provider downloads.
type Document struct {
	Body []byte
	// Version differs exactly when the flags do.
	Version string
}

// NewDefinitions prepares the flags of a project. The document of a channel is
// rendered when it is first asked for.
func NewDefinitions(p models.ProjectSnapshot) *Definitions {
	c := &compiler{flags: p.Flags, segments: make(map[string]models.Segment, len(p.Segments)), overrides: overrides(p)}
	for _, s := range p.Segments {
		c.segments[s.Key] = s
	}
	d := &Definitions{channels: make(map[string]func() (Document, error), len(p.Channels)+1)}
	for _, channel := range p.Channels {
		d.add(c, channel.Name)
	}
	d.add(c, "")
	return d
}

func (d *Definitions) add(c *compiler, channel string) {
	d.channels[channel] = sync.OnceValues(func() (Document, error) { return c.document(channel) })
}

// Channel returns the document of a channel, or of none with "": then the flags
// are as they are apart from all channels. It reports whether there is such a
// channel.
func (d *Definitions) Channel(channel string) (document Document, ok bool, err error) {
	render, ok := d.channels[channel]
	if !ok {
		return Document{}, false, nil
	}
	document, err = render()
	return document, true, err
}

// override is what a release says of a flag.
type override struct {
	updateUUID string
	link       models.LinkedFlag
}

// overrides are by flag id, those of the newest release first, each by every name
// that devices run it by. Links live and die with their release, so one that is
// disabled or deleted has none.
func overrides(p models.ProjectSnapshot) map[int64][]override {
	aliases := map[int64][]models.ReleaseAlias{}
	for _, a := range p.Aliases {
		aliases[a.ReleaseID] = append(aliases[a.ReleaseID], a)
	}
	found := map[int64][]override{}
	for _, r := range p.Releases {
		if !r.IsEnabled || r.DeletedAt != nil {
			continue
		}
		for _, l := range r.LinkedFlags {
			found[l.FlagID] = append(found[l.FlagID], override{r.UpdateUUID.String(), l})
			for _, a := range aliases[r.ID] {
				found[l.FlagID] = append(found[l.FlagID], override{a.UpdateUUID.String(), l})
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
	Rules            []rule            `json:"rules"`
	ReleaseOverrides []releaseOverride `json:"releaseOverrides"`
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
	overrides map[int64][]override
}

// document renders the flags that are on for the channel, and those that are off
// there but that a release turns on for its devices, by key.
func (c *compiler) document(channel string) (Document, error) {
	list := []definition{}
	for _, f := range c.flags {
		enabled, _ := f.In(channel)
		if !enabled && len(c.overrides[f.ID]) == 0 {
			continue
		}
		d, err := c.define(f, channel)
		if err != nil {
			return Document{}, fmt.Errorf("flag %s: %w", f.Key, err)
		}
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b definition) int { return strings.Compare(a.Key, b.Key) })
	content, err := json.Marshal(list)
	if err != nil {
		return Document{}, err
	}
	digest := sha256.Sum256(content)
	version := hex.EncodeToString(digest[:12])
	body, err := json.Marshal(struct {
		Flags   json.RawMessage `json:"flags"`
		Version string          `json:"version"`
	}{content, version})
	return Document{Body: body, Version: version}, err
}

func (c *compiler) define(f models.Flag, channel string) (d definition, err error) {
	enabled, defaultValue := f.In(channel)
	d = definition{
		Key: f.Key, FlagType: f.FlagType, Enabled: enabled,
		Variations: make([]variation, len(f.Variations)), Rules: []rule{}, ReleaseOverrides: []releaseOverride{},
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
		value := o.link.Value
		if !o.link.Enabled && f.FlagType != models.FlagBoolean {
			value = defaultValue // off, as it would be on this channel
		}
		typed, err := f.FlagType.Typed(value)
		if err != nil {
			return d, err
		}
		d.ReleaseOverrides = append(d.ReleaseOverrides, releaseOverride{o.updateUUID, typed})
	}
	if !enabled {
		return d, nil // no rule is looked at
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
