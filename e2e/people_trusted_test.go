package e2e

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/internal/identity/idtoken/idtokentest"
	"github.com/waft-ota/waft/models"
)

const idTokenAudience = "https://ota.example.com"

// publisher returns an entry for the tenant's trusted publishers. Fields in more are added or replaced.
func (p *tenant) publisher(more object) object {
	entry := object{
		"issuer": "https://ci.example.com", "audience": p.marker, "role": "editor",
		"claims": object{"repository": "acme/app", "ref": "refs/heads/main"},
	}
	maps.Copy(entry, more)
	return entry
}

// ci is a tenant that trusts a CI system.
type ci struct {
	*tenant
	issuer *idtokentest.Issuer
}

// trusting creates a tenant that trusts the main branch of acme/app, with more fields in the entry. Its server may
// fetch the issuer's keys from this machine.
func trusting(t *testing.T, more object, change ...func(env map[string]string)) *ci {
	t.Helper()
	env := settings(t)
	env["WAFT_ISSUER_ALLOWED_NETWORKS"] = "127.0.0.1"
	for _, c := range change {
		c(env)
	}
	server := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}
	p := &ci{server.tenant(t), idtokentest.New(t)}
	p.trust(p.entry(more))
	return p
}

// trust replaces the trusted publishers.
func (p *ci) trust(entries ...object) []object {
	p.t.Helper()
	if entries == nil {
		entries = []object{}
	}
	return p.do(request{method: http.MethodPut, path: "/v1/ota/trusted-publishers", body: entries}).list()
}

func (p *ci) entry(more object) object {
	entry := p.publisher(object{"issuer": p.issuer.URL, "audience": idTokenAudience})
	maps.Copy(entry, more)
	return entry
}

// claims returns the claims of a new token for a job on the main branch. Claims in more are added or replaced.
func (p *ci) claims(more map[string]any) map[string]any {
	claims := map[string]any{"repository": "acme/app", "ref": "refs/heads/main", "sha": "c0ffee", "run_number": 7}
	maps.Copy(claims, more)
	return p.issuer.Claims(idTokenAudience, time.Now(), claims)
}

func (p *ci) exchange(token string) answer {
	p.t.Helper()
	return p.exchangeFor(p.slug, token)
}

// exchangeFor requests a key for the project with the slug.
func (p *ci) exchangeFor(slug, token string) answer {
	p.t.Helper()
	return p.do(request{
		method: http.MethodPost, path: "/v1/auth/token", project: "-", body: object{"projectSlug": slug, "idToken": token},
	}.with("Authorization", ""))
}

// key exchanges a valid token, and returns the key.
func (p *ci) key() string {
	p.t.Helper()
	return p.exchange(p.issuer.Sign(p.claims(nil))).record(http.StatusCreated)["key"].(string)
}

// TestTrustedPublishing checks that a job on the main branch can publish to staging without a stored key, and cannot do
// anything else.
func TestTrustedPublishing(t *testing.T) {
	t.Parallel()
	p := trusting(t, object{"channels": []string{"staging"}})
	made := p.exchange(p.issuer.Sign(p.claims(nil)))
	token := made.record(http.StatusCreated)
	require.Equal(t, "no-store", made.header.Get("Cache-Control"))
	require.Equal(t, []any{"staging"}, token["channels"])
	expires, err := time.Parse(time.RFC3339, token["expiresAt"].(string))
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(15*time.Minute), expires, 5*time.Minute)
	key := token["key"].(string)
	as := func(method, path string, body any) answer {
		t.Helper()
		return p.do(request{method: method, path: path, key: key, body: body})
	}
	me := as(http.MethodGet, "/v1/me", nil).record(200)["apiKey"].(map[string]any)
	job := "acme/app@refs/heads/main via " + p.issuer.URL
	require.Equal(t, job, me["name"])
	require.Equal(t, []any{"staging"}, me["channels"])

	upload := p.upload()
	upload.method, upload.key = http.MethodPost, key
	build := p.do(upload).record(201).id("id")
	production := p.release().id("id")
	release := as(http.MethodPost, path("/v1/ota/builds/%d/publish", build), object{"channel": "staging"}).record(201).id("id")
	as(http.MethodPatch, path("/v1/ota/updates/%d", release), object{"isEnabled": false}).record(200)
	require.Equal(t, 200, as(http.MethodGet, "/v1/ota/updates", nil).status)
	execution := p.execution()
	for _, refused := range []struct {
		method, path string
		body         any
	}{
		{http.MethodPost, path("/v1/ota/builds/%d/publish", build), object{"channel": "production"}},
		{http.MethodPost, "/v1/ota/updates", object{"buildId": build, "branchName": "production"}},
		{http.MethodPatch, path("/v1/ota/updates/%d", production), object{"isEnabled": false}},
		{http.MethodDelete, path("/v1/ota/updates/%d", production), nil},
		{http.MethodPost, path("/v1/ota/updates/%d/republish", release), object{"channels": []string{"production"}}},
		{http.MethodPost, "/v1/ota/rollback", object{"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0"}},
		{http.MethodPatch, "/v1/ota/channels/production", object{"isPaused": true}},
		{http.MethodPatch, "/v1/ota/channels/production", object{"branchName": "staging"}},
		{http.MethodPost, path("/v1/ota/rollout-executions/%d/pause", execution.id("id")), nil},
		{http.MethodPost, path("/v1/ota/rollout-executions/%d/cancel", execution.id("id")), nil},
		{http.MethodPost, "/v1/ota/branches", object{"name": "mine"}},
		{http.MethodPost, "/v1/ota/channels", object{"name": "mine"}},
		{http.MethodPost, "/v1/ota/flags", object{"name": "f", "flagType": "boolean"}},
		{http.MethodPost, "/v1/ota/webhooks", object{"url": "https://example.com/x", "events": []string{"*"}}},
		{http.MethodPost, "/v1/ota/rollout-policies", p.policyBody()},
		{http.MethodPost, "/v1/ota/user-overrides", object{"userId": "u", "branchName": "staging"}},
		{http.MethodPost, "/v1/ota/api-keys", object{"name": "x", "role": "viewer"}},
		{http.MethodPost, "/v1/ota/invitations", object{"email": "x@example.com", "role": "admin"}},
		{http.MethodPut, "/v1/ota/trusted-publishers", []object{}},
		{http.MethodPatch, "/v1/ota/settings", object{"buildRetentionDays": 1}},
	} {
		require.NotEmpty(t, as(refused.method, refused.path, refused.body).problem(403, models.CodeForbidden)["detail"], refused.path)
	}

	// The audit log names the job and the claims of its token.
	var story []object
	for _, e := range p.do(request{method: http.MethodGet, path: "/v1/ota/audit-log?limit=200"}).list() {
		if e["actorName"] == job {
			story = append(story, e)
		}
	}
	actions := []any{}
	for _, e := range story {
		actions = append(actions, e["action"])
	}
	require.Equal(t, []any{"update.patched", "build.published", "build.uploaded", "api_key.created"}, actions)
	claims := story[len(story)-1]["details"].(map[string]any)["claims"].(map[string]any)
	require.Equal(t, "c0ffee", claims["sha"])
	require.Equal(t, 7.0, claims["run_number"])

	// Short-lived keys have their own list, and can be revoked there.
	for _, k := range p.do(request{method: http.MethodGet, path: "/v1/ota/api-keys"}).list() {
		require.NotEqual(t, job, k["name"])
	}
	shortLived := p.do(request{method: http.MethodGet, path: "/v1/ota/api-keys?shortLived=true"}).list()
	require.Len(t, shortLived, 1)
	require.NotNil(t, shortLived[0]["publisherId"])
	require.Equal(t, 204, p.do(request{method: http.MethodDelete, path: path("/v1/ota/api-keys/%d", shortLived[0].id("id"))}).status)
	as(http.MethodGet, "/v1/ota/builds", nil).problem(401, models.CodeUnauthenticated)
}

// TestShortLivedKeysEnd checks that short-lived keys end after their time, and when their publisher is removed.
func TestShortLivedKeysEnd(t *testing.T) {
	t.Parallel()
	p := trusting(t, nil)
	builds := func(key string) answer {
		return p.do(request{method: http.MethodGet, path: "/v1/ota/builds", key: key})
	}
	expired, staying := p.key(), p.key()
	conn, err := pgx.Connect(t.Context(), p.databaseURL)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	parsed, _ := models.ParseAPIKeyToken(expired)
	_, err = conn.Exec(t.Context(), "UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE prefix = $1", parsed.Prefix)
	require.NoError(t, err)
	builds(expired).problem(401, models.CodeUnauthenticated)
	require.Equal(t, 200, builds(staying).status)

	p.trust(p.entry(nil), p.entry(object{"role": "viewer"}))
	require.Equal(t, 200, builds(staying).status, "its publisher stays the same")
	p.trust(p.entry(object{"role": "viewer"}))
	builds(staying).problem(401, models.CodeUnauthenticated)
	viewer := p.key()
	require.Equal(t, 200, builds(viewer).status)
	p.do(request{method: http.MethodPost, path: "/v1/ota/branches", key: viewer, body: object{"name": "b"}}).problem(403, models.CodeForbidden)
	p.trust()
	builds(viewer).problem(401, models.CodeUnauthenticated)
	p.exchange(p.issuer.Sign(p.claims(nil))).problem(401, models.CodeUnauthenticated)
	require.Subset(t, p.actions(), []string{"trusted_publishers.updated", "api_key.revoked"})
}

// TestIDTokensThatAreRefused checks that all refused tokens get the same response, except a token that was already
// exchanged.
func TestIDTokensThatAreRefused(t *testing.T) {
	t.Parallel()
	p := trusting(t, nil)
	stranger := idtokentest.New(t)
	at := func(d time.Duration) int64 { return time.Now().Add(d).Unix() }
	ours := p.issuer.Key()
	text, err := ours.Public().MarshalJSON()
	require.NoError(t, err)
	own := stranger.Key()
	own.KeyID = ours.KeyID
	strangers := stranger.Claims(idTokenAudience, time.Now(), map[string]any{"repository": "acme/app", "ref": "refs/heads/main"})
	good := p.issuer.Sign(p.claims(nil))
	parts := strings.Split(good, ".")
	signed := func(more map[string]any) string { return p.issuer.Sign(p.claims(more)) }
	var detail any
	for why, token := range map[string]string{
		"other audience":       signed(map[string]any{"aud": "https://evil.example"}),
		"audiences":            signed(map[string]any{"aud": []string{idTokenAudience, "https://evil.example"}}),
		"other repository":     signed(map[string]any{"repository": "evil/app"}),
		"other branch":         signed(map[string]any{"ref": "refs/heads/main2"}),
		"pull request":         signed(map[string]any{"ref": "refs/pull/1/merge"}),
		"claim that is a list": signed(map[string]any{"repository": []string{"acme/app"}}),
		"lacking claim":        signed(map[string]any{"ref": nil}),
		"expired":              signed(map[string]any{"exp": at(-2 * time.Minute)}),
		"not valid yet":        signed(map[string]any{"nbf": at(2 * time.Minute)}),
		"issued tomorrow":      signed(map[string]any{"iat": at(2 * time.Minute)}),
		"valid for ever":       signed(map[string]any{"exp": at(1000 * time.Hour)}),
		"other issuer":         stranger.Sign(strangers),
		"says to be ours":      stranger.Sign(p.claims(nil)),
		"says, with our key":   idtokentest.SignWith(t, jose.RS256, own, p.claims(nil)),
		"HS256":                idtokentest.SignWith(t, jose.HS256, jose.JSONWebKey{Key: text, KeyID: own.KeyID}, p.claims(nil)),
		"none":                 "eyJhbGciOiJub25lIn0." + parts[1] + ".",
		"no signature":         parts[0] + "." + parts[1] + ".",
		"no token":             "nonsense",
	} {
		problem := p.exchange(token).problem(401, models.CodeUnauthenticated)
		if detail == nil {
			detail = problem["detail"]
		}
		require.Equal(t, detail, problem["detail"], why)
	}
	require.Zero(t, stranger.Fetches(), "Waft must not send requests to an issuer that the project does not trust")
	nowhere := p.exchangeFor("nowhere", good).problem(401, models.CodeUnauthenticated)
	require.Equal(t, detail, nowhere["detail"])
	other := p.installation.tenant(t)
	theirs := p.exchangeFor(other.slug, good).problem(401, models.CodeUnauthenticated)
	require.Equal(t, detail, theirs["detail"])
	large := p.exchange(signed(map[string]any{"large": strings.Repeat("x", 20_000)}))
	require.Equal(t, []string{"idToken"}, fields(large.problem(400, models.CodeInvalid)))

	// The refused attempts did not use the token up, but one exchange does.
	p.exchange(good).record(http.StatusCreated)
	replayed := p.exchange(good).problem(401, models.CodeUnauthenticated)
	require.Contains(t, replayed["detail"], "exchanged already")
	other.do(request{method: http.MethodPut, path: "/v1/ota/trusted-publishers", body: []object{p.entry(nil)}}).list()
	elsewhere := p.exchangeFor(other.slug, good).problem(401, models.CodeUnauthenticated)
	require.Equal(t, replayed["detail"], elsewhere["detail"], "another project must not accept the token either")
}

// TestTheKeysOfAnIssuer checks that an issuer can rotate its keys and can be unreachable for a while.
func TestTheKeysOfAnIssuer(t *testing.T) {
	t.Parallel()
	p := trusting(t, nil)
	p.issuer.Answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	away := p.exchange(p.issuer.Sign(p.claims(nil)))
	away.problem(503, models.CodeUnavailable)
	require.NotEmpty(t, away.header.Get("Retry-After"))
	p.issuer.Answers(nil)
	p.key()
	old := p.issuer.Key()
	p.issuer.RotateToECDSA()
	p.key()
	p.exchange(idtokentest.SignWith(t, jose.RS256, old, p.claims(nil)))
	require.LessOrEqual(t, p.issuer.Fetches(), 3)
	limited := 0
	for range 10 { // tokens with an unknown key cannot make Waft fetch keys again and again
		a := p.exchange(idtokentest.SignWith(t, jose.RS256, old, p.claims(nil)))
		require.Contains(t, []int{401, 429}, a.status)
		if a.status == 429 {
			require.NotEmpty(t, a.header.Get("Retry-After"))
			limited++
		}
	}
	require.Positive(t, limited)
	require.LessOrEqual(t, p.issuer.Fetches(), 4)
	p.key() // a known key is still accepted
}

func TestIssuersOnPrivateNetworksAreRefused(t *testing.T) {
	t.Parallel()
	p := trusting(t, nil, func(env map[string]string) { delete(env, "WAFT_ISSUER_ALLOWED_NETWORKS") })
	refused := p.exchange(p.issuer.Sign(p.claims(nil)))
	require.Contains(t, refused.problem(503, models.CodeUnavailable)["detail"], "WAFT_ISSUER_ALLOWED_NETWORKS")
	require.NotContains(t, refused.body, "127.0.0.1")
	require.Zero(t, p.issuer.Fetches())
}

// TestWaftToken gets a key with `waft token`, and uses it for other commands.
func TestWaftToken(t *testing.T) {
	t.Parallel()
	p := trusting(t, object{"channels": []string{"staging"}})
	waft := func(input string, args ...string) (string, error) {
		var out bytes.Buffer
		cmd := cli.NewCommand()
		cmd.SetOut(&out)
		cmd.SetErr(io.Discard)
		cmd.SetIn(strings.NewReader(input))
		cmd.SetArgs(append([]string{"--url", p.url, "--project", p.slug}, args...))
		err := cmd.ExecuteContext(t.Context())
		return strings.TrimSpace(out.String()), err
	}
	token := p.issuer.Sign(p.claims(nil))
	key, err := waft(token+"\n", "token", "--id-token", "-")
	require.NoError(t, err)
	listed, err := waft("", "--api-key", key, "channels", "list")
	require.NoError(t, err)
	require.Contains(t, listed, "staging")
	_, err = waft(token, "token", "--id-token", "-")
	require.ErrorContains(t, err, "exchanged already")
	line, err := waft(p.issuer.Sign(p.claims(nil)), "token", "--id-token", "-", "--env")
	require.NoError(t, err)
	require.Regexp(t, `^WAFT_API_KEY=waft_[0-9a-f]{8}_[0-9a-f]{64}$`, line)
}
