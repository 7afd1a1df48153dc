package models

import (
	"net/url"
	"strings"
)

// hiddenPart replaces a secret in a URL that is shown. It never occurs in a real URL, which would contain it percent-encoded.
const hiddenPart = "…"

const (
	// secretLength is the minimum length in bytes at which a path segment is treated as a secret; tokenLength is the minimum
	// for segments that are not lower-case words.
	secretLength = 16
	tokenLength  = 6
)

// MaskedURL returns the webhook's URL with possible secrets hidden: user and password, path segments that are long or are not
// lower-case words, and the values of the query.
func (w Webhook) MaskedURL() string {
	masked, _ := maskURL(w.URL)
	return masked
}

// HideURLSecrets replaces the secrets that MaskedURL hides in the URL raw wherever they occur in text, except very short values.
func HideURLSecrets(text, raw string) string {
	_, secrets := maskURL(raw)
	for _, secret := range secrets {
		for _, form := range []string{secret, unescaped(secret)} {
			if len(form) >= tokenLength {
				text = strings.ReplaceAll(text, form, hiddenPart)
			}
		}
	}
	return text
}

func unescaped(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// maskURL returns the URL with its secrets hidden, and the secrets as the URL spells them.
func maskURL(raw string) (masked string, secrets []string) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return hiddenPart, []string{raw}
	}
	hide := func(part string) string {
		secrets = append(secrets, part)
		return hiddenPart
	}
	hideIfSecret := func(part string) string {
		if len(part) >= secretLength || len(part) >= tokenLength && !isWord(part) {
			return hide(part)
		}
		return part
	}
	var b strings.Builder
	b.WriteString(u.Scheme + "://")
	if u.User != nil {
		b.WriteString(hide(u.User.String()) + "@")
	}
	b.WriteString(u.Host)
	for i, part := range strings.Split(u.EscapedPath(), "/") {
		if i > 0 {
			b.WriteByte('/')
		}
		b.WriteString(hideIfSecret(part))
	}
	for i, part := range strings.Split(u.RawQuery, "&") {
		name, value, named := strings.Cut(part, "=")
		switch {
		case u.RawQuery == "" && !u.ForceQuery:
			continue
		case i == 0:
			b.WriteByte('?')
		default:
			b.WriteByte('&')
		}
		b.WriteString(hideIfSecret(name))
		if named {
			b.WriteByte('=')
		}
		if value != "" {
			b.WriteString(hide(value))
		}
	}
	return b.String(), secrets
}

// isWord reports whether text consists only of lower-case letters, hyphens, underscores and dots.
func isWord(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' && r != '_' && r != '.' })
}

// checkUnmasked rejects a URL whose secrets are hidden, such as a copy of a MaskedURL.
func checkUnmasked(p *Problems, field, raw string) {
	if strings.Contains(raw, hiddenPart) {
		p.Add(field, "contains %s where a secret is hidden; send the full URL, or omit the field to keep the current URL", hiddenPart)
	}
}
