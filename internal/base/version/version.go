// Package version has the version of Waft.
package version

import "runtime/debug"

// Number is the version of this source tree, or of its next release.
const Number = "0.1.0"

// released is set by the linker in builds of a release:
//
//	-ldflags "-X github.com/waft-ota/waft/internal/base/version.released=0.1.0"
var released string

// String returns the version of a release, or "0.1.0-dev+<commit>" of a development build. The commit is
// its first 12 digits, with ".modified" when files differed from it; it is missing when the build had no
// repository.
func String() string {
	if released != "" {
		return released
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		return development(info.Settings)
	}
	return development(nil)
}

func development(settings []debug.BuildSetting) string {
	var commit, suffix string
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision":
			commit = "+" + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			suffix = ".modified"
		}
	}
	if commit == "" {
		suffix = ""
	}
	return Number + "-dev" + commit + suffix
}
