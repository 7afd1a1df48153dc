package models

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Each check function adds a problem to p if v, the value of field, is not valid.

const (
	maxSlugBytes = 63
	maxKeyBytes  = 128
)

var (
	slugPattern = compiled(`^[a-z0-9][a-z0-9-]{0,62}$`)
	notSlug     = compiled(`[^a-z0-9]+`)
	keyPattern  = compiled(`^[a-z0-9][a-z0-9._-]{0,127}$`)
	notKey      = compiled(`[^a-z0-9._]+`)
	namePattern = compiled(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$`)
)

// compiled returns a function that compiles an expression when it is first called. Expressions with long repetitions take a millisecond
// together, which each start of the CLI would take longer.
func compiled(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// slugFrom derives a slug from a name: "my-app" from "My App", and "" from a name without usable characters.
func slugFrom(name string) string { return derive(name, notSlug(), maxSlugBytes) }

// keyFrom derives the key of a flag or segment from its name in the same way.
func keyFrom(name string) string { return derive(name, notKey(), maxKeyBytes) }

func derive(name string, unusable *regexp.Regexp, limit int) string {
	const separators = "-._"
	text := strings.Trim(unusable.ReplaceAllString(strings.ToLower(name), "-"), separators)
	return strings.TrimRight(text[:min(limit, len(text))], separators)
}

// checkKey accepts the key of a flag or segment. derived means that keyFrom returned it.
func checkKey(p *Problems, key string, derived bool) {
	switch {
	case keyPattern().MatchString(key):
	case derived:
		p.Add("key", "is required, because it cannot be derived from this name")
	default:
		p.Add("key", "must be 1 to %d lower-case letters, digits or . _ - and begin with a letter or digit", maxKeyBytes)
	}
}

func checkStreamName(p *Problems, field, v string) {
	if !namePattern().MatchString(v) {
		p.Add(field, "must be 1 to 128 letters, digits or . _ / - and begin with a letter or digit")
	}
}

// checkText accepts UTF-8 of at most limit bytes without NUL, which Postgres cannot store.
func checkText(p *Problems, field, v string, limit int) {
	switch {
	case len(v) > limit:
		p.Add(field, "must be at most %d bytes", limit)
	case !IsText(v):
		p.Add(field, "must be UTF-8 text without NUL characters")
	}
}

// checkRequiredText accepts what checkText accepts, except a blank value.
func checkRequiredText(p *Problems, field, v string, limit int) {
	if strings.TrimSpace(v) == "" {
		p.Add(field, "is required")
		return
	}
	checkText(p, field, v, limit)
}

func checkName(p *Problems, field, v string)     { CheckName(p, field, v) }
func checkNote(p *Problems, field, v string)     { checkText(p, field, v, 1000) }
func checkLongText(p *Problems, field, v string) { checkText(p, field, v, 4096) }

// CheckName accepts a name of at most 200 bytes that is not blank.
func CheckName(p *Problems, field, v string) { checkRequiredText(p, field, v, 200) }

// IsText reports whether v is UTF-8 without NUL, which Postgres can store.
func IsText(v string) bool { return utf8.ValidString(v) && !strings.ContainsRune(v, 0) }

// StorableText returns at most limit bytes of text, without NUL and invalid UTF-8.
func StorableText(text string, limit int) string {
	text = strings.ReplaceAll(text, "\x00", "")
	return strings.ToValidUTF8(text[:min(limit, len(text))], "")
}

func ifSet[T any](p *Problems, field string, v *T, check func(p *Problems, field string, v T)) {
	if v != nil {
		check(p, field, *v)
	}
}

// checkTime accepts nil and the years that RFC 3339 can express in UTC, because responses contain times in that form.
func checkTime(p *Problems, field string, t *time.Time) {
	if t != nil && (t.UTC().Year() < 0 || t.UTC().Year() > 9999) {
		p.Add(field, "must be in the years 0 to 9999 (UTC)")
	}
}

// checkOneOf accepts a value that is in allowed, which has at least two elements.
func checkOneOf[T ~string](p *Problems, field string, v T, allowed ...T) {
	if slices.Contains(allowed, v) {
		return
	}
	words := make([]string, len(allowed))
	for i, text := range allowed {
		words[i] = string(text)
	}
	last := len(words) - 1
	p.Add(field, "must be %s or %s", strings.Join(words[:last], ", "), words[last])
}

// CheckPercentage accepts 0–100 with at most three decimals, because that is the resolution of a bucket.
func CheckPercentage(p *Problems, field string, v float64) {
	if math.IsNaN(v) || v < 0 || v > 100 {
		p.Add(field, "must be a number from 0 to 100")
	} else if math.Abs(v*1000-math.Round(v*1000)) > 1e-6 {
		p.Add(field, "may have at most 3 decimals")
	}
}

// CheckRuntimeVersion accepts 1 to 128 bytes of visible ASCII, because the version is sent in a header.
func CheckRuntimeVersion(p *Problems, field, v string) {
	switch {
	case v == "":
		p.Add(field, "is required")
	case len(v) > 128:
		p.Add(field, "must be at most 128 bytes")
	case !isVisibleASCII(v):
		p.Add(field, "must be printable ASCII without spaces")
	}
}

func isVisibleASCII(v string) bool {
	return !strings.ContainsFunc(v, func(r rune) bool { return r < 0x21 || r > 0x7e })
}
