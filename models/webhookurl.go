package models

import (
	"net/url"
	"strings"
)

// hiddenPart stands for a secret in a URL that is shown. A URL never has it, as it would be percent-encoded.
const hiddenPart = "…"

const (
	// secretLength is from how many bytes on a part of a path is taken for a secret, and tokenLength the same for one that is
	// no word in lower case.
	secretLength = 16
	tokenLength  = 6
)

// MaskedURL is the webhook's URL without what may be a secret: user and password, parts of the path that are long or no
// words in lower case, and the values of the query.
func (w Webhook) MaskedURL() string {
	masked, _ := maskURL(w.URL)
	return masked
}

// HideURLSecrets replaces in a text what MaskedURL hides of the URL, other than very short values.
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

// maskURL returns the URL with its secrets hidden, and the secrets as they are in it.
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

// isWord reports whether the text has letters in lower case, hyphens, underscores and dots only.
func isWord(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' && r != '_' && r != '.' })
}

// checkUnmasked refuses a URL that was copied from where its secrets are hidden.
func checkUnmasked(p *Problems, field, raw string) {
	if strings.Contains(raw, hiddenPart) {
		p.Add(field, "has %s where a secret is hidden: give the whole URL, or leave it out of a change", hiddenPart)
	}
}
