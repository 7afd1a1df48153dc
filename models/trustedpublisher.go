package models

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	// PublisherKeyLife is how long a key works after it was issued in exchange for an ID token.
	PublisherKeyLife = 15 * time.Minute
	// PublisherKeyKept is how long an expired publisher key is kept. A call by the key waits for approval at most as long.
	PublisherKeyKept = 7 * 24 * time.Hour
	// MaxPublisherKeys is the maximum number of keys of one publisher that work at the same time.
	MaxPublisherKeys = 100

	maxPublishers        = 50
	maxPublisherChannels = 20
	maxIssuerBytes       = 300
	maxAudienceBytes     = 300
)

// TrustedPublisher lets jobs of a CI system exchange their ID tokens for short-lived keys of the project.
type TrustedPublisher struct {
	ID, ProjectID int64
	// Position is the position in the project's list, from 0. If a token matches several publishers, the first one is used.
	Position         int
	Issuer, Audience string
	// Claims are the claims that a token must have; see ClaimRules.
	Claims ClaimRules `gorm:"type:jsonb;serializer:json"`
	Role   Role
	// Channels are the only channels that the keys may change; nil means all.
	Channels  []string `gorm:"type:jsonb;serializer:json"`
	CreatedAt time.Time
	// MadeBy is the user who created or last changed the entry, directly or with a key; nil if it was not a user.
	MadeBy *int64
}

func (TrustedPublisher) TableName() string { return "trusted_publishers" }

// Trusts reports whether a token with the audience and the claims may be exchanged.
func (t TrustedPublisher) Trusts(audience string, claims Claims) bool {
	return t.Audience == audience && t.Claims.Match(claims)
}

// NewTrustedPublisher is an entry of the list that replaces a project's trusted publishers.
type NewTrustedPublisher struct {
	Issuer, Audience string
	Claims           ClaimRules
	Role             Role
	Channels         []string
}

// Publisher returns the entry as the publisher at the given position in the project's list.
func (n NewTrustedPublisher) Publisher(projectID int64, position int, at time.Time) TrustedPublisher {
	channels := slices.Clone(n.Channels)
	slices.Sort(channels)
	return TrustedPublisher{
		ProjectID: projectID, Position: position, Issuer: n.Issuer, Audience: n.Audience, Claims: maps.Clone(n.Claims),
		Role: n.Role, Channels: channels, CreatedAt: at,
	}
}

// Equal reports whether two publishers trust the same tokens and give them the same rights.
func (t TrustedPublisher) Equal(other TrustedPublisher) bool {
	return t.Issuer == other.Issuer && t.Audience == other.Audience && t.Role == other.Role &&
		maps.Equal(t.Claims, other.Claims) && slices.Equal(t.Channels, other.Channels) &&
		(t.Channels == nil) == (other.Channels == nil)
}

// NewTrustedPublishers is the list that replaces a project's trusted publishers.
type NewTrustedPublishers []NewTrustedPublisher

// Validate reports every bad field.
func (n NewTrustedPublishers) Validate() error {
	var p Problems
	if len(n) > maxPublishers {
		p.Add("", "must have at most %d trusted publishers", maxPublishers)
		return p.Err()
	}
	for i, one := range n {
		one.check(&p, fmt.Sprintf("[%d]", i))
		for j, before := range n[:i] {
			if one.Publisher(0, 0, time.Time{}).Equal(before.Publisher(0, 0, time.Time{})) {
				p.Add(fmt.Sprintf("[%d]", i), "is the same as [%d]", j)
				break
			}
		}
	}
	return p.Err()
}

func (n NewTrustedPublisher) check(p *Problems, at string) {
	checkIssuer(p, at+".issuer", n.Issuer)
	checkRequiredText(p, at+".audience", n.Audience, maxAudienceBytes)
	n.Claims.check(p, at+".claims")
	switch n.Role {
	case RoleEditor, RoleViewer:
	case RoleAdmin:
		p.Add(at+".role", "must be editor or viewer; a CI job cannot be an admin, because an admin can change the trusted publishers")
	default:
		p.Add(at+".role", "must be editor or viewer")
	}
	if n.Channels == nil {
		return
	}
	if len(n.Channels) == 0 {
		p.Add(at+".channels", "must name at least one channel; omit the field to allow all channels")
	}
	if len(n.Channels) > maxPublisherChannels {
		p.Add(at+".channels", "must name at most %d channels; omit the field to allow all channels", maxPublisherChannels)
		return
	}
	for i, channel := range n.Channels {
		field := fmt.Sprintf("%s.channels[%d]", at, i)
		checkStreamName(p, field, channel)
		if slices.Contains(n.Channels[:i], channel) {
			p.Add(field, "is listed twice")
		}
	}
}

// checkIssuer accepts the URL of an OpenID Connect issuer. Tokens must contain exactly the same URL.
func checkIssuer(p *Problems, field, v string) {
	u, err := url.Parse(v)
	switch {
	case v == "":
		p.Add(field, "is required")
	case len(v) > maxIssuerBytes:
		p.Add(field, "must be at most %d bytes", maxIssuerBytes)
	case err != nil || u.Scheme != "https" || u.Hostname() == "" || !isVisibleASCII(v):
		p.Add(field, "must be an https URL, such as https://token.actions.githubusercontent.com")
	case u.User != nil:
		p.Add(field, "must not contain a user name or password")
	case strings.ContainsAny(v, "?#"):
		p.Add(field, "must not contain a query or a fragment")
	}
}

// TokenExchange is a verified ID token that matches a publisher.
type TokenExchange struct {
	PublisherID int64
	// Issuer and Claims are copied from the token.
	Issuer string
	Claims Claims
	// Digest identifies the token, so that it is exchanged only once. The digest is not needed after ExpiresAt, when the
	// token can no longer be used.
	Digest    []byte
	ExpiresAt time.Time
}
