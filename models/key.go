package models

import (
	"regexp"
	"strings"
)

// maxFlagKeyBytes is how long the key of a flag or segment may be.
const maxFlagKeyBytes = 128

var (
	keyPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,127}$`)
	notKey     = regexp.MustCompile(`[^a-z0-9._]+`)
)

// keyFrom makes the key of a flag or segment from its display name: "New
// checkout" becomes "new-checkout". The result is empty when the name has no
// usable character.
func keyFrom(name string) string {
	key := strings.Trim(notKey.ReplaceAllString(strings.ToLower(name), "-"), "-._")
	if len(key) > maxFlagKeyBytes {
		key = strings.TrimRight(key[:maxFlagKeyBytes], "-._")
	}
	return key
}

// checkKey notes a problem unless key can be one. made says that it was made from
// the name.
func checkKey(p *Problems, key string, made bool) {
	switch {
	case keyPattern.MatchString(key):
	case made:
		p.Add("key", "cannot be made from this name; give one")
	default:
		p.Add("key", "must be 1 to 128 lower-case letters, digits or . _ - and begin with a letter or digit")
	}
}
