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

// AllEvents is the event name that stands for all events.
const AllEvents = "*"

// Webhook is a URL to which Waft sends a message for each change of a project.
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
	// SealedPreviousSecret is the encrypted previous secret, "" for none. Messages are also signed with it until
	// PreviousSecretUntil, for receivers that do not know the new secret yet.
	SealedPreviousSecret string
	PreviousSecretUntil  *time.Time
	Format               WebhookFormat
	// FailingSince is the time of the first failed attempt after the last successful attempt, nil if no attempt failed since.
	FailingSince *time.Time
	// DisabledReason is the reason why Waft disabled the webhook, empty if it did not.
	DisabledReason       string
	CreatedAt, UpdatedAt time.Time

	// LastDelivery is the newest delivery, nil before the first. It is set in responses of the API.
	LastDelivery *WebhookDelivery `gorm:"-"`
}

type NewWebhook struct {
	URL         string
	Description string
	Events      []string
	IsActive    bool
	// Format is FormatStandard if empty.
	Format WebhookFormat
	// Secret is random if nil.
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
	// URL is ignored if it is the webhook's MaskedURL.
	URL         *string
	Description *string
	Events      *[]string
	IsActive    *bool
	Format      *WebhookFormat
	// Secret replaces the webhook's secret immediately.
	Secret *WebhookSecret
}

// NewURL returns the URL that the patch sets; ok is false if the patch does not change the URL. The error is CodeInvalid if
// the URL has hidden secrets but is not the masked URL of this webhook.
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

// checkWebhookURL accepts absolute http and https URLs. Each attempt checks the network of the URL.
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
		p.Add(field, "must not contain a user or password; the receiver verifies the signature instead")
	case u.Fragment != "":
		p.Add(field, "must not contain a fragment, because a fragment is never sent")
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
			p.Add(at, "must be * or the name of an event, such as build.published")
		} else if slices.Contains(events[:i], name) {
			p.Add(at, "is listed twice")
		}
		if len(*p) > maxEventProblems {
			return
		}
	}
}

// WebhookSecret signs the messages of a webhook. Logs do not show it; Reveal returns it as a string.
type WebhookSecret struct{ text string }

// A random secret of Standard Webhooks consists of whsec_ and a key in base64.
const (
	webhookSecretScheme = "whsec_"
	webhookSecretBytes  = 32
	maxWebhookSecret    = 512
)

// NewWebhookSecret returns a random secret.
func NewWebhookSecret() WebhookSecret {
	raw := make([]byte, webhookSecretBytes)
	rand.Read(raw) // never fails: crypto/rand ends the process instead
	return WebhookSecret{webhookSecretScheme + base64.StdEncoding.EncodeToString(raw)}
}

// WebhookSecretOf returns the secret in a request. It must be validated.
func WebhookSecretOf(text string) WebhookSecret { return WebhookSecret{text} }

// Reveal returns the secret as receivers configure it. Show it once, to its creator.
func (s WebhookSecret) Reveal() string { return s.text }

// Key returns the signing key: the decoded base64 after whsec_, nil if that is invalid, or the whole secret if it does not
// begin with whsec_.
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

// Hint returns the end of the secret so that people can recognise it: its last four characters, or none of a short secret.
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
		p.Add(field, "must not be empty; omit the field to get a random secret")
	case len(s.text) > maxWebhookSecret:
		p.Add(field, "must be at most %d bytes", maxWebhookSecret)
	case !isVisibleASCII(s.text):
		p.Add(field, "must be printable ASCII without spaces")
	case len(s.Key()) == 0:
		p.Add(field, "must continue with standard base64 with padding, because it begins with whsec_")
	}
}
