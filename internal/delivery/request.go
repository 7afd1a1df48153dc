package delivery

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/waft-ota/waft/models"
)

// Request is what a device says of itself.
type Request struct {
	Channel        string
	Platform       models.Platform
	RuntimeVersion string
	// DeviceID is in lower case, "" when the device does not say.
	DeviceID string
	// UserID is as the app gave it, "" when it did not.
	UserID string
	// CurrentUpdateUUID and EmbeddedUpdateUUID are the running update and the one
	// inside the app, in lower case, "" when unknown.
	CurrentUpdateUUID  string
	EmbeddedUpdateUUID string
	// RecentFailed are updates that failed to start, in lower case.
	RecentFailed []string
	// Protocol is the Expo Updates protocol version, 0 or 1.
	Protocol int
	Accept   Accept
	// ExpectSignature is a structured dictionary that says which signature the answer
	// must have, "" when it needs none.
	ExpectSignature string
}

// Limits of what a device may say. Stock clients stay far below them.
const (
	maxValueBytes      = 256
	maxStructuredBytes = 4096
	maxFailed          = 16
)

// ParseRequest reads the headers of a manifest request by the wire contract's
// mapping, and the query for the channel when no header names it. Names of headers
// are in canonical form, as a server has them. The error is CodeInvalid and names
// every header that is missing or wrong. A structured header that does not parse
// says nothing: no device is cut off from updates by what only refines its answer.
func ParseRequest(h http.Header, rawQuery string) (Request, error) {
	p := parser{header: h}
	r := Request{
		Channel:            p.first("Client-Channel-Name", "Expo-Channel-Name"),
		RuntimeVersion:     p.first("Client-Runtime-Version", "Expo-Runtime-Version"),
		Platform:           models.Platform(p.first("Client-Platform", "Expo-Platform")),
		DeviceID:           p.first("Client-Device-Id", "Expo-Device-Id"),
		UserID:             p.first("Client-User-Id", "Expo-User-Id"),
		CurrentUpdateUUID:  strings.ToLower(p.first("Expo-Current-Update-Id")),
		EmbeddedUpdateUUID: strings.ToLower(p.first("Expo-Embedded-Update-Id")),
		RecentFailed:       p.failedUpdates(),
		Protocol:           p.protocol(),
		Accept:             ParseAccept(p.joined("Accept")),
		ExpectSignature:    p.joined("Expo-Expect-Signature"),
	}
	if r.Channel == "" && rawQuery != "" {
		query, _ := url.ParseQuery(rawQuery) // what does not parse says nothing
		r.Channel = p.checked("channel", query.Get("channel"))
	}
	p.extraParams(&r)
	if r.DeviceID == "" {
		r.DeviceID = p.first("Eas-Client-Id")
	}
	r.DeviceID = strings.ToLower(r.DeviceID)
	p.required("client-channel-name", "expo-channel-name or the query parameter channel", r.Channel)
	p.required("client-runtime-version", "expo-runtime-version", r.RuntimeVersion)
	p.required("client-platform", "expo-platform", string(r.Platform))
	if r.Platform != "" && !r.Platform.Valid() {
		p.problems.Add("client-platform", "must be ios or android")
	}
	if err := p.problems.Err(); err != nil {
		return Request{}, err
	}
	return r, nil
}

// parser reads headers and notes what is wrong with them.
type parser struct {
	header   http.Header
	problems models.Problems
}

// first is the value of the first of the headers that is present. Names are in
// canonical form.
func (p *parser) first(names ...string) string {
	for _, name := range names {
		if v := p.header[name]; len(v) > 0 && v[0] != "" {
			return p.checked(name, v[0])
		}
	}
	return ""
}

// checked is v; it notes under name when v cannot be taken as a value.
func (p *parser) checked(name, v string) string {
	if err := CheckValue(v); err != nil {
		p.problems.Add(strings.ToLower(name), "%v", err)
	}
	return v
}

// CheckValue says why a device cannot say v of itself.
func CheckValue(v string) error {
	switch {
	case len(v) > maxValueBytes:
		return fmt.Errorf("must be at most %d bytes", maxValueBytes)
	case !utf8.ValidString(v) || strings.ContainsFunc(v, isControl):
		return errors.New("must be UTF-8 text without control characters")
	}
	return nil
}

func isControl(r rune) bool { return r < 0x20 || r == 0x7f }

// required notes that a header is missing.
func (p *parser) required(name, or, v string) {
	if v == "" {
		p.problems.Add(name, "is missing: send the header %s, or %s", name, or)
	}
}

func (p *parser) protocol() int {
	values := p.header["Expo-Protocol-Version"]
	if len(values) == 0 {
		return 0
	}
	switch values[0] {
	case "", "0":
		return 0
	case "1":
		return 1
	default:
		p.problems.Add("expo-protocol-version", "must be 0 or 1")
		return 0
	}
}

// joined is a list header as one line.
func (p *parser) joined(name string) string {
	return strings.Join(p.structured(name), ", ")
}

// structured are the lines of a header, nil when they are absurdly long.
func (p *parser) structured(name string) []string {
	values := p.header[name]
	size := 0
	for _, v := range values {
		size += len(v)
	}
	if size > maxStructuredBytes {
		p.problems.Add(strings.ToLower(name), "must be at most %d bytes", maxStructuredBytes)
		return nil
	}
	return values
}

// failedUpdates reads a structured list of strings.
func (p *parser) failedUpdates() []string {
	header := p.joined("Expo-Recent-Failed-Update-Ids")
	if header == "" {
		return nil
	}
	failed := stringsOf(header, maxFailed)
	for i, id := range failed {
		failed[i] = strings.ToLower(id)
	}
	return failed
}

// extraParams takes the ids that the app set for itself, where no header has them.
func (p *parser) extraParams(r *Request) {
	if header := p.joined("Expo-Extra-Params"); header != "" {
		p.param(header, "expo-extra-params client-device-id", &r.DeviceID)
		p.param(header, "expo-extra-params client-user-id", &r.UserID)
	}
}

// param fills a field that is still empty. name is that of the header and of the
// parameter, for problems.
func (p *parser) param(header, name string, field *string) {
	if _, key, _ := strings.Cut(name, " "); *field == "" {
		*field = p.checked(name, parameter(header, key))
	}
}
