package api

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/manage/builds"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// fakeIdempotency remembers responses.
type fakeIdempotency struct{ answers []keptAnswer }

// keptAnswer is a response that fakeIdempotency remembers.
type keptAnswer struct {
	request models.IdempotentRequest
	answer  models.IdempotentAnswer
}

func (f *fakeIdempotency) Answered(_ context.Context, r models.IdempotentRequest) (models.IdempotentAnswer, bool, error) {
	i := slices.IndexFunc(f.answers, func(k keptAnswer) bool {
		q := k.request
		return q.ProjectID == r.ProjectID && q.Caller == r.Caller && q.Path == r.Path && q.Key == r.Key
	})
	switch {
	case i < 0:
		return models.IdempotentAnswer{}, false, nil
	case !bytes.Equal(f.answers[i].request.Fingerprint, r.Fingerprint):
		return models.IdempotentAnswer{}, false, models.Errorf(models.CodeIdempotencyMismatch, "another body")
	}
	return f.answers[i].answer, true, nil
}

func (f *fakeIdempotency) AnswerOnce(
	ctx context.Context, r models.IdempotentRequest, do func(context.Context) (models.IdempotentAnswer, error),
) (models.IdempotentAnswer, bool, error) {
	if a, found, err := f.Answered(ctx, r); found || err != nil {
		return a, found, err
	}
	a, err := do(ctx)
	if err == nil && a.Final() {
		f.answers = append(f.answers, keptAnswer{r, a})
	}
	return a, false, err
}

func (f *fakeIdempotency) KeepAnswer(
	ctx context.Context, r models.IdempotentRequest, a models.IdempotentAnswer,
) (models.IdempotentAnswer, bool, error) {
	return f.AnswerOnce(ctx, r, func(context.Context) (models.IdempotentAnswer, error) { return a, nil })
}

// countChannels makes w count the channels that are created, and gives each its own ID.
func countChannels(w *testAPI) *int64 {
	made := new(int64)
	w.store.createChannel = func(n models.NewChannel) (models.Channel, error) {
		*made++
		return models.Channel{ID: *made, Name: n.Name}, nil
	}
	return made
}

func createChannel(key, body string) request {
	return request{
		method: post, path: "/v1/ota/channels", body: body,
		header: map[string]string{rest.HeaderIdempotencyKey: key, "Content-Type": "application/json"},
	}
}

func TestARequestSentAgainGetsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	made := countChannels(w)
	first := w.do(createChannel("k-1", `{"name":"beta"}`))
	require.Equal(t, http.StatusCreated, first.Code, first.Body.String())
	require.Empty(t, first.Header().Get("Idempotency-Replayed"))
	again := w.do(createChannel("k-1", `{"name":"beta"}`))
	require.Equal(t, http.StatusCreated, again.Code)
	require.Equal(t, first.Body.String(), again.Body.String())
	require.Equal(t, first.Header().Get("Content-Type"), again.Header().Get("Content-Type"))
	require.Equal(t, "true", again.Header().Get("Idempotency-Replayed"))
	require.NotEqual(t, first.Header().Get("X-Request-Id"), again.Header().Get("X-Request-Id"))
	require.EqualValues(t, 1, *made)

	w.problem(w.do(createChannel("k-1", `{"name":"gamma"}`)), 409, models.CodeIdempotencyMismatch)
	require.Equal(t, http.StatusCreated, w.do(createChannel("k-2", `{"name":"beta"}`)).Code)
	require.Equal(t, http.StatusCreated, w.do(createChannel("", `{"name":"beta"}`)).Code)
	require.EqualValues(t, 3, *made)
}

func TestAKeyIsOfItsCallerProjectAndPath(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	made := countChannels(w)
	one := createChannel("k", `{"name":"beta"}`)
	editors, others, roots := one, one, one
	editors.key, roots.key = w.keys[models.RoleEditor], w.rootKey
	others.key, others.header = w.otherKey, map[string]string{
		rest.HeaderIdempotencyKey: "k", "X-Project": other.Slug, "Content-Type": "application/json",
	}
	for i, r := range []request{one, editors, others, roots} {
		answer := w.do(r)
		require.Equal(t, http.StatusCreated, answer.Code, answer.Body.String())
		require.Empty(t, answer.Header().Get("Idempotency-Replayed"))
		require.EqualValues(t, i+1, *made)
	}
	branch := one
	branch.path = "/v1/ota/branches"
	require.Empty(t, w.do(branch).Header().Get("Idempotency-Replayed"))
}

func TestARefusalIsAnAnswerAndAFailureIsNone(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	errs := []error{
		models.Unavailable("Postgres", nil), models.Errorf(models.CodeAlreadyExists, "a channel with this name already exists"),
	}
	w.store.createChannel = func(models.NewChannel) (models.Channel, error) {
		err := errs[0]
		errs = errs[1:]
		return models.Channel{}, err
	}
	failed := w.do(createChannel("k", `{"name":"beta"}`))
	w.problem(failed, 503, models.CodeUnavailable)
	require.NotEmpty(t, failed.Header().Get("Retry-After"))
	refused := w.do(createChannel("k", `{"name":"beta"}`))
	w.problem(refused, 409, models.CodeAlreadyExists)
	again := w.do(createChannel("k", `{"name":"beta"}`))
	require.Equal(t, 409, again.Code)
	require.Equal(t, refused.Body.String(), again.Body.String())
	require.Equal(t, "application/problem+json", again.Header().Get("Content-Type"))
}

func TestAKeptAnswerIsReadableByItsCallerOnly(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	create := request{
		method: post, path: "/v1/ota/api-keys", body: `{"name":"ci","role":"editor"}`,
		header: map[string]string{rest.HeaderIdempotencyKey: "k", "Content-Type": "application/json"},
	}
	first := decoded(t, w.do(create), http.StatusCreated)
	again := decoded(t, w.do(create), http.StatusCreated)
	require.Equal(t, first, again)
	secret := first["key"].(string)
	require.True(t, strings.HasPrefix(secret, "waft_"))
	require.Len(t, w.store.answers, 1)
	kept := w.store.answers[0]
	require.NotContains(t, string(kept.answer.Body), secret[:12])
}

func TestBadKeysAndBodiesAreRefusedBeforeAnythingIsDone(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	made := countChannels(w)
	for name, r := range map[string]request{
		"too long":  createChannel(strings.Repeat("k", rest.MaxIdempotencyKey+1), `{"name":"beta"}`),
		"not ASCII": createChannel("schlüssel", `{"name":"beta"}`),
		"cut off":   createChannel("k", ""),
	} {
		t.Run(name, func(t *testing.T) {
			if r.body == "" {
				r.body = brokenReader{}
			}
			w.problem(w.do(r), 400, models.CodeInvalid)
		})
	}
	large := createChannel("k", `{"name":"`+strings.Repeat("x", 1<<20)+`"}`)
	w.problem(w.do(large), 413, models.CodeTooLarge)
	require.Zero(t, *made)
	require.Empty(t, w.store.answers)
}

func TestAnUploadSentAgainMakesNoSecondBuild(t *testing.T) {
	t.Parallel()
	u := newUploads(t, builds.Limits{})
	send := func(content string) request {
		f := described().file("assets", "index.hbc", content)
		return request{method: post, path: "/v1/ota/builds", body: f.End(), header: map[string]string{
			rest.HeaderIdempotencyKey: "k", "Content-Type": f.writer.FormDataContentType(),
		}}
	}
	first := u.do(send("bundle")) // a second build would fail the test
	require.Equal(t, http.StatusCreated, first.Code, first.Body.String())
	again := u.do(send("bundle"))
	require.Equal(t, http.StatusCreated, again.Code, again.Body.String())
	require.Equal(t, first.Body.String(), again.Body.String())
	require.Equal(t, "true", again.Header().Get("Idempotency-Replayed"))
	u.problem(u.do(send("another bundle")), 409, models.CodeIdempotencyMismatch)
	require.Equal(t, 1, u.kept())
	u.requireClean()
}

// A command that is sent again reaches the rollout as the same command.
func TestACommandCarriesItsKey(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	var ids []string
	w.store.command = func(_ string, _ models.RolloutCommand, in models.CommandInput) error {
		ids = append(ids, in.RequestID)
		return nil
	}
	for _, key := range []string{"k", ""} {
		w.do(request{method: post, path: "/v1/ota/rollout-executions/21/pause", header: map[string]string{rest.HeaderIdempotencyKey: key}})
	}
	require.Equal(t, []string{"102/k", ""}, ids)
}
