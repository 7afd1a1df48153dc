package models

import (
	"fmt"
	"net/url"
	"strconv"
	"time"
)

// AllEvents is the event name that stands for every one.
const AllEvents = "*"

// Webhook is told of what happens in a project.
type Webhook struct {
	ID          int64
	ProjectID   int64
	URL         string `gorm:"column:url"`
	Description string
	// Events are names of Actions, or AllEvents.
	Events   []string `gorm:"type:jsonb;serializer:json"`
	IsActive bool
	// SealedSecret is the encrypted WebhookSecret, SecretHint what may be shown of
	// it.
	SealedSecret string
	SecretHint   string
	// FailingSince is the first failed attempt since the last one that succeeded, nil
	// while none failed.
	FailingSince *time.Time
	// DisabledReason says why Waft disabled the webhook, empty when it did not.
	DisabledReason string
	CreatedAt      time.Time
	UpdatedAt      time.Time

	// LastDelivery is the newest one, nil before the first; filled in where
	// webhooks are answered.
	LastDelivery *WebhookDelivery `gorm:"-"`
}

// NewWebhook is what a caller says to create a webhook. Without a secret one is
// made.
type NewWebhook struct {
	URL         string
	Description string
	Events      []string
	IsActive    bool
	Secret      *WebhookSecret
}

// Validate reports every bad field.
func (n NewWebhook) Validate() error {
	var p Problems
	checkWebhookURL(&p, n.URL)
	checkText(&p, "description", n.Description, 1000)
	checkEvents(&p, n.Events)
	if n.Secret != nil {
		n.Secret.check(&p)
	}
	return p.Err()
}

// WebhookPatch changes the fields that are set.
type WebhookPatch struct {
	URL         *string
	Description *string
	Events      *[]string
	IsActive    *bool
	Secret      *WebhookSecret
}

// Validate reports every bad field.
func (w WebhookPatch) Validate() error {
	var p Problems
	if w.URL != nil {
		checkWebhookURL(&p, *w.URL)
	}
	ifSet(checkText, &p, "description", w.Description, 1000)
	if w.Events != nil {
		checkEvents(&p, *w.Events)
	}
	if w.Secret != nil {
		w.Secret.check(&p)
	}
	return p.Err()
}

// checkWebhookURL notes a problem unless raw can be posted to. Whether its host
// may be reached is decided when it is.
func checkWebhookURL(p *Problems, raw string) {
	before := len(*p)
	checkRequiredText(p, "url", raw, 2048)
	if len(*p) > before {
		return
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Hostname() == "" || (u.Scheme != "https" && u.Scheme != "http"):
		p.Add("url", "must be an absolute http or https URL")
	case u.User != nil:
		p.Add("url", "must not hold a user or a password: everybody who may read the webhook would see it")
	case u.Fragment != "":
		p.Add("url", "must not have a fragment: it is never sent")
	case u.Port() != "" && !validPort(u.Port()):
		p.Add("url", "must have a port from 1 to 65535, or none")
	}
}

func validPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

func checkEvents(p *Problems, events []string) {
	if len(events) == 0 {
		p.Add("events", "must name at least one event, or * for all of them")
	}
	seen := map[string]bool{}
	for i, name := range events {
		field := fmt.Sprintf("events[%d]", i)
		switch {
		case name != AllEvents && !KnownAction(name):
			p.Add(field, "must be * or the name of an action, such as build.published")
		case seen[name]:
			p.Add(field, "is listed twice")
		}
		seen[name] = true
		if len(*p) > maxEventProblems {
			return
		}
	}
}

// maxEventProblems keeps the answer to a long list of nonsense short.
const maxEventProblems = 20
