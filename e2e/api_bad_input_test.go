package e2e

import (
	"bytes"
	"context"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

// part is a file of an upload. Its name is sent as it is.
type part struct{ name, content string }

// form returns the body of an upload for iOS.
func form(t *testing.T, files ...part) (body *bytes.Buffer, contentType string) {
	t.Helper()
	body = &bytes.Buffer{}
	w := multipart.NewWriter(body)
	require.NoError(t, w.WriteField("platform", "ios"))
	require.NoError(t, w.WriteField("runtimeVersion", "1.0.0"))
	for _, f := range files {
		header := textproto.MIMEHeader{"Content-Disposition": {`form-data; name="assets"; filename="` + f.name + `"`}}
		p, err := w.CreatePart(header)
		require.NoError(t, err)
		_, err = io.WriteString(p, f.content)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return body, w.FormDataContentType()
}

func TestBadUploadsAreClearErrorsAndLeaveNothing(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := newProject(t, serve(t, env), env["WAFT_ROOT_KEY"])

	for name, c := range map[string]struct {
		files []part
		says  string
	}{
		"no launch asset":          {[]part{{"assets/logo.png", "png"}}, "bundle"},
		"two launch assets":        {[]part{{"one.hbc", "1"}, {"two.hbc", "2"}}, "bundle"},
		"a path that climbs":       {[]part{{"index.hbc", "1"}, {"../etc/passwd", "x"}}, "inside the export"},
		"a path that climbs later": {[]part{{"index.hbc", "1"}, {"a/../../b.png", "x"}}, "inside the export"},
		"an absolute path":         {[]part{{"index.hbc", "1"}, {"/etc/passwd", "x"}}, "inside the export"},
		"the same path twice":      {[]part{{"index.hbc", "1"}, {"a.png", "x"}, {"a.png", "y"}}, "twice"},
		"no file":                  {nil, "assets"},
	} {
		t.Run(name, func(t *testing.T) {
			body, contentType := form(t, c.files...)
			_, err := p.UploadBuildWithBodyWithResponse(t.Context(), &client.UploadBuildParams{}, contentType, body)
			requireProblem(t, err, http.StatusBadRequest, models.CodeInvalid, c.says)
		})
	}
	t.Run("cut off half way", func(t *testing.T) {
		body, contentType := form(t, part{"index.hbc", strings.Repeat("x", 1<<20)})
		requireCutOff(t, p, body.Bytes()[:body.Len()/2], body.Len(), contentType)
	})
	t.Run("cut off half way, in chunks", func(t *testing.T) {
		body, contentType := form(t, part{"index.hbc", strings.Repeat("x", 1<<20)})
		_, err := p.UploadBuildWithBodyWithResponse(t.Context(), &client.UploadBuildParams{}, contentType,
			bytes.NewReader(body.Bytes()[:body.Len()/2]))
		requireProblem(t, err, http.StatusBadRequest, models.CodeInvalid, "")
	})

	builds, err := p.ListBuildsWithResponse(t.Context(), &client.ListBuildsParams{})
	require.NoError(t, err)
	require.Empty(t, *builds.JSON200)
	requireEmptyFolder(t, strings.TrimPrefix(env["WAFT_ASSET_BUCKET_URL"], "file://"))
	requireEmptyFolder(t, filepath.Join(env["WAFT_DATA_DIR"], "uploads"))
}

// requireCutOff sends the beginning of a body that is shorter than its announced length, closes the connection, and
// waits until the server has noticed.
func requireCutOff(t *testing.T, p project, body []byte, promised int, contentType string) {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(p.url, "http://"))
	require.NoError(t, err)
	head := "POST /v1/ota/builds HTTP/1.1\r\nHost: waft\r\nAuthorization: Bearer " + p.key + "\r\nX-Project: " + p.slug +
		"\r\nContent-Type: " + contentType + "\r\nContent-Length: " + strconv.Itoa(promised) + "\r\n\r\n"
	_, err = conn.Write(append([]byte(head), body...))
	require.NoError(t, err)
	// The server reads the rest of the request; its response is discarded.
	require.NoError(t, conn.(*net.TCPConn).CloseWrite())
	_, err = io.Copy(io.Discard, conn)
	require.NoError(t, err)
	require.NoError(t, conn.Close())
}

func requireEmptyFolder(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		require.NoError(t, err)
		require.True(t, entry.IsDir(), "%s was left behind", path)
		return nil
	}))
}

func TestAPolicyWhoseStagesFallIsRefused(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := newProject(t, serve(t, env), env["WAFT_ROOT_KEY"])
	_, err := p.CreateRolloutPolicyWithResponse(t.Context(), &client.CreateRolloutPolicyParams{}, client.CreatePolicyBody{
		Name: "falling", Stages: []client.Stage{{Percentage: 50}, {Percentage: 20}, {Percentage: 90}},
	})
	requireProblem(t, err, http.StatusBadRequest, models.CodeInvalid, "stages[1].percentage")
	requireProblem(t, err, http.StatusBadRequest, models.CodeInvalid, "stages[2].percentage")
	policies, err := p.ListRolloutPoliciesWithResponse(t.Context(), &client.ListRolloutPoliciesParams{})
	require.NoError(t, err)
	require.Empty(t, *policies.JSON200)
}

func TestAHealthReportThatIsNotJSONIsRefused(t *testing.T) {
	t.Parallel()
	env := settings(t)
	url := serve(t, env)
	res := post(t.Context(), t, url+"/v1/ota/health-metrics", "application/json", strings.NewReader("not json"))
	defer res.Body.Close()
	require.Equal(t, http.StatusBadRequest, res.StatusCode)
	require.Equal(t, "application/problem+json", res.Header.Get("Content-Type"))
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Contains(t, string(text), `"code":"invalid_request"`)
}

func post(ctx context.Context, t *testing.T, url, contentType string, body io.Reader) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, body)
	require.NoError(t, err)
	req.Header.Set("Content-Type", contentType)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	return res
}

// requireProblem checks an error. says must be part of its text or the name of a bad field.
func requireProblem(t *testing.T, err error, status int, code models.ErrorCode, says string) {
	t.Helper()
	var problem *client.Error
	require.ErrorAs(t, err, &problem)
	require.Equal(t, status, problem.Status, err)
	require.Equal(t, code, problem.Code, err)
	require.ErrorContains(t, err, says)
}
