package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/models"
)

// installation is a running server, with the values that only its operator knows.
type installation struct {
	url, rootKey, databaseURL string
	// still is true if the installation has no worker to execute commands.
	still bool
}

func install(t *testing.T) installation {
	t.Helper()
	env := settings(t)
	return installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}
}

// tenant is a project that a test uses over plain HTTP, like a client that knows only the documentation.
type tenant struct {
	installation
	t    *testing.T
	id   int64
	slug string
	keys map[models.Role]string
	// marker is in every free text of the tenant's records, and nowhere else.
	marker string
}

func (i installation) tenant(t *testing.T) *tenant {
	t.Helper()
	p := &tenant{installation: i, t: t, slug: "t" + uuid.NewString()[:12], keys: map[models.Role]string{}, marker: uuid.NewString()}
	made := p.do(request{method: http.MethodPost, path: "/v1/ota/projects", key: i.rootKey, body: object{"name": p.marker, "slug": p.slug}})
	p.id = made.record(http.StatusCreated).id("id")
	for _, role := range []models.Role{models.RoleViewer, models.RoleEditor, models.RoleAdmin} {
		made := p.do(request{
			method: http.MethodPost, path: "/v1/ota/api-keys", key: i.rootKey, body: object{"name": p.marker, "role": role},
		})
		p.keys[role] = made.record(http.StatusCreated)["key"].(string)
	}
	return p
}

// object is a JSON object.
type object map[string]any

func (o object) id(field string) int64 { return int64(o[field].(float64)) }

// phrase returns the phrase by which sentences name a release.
func (o object) phrase() string {
	return models.ReleasePhrase(o.id("id"), o["releaseMessage"].(string))
}

// request is a request to the server. The zero value of a field means what most requests need.
type request struct {
	method string
	path   string // including the query
	key    string // default: an admin key of the tenant
	// session is the token of a session. It replaces the key.
	session string
	// project is the value of X-Project: "" for the tenant's slug, "-" for no header.
	project string
	// body is sent as JSON, but a string is sent as it is.
	body   any
	header map[string]string
	// hasty is true if the test does not wait until devices are served the change.
	hasty bool
	// persistent repeats the request with the same Idempotency-Key while it fails as unavailable. A command to a
	// rollout fails as unavailable if the worker is too busy to execute it in time.
	persistent bool
}

// with returns the request with an additional header.
func (r request) with(name, value string) request {
	r.header = maps.Clone(r.header)
	if r.header == nil {
		r.header = map[string]string{}
	}
	r.header[name] = value
	return r
}

// untilTaken returns the request as a persistent one.
func (r request) untilTaken() request {
	r.persistent = true
	return r
}

// text returns the body as it is sent.
func (r request) text(t *testing.T) string {
	t.Helper()
	switch body := r.body.(type) {
	case nil:
		return ""
	case string:
		return body
	case object:
		if body == nil {
			return ""
		}
		return jsonOf(t, body)
	default:
		return jsonOf(t, body)
	}
}

type answer struct {
	t      *testing.T
	status int
	header http.Header
	body   string
	// bodiless is true if the request was a HEAD.
	bodiless bool
}

// do sends a request. checkedTransport compares every response with the OpenAPI document. If the response to a change
// reports that devices are not served the change yet, do waits until they are.
func (p *tenant) do(r request) answer {
	p.t.Helper()
	return p.doBy(http.DefaultClient, r)
}

func (p *tenant) doBy(client *http.Client, r request) answer {
	p.t.Helper()
	a, err := p.send(client, r)
	require.NoError(p.t, err)
	return a
}

// send works like doBy, but may be called from any goroutine because it does not fail the test.
func (p *tenant) send(client *http.Client, r request) (answer, error) {
	p.t.Helper()
	if !r.persistent || p.still {
		return p.sendOnce(client, r)
	}
	if r.header["Idempotency-Key"] == "" {
		r = r.with("Idempotency-Key", uuid.NewString())
	}
	again := time.NewTicker(atLeisure)
	defer again.Stop()
	for began := time.Now(); ; {
		a, err := p.sendOnce(client, r)
		if err != nil || a.status != http.StatusServiceUnavailable || time.Since(began) > waitLimit {
			return a, err
		}
		select {
		case <-p.t.Context().Done():
			return a, p.t.Context().Err()
		case <-again.C:
		}
	}
}

func (p *tenant) sendOnce(client *http.Client, r request) (a answer, err error) {
	p.t.Helper()
	a.t = p.t
	text := r.text(p.t)
	req, err := http.NewRequestWithContext(p.t.Context(), r.method, p.url+r.path, bytes.NewReader([]byte(text)))
	if err != nil {
		return a, err
	}
	if r.key == "" {
		r.key = p.keys[models.RoleAdmin]
	}
	req.Header.Set("Authorization", "Bearer "+r.key)
	switch r.project {
	case "":
		req.Header.Set("X-Project", p.slug)
	case "-":
	default:
		req.Header.Set("X-Project", r.project)
	}
	if r.session != "" {
		req.Header.Del("Authorization")
		for _, name := range sessionCookies {
			req.AddCookie(&http.Cookie{Name: name, Value: r.session})
		}
	}
	if text != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
		if value == "" {
			req.Header.Del(name)
		}
	}
	res, err := client.Do(req)
	if err != nil {
		return a, err
	}
	defer res.Body.Close()
	if res.Header.Get("X-Request-Id") == "" {
		return a, errors.New("a response without X-Request-Id")
	}
	a = answer{t: p.t, status: res.StatusCode, header: res.Header, bodiless: r.method == http.MethodHead}
	if res.Header.Get("Content-Type") == "text/event-stream" {
		first := make([]byte, 4096)
		n, err := res.Body.Read(first)
		a.body = string(first[:n])
		return a, err
	}
	body, err := io.ReadAll(res.Body)
	a.body = string(body)
	if err == nil && a.header.Get("Waft-Served") == "pending" && !r.hasty {
		err = p.catchUp(client, r.project)
	}
	return a, err
}

// catchUp returns once the process serves all changes of a project so far to its devices. An empty change reports that
// in its response. catchUp returns immediately if there is no such project, or if the process cannot tell.
func (p *tenant) catchUp(client *http.Client, project string) error {
	p.t.Helper()
	nothing := request{
		method: http.MethodPatch, path: "/v1/ota/channels/production", key: p.rootKey, project: project, body: object{}, hasty: true,
	}
	for began := time.Now(); ; {
		a, err := p.send(client, nothing)
		if err != nil || a.status >= http.StatusMultipleChoices || a.header.Get("Waft-Served") == "" {
			return err
		}
		if time.Since(began) > waitLimit {
			return errors.New("devices are still not served the change")
		}
	}
}

// together sends requests at the same time.
func (p *tenant) together(requests ...request) []answer {
	p.t.Helper()
	answers := make([]answer, len(requests))
	var sending errgroup.Group
	for i, r := range requests {
		sending.Go(func() (err error) {
			answers[i], err = p.send(http.DefaultClient, r)
			return err
		})
	}
	require.NoError(p.t, sending.Wait())
	return answers
}

// record returns the JSON object in the response.
func (a answer) record(status int) object {
	a.t.Helper()
	require.Equal(a.t, status, a.status, a.body)
	var o object
	require.NoError(a.t, json.Unmarshal([]byte(a.body), &o), a.body)
	return o
}

// list returns the JSON array of objects in the response.
func (a answer) list() (records []object) {
	a.t.Helper()
	require.Equal(a.t, http.StatusOK, a.status, a.body)
	require.NoError(a.t, json.Unmarshal([]byte(a.body), &records), a.body)
	return records
}

// problem checks an error response and returns it.
func (a answer) problem(status int, code models.ErrorCode) object {
	a.t.Helper()
	if a.bodiless {
		require.Equal(a.t, status, a.status)
		require.Equal(a.t, "application/problem+json", a.header.Get("Content-Type"))
		return object{}
	}
	o := a.record(status)
	require.Equal(a.t, "application/problem+json", a.header.Get("Content-Type"))
	require.EqualValues(a.t, code, o["code"], a.body)
	require.EqualValues(a.t, status, o["status"])
	require.Equal(a.t, a.header.Get("X-Request-Id"), o["requestId"])
	for _, field := range []string{"type", "title", "detail", "instance"} {
		require.NotEmpty(a.t, o[field], field)
	}
	return o
}

// create posts a record and returns it.
func (p *tenant) create(path string, body object) object {
	p.t.Helper()
	return p.do(request{method: http.MethodPost, path: path, body: body}).record(http.StatusCreated)
}

// Each of the following methods creates one record with a new name.

func (p *tenant) name() string { return "n" + uuid.NewString()[:12] }

// upload returns the request for a build of one file with new contents.
func (p *tenant) upload() request {
	p.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for name, value := range map[string]string{"platform": "ios", "runtimeVersion": "1.0.0", "message": p.marker} {
		require.NoError(p.t, w.WriteField(name, value))
	}
	part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="assets"; filename="index.hbc"`}})
	require.NoError(p.t, err)
	_, err = io.WriteString(part, p.name())
	require.NoError(p.t, err)
	require.NoError(p.t, w.Close())
	return request{path: "/v1/ota/builds", body: body.String()}.with("Content-Type", w.FormDataContentType())
}

func (p *tenant) build() object {
	p.t.Helper()
	r := p.upload()
	r.method = http.MethodPost
	return p.do(r).record(http.StatusCreated)
}

func (p *tenant) release() object {
	p.t.Helper()
	return p.create(fmt.Sprintf("/v1/ota/builds/%d/publish", p.build().id("id")),
		object{"channel": "production", "releaseMessage": p.marker})
}

// known returns the slug once the server knows the project for devices, a moment after the project was created.
func (p *tenant) known() string {
	p.t.Helper()
	eventually(p.t, func() bool {
		manifest := request{method: http.MethodGet, path: "/v1/ota/manifest/" + p.slug + "?channel=production"}
		return p.do(manifest).status == http.StatusBadRequest // the platform is missing
	})
	return p.slug
}

// served publishes a file, and returns the file's MD5 once devices get it.
func (p *tenant) served() string {
	p.t.Helper()
	b := p.build()
	p.create(path("/v1/ota/builds/%d/publish", b.id("id")), object{"channel": "production"})
	md5 := b["assets"].([]any)[0].(map[string]any)["key"].(string)
	manifest := request{method: http.MethodGet, path: "/v1/ota/manifest/" + p.slug + "?channel=production"}.
		with("Expo-Runtime-Version", "1.0.0").with("Expo-Platform", "ios").with("Accept", "application/expo+json")
	eventually(p.t, func() bool {
		answer := p.do(manifest)
		return answer.status == http.StatusOK && strings.Contains(answer.body, md5)
	})
	return md5
}

func (p *tenant) branch() string {
	p.t.Helper()
	return p.create("/v1/ota/branches", object{"name": p.name()})["name"].(string)
}

func (p *tenant) channel() string {
	p.t.Helper()
	return p.create("/v1/ota/channels", object{"name": p.name()})["name"].(string)
}

// policyBody returns a policy whose first stage lasts longer than any test.
func (p *tenant) policyBody() object {
	return object{"name": p.name(), "description": p.marker, "stages": []object{
		{"percentage": 10, "minDurationMinutes": 600}, {"percentage": 50, "minDurationMinutes": 600}, {"percentage": 100},
	}}
}

func (p *tenant) policy() int64 {
	p.t.Helper()
	return p.create("/v1/ota/rollout-policies", p.policyBody()).id("id")
}

// releaseApart returns a release on a new channel, so no newer release replaces it.
func (p *tenant) releaseApart() object {
	p.t.Helper()
	return p.create("/v1/ota/updates", object{
		"buildId": p.build().id("id"), "channel": p.channel(), "releaseMessage": p.marker,
	})
}

// execution starts a rollout on a new channel.
func (p *tenant) execution() object {
	p.t.Helper()
	return p.create("/v1/ota/rollout-executions", object{"policyId": p.policy(), "updateId": p.releaseApart().id("id")})
}

// begun starts a rollout and waits until its workflow has begun, because a command waits for a new workflow only
// briefly. Without a worker, begun does not wait.
func (p *tenant) begun() object {
	p.t.Helper()
	e := p.execution()
	if p.still {
		return e
	}
	return p.awaitRollout(e.id("id"), hasHappened("started"))
}

func (p *tenant) apiKey() int64 {
	p.t.Helper()
	return p.create("/v1/ota/api-keys", object{"name": p.marker, "role": "viewer"}).id("id")
}

// path formats a path.
func path(format string, args ...any) string { return fmt.Sprintf(format, args...) }
