package flags

import (
	"cmp"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// version is a semantic version. Missing parts are 0.
type version struct {
	parts [3]uint64
	// whole is set if the version has a pre-release part, which parts cannot represent.
	whole *semver.Version
}

// parseVersion parses a version. It does not allocate for one to three plain numbers, the form of most versions.
func parseVersion(s string) (v version, ok bool) {
	if v, ok = plainVersion(s); ok {
		return v, true
	}
	parsed, err := semver.NewVersion(s)
	if err != nil {
		return version{}, false
	}
	v.parts = [3]uint64{parsed.Major(), parsed.Minor(), parsed.Patch()}
	if parsed.Prerelease() != "" {
		v.whole = parsed
	}
	return v, true
}

// plainVersion parses one to three numbers separated by dots.
func plainVersion(s string) (v version, ok bool) {
	const most = 18 // maximum number of digits that always fit
	for i := range v.parts {
		n := digits(s)
		if n == 0 || n > most || n > 1 && s[0] == '0' {
			return version{}, false
		}
		for _, c := range s[:n] {
			v.parts[i] = v.parts[i]*10 + uint64(c-'0')
		}
		if s = s[n:]; s == "" {
			return v, true
		}
		if !strings.HasPrefix(s, ".") {
			return version{}, false
		}
		s = s[1:]
	}
	return version{}, false
}

// compare orders versions as semver does. It ignores build metadata.
func (v version) compare(w version) int {
	if v.whole != nil || w.whole != nil {
		return v.semver().Compare(w.semver())
	}
	for i := range v.parts {
		if c := cmp.Compare(v.parts[i], w.parts[i]); c != 0 {
			return c
		}
	}
	return 0
}

func (v version) semver() *semver.Version {
	if v.whole != nil {
		return v.whole
	}
	return semver.New(v.parts[0], v.parts[1], v.parts[2], "", "")
}
