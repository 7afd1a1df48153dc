package models

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

var (
	slugPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,62}$`)
	namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$`)
	notSlug     = regexp.MustCompile(`[^a-z0-9]+`)
)

// slugify makes a project slug from a display name: "My App" becomes "my-app".
// The result may be empty when the name has no usable character.
func slugify(name string) string {
	s := strings.Trim(notSlug.ReplaceAllString(strings.ToLower(name), "-"), "-")
	if len(s) > 63 {
		s = strings.TrimRight(s[:63], "-")
	}
	return s
}

// checkStreamName notes a problem unless v can name a branch or a channel.
func checkStreamName(p *Problems, field, v string) {
	if !namePattern.MatchString(v) {
		p.Add(field, "must be 1 to 128 letters, digits or . _ / - and begin with a letter or digit")
	}
}

// checkText notes a problem unless v is valid UTF-8 of at most limit bytes
// without NUL, which Postgres cannot store.
func checkText(p *Problems, field, v string, limit int) {
	switch {
	case len(v) > limit:
		p.Add(field, "must be at most %d bytes", limit)
	case !IsText(v):
		p.Add(field, "must be UTF-8 text without NUL characters")
	}
}

// IsText reports whether v is valid UTF-8 without NUL. Nothing else is in a record,
// since Postgres cannot store it.
func IsText(v string) bool { return utf8.ValidString(v) && !strings.ContainsRune(v, 0) }

// StorableText returns at most limit bytes of text without what IsText refuses.
func StorableText(text string, limit int) string {
	text = strings.ReplaceAll(text, "\x00", "")
	if len(text) > limit {
		text = text[:limit]
	}
	return strings.ToValidUTF8(text, "")
}

// ifSet runs check, which is checkText or checkRequiredText, unless v is nil.
func ifSet(check func(p *Problems, field, v string, limit int), p *Problems, field string, v *string, limit int) {
	if v != nil {
		check(p, field, *v, limit)
	}
}

// checkTime notes a problem unless t is nil or in a year that RFC 3339 can write in
// UTC, which is how times are answered.
func checkTime(p *Problems, field string, t *time.Time) {
	if t != nil && (t.UTC().Year() < 0 || t.UTC().Year() > 9999) {
		p.Add(field, "must be in the years 0 to 9999 of UTC")
	}
}

// checkOneOf notes a problem unless v is one of at least two allowed texts.
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

// checkRequiredText is checkText for a field that must not be empty.
func checkRequiredText(p *Problems, field, v string, limit int) {
	if strings.TrimSpace(v) == "" {
		p.Add(field, "is required")
		return
	}
	checkText(p, field, v, limit)
}
