package api

import (
	"net/http/httptest"
	"net/textproto"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/assets"
)

// storing lets uploads keep their files in a folder.
func storing(t testing.TB) func(*parts) {
	t.Helper()
	bucket, err := assets.Open(t.Context(), "file://"+t.TempDir(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, bucket.Close()) })
	return func(d *parts) { d.Stager = bucket }
}

// seedForm is an upload whose parts the boundary x divides.
const seedForm = "--x\r\nContent-Disposition: form-data; name=\"platform\"\r\n\r\nios\r\n" +
	"--x\r\nContent-Disposition: form-data; name=\"runtimeVersion\"\r\n\r\n1.0.0\r\n" +
	"--x\r\nContent-Disposition: form-data; name=\"assets\"; filename=\"index.hbc\"\r\n\r\nbundle\r\n--x--\r\n"

// sent is what a client can put into a request besides the route.
type sent struct{ segment, query, header, body string }

const deviceHeaders = "Expo-Platform: ios\nExpo-Runtime-Version: 1.0.0\nExpo-Channel-Name: production\nExpo-Protocol-Version: "

var sentSeeds = []sent{
	{"demo", "", deviceHeaders + "1\nAccept: multipart/mixed", ""},
	{"demo", "channel=production", deviceHeaders + "0\nAccept: application/expo+json\nEas-Client-Id: A", ""},
	{"demo", "channel=production", deviceHeaders + "1\nExpo-Extra-Params: client-device-id=\"a\", client-user-id=1;x\nExpo-Expect-Signature: sig, keyid=\"main\", alg=\"x\"", ""},
	{"demo", "", deviceHeaders + "9\nAccept: */*;q=0, text/html;q=2\nExpo-Current-Update-Id: " + rest.ExampleUUID + "\nExpo-Recent-Failed-Update-Ids: \"" + rest.ExampleUUID + "\", x", ""},
	{releasedMD5, "platform=ios", "Range: bytes=5-2\nIf-None-Match: W/\"x\", *\nAccept-Encoding: br;q=1, gzip;q=0\nA-Im: bsdiff\nIf-Range: x", ""},
	{"17", "days=7&period=1h&limit=2&before=0&cursor=%ff&page=0", "Idempotency-Key: a\nX-Request-Id: \x01\nTraceparent: 00-0-0-0", `{"reason":"x"}`},
	{rest.ExampleUUID, "days=31&page=99999999999999999999", "X-Project: other", `{"channels":["production"]}`},
	{"rollout%2Fdemo%2F21", "channel=%00", "Authorization: Bearer waft_aaaaaaaa_x", `{}`},
	{"%00", "a=%zz;b", "Content-Type: text/plain; charset=\"", "\x00"},
	{"%FF", "&&=", "Content-Type: multipart/form-data; boundary=x", seedForm},
	{"next", "", "Content-Type: multipart/form-data; boundary=x", seedForm[:150]},
	{"production", "", "Content-Encoding: gzip\nContent-Type: application/json", "\x1f\x8b\x08"},
	{"production", "", "Content-Type: application/json", `{"projectSlug":"demo","deviceId":"a","platform":"ios","runtimeVersion":"1","events":[{"type":"crash","count":0}]}`},
	{"production", "", "Content-Type: application/json", `{"projectSlug":"demo","channel":"production","deviceId":"a","targetingKey":"k","attributes":{"a":[null,{}]},"evaluations":[]}`},
	{"production", "", "Content-Type: application/json", `{"context":{"targetingKey":"k","a":1e999}}`},
}

// FuzzRequest sends anything to any route, public or not: in its path, query,
// headers and body. It is answered, and never by a failure of the server.
func FuzzRequest(f *testing.F) {
	for i, s := range sentSeeds {
		for step := range 6 { // the fuzzer finds the other routes by itself
			f.Add(uint8(i+step*len(sentSeeds)), s.segment, s.query, s.header, s.body)
		}
	}
	start := newFuzzed(storing(f))
	f.Fuzz(func(t *testing.T, index uint8, segment, query, header, body string) {
		api := start(t)
		api.Send(t, api.every[int(index)%len(api.every)], sent{segment, query, header, body})
	})
}

// Every seed goes to every route, also when nobody fuzzes.
func TestEveryRouteAnswersWhateverIsSent(t *testing.T) {
	t.Parallel()
	api := newFuzzed(storing(t))(t)
	for _, r := range api.every {
		for _, s := range sentSeeds {
			api.Send(t, r, s)
		}
	}
}

func (f *fuzzed) Send(t *testing.T, r rest.Route, s sent) {
	t.Helper()
	if s.segment == "" || strings.Contains(s.segment, "/") {
		return // another path altogether
	}
	parts := strings.Split(r.Path, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, "{") {
			parts[i] = s.segment
		}
	}
	path := strings.Join(parts, "/")
	req := httptest.NewRequest(r.Method, "/", strings.NewReader(s.body))
	req.URL = &url.URL{Path: path, RawQuery: s.query}
	if unescaped, err := url.PathUnescape(path); err == nil && unescaped != path {
		req.URL.Path, req.URL.RawPath = unescaped, path
	}
	if r.Access != rest.Public {
		req.Header.Set("Authorization", "Bearer "+f.rootKey)
		req.Header.Set("X-Project", demo.Slug)
	}
	for line := range strings.Lines(s.header) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if sendable(name, value) {
			req.Header.Set(name, value)
		}
	}
	f.serve(t, req, s.body)
}

// sendable reports whether Go's server hands a header on.
func sendable(name, value string) bool {
	token := textproto.CanonicalMIMEHeaderKey(name)
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r != '-' && (r < '0' || r > 'z') }) {
		return false
	}
	return token != "" && !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}
