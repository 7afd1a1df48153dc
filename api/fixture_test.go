package api

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/identity/passkey"
	"github.com/waft-ota/waft/models"
)

// now is the time in every test.
var now = time.Date(2026, 3, 14, 9, 26, 53, 589e6, time.UTC)

// demo is the project of every test, and other is a second project.
var (
	demo  = models.Project{ID: 1, UUID: uuid.MustParse("11111111-2222-4333-8444-555555555555"), Name: "Demo", Slug: "demo", CreatedAt: now}
	other = models.Project{ID: 2, UUID: uuid.MustParse("22222222-2222-4333-8444-555555555555"), Name: "Other", Slug: "other", CreatedAt: now}
)

// testAPI is an API over fakes.
type testAPI struct {
	t       *testing.T
	deps    parts
	store   *fakes
	handler http.Handler

	rootKey string
	// keys are keys of the project demo by role, and otherKey is a key of the project other.
	keys     map[models.Role]string
	otherKey string
	// signedIn are the cookies of sessions of demo's members by role, and owner is the cookie of an owner's session.
	signedIn map[models.Role]string
	owner    string
}

// newTestAPI starts an API whose dependencies all work. change adapts them first.
func newTestAPI(t *testing.T, change ...func(*parts)) *testAPI {
	t.Helper()
	store := &fakes{fakeKeys: fakeKeys{keys: map[string]models.APIKey{}}}
	w := &testAPI{t: t, store: store, keys: map[models.Role]string{}, signedIn: map[models.Role]string{}}
	store.people.sessions, store.people.roles = map[string]rest.SignedIn{}, map[int64]models.Role{}
	store.people.users = map[string]models.User{jo.Email: {
		ID: 3, Email: jo.Email, EmailKey: jo.Email, PasswordHash: "$argon2id$" + jo.Password,
	}}
	for i, role := range []models.Role{models.RoleViewer, models.RoleEditor, models.RoleAdmin} {
		w.keys[role] = w.addKey(models.APIKey{ID: int64(100 + i), ProjectID: demo.ID, Name: string(role), Role: role})
	}
	for i, role := range []models.Role{models.RoleViewer, models.RoleEditor, models.RoleAdmin} {
		u := models.User{ID: int64(300 + i), Email: string(role) + "@example.com"}
		store.people.roles[u.ID] = role
		w.signedIn[role] = w.addSession(u, now)
	}
	w.owner = w.addSession(models.User{ID: 310, Email: "owner@example.com", IsOwner: true}, now)
	w.otherKey = w.addKey(models.APIKey{ID: 200, ProjectID: other.ID, Name: "foreign", Role: models.RoleAdmin})
	root := models.NewAPIKeyToken()
	w.rootKey = root.Reveal()
	w.deps = store.deps()
	party, err := passkey.New(w.deps.BaseURL)
	require.NoError(t, err)
	w.deps.RelyingParty = party
	w.deps.Snapshots, w.deps.RootKeyHash, w.deps.Now = newSnapshots(t), root.Hash(), func() time.Time { return now }
	w.deps.Metrics, w.deps.Readiness = prometheus.NewRegistry(), readinessOf(Checks{})
	for _, c := range change {
		c(&w.deps)
	}
	handler, err := New(w.deps.deps())
	require.NoError(t, err)
	w.handler = handler
	return w
}

// in returns w for a subtest. Subtests that share an API do not run in parallel, because its fakes are for one
// goroutine.
func (w *testAPI) in(t *testing.T) *testAPI {
	sub := *w
	sub.t = t
	return &sub
}

// addKey makes a key known and returns it in its readable form.
func (w *testAPI) addKey(k models.APIKey) string {
	token := models.NewAPIKeyToken()
	k.Prefix, k.SecretHash, k.CreatedAt = token.Prefix, token.Hash(), now
	w.store.keys[token.Prefix] = k
	return token.Reveal()
}

// addSession makes a session that began at the given time known, and returns the value of its cookie.
func (w *testAPI) addSession(u models.User, login time.Time) string {
	return w.addSessionBy(models.LoginPassword, u, login)
}

// addSessionBy makes a session of a sign-in method known, and returns the value of its cookie.
func (w *testAPI) addSessionBy(method models.LoginMethod, u models.User, login time.Time) string {
	token := models.NewSecretToken()
	u.Handle = token.Hash()
	session := models.NewSession{TokenHash: token.Hash(), Method: method}.Session(u.ID, login)
	session.ID = int64(400 + len(w.store.people.sessions))
	w.store.people.sessions[string(token.Hash())] = rest.SignedIn{User: u, Session: session}
	return cookieValue(token)
}

// testSessionKeys tag the tokens of sessions in tests.
var testSessionKeys = [][]byte{make([]byte, 32)}

// cookieValue returns the value of a session's cookie.
func cookieValue(token models.SecretToken) string {
	return taggedBy(testSessionKeys[0], token)
}

// taggedBy returns the value of a session's cookie that is tagged with a key.
func taggedBy(key []byte, token models.SecretToken) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(token.Reveal()))
	return token.Reveal() + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// request is a call of a test. The zero values stand for an admin of demo.
type request struct {
	method, path string
	body         any // marshalled, unless it is a string or an io.Reader
	key          string
	anonymous    bool
	local        bool   // from this machine, which is exempt from network budgets
	session      string // the cookie of a session, instead of the key
	header       map[string]string
}

func (w *testAPI) do(r request) *httptest.ResponseRecorder {
	w.t.Helper()
	var body io.Reader
	switch b := r.body.(type) {
	case nil:
	case string:
		body = strings.NewReader(b)
	case io.Reader:
		body = b
	default:
		data, err := json.Marshal(b)
		require.NoError(w.t, err)
		body = bytes.NewReader(data)
	}
	req := httptest.NewRequest(r.method, r.path, body)
	if r.local {
		req.RemoteAddr = "127.0.0.1:4711"
	}
	if !r.anonymous {
		if r.key == "" {
			r.key = w.keys[models.RoleAdmin]
		}
		req.Header.Set("Authorization", "Bearer "+r.key)
		req.Header.Set("X-Project", demo.Slug)
	}
	if r.session != "" {
		req.Header.Del("Authorization")
		req.AddCookie(&http.Cookie{Name: access.SessionCookie, Value: r.session})
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
		if value == "" {
			req.Header.Del(name)
		}
	}
	recorder := httptest.NewRecorder()
	w.handler.ServeHTTP(recorder, req)
	return recorder
}

// admin returns the response to operators at a path.
func (w *testAPI) admin(path string) *httptest.ResponseRecorder {
	w.t.Helper()
	recorder := httptest.NewRecorder()
	NewAdmin(w.deps.Readiness, w.deps.Metrics, &net.TCPAddr{IP: net.IPv4zero}).ServeHTTP(recorder, httptest.NewRequest(get, path, nil))
	return recorder
}

// metrics returns the metrics that operators read.
func (w *testAPI) metrics() string {
	w.t.Helper()
	answer := w.admin("/metrics")
	require.Equal(w.t, http.StatusOK, answer.Code)
	return answer.Body.String()
}

// readinessOf returns checks as the API in tests uses them.
func readinessOf(checks Checks) *Readiness {
	return NewReadiness(checks, slog.New(slog.DiscardHandler), func() time.Time { return now })
}

// problem checks the form of an error response and returns it.
func (w *testAPI) problem(answer *httptest.ResponseRecorder, status int, code models.ErrorCode) rest.Problem {
	w.t.Helper()
	require.Equal(w.t, status, answer.Code, answer.Body.String())
	require.Equal(w.t, "application/problem+json", answer.Header().Get("Content-Type"))
	var p rest.Problem
	require.NoError(w.t, json.Unmarshal(answer.Body.Bytes(), &p), answer.Body.String())
	require.Equal(w.t, code, p.Code)
	require.Equal(w.t, status, p.Status)
	require.Equal(w.t, "urn:waft:problem:"+string(code), p.Type)
	require.NotEmpty(w.t, p.Title)
	require.NotEmpty(w.t, p.Detail)
	require.Equal(w.t, answer.Header().Get("X-Request-Id"), p.RequestID)
	require.NotEmpty(w.t, p.RequestID)
	return p
}

// fieldsOf returns the names of the bad fields in a problem.
func fieldsOf(p rest.Problem) []string {
	var names []string
	for _, f := range p.Errors {
		names = append(names, f.Field)
	}
	return names
}

// decoded returns a response's JSON.
func decoded(t *testing.T, answer *httptest.ResponseRecorder, status int) map[string]any {
	t.Helper()
	require.Equal(t, status, answer.Code, answer.Body.String())
	var body map[string]any
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &body), answer.Body.String())
	return body
}

// fakeAssets has no files.
type fakeAssets struct{}

func (fakeAssets) Stage(context.Context, io.Reader, int64) (*assets.Staged, error) {
	return nil, models.Errorf(models.CodeInvalid, "the fake keeps no file")
}

func (fakeAssets) OpenVariant(_ context.Context, _ int64, md5 string, _ models.Encoding) (*assets.Reader, error) {
	return nil, models.Errorf(models.CodeNotFound, "there is no asset %q", md5)
}

func (fakeAssets) SignedURL(context.Context, int64, string, models.Encoding, string, time.Duration) (string, error) {
	return "", models.Unavailable("the asset store", nil)
}

// snapshots are snapshots that do not change.
type snapshots []*delivery.Snapshot

func (s snapshots) CatchUp(context.Context, int64) error { return nil }

func (s snapshots) Changed(int64) <-chan struct{} { return nil }

func (s snapshots) ProjectByID(id int64) (*delivery.Snapshot, error) {
	for _, one := range s {
		if one.Project().ID == id {
			return one, nil
		}
	}
	return nil, models.Errorf(models.CodeNotFound, "there is no such project")
}

func (s snapshots) Project(slugOrUUID string) (*delivery.Snapshot, error) {
	for _, one := range s {
		if p := one.Project(); p.Slug == slugOrUUID || p.UUID.String() == slugOrUUID {
			return one, nil
		}
	}
	return nil, models.Errorf(models.CodeNotFound, "there is no project %.100q", slugOrUUID)
}

// releasedMD5 is the launch asset of demo's one release.
const (
	releasedMD5    = "9e107d9d372bb6826bd81d3542a419d6"
	releasedSHA256 = "16j7swfXgJRpypq8sAguT41WUeRtPNt2LQLQvzfJ5ZI"
)

var releasedUUID = uuid.MustParse("aaaaaaaa-2222-4333-8444-555555555555")

// newSnapshots returns snapshots of demo, with one release on production, and of other, without releases. change
// adapts demo first.
func newSnapshots(t *testing.T, change ...func(*models.ProjectSnapshot)) snapshots {
	t.Helper()
	build := int64(12)
	state := models.ProjectSnapshot{
		Project:  demo,
		Branches: []models.Branch{{ID: 5, ProjectID: demo.ID, Name: "production"}},
		Channels: []models.Channel{{ID: 6, ProjectID: demo.ID, Name: "production", BranchID: 5, BranchName: "production"}},
		Releases: []*models.Release{{
			ID: 17, ProjectID: demo.ID, UpdateUUID: releasedUUID, GroupID: releasedUUID, BuildID: &build, BranchID: 5,
			BranchName: "production", Platform: models.IOS, RuntimeVersion: "1.0.0", IsEnabled: true,
			RolloutPercentage: 100, ReachedPercentage: 100, ShareSalt: models.ReleaseSalt(releasedUUID),
			Kind: models.KindUpdate, CreatedAt: now, UpdatedAt: now,
		}},
		Flags: []models.Flag{{ID: 17, ProjectID: demo.ID, Key: "new-checkout", FlagType: models.FlagBoolean, DefaultValue: "false", Enabled: true}},
		Builds: map[int64]*models.Build{12: {
			ID: 12, ProjectID: demo.ID, UUID: releasedUUID, Platform: models.IOS, RuntimeVersion: "1.0.0",
			Assets: []models.BuildAsset{{
				BuildID: 12, ProjectID: demo.ID, Path: "index.bundle", MD5: releasedMD5, SHA256: releasedSHA256,
				ContentType: "application/javascript", FileExtension: ".bundle", SizeBytes: 43, IsLaunchAsset: true,
			}},
		}},
	}
	var err error
	state.Blobs, err = state.Blobs.With([]models.Blob{{MD5: releasedMD5, SHA256: releasedSHA256, SizeBytes: 43, ContentType: "application/javascript"}}, nil)
	require.NoError(t, err)
	for _, c := range change {
		c(&state)
	}
	first, err := delivery.NewSnapshot(state, "https://ota.example.com")
	require.NoError(t, err)
	second, err := delivery.NewSnapshot(models.ProjectSnapshot{Project: other}, "https://ota.example.com")
	require.NoError(t, err)
	return snapshots{second, first}
}
