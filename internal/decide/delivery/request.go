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

// Request is a parsed manifest request.
type Request struct {
	Channel        string
	Platform       models.Platform
	RuntimeVersion string
	// DeviceID is in lower case, or "" if the device does not send an ID.
	DeviceID string
	// UserID is the end user's ID as set by the app, or "".
	UserID string
	// CurrentUpdateUUID and EmbeddedUpdateUUID are the running and the embedded update, in lower case, or "" if
	// unknown.
	CurrentUpdateUUID  string
	EmbeddedUpdateUUID string
	// RecentFailed are the updates that failed to start, in lower case.
	RecentFailed []string
	// Protocol is the Expo Updates protocol version, 0 or 1.
	Protocol int
	Accept   Accept
	// Gzip reports whether the response may be compressed.
	Gzip bool
	// ExpectSignature is the header expo-expect-signature, a structured dictionary that describes the signature that
	// the response must have. It is "" if the device does not expect a signature.
	ExpectSignature string
}

// Limits of a request. Requests of stock clients are far below them.
const (
	maxValueBytes      = 256
	maxStructuredBytes = 4096
	maxFailed          = 16
)

// ParseRequest parses the headers of a manifest request. It takes the channel from the query if no header names it. h
// has canonical names, as a server reads them. The error is CodeInvalid and names every header that is missing or
// invalid. A structured header that does not parse is ignored: it only refines the response, and must not stop a
// device from getting updates.
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
		Gzip:               acceptsGzip(h["Accept-Encoding"]),
		ExpectSignature:    p.joined("Expo-Expect-Signature"),
	}
	if r.Channel == "" && rawQuery != "" {
		query, _ := url.ParseQuery(rawQuery) // a query that does not parse is ignored
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

// parser parses headers and collects their problems.
type parser struct {
	header   http.Header
	problems models.Problems
}

// first returns the value of the first header (canonical name) that is present.
func (p *parser) first(names ...string) string {
	for _, name := range names {
		if v := p.header[name]; len(v) > 0 && v[0] != "" {
			return p.checked(name, v[0])
		}
	}
	return ""
}

// checked returns v, and adds a problem under name if v is not valid.
func (p *parser) checked(name, v string) string {
	if err := CheckValue(v); err != nil {
		p.problems.Add(strings.ToLower(name), "%v", err)
	}
	return v
}

// CheckValue checks the size and the characters of a value that a device sends.
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

// required adds a problem if a header is missing.
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

// joined returns the lines of a list header as one line, or "" if they are too long.
func (p *parser) joined(name string) string {
	values := p.header[name]
	size := 0
	for _, v := range values {
		size += len(v)
	}
	if size > maxStructuredBytes {
		p.problems.Add(strings.ToLower(name), "must be at most %d bytes", maxStructuredBytes)
		return ""
	}
	return strings.Join(values, ", ")
}

// failedUpdates parses the header, a structured list of strings.
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

// extraParams reads the IDs that the app's code has set, unless other headers have them.
func (p *parser) extraParams(r *Request) {
	header := p.joined("Expo-Extra-Params")
	if header != "" && r.DeviceID == "" {
		r.DeviceID = p.checked("expo-extra-params client-device-id", parameter(header, "client-device-id"))
	}
	if header != "" && r.UserID == "" {
		r.UserID = p.checked("expo-extra-params client-user-id", parameter(header, "client-user-id"))
	}
}
