package delivery

import (
	"net/http"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestRender(t *testing.T) {
	t.Parallel()
	update := func(tp *testProject) { tp.publish("production") }
	nothing := func(*testProject) {}
	rollback := func(tp *testProject) { tp.publish("production", toEmbedded) }
	paused := func(tp *testProject) { tp.production().IsPaused = true }
	cases := []struct {
		name        string
		arrange     func(tp *testProject)
		accept      string
		protocol    int
		status      int
		contentType string
	}{
		{"an update to a stock client", update, stockAccept, 1, 200, multipartType},
		{"an update to an old stock client", update, stockAccept, 0, 200, multipartType},
		{"an update as expo JSON", update, "application/expo+json,application/json", 1, 200, "application/expo+json"},
		{"an update as JSON", update, "application/json", 1, 200, "application/json"},
		{"an update as JSON in protocol 0", update, "application/json", 0, 200, "application/json"},
		{"an update to who takes anything", update, "*/*", 1, 200, "application/json"},
		{"an update to who takes multipart alone", update, "multipart/mixed", 1, 200, multipartType},
		{"an update to who takes no form of it", update, "text/html", 1, 406, ""},
		{"no update", nothing, stockAccept, 1, 200, multipartType},
		{"no update to who takes anything", nothing, "*/*", 1, 200, multipartType},
		{"no update as JSON", nothing, "application/json", 1, 204, ""},
		{"no update to who takes no form of it", nothing, "text/html", 1, 406, ""},
		{"no update in protocol 0", nothing, stockAccept, 0, 404, ""},
		{"a rollback", rollback, stockAccept, 1, 200, multipartType},
		{"a rollback as JSON", rollback, "application/json", 1, 406, ""},
		{"a rollback in protocol 0", rollback, stockAccept, 0, 404, ""},
		{"a paused channel", paused, stockAccept, 1, 200, multipartType},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tp := newTestProject()
			c.arrange(tp)
			s, r := tp.snapshot(t), ask("d")
			r.Accept, r.Protocol = ParseAccept(c.accept), c.protocol
			res := s.Respond(r)
			require.Equal(t, c.status, res.Status)
			h := http.Header{}
			res.SetHeader(h)
			require.Equal(t, c.contentType, h.Get("content-type"))
			a, err := readWire(res, c.protocol)
			require.NoError(t, err)
			require.Contains(t, a.filters, branchKey, "on every response")
		})
	}
}

func TestRenderProblems(t *testing.T) {
	t.Parallel()
	s := newTestProject().snapshot(t)
	unknown := ask("d")
	unknown.Channel = "nope"
	require.Equal(t, models.CodeNotFound, s.Respond(unknown).Problem.Code)
	require.ErrorContains(t, s.Respond(unknown).Problem, `channel "nope" does not exist in this project; create it`)
	picky := ask("d")
	picky.Accept = ParseAccept("image/png")
	require.Equal(t, models.CodeNotAcceptable, s.Respond(picky).Problem.Code)
	old := ask("d")
	old.Protocol = 0
	require.Equal(t, models.CodeNotFound, s.Respond(old).Problem.Code)
	require.ErrorContains(t, s.Respond(old).Problem, "no update is available for this device; send expo-protocol-version: 1")
}

func TestAResponseSaysWhatTelemetryRecords(t *testing.T) {
	t.Parallel()
	type recorded struct {
		exposure models.ExposureKind
		refusal  models.RefusalReason
	}
	// setup publishes a release that is served under an alias.
	setup := func() (tp *testProject, released string) {
		tp = newTestProject()
		released = tp.uuid(tp.publish("production"))
		tp.rollBack("next", 0)
		return tp, released
	}
	tp, released := setup()
	require.NotEqual(t, released, tp.snapshot(t).Resolve(ask("d")).UpdateUUID)
	for name, c := range map[string]struct {
		arrange func(tp *testProject, r *Request)
		want    recorded
	}{
		"an update":              {func(*testProject, *Request) {}, recorded{exposure: models.ExposureManifest}},
		"an update without form": {func(_ *testProject, r *Request) { r.Accept = ParseAccept("text/html") }, recorded{}},
		"an update that it runs": {func(_ *testProject, r *Request) { r.CurrentUpdateUUID = released }, recorded{}},
		"an unknown channel": {
			func(_ *testProject, r *Request) { r.Channel = "nope" }, recorded{refusal: models.RefusedUnknownChannel},
		},
		"no release": {
			func(_ *testProject, r *Request) { r.RuntimeVersion = "9" }, recorded{refusal: models.RefusedNoRelease},
		},
		"no release and no form": {
			func(_ *testProject, r *Request) { r.RuntimeVersion, r.Protocol = "9", 0 }, recorded{refusal: models.RefusedNoRelease},
		},
		"a rollback": {
			func(tp *testProject, _ *Request) { tp.publish("production", toEmbedded) }, recorded{exposure: models.ExposureRollback},
		},
		"a rollback in protocol 0": {
			func(tp *testProject, r *Request) { tp.publish("production", toEmbedded); r.Protocol = 0 }, recorded{},
		},
	} {
		tp, _ := setup()
		r := ask("d")
		c.arrange(tp, &r)
		response := tp.snapshot(t).Respond(r)
		require.Equal(t, c.want, recorded{response.Exposure, response.Refusal}, name)
		if c.want.exposure == "" {
			require.Empty(t, response.UpdateUUID, name)
		}
		if c.want.exposure == models.ExposureManifest {
			require.Equal(t, released, response.UpdateUUID, name)
		}
	}
}

// TestDirectiveBytes pins whole bodies, including line breaks.
func TestDirectiveBytes(t *testing.T) {
	t.Parallel()
	body := func(directive string) string {
		return strings.ReplaceAll(`--waft-part-4f1c9a7e2d
content-disposition: inline; name="directive"
content-type: application/json

`+directive+`
--waft-part-4f1c9a7e2d
content-disposition: inline; name="extensions"
content-type: application/json

{"assetRequestHeaders":{}}
--waft-part-4f1c9a7e2d--
`, "\n", "\r\n")
	}
	render := func(tp *testProject) string {
		s := tp.snapshot(t)
		return s.Respond(ask("d")).Body.text()
	}
	tp := newTestProject()
	require.Equal(t, body(`{"type":"noUpdateAvailable"}`), render(tp))
	tp.publish("production", toEmbedded)
	require.Equal(t, body(`{"type":"rollBackToEmbedded","parameters":{"commitTime":"2026-01-02T04:04:05.000Z"}}`), render(tp))
}

func TestRollbackTimeIsThatOfTheRelease(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	id := tp.publish("production", toEmbedded)
	want := commitTime(tp.release(id).CreatedAt)
	for range 2 {
		s := tp.snapshot(t)
		a, err := readWire(s.Respond(ask("d")), 1)
		require.NoError(t, err)
		require.Equal(t, want, a.directive.Parameters["commitTime"])
	}
}

func TestStoreUpdateSignal(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.publish("production")
	minimum := "2.0"
	tp.production().MinRuntimeVersion = &minimum
	s := tp.snapshot(t)
	t.Run("in protocol 1 as header and directive", func(t *testing.T) {
		t.Parallel()
		res := s.Respond(ask("d"))
		h := http.Header{}
		res.SetHeader(h)
		require.Equal(t, "2.0", h.Get("waft-store-update-required"))
		a, err := readWire(res, 1)
		require.NoError(t, err)
		require.Equal(t, "noUpdateAvailable", a.directive.Type)
		require.Equal(t, map[string]any{"storeUpdateRequired": true, "minRuntimeVersion": "2.0"}, a.directive.Extra)
	})
	t.Run("in protocol 0 as header", func(t *testing.T) {
		t.Parallel()
		r := ask("d")
		r.Protocol = 0
		res := s.Respond(r)
		h := http.Header{}
		res.SetHeader(h)
		require.Equal(t, http.StatusNotFound, res.Status)
		require.Equal(t, "2.0", h.Get("waft-store-update-required"))
	})
	t.Run("not to a device that is served", func(t *testing.T) {
		t.Parallel()
		r := ask("d")
		r.RuntimeVersion = "2.0.0"
		h := http.Header{}
		s.Respond(r).SetHeader(h)
		require.Empty(t, h.Get("waft-store-update-required"))
	})
}

func TestEveryDeviceGetsTheSameBytes(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.publish("production")
	s := tp.snapshot(t)
	one, other := s.Respond(ask("a")), s.Respond(ask("b"))
	require.NotEmpty(t, one.Body.text())
	for i := range one.Body {
		require.Same(t, unsafe.SliceData(one.Body[i]), unsafe.SliceData(other.Body[i]), "rendered once")
	}
}
