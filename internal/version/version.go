// Package version says which version of Waft a program is.
package version

import "runtime/debug"

// Number is the version that this source tree is, or that it will be released as.
const Number = "0.1.0"

// released is set by the linker in builds of a release:
//
//	-ldflags "-X github.com/waft-ota/waft/internal/version.released=0.1.0"
var released string

// String returns the version of the running program: that of the release, or
// "0.1.0-dev+<commit>" in a development build. The commit is the first 12 digits, with
// ".modified" behind it where files differed from it; it is missing where the build saw
// no repository.
func String() string {
	if released != "" {
		return released
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return development(nil)
	}
	return development(info.Settings)
}

// development returns the version of a build that is no release.
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
