package models

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// AllEvents is the event name that stands for every one.
const AllEvents = "*"

// Webhook is a URL that gets a message for each change of a project.
type Webhook struct {
	Versioned
	ID, ProjectID int64
	URL           string `gorm:"column:url"`
	Description   string
	// Events are names of events that are Subscribable, or AllEvents.
	Events   []string `gorm:"type:jsonb;serializer:json"`
	IsActive bool
	// SealedSecret is the encrypted WebhookSecret, SecretHint its Hint.
	SealedSecret string
	SecretHint   string
	// SealedPreviousSecret signs too until PreviousSecretUntil, for receivers that do not know the new one yet; ""
	// without one.
	SealedPreviousSecret string
	PreviousSecretUntil  *time.Time
	Format               WebhookFormat
	// FailingSince is the first failed attempt after the last successful one, nil when none failed.
	FailingSince *time.Time
	// DisabledReason is why Waft disabled the webhook, empty when it did not.
	DisabledReason       string
	CreatedAt, UpdatedAt time.Time

	// LastDelivery is the newest one, nil before the first; filled in answers of the API.
	LastDelivery *WebhookDelivery `gorm:"-"`
}

type NewWebhook struct {
	URL         string
	Description string
	Events      []string
	IsActive    bool
	// Format is FormatStandard when empty.
	Format WebhookFormat
	// Secret is random when nil.
	Secret *WebhookSecret
}

func (n NewWebhook) Validate() error {
	var p Problems
	checkWebhookURL(&p, "url", n.URL)
	checkUnmasked(&p, "url", n.URL)
	checkNote(&p, "description", n.Description)
	checkEvents(&p, "events", n.Events)
	ifSet(&p, "secret", n.Secret, checkWebhookSecret)
	if n.Format != "" {
		checkWebhookFormat(&p, "format", n.Format)
	}
	return p.Err()
}

type WebhookPatch struct {
	// URL as it was shown, with hidden secrets, changes nothing.
	URL         *string
	Description *string
	Events      *[]string
	IsActive    *bool
	Format      *WebhookFormat
	// Secret takes the place of the webhook's at once.
	Secret *WebhookSecret
}

// NewURL is the URL that the patch gives the webhook; ok is false when it leaves the URL as it is. The error is
// CodeInvalid for a URL whose secrets are hidden and that is not the webhook's.
func (w WebhookPatch) NewURL(of Webhook) (raw string, ok bool, err error) {
	if w.URL == nil || *w.URL == of.URL || *w.URL == of.MaskedURL() {
		return "", false, nil
	}
	var p Problems
	checkUnmasked(&p, "url", *w.URL)
	return *w.URL, true, p.Err()
}

func (w WebhookPatch) Validate() error {
	var p Problems
	ifSet(&p, "url", w.URL, checkWebhookURL)
	ifSet(&p, "description", w.Description, checkNote)
	ifSet(&p, "events", w.Events, checkEvents)
	ifSet(&p, "format", w.Format, checkWebhookFormat)
	ifSet(&p, "secret", w.Secret, checkWebhookSecret)
	return p.Err()
}

// checkWebhookURL accepts absolute http and https URLs. The network is checked at each attempt.
func checkWebhookURL(p *Problems, field, raw string) {
	before := len(*p)
	checkRequiredText(p, field, raw, 2048)
	if len(*p) > before {
		return
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Hostname() == "" || (u.Scheme != "https" && u.Scheme != "http"):
		p.Add(field, "must be an absolute http or https URL")
	case u.User != nil:
		p.Add(field, "must not have a user or password: the receiver verifies the signature instead")
	case u.Fragment != "":
		p.Add(field, "must not have a fragment: it is never sent")
	case u.Port() != "" && !validPort(u.Port()):
		p.Add(field, "must have a port from 1 to 65535, or none")
	}
}

func validPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

const maxEventProblems = 20

func checkEvents(p *Problems, field string, events []string) {
	if len(events) == 0 {
		p.Add(field, "must name at least one event, or * for all of them")
	}
	for i, name := range events {
		at := fmt.Sprintf("%s[%d]", field, i)
		if name != AllEvents && !KnownAction(name) {
			p.Add(at, "must be * or the name of an action, such as build.published")
		} else if slices.Contains(events[:i], name) {
			p.Add(at, "is listed twice")
		}
		if len(*p) > maxEventProblems {
			return
		}
	}
}

// WebhookSecret signs the messages of a webhook. It is hidden in logs; Reveal returns the text.
type WebhookSecret struct{ text string }

// Random keys of Standard Webhooks are whsec_ and base64.
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

// WebhookSecretOf is a secret from a request, which must be validated.
func WebhookSecretOf(text string) WebhookSecret { return WebhookSecret{text} }

// Reveal returns the secret as receivers configure it. Show it once, to its creator.
func (s WebhookSecret) Reveal() string { return s.text }

// Key is the decoded base64 after whsec_, nil if invalid, or the text when it does not begin so.
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

// Hint helps to recognise the secret: its last four characters, or none of a short secret.
func (s WebhookSecret) Hint() string {
	if len(s.Key()) < 16 {
		return "…"
	}
	return "…" + s.text[len(s.text)-4:]
}

func (WebhookSecret) String() string { return "(webhook secret)" }

func (s WebhookSecret) GoString() string { return s.String() }

func checkWebhookSecret(p *Problems, field string, s WebhookSecret) {
	switch {
	case s.text == "":
		p.Add(field, "must not be empty; leave it out to have one made")
	case len(s.text) > maxWebhookSecret:
		p.Add(field, "must be at most %d bytes", maxWebhookSecret)
	case !isVisibleASCII(s.text):
		p.Add(field, "must be printable ASCII without spaces")
	case len(s.Key()) == 0:
		p.Add(field, "begins with whsec_, so standard base64 with padding must follow")
	}
}
