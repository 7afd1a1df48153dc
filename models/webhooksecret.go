package models

import (
	"crypto/rand"
	"encoding/base64"
	"strings"
)

// WebhookSecret is what a webhook's messages are signed with. It prints as a word;
// Reveal has the text.
type WebhookSecret struct{ text string }

// Standard Webhooks write random keys as whsec_ and base64.
const (
	webhookSecretScheme = "whsec_"
	webhookSecretBytes  = 32
	maxWebhookSecret    = 512
)

// NewWebhookSecret makes a random secret.
func NewWebhookSecret() WebhookSecret {
	raw := make([]byte, webhookSecretBytes)
	rand.Read(raw) // never fails: crypto/rand ends the process instead
	return WebhookSecret{webhookSecretScheme + base64.StdEncoding.EncodeToString(raw)}
}

// WebhookSecretOf is a secret that somebody else made; see Validate of what it is
// part of.
func WebhookSecretOf(text string) WebhookSecret { return WebhookSecret{text} }

// Reveal is the secret as receivers configure it. Show it once, to the caller who set it.
func (s WebhookSecret) Reveal() string { return s.text }

// Key is what signatures are computed with: the decoded base64 after whsec_, or
// the text itself when it does not begin so. It is nil for a secret that does not
// hold by its form.
func (s WebhookSecret) Key() []byte {
	encoded, standard := strings.CutPrefix(s.text, webhookSecretScheme)
	if !standard {
		return []byte(s.text)
	}
	key, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil
	}
	return key
}

// Hint is what may be shown of the secret so that a person recognises it: its last
// four characters where enough stay unknown.
func (s WebhookSecret) Hint() string {
	if len(s.Key()) < 16 {
		return "…"
	}
	return "…" + s.text[len(s.text)-4:]
}

// String hides the secret.
func (WebhookSecret) String() string { return "(webhook secret)" }

// GoString hides the secret.
func (WebhookSecret) GoString() string { return "(webhook secret)" }

func (s WebhookSecret) check(p *Problems) {
	switch {
	case s.text == "":
		p.Add("secret", "must not be empty; leave it out to have one made")
	case len(s.text) > maxWebhookSecret:
		p.Add("secret", "must be at most %d bytes", maxWebhookSecret)
	case strings.ContainsFunc(s.text, func(r rune) bool { return r < 0x21 || r > 0x7e }):
		p.Add("secret", "must be printable ASCII without spaces")
	case len(s.Key()) == 0:
		p.Add("secret", "begins with whsec_, so standard base64 with padding must follow")
	}
}
