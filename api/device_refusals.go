package api

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/waft-ota/waft/internal/delivery"
	"github.com/waft-ota/waft/models"
)

// Refusals counts what was refused, so that a mistake in an app's settings does not stay
// silent. It neither waits nor fails.
type Refusals interface {
	// Refused is for a manifest request that got nothing.
	Refused(r models.RefusedRequest)
	// Limited is for a health report that was refused for its rate.
	Limited(r models.LimitedReport)
}

// refusalBook writes down who got nothing, and why.
type refusalBook struct{ refusals Refusals }

// decided notes a request that led to nothing.
func (b refusalBook) decided(s *delivery.Snapshot, r *delivery.Request, d *delivery.Decision) {
	if reason := d.Refusal(); reason != "" {
		b.note(s, models.RefusedRequest{
			Reason: reason, Channel: r.Channel, Platform: string(r.Platform), RuntimeVersion: r.RuntimeVersion, DeviceID: r.DeviceID,
		})
	}
}

// missing are the reasons for headers that are missing; the first one counts.
var missing = []struct {
	field  string
	reason models.RefusalReason
}{
	{"client-channel-name", models.RefusedMissingChannel},
	{"client-platform", models.RefusedMissingPlatform},
	{"client-runtime-version", models.RefusedMissingRuntimeVersion},
}

// limited notes a request that came too often.
func (b refusalBook) limited(s *delivery.Snapshot, r *http.Request) {
	said := saidOf(r)
	said.Reason = models.RefusedRateLimited
	b.note(s, said)
}

// saidOf is what can be read of a request.
func saidOf(r *http.Request) models.RefusedRequest {
	return models.RefusedRequest{
		Channel:        readable(cmp.Or(r.Header.Get("Client-Channel-Name"), r.Header.Get("Expo-Channel-Name"), r.URL.Query().Get("channel"))),
		Platform:       readable(cmp.Or(r.Header.Get("Client-Platform"), r.Header.Get("Expo-Platform"))),
		RuntimeVersion: readable(cmp.Or(r.Header.Get("Client-Runtime-Version"), r.Header.Get("Expo-Runtime-Version"))),
		DeviceID: strings.ToLower(readable(cmp.Or(
			r.Header.Get("Client-Device-Id"), r.Header.Get("Expo-Device-Id"), r.Header.Get("Eas-Client-Id")))),
	}
}

// malformed notes a request that could not be read, by what can be read of it.
func (b refusalBook) malformed(s *delivery.Snapshot, r *http.Request, err error) {
	said := saidOf(r)
	said.Reason = reasonOf(err)
	b.note(s, said)
}

// reasonOf is why a request that could not be read is refused.
func reasonOf(err error) models.RefusalReason {
	var e *models.Error
	if !errors.As(err, &e) {
		return models.RefusedBadRequest
	}
	for _, m := range missing {
		if slices.ContainsFunc(e.Fields, func(f models.FieldError) bool {
			return f.Field == m.field && strings.HasPrefix(f.Message, "is missing")
		}) {
			return m.reason
		}
	}
	return models.RefusedBadRequest
}

// maxRefusedText keeps what is told apart short; longer texts are part of what was
// wrong.
const maxRefusedText = 128

// readable is the text when it can be shown, else "".
func readable(text string) string {
	if len(text) > maxRefusedText || !utf8.ValidString(text) || strings.ContainsFunc(text, isControl) {
		return ""
	}
	return text
}

func isControl(r rune) bool { return r < 0x20 || r == 0x7f }

func (b refusalBook) note(s *delivery.Snapshot, r models.RefusedRequest) {
	r.ProjectID = s.Project().ID
	r.DeviceID, _ = s.DeviceIdentity(r.DeviceID, "")
	b.refusals.Refused(r)
}
