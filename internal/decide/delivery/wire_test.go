package delivery

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/dunglas/httpsfv"
	"github.com/google/uuid"
)

// wireAnswer is a response as a client reads it. Everything that the client of either platform cannot handle is an
// error.
type wireAnswer struct {
	status    int
	filters   map[string]any // nil if the header is missing
	manifest  *wireManifest
	directive *directive
	// raw is the JSON that signature signs. signature is "" for an unsigned response.
	raw       []byte
	signature string
	chain     []byte // PEM, or nil
}

type wireManifest struct {
	ID             string           `json:"id"`
	CreatedAt      string           `json:"createdAt"`
	RuntimeVersion string           `json:"runtimeVersion"`
	LaunchAsset    *manifestAsset   `json:"launchAsset"`
	Assets         *[]manifestAsset `json:"assets"`
	Metadata       map[string]any   `json:"metadata"`
	Extra          *struct {
		ExpoClient map[string]any `json:"expoClient"`
		Waft       waftExtra      `json:"waft"`
	} `json:"extra"`
	committed time.Time
}

func readWire(res Response, protocol int) (wireAnswer, error) {
	h := http.Header{}
	res.SetHeader(h)
	a := wireAnswer{status: res.Status}
	if h.Get("expo-protocol-version") != strconv.Itoa(protocol) || h.Get("expo-sfv-version") != "0" ||
		h.Get("cache-control") != "private, max-age=0" {
		return a, fmt.Errorf("the headers of every answer are not right: %v", h)
	}
	if values, ok := h["Expo-Manifest-Filters"]; ok {
		if err := a.readFilters(values); err != nil {
			return a, err
		}
	}
	body := res.Body.text()
	if (res.Problem != nil) != (res.Status >= 400) || res.Problem != nil && body != "" {
		return a, fmt.Errorf("status %d does not go with its problem or body", res.Status)
	}
	if res.Status != http.StatusOK {
		if body != "" || h.Get("content-type") != "" || h.Get("content-length") != "" {
			return a, fmt.Errorf("status %d has a body", res.Status)
		}
		return a, nil
	}
	if h.Get("content-length") != strconv.Itoa(len(body)) {
		return a, fmt.Errorf("the body has %d bytes, not %s", len(body), h.Get("content-length"))
	}
	a.signature = h.Get("expo-signature")
	return a, a.readBody(h.Get("content-type"), []byte(body))
}

// text returns the whole body.
func (b Body) text() string {
	var out strings.Builder
	if _, err := b.WriteTo(&out); err != nil {
		panic(err) // a strings.Builder never fails
	}
	return out.String()
}

func (a *wireAnswer) readFilters(values []string) error {
	d, err := httpsfv.UnmarshalDictionary(values)
	if err != nil {
		return fmt.Errorf("filters %q: %w", values, err)
	}
	a.filters = map[string]any{}
	for _, name := range d.Names() {
		member, _ := d.Get(name)
		a.filters[name] = member.(httpsfv.Item).Value
	}
	return nil
}

func (a *wireAnswer) readBody(contentType string, body []byte) error {
	switch contentType {
	case "application/expo+json", "application/json":
		return a.readManifest(part{text: body, signature: a.signature})
	case multipartType:
	default:
		return fmt.Errorf("content type %q", contentType)
	}
	if a.signature != "" {
		return errors.New("a multipart answer is signed in its part, not in its header")
	}
	parts, err := splitParts(body)
	if err != nil {
		return err
	}
	for name, part := range parts {
		switch name {
		case "manifest":
			err = errors.Join(err, a.readManifest(part))
		case "directive":
			err = errors.Join(err, a.readDirective(part))
		case "extensions":
			if string(part.text) != `{"assetRequestHeaders":{}}` || part.signature != "" {
				err = errors.Join(err, fmt.Errorf("extensions %s", part.text))
			}
		case "certificate_chain":
			if a.chain = part.text; len(a.chain) == 0 {
				err = errors.Join(err, errors.New("an empty chain"))
			}
		default:
			err = errors.Join(err, fmt.Errorf("unknown part %q", name))
		}
	}
	if (a.manifest == nil) == (a.directive == nil) {
		err = errors.Join(err, errors.New("neither one manifest nor one directive"))
	}
	return err
}

// part is one part of a multipart body.
type part struct {
	text      []byte
	signature string
}

// partTypes holds the content types of the parts that clients know.
var partTypes = map[string]string{
	"manifest": "application/json", "directive": "application/json", "extensions": "application/json",
	"certificate_chain": "application/x-pem-file",
}

// splitParts parses a multipart body by the rules of the stricter client. Every line break is CRLF, the first
// delimiter starts the body and the last delimiter ends in CRLF. Header names are in lower case.
func splitParts(body []byte) (map[string]part, error) {
	rest, ok := bytes.CutPrefix(body, []byte("--"+boundary+"\r\n"))
	if !ok {
		return nil, errors.New("the body does not begin with a delimiter")
	}
	rest, ok = bytes.CutSuffix(rest, []byte("\r\n--"+boundary+"--\r\n"))
	if !ok {
		return nil, errors.New("the body does not end with the closing delimiter and CRLF")
	}
	parts := map[string]part{}
	for piece := range bytes.SplitSeq(rest, []byte("\r\n--"+boundary+"\r\n")) {
		head, text, ok := bytes.Cut(piece, []byte("\r\n\r\n"))
		if !ok {
			return nil, errors.New("a part has no blank line")
		}
		headers := map[string]string{}
		for line := range strings.SplitSeq(string(head), "\r\n") {
			name, value, ok := strings.Cut(line, ": ")
			if !ok || name != strings.ToLower(name) || strings.ContainsAny(line, "\r\n") {
				return nil, fmt.Errorf("bad part header %q", line)
			}
			headers[name] = value
		}
		name, ok := strings.CutPrefix(headers["content-disposition"], `inline; name="`)
		name, ok2 := strings.CutSuffix(name, `"`)
		signature, signed := headers["expo-signature"]
		if !ok || !ok2 || headers["content-type"] != partTypes[name] || signed != (len(headers) == 3) {
			return nil, fmt.Errorf("bad part headers %v", headers)
		}
		if _, twice := parts[name]; twice || bytes.Contains(text, []byte("\r")) {
			return nil, fmt.Errorf("part %q is there twice or holds a line break", name)
		}
		parts[name] = part{text, signature}
	}
	return parts, nil
}

func (a *wireAnswer) readDirective(p part) error {
	a.directive, a.raw, a.signature = &directive{}, p.text, p.signature
	if err := json.Unmarshal(p.text, a.directive); err != nil {
		return err
	}
	switch a.directive.Type {
	case "noUpdateAvailable":
		return nil
	case "rollBackToEmbedded":
		_, err := readTime(fmt.Sprint(a.directive.Parameters["commitTime"]))
		return err
	default:
		return fmt.Errorf("directive %q crashes Android clients", a.directive.Type)
	}
}

func (a *wireAnswer) readManifest(p part) (err error) {
	m := &wireManifest{}
	if err := json.Unmarshal(p.text, m); err != nil {
		return err
	}
	a.manifest, a.raw, a.signature = m, p.text, p.signature
	if id, err := uuid.Parse(m.ID); err != nil || id.String() != m.ID {
		return fmt.Errorf("id %q", m.ID)
	}
	if m.committed, err = readTime(m.CreatedAt); err != nil {
		return err
	}
	if m.RuntimeVersion == "" || m.LaunchAsset == nil || m.Assets == nil || m.Metadata == nil ||
		m.Extra == nil || m.Extra.ExpoClient == nil || bytes.Contains(p.text, []byte(":null")) {
		return fmt.Errorf("something is missing or null: %s", p.text)
	}
	keys := map[string]bool{}
	for i, asset := range append([]manifestAsset{*m.LaunchAsset}, *m.Assets...) {
		u, err := url.Parse(asset.URL)
		if err != nil || !u.IsAbs() || !md5Form.MatchString(asset.Key) || !hashForm.MatchString(asset.Hash) ||
			!strings.HasPrefix(asset.FileExtension, ".") || asset.ContentType == "" || keys[asset.Key] {
			return fmt.Errorf("asset %d: %+v", i, asset)
		}
		keys[asset.Key] = true
	}
	if !passes(m.Metadata, a.filters) {
		return fmt.Errorf("the manifest fails its own filters: %v, %v", m.Metadata, a.filters)
	}
	return nil
}

var (
	md5Form  = regexp.MustCompile(`^[0-9a-f]{32}$`)
	hashForm = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)
	timeForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)
)

func readTime(s string) (time.Time, error) {
	if !timeForm.MatchString(s) {
		return time.Time{}, fmt.Errorf("clients misread the time %q", s)
	}
	return time.Parse(time.RFC3339, s)
}

// passes reports whether an update with this metadata passes the client's filters.
func passes(metadata, filters map[string]any) bool {
	for name, value := range metadata {
		if want, ok := filters[strings.ToLower(name)]; ok && want != value {
			return false
		}
	}
	return true
}
