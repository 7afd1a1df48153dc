package delivery

import (
	"maps"
	"strings"
	"sync/atomic"

	"github.com/Masterminds/semver/v3"
)

// minimumVersion is the oldest runtime version that a channel still serves.
type minimumVersion struct {
	text string
	// version is nil when text is no version; then nothing is below it.
	version *semver.Version
	// header and directive tell a device below it to go to the app store.
	header    []string
	directive *body
	// known remembers what below said: parsing costs more than the rest of a check.
	known atomic.Pointer[map[string]bool]
}

// maxKnown is how many runtime versions are remembered; anybody can make some up.
const maxKnown = 256

func newMinimumVersion(text string, m *renderer) (*minimumVersion, error) {
	directive, err := m.storeUpdate(text)
	if err != nil {
		return nil, err
	}
	v := &minimumVersion{text: text, header: []string{text}, directive: directive}
	if version, err := semver.NewVersion(text); err == nil {
		v.version = version
	}
	return v, nil
}

// below reports whether a device of the given runtime version is too old: both
// parse as semantic versions, missing parts being 0, and the device's is lower.
func (m *minimumVersion) below(runtimeVersion string) bool {
	if m.version == nil {
		return false
	}
	known := m.known.Load()
	if known != nil {
		if below, ok := (*known)[runtimeVersion]; ok {
			return below
		}
	}
	version, err := semver.NewVersion(runtimeVersion)
	below := err == nil && version.LessThan(m.version)
	m.remember(known, runtimeVersion, below)
	return below
}

// remember adds to what was known, unless somebody else has at the same time.
func (m *minimumVersion) remember(known *map[string]bool, runtimeVersion string, below bool) {
	more := map[string]bool{}
	if known != nil {
		if len(*known) >= maxKnown {
			return
		}
		more = maps.Clone(*known)
	}
	more[strings.Clone(runtimeVersion)] = below // not the whole request
	m.known.CompareAndSwap(known, &more)
}
