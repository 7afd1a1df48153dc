package stack

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

var plain = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=,-]*$`)

// formatEnv writes variables as lines that a shell can read.
func formatEnv(vars map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		value := vars[name]
		if !plain.MatchString(value) {
			value = "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
		}
		fmt.Fprintf(&b, "%s=%s\n", name, value)
	}
	return b.String()
}

// parseEnv reads what formatEnv wrote.
func parseEnv(text string) map[string]string {
	vars := map[string]string{}
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		if quoted, ok := strings.CutPrefix(value, "'"); ok {
			value = strings.ReplaceAll(strings.TrimSuffix(quoted, "'"), `'\''`, "'")
		}
		vars[name] = value
	}
	return vars
}

// overlay returns the caller's environment with vars over it.
func overlay(vars map[string]string) []string {
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		_, replaced := vars[name]
		return replaced
	})
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		env = append(env, name+"="+vars[name])
	}
	return env
}

// underlay returns the caller's environment with vars where it says nothing.
func underlay(vars map[string]string) []string {
	missing := maps.Clone(vars)
	maps.DeleteFunc(missing, func(name, _ string) bool { return os.Getenv(name) != "" })
	return overlay(missing)
}

// EngineEnv is the environment for the engines themselves: the caller's
// without what clients of Postgres read, and with the locale and clock of a
// server.
func EngineEnv() []string {
	env := overlay(map[string]string{"TZ": "UTC", "LC_ALL": "C"})
	return slices.DeleteFunc(env, func(entry string) bool { return strings.HasPrefix(entry, "PG") })
}
