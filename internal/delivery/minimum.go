package delivery

import "github.com/Masterminds/semver/v3"

// minimumVersion is the oldest runtime version that a channel still serves.
type minimumVersion struct {
	text string
	// version is nil when text is no version; then nothing is below it.
	version *semver.Version
	// header and directive tell a device below it to go to the app store.
	header    []string
	directive *body
}

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
	version, err := semver.NewVersion(runtimeVersion)
	return err == nil && version.LessThan(m.version)
}
