package fleet

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// Effect is a way in which a release fails on a device.
type Effect string

// Effects.
const (
	// Crash ends the app after its first screen. The device reports a crash.
	Crash Effect = "crash"
	// JSError is an error after which the app continues. The device reports a js_error.
	JSError Effect = "js_error"
	// StartupCrash ends the app before its first screen, so the device cannot report it. The client falls back to
	// another update and lists this one as failed.
	StartupCrash Effect = "startup_crash"
)

// Rule makes a release fail on Percent of the devices that run it. These are always the same devices, and Effect
// happens at every start.
type Rule struct {
	// Match identifies the release by its update UUID, the MD5 of its bundle or its release notes. "embedded" matches
	// the embedded update, and "*" every release.
	Match   string
	Effect  Effect
	Percent float64
}

// EmbeddedMatch and AnyMatch are the special values of Rule.Match.
const (
	EmbeddedMatch = "embedded"
	AnyMatch      = "*"
)

// ParseRule reads a rule of the form "name=rate" with the rate in percent, such as "broken=20%" or "broken=0.5".
func ParseRule(effect Effect, text string) (Rule, error) {
	cut := strings.LastIndex(text, "=")
	if cut < 1 {
		return Rule{}, fmt.Errorf("%q is not of the form release=percent", text)
	}
	percent, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(text[cut+1:]), "%"), 64)
	if err != nil || !(percent >= 0 && percent <= 100) {
		return Rule{}, fmt.Errorf("%q: the rate must be from 0 to 100 percent", text)
	}
	return Rule{Match: text[:cut], Effect: effect, Percent: percent}, nil
}

// strikes reports whether the rules give the device the effect for update u. A rule that names the release takes
// precedence over a rule for every release.
func strikes(rules []Rule, effect Effect, seed int64, deviceID string, u *stored) bool {
	var percent float64
	named := false
	for _, r := range rules {
		if r.Effect != effect {
			continue
		}
		switch {
		case r.names(u):
			percent, named = r.Percent, true
		case r.Match == AnyMatch && !named:
			percent = r.Percent
		}
	}
	return percent > 0 && chance(seed, deviceID, effect, u.code()) < percent
}

func (r Rule) names(u *stored) bool {
	if u.manifest == nil {
		return r.Match == EmbeddedMatch || r.Match == u.embeddedID
	}
	m := u.manifest
	return r.Match == m.ID || r.Match == m.Launch.Key || m.Message != "" && r.Match == m.Message
}

// code returns an ID of the update's bundle. A bundle that is published again crashes on the same devices.
func (s *stored) code() string {
	if s.manifest == nil {
		return s.embeddedID
	}
	return s.manifest.Launch.Key
}

// chance returns a number in [0, 100). It is the same for the same arguments, and uniformly distributed over different
// arguments.
func chance(seed int64, deviceID string, effect Effect, code string) float64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d/%s/%s/%s", seed, deviceID, effect, code))
	return 100 * float64(binary.BigEndian.Uint64(sum[:8])>>11) / (1 << 53)
}
