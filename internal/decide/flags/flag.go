package flags

import (
	"fmt"
	"reflect"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// Flag is a flag that is ready to be evaluated. It is immutable.
type Flag struct {
	source    models.Flag
	overrides []override
	segments  map[string]*Segment // by key, only the segments that its rules use

	// base has the settings without a channel, and for channels that are not in channels.
	base     *settings
	channels map[string]*settings
	// timed reports whether a value may change because time passes.
	timed bool
}

// settings are the settings of a flag on one channel.
type settings struct {
	enabled        bool
	off, byDefault *Outcome
	// overBudget is the outcome if the rules need more steps than the flag may take.
	overBudget *Outcome
	rules      []*rule // shared by the channels
	// overrides are the outcomes on releases, by update ID.
	overrides map[string]*Outcome
}

// ID returns the flag's ID.
func (f *Flag) ID() int64 { return f.source.ID }

// Key returns the flag's key.
func (f *Flag) Key() string { return f.source.Key }

// Type returns the type of the flag's values.
func (f *Flag) Type() models.FlagType { return f.source.FlagType }

// in returns the settings of a channel.
func (f *Flag) in(channel string) *settings {
	if s := f.channels[channel]; s != nil {
		return s
	}
	return f.base
}

// Evaluate returns the flag's outcome for the context.
func (f *Flag) Evaluate(c *Context) *Outcome {
	c.meter = meter{}
	return f.evaluate(c)
}

// evaluate evaluates like Evaluate, with the steps that other flags have left of the request's steps.
func (f *Flag) evaluate(c *Context) *Outcome {
	s := f.in(c.Channel)
	if decided := s.withoutRules(c); decided != nil {
		return decided
	}
	decided, _ := s.byRules(c)
	return decided
}

// withoutRules returns the outcome if the running release or the flag's state decides it, and nil if the rules
// decide.
func (s *settings) withoutRules(c *Context) (decided *Outcome) {
	if c.Update.UUID != "" {
		decided = s.overrides[c.Update.UUID]
	}
	if decided == nil && !s.enabled {
		decided = s.off
	}
	return decided
}

// byRules returns the outcome and the index of the first rule that matches. Otherwise it returns the default or an
// error, with the index -1.
func (s *settings) byRules(c *Context) (decided *Outcome, rule int) {
	c.begin()
	decided, rule = s.byDefault, -1
	for i := range s.rules {
		if outcome := s.rules[i].match(c, nil); outcome != nil && !c.meter.isOver {
			decided, rule = outcome, i
			break
		}
		if c.meter.isOver {
			break
		}
	}
	if c.end() {
		return s.overBudget, -1
	}
	return decided, rule
}

// compileFlag prepares a flag for evaluation. It returns an error if a value is not of the flag's type.
func compileFlag(source models.Flag, overrides []override, segments map[string]*Segment, all patterns) (*Flag, error) {
	f := &Flag{source: source, overrides: overrides, segments: map[string]*Segment{}, channels: map[string]*settings{}}
	for _, r := range source.Rules {
		if g, ok := segments[r.Config.SegmentKey]; ok && r.RuleType == models.RuleSegment {
			f.segments[g.source.Key] = g
		}
	}
	rules := make([]rule, len(source.Rules))
	own := map[string]bool{}
	for i := range source.Rules {
		var err error
		if rules[i], err = f.compileRule(&source.Rules[i], all); err != nil {
			return nil, fmt.Errorf("flag %s: rule %d: %w", source.Key, source.Rules[i].ID, err)
		}
		if name := source.Rules[i].ChannelName; name != nil {
			own[*name] = true
		}
	}
	for _, e := range source.Environments {
		own[e.ChannelName] = true
	}
	var err error
	if f.base, err = f.compileSettings("", rules); err != nil {
		return nil, fmt.Errorf("flag %s: %w", source.Key, err)
	}
	for name := range own {
		if f.channels[name], err = f.compileSettings(name, rules); err != nil {
			return nil, fmt.Errorf("flag %s on channel %s: %w", source.Key, name, err)
		}
	}
	return f, nil
}

// compileSettings returns the settings of the flag on a channel.
func (f *Flag) compileSettings(channel string, rules []rule) (*settings, error) {
	s := &settings{overrides: make(map[string]*Outcome, len(f.overrides))}
	var defaultValue string
	s.enabled, defaultValue = f.source.In(channel)
	var err error
	if s.off, err = newOutcome(&f.source, defaultValue, ReasonDisabled); err != nil {
		return nil, err
	}
	if s.byDefault, err = newOutcome(&f.source, defaultValue, ReasonDefault); err != nil {
		return nil, err
	}
	if s.overBudget, err = newOutcome(&f.source, defaultValue, ReasonError); err != nil {
		return nil, err
	}
	for _, o := range f.overrides {
		if s.overrides[o.updateUUID], err = newOutcome(&f.source, o.value(f.source.FlagType, defaultValue), ReasonReleaseOverride); err != nil {
			return nil, err
		}
	}
	for i := range rules {
		if r := &rules[i]; r.ChannelName == nil || *r.ChannelName == channel {
			s.rules = append(s.rules, r)
		}
	}
	return s, nil
}

// compileRule prepares a rule for matching.
func (f *Flag) compileRule(source *models.FlagRule, all patterns) (r rule, err error) {
	r = rule{FlagRule: source}
	if err := f.compileResult(&r); err != nil {
		return r, err
	}
	switch source.RuleType {
	case models.RuleUserList:
		r.users = setOf(source.Config.UserIDs)
	case models.RulePercentageRollout: // has shares instead of conditions
	case models.RuleAttribute:
		r.conditions = compileConditions(source.Config.Conditions, all)
	case models.RuleSegment:
		if g := f.segments[source.Config.SegmentKey]; g != nil {
			r.any, r.conditions = g.any, g.conditions
		}
	case models.RuleOTAUpdate:
		r.update = compileUpdateCondition(source.Config)
		f.timed = f.timed || r.update.withinDays != nil
	}
	for _, c := range r.conditions {
		f.timed = f.timed || c.at.of == builtinUpdateAge
	}
	return r, nil
}

// compileResult prepares the value of a rule, or its shares.
func (f *Flag) compileResult(r *rule) (err error) {
	if r.VariantValue != nil && r.RuleType != models.RulePercentageRollout {
		if r.outcome, err = newOutcome(&f.source, *r.VariantValue, reasonOf(r.RuleType)); err != nil {
			return err
		}
	}
	r.salt = "flag:" + f.source.Key
	if by := r.Config.BucketBy; by != "" {
		r.bucketBy = attributeNamed(by)
	}
	var end uint32
	for _, s := range r.Config.Rollout {
		end += rollout.Threshold(s.Weight)
		outcome, err := newOutcome(&f.source, s.VariantValue, ReasonSplit)
		if err != nil {
			return err
		}
		r.shares = append(r.shares, rolloutShare{end, outcome})
	}
	return nil
}

// same reports whether the flag was compiled from these arguments.
func (f *Flag) same(source models.Flag, overrides []override, segments map[string]*Segment) bool {
	for key, used := range f.segments {
		if used != segments[key] {
			return false
		}
	}
	for _, r := range source.Rules { // a segment may be new
		_, known := f.segments[r.Config.SegmentKey]
		if _, ok := segments[r.Config.SegmentKey]; ok && r.RuleType == models.RuleSegment && !known {
			return false
		}
	}
	return reflect.DeepEqual(f.overrides, overrides) && reflect.DeepEqual(f.source, source)
}
