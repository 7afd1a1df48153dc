package api

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"
	"mime/multipart"
	"net/http/httptest"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/manage/builds"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/models"
)

// uploads is a testAPI with a real asset bucket in a folder.
type uploads struct {
	*testAPI
	bucket  *assets.Bucket
	staging string
	store   string
	// built is the build that reached CreateBuild.
	built *models.NewBuild
}

func newUploads(t *testing.T, limits builds.Limits) *uploads {
	t.Helper()
	u := &uploads{staging: filepath.Join(t.TempDir(), "staging"), store: filepath.Join(t.TempDir(), "store")}
	bucket, err := assets.Open(t.Context(), "file://"+u.store, u.staging)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, bucket.Close()) })
	u.bucket = bucket
	u.testAPI = newTestAPI(t, func(d *parts) {
		d.Stager, d.Assets, d.Limits = bucket, bucket, limits
		d.Snapshots = lateSnapshots{newSnapshots(t), func(context.Context, int64) error {
			t.Error("an upload does not wait until devices are served its files")
			return nil
		}}
	})
	u.testAPI.store.createBuild = func(n models.NewBuild) (models.Build, error) {
		require.Nil(t, u.built, "one upload makes one build")
		u.built = &n
		return models.Build{ID: 12, Platform: n.Platform, Assets: n.Assets}, nil
	}
	return u
}

// kept returns the number of files in the store.
func (u *uploads) kept() (n int) {
	u.t.Helper()
	require.NoError(u.t, filepath.WalkDir(u.store, func(_ string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
		}
		return err
	}))
	return n
}

// requireClean checks that no temporary file is left.
func (u *uploads) requireClean() {
	u.t.Helper()
	left, err := os.ReadDir(u.staging)
	require.NoError(u.t, err)
	require.Empty(u.t, left)
}

// form writes a multipart form.
type form struct {
	bytes.Buffer
	writer *multipart.Writer
}

func newForm() *form {
	f := &form{}
	f.writer = multipart.NewWriter(&f.Buffer)
	return f
}

func (f *form) field(name, value string) *form {
	if err := f.writer.WriteField(name, value); err != nil {
		panic(err)
	}
	return f
}

// file writes a part whose filename is exactly path.
func (f *form) file(name, path, content string) *form {
	header := textproto.MIMEHeader{}
	header.Set("Content-Disposition", fmt.Sprintf(`form-data; name=%q; filename="%s"`, name, path))
	header.Set("Content-Type", "application/octet-stream")
	part, err := f.writer.CreatePart(header)
	if err == nil {
		_, err = io.WriteString(part, content)
	}
	if err != nil {
		panic(err)
	}
	return f
}

// End writes the closing boundary and returns the whole form.
func (f *form) End() string {
	if err := f.writer.Close(); err != nil {
		panic(err)
	}
	return f.String()
}

func (u *uploads) Send(f *form, body string) *httptest.ResponseRecorder {
	return u.do(request{
		method: post, path: "/v1/ota/builds", body: body, key: u.keys[models.RoleEditor],
		header: map[string]string{"Content-Type": f.writer.FormDataContentType()},
	})
}

// described returns a form with the required fields.
func described() *form { return newForm().field("platform", "ios").field("runtimeVersion", "1.0.0") }

func md5Of(content string) string {
	sum := md5.Sum([]byte(content))
	return hex.EncodeToString(sum[:])
}

func TestAnUploadBecomesABuild(t *testing.T) {
	t.Parallel()
	u := newUploads(t, builds.Limits{})
	f := described().
		field("message", "Fix the checkout button").field("gitCommitHash", "abc").field("gitBranch", "main").field("gitAuthor", "Ada Lovelace").
		field("clientConfig", `{"name":"Demo"}`).
		file("assets", "_expo/static/js/ios/entry.hbc", "the bundle").
		file("assets", "assets/logo.png", "the logo").
		file("assets", "assets/again.png", "the logo")
	body := decoded(t, u.Send(f, f.End()), 201)
	require.Equal(t, 12.0, body["id"])
	require.Len(t, body["assets"], 3)

	require.Equal(t, models.IOS, u.built.Platform)
	require.Equal(t, "1.0.0", u.built.RuntimeVersion)
	require.Equal(t, "Fix the checkout button", u.built.Message)
	require.Equal(t, "abc", u.built.GitCommitHash)
	require.Equal(t, "main", u.built.GitBranch)
	require.Equal(t, "Ada Lovelace", u.built.GitAuthor)
	require.JSONEq(t, `{"name":"Demo"}`, string(u.built.ClientConfig))
	for _, a := range u.built.Assets {
		require.Equal(t, a.Path == "_expo/static/js/ios/entry.hbc", a.IsLaunchAsset, a.Path)
	}
	require.Equal(t, 2, u.kept())
	u.requireClean()

	file, err := u.bucket.Open(context.Background(), demo.ID, md5Of("the logo"))
	require.NoError(t, err)
	defer file.Close()
	content, err := io.ReadAll(file)
	require.NoError(t, err)
	require.Equal(t, "the logo", string(content))
}

func TestFieldsMayComeAfterFiles(t *testing.T) {
	t.Parallel()
	u := newUploads(t, builds.Limits{})
	f := newForm().file("assets", "main.jsbundle", "x").field("runtimeVersion", "1.0.0").field("platform", "android").
		field("expoConfig", `{"slug":"demo"}`)
	answer := u.Send(f, f.End())
	decoded(t, answer, 201)
	require.Equal(t, "pending", answer.Header().Get("Waft-Served"), "devices get a build when it is published")
	require.Equal(t, models.Android, u.built.Platform)
	require.JSONEq(t, `{"slug":"demo"}`, string(u.built.ClientConfig))
}

func TestTheLaunchAssetIsWhatTheUploadSays(t *testing.T) {
	t.Parallel()
	metadata := `{"version":0,"bundler":"metro","fileMetadata":{"ios":{"bundle":"_expo/a.js","assets":[{"path":"assets/1","ext":"png"}]}}}`
	cases := map[string]struct {
		form   *form
		launch string
		count  int
	}{
		"the part named bundle": {
			described().file("bundle", "odd.name", "b").file("assets", "main.js", "m"), "odd.name", 2,
		},
		"what a metadata part names": {
			described().field("metadata", metadata).file("assets", "_expo/a.js", "a").file("assets", "_expo/b.js", "b").file("assets", "assets/1", "1"),
			"_expo/a.js", 2,
		},
		"what metadata in a file names": {
			described().file("metadata", "metadata.json", metadata).file("assets", "_expo/a.js", "a").file("assets", "assets/1", "1"),
			"_expo/a.js", 2,
		},
		"what metadata among the assets names": {
			described().file("assets", "metadata.json", metadata).file("assets", "_expo/a.js", "a").file("assets", "assets/1", "1"),
			"_expo/a.js", 2,
		},
		"the one file of the platform": {
			described().file("assets", "_expo/static/js/ios/i.hbc", "i").file("assets", "_expo/static/js/android/a.hbc", "a"),
			"_expo/static/js/ios/i.hbc", 1,
		},
		"the one bundle": {described().file("assets", "x/app.bundle", "b").file("assets", "x/a.png", "p"), "x/app.bundle", 2},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newUploads(t, builds.Limits{})
			decoded(t, u.Send(tc.form, tc.form.End()), 201)
			require.Len(t, u.built.Assets, tc.count)
			for _, a := range u.built.Assets {
				require.Equal(t, a.Path == tc.launch, a.IsLaunchAsset, a.Path)
			}
			require.Equal(t, tc.count, u.kept())
			u.requireClean()
		})
	}
}

func TestAnUploadThatIsRefusedLeavesNothing(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", 2000)
	cases := map[string]struct {
		form   *form
		limits builds.Limits
		status int
		code   models.ErrorCode
		field  string
	}{
		"no files":        {described(), builds.Limits{}, 400, models.CodeInvalid, "assets"},
		"no launch asset": {described().file("assets", "a.png", "p"), builds.Limits{}, 400, models.CodeInvalid, "assets"},
		"two launch assets": {described().file("assets", "a.js", "1").file("assets", "b.js", "2"), builds.Limits{}, 400,
			models.CodeInvalid, "assets"},
		"a path that climbs": {described().file("assets", "a.js", "1").file("assets", "../../etc/passwd", "2"), builds.Limits{}, 400,
			models.CodeInvalid, "assets[1]"},
		"a path that climbs inside": {described().file("assets", "a/../../b.js", "1"), builds.Limits{}, 400, models.CodeInvalid, "assets[0]"},
		"an absolute path":          {described().file("assets", "/a.js", "1"), builds.Limits{}, 400, models.CodeInvalid, "assets[0]"},
		"backslashes":               {described().file("assets", `a\\b.js`, "1"), builds.Limits{}, 400, models.CodeInvalid, "assets[0]"},
		"no filename":               {described().file("assets", "", "1"), builds.Limits{}, 400, models.CodeInvalid, "assets[0]"},
		"a path that is not text":   {described().file("assets", "a\xff.js", "1"), builds.Limits{}, 400, models.CodeInvalid, "assets[0]"},
		"a path twice": {described().file("assets", "a.js", "1").file("assets", "a.js", "1"), builds.Limits{}, 400,
			models.CodeInvalid, "assets[1]"},
		"an unknown part": {described().file("asset", "a.js", "1"), builds.Limits{}, 400, models.CodeInvalid, "asset"},
		"a field twice":   {described().field("platform", "ios"), builds.Limits{}, 400, models.CodeInvalid, "platform"},
		"a bad platform before the files": {
			newForm().field("platform", "windows").field("runtimeVersion", "1").file("assets", "a.js", "1"), builds.Limits{}, 400,
			models.CodeInvalid, "platform",
		},
		"a bad platform after the files": {
			newForm().file("assets", "a.js", "1").field("runtimeVersion", "1").field("platform", "windows"), builds.Limits{}, 400,
			models.CodeInvalid, "platform",
		},
		"no fields": {newForm().file("assets", "a.js", "1"), builds.Limits{}, 400, models.CodeInvalid, "platform"},
		"bad configuration": {described().field("clientConfig", `[1]`).file("assets", "a.js", "1"), builds.Limits{}, 400,
			models.CodeInvalid, "clientConfig"},
		"configuration with NUL": {described().field("clientConfig", `{"a":"\u0000"}`).file("assets", "a.js", "1"), builds.Limits{}, 400,
			models.CodeInvalid, "clientConfig"},
		"no configuration": {described().field("clientConfig", `null`).file("assets", "a.js", "1"), builds.Limits{}, 400,
			models.CodeInvalid, "clientConfig"},
		"bad metadata": {described().field("metadata", `no`).file("assets", "a.js", "1"), builds.Limits{}, 400, models.CodeInvalid,
			"assets"},
		"a file too large": {described().file("assets", "a.js", big), builds.Limits{FileBytes: 1999}, 413, models.CodeTooLarge, ""},
		"files too large": {described().file("assets", "a.js", big).file("assets", "a.png", big), builds.Limits{BuildBytes: 3999},
			413, models.CodeTooLarge, ""},
		"too many files": {described().file("assets", "a.js", "1").file("assets", "a.png", "2"), builds.Limits{BuildFiles: 1}, 413,
			models.CodeTooLarge, ""},
		"a field too large": {described().field("message", strings.Repeat("x", 64<<10+1)), builds.Limits{}, 413, models.CodeTooLarge, ""},
		"a message too long": {described().field("message", strings.Repeat("x", 5000)).file("assets", "a.js", "1"), builds.Limits{}, 400,
			models.CodeInvalid, "message"},
		"runtime with a space": {newForm().field("platform", "ios").field("runtimeVersion", "1 0").file("assets", "a.js", "1"),
			builds.Limits{}, 400, models.CodeInvalid, "runtimeVersion"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newUploads(t, tc.limits)
			p := u.problem(u.Send(tc.form, tc.form.End()), tc.status, tc.code)
			if tc.field != "" {
				require.Contains(t, fieldsOf(p), tc.field)
			}
			require.Nil(t, u.built)
			require.Zero(t, u.kept())
			u.requireClean()
		})
	}
}

func TestFilesUpToTheLimitsAreTaken(t *testing.T) {
	t.Parallel()
	u := newUploads(t, builds.Limits{FileBytes: 2000, BuildBytes: 3000, BuildFiles: 2})
	f := described().file("assets", "a.js", strings.Repeat("x", 2000)).file("assets", "a.png", strings.Repeat("y", 1000))
	decoded(t, u.Send(f, f.End()), 201)
}

// If the connection breaks anywhere, the upload is not kept. The test sends prefixes of a whole upload. The form's
// last two bytes are only a line break.
func TestAnUploadThatIsCutOffAnywhereLeavesNothing(t *testing.T) {
	t.Parallel()
	u := newUploads(t, builds.Limits{})
	f := described().file("assets", "a.js", "the bundle").file("assets", "b.png", strings.Repeat("p", 300))
	whole := f.End()
	for length := 0; length < len(whole)-len("--\r\n"); length++ {
		u.problem(u.Send(f, whole[:length]), 400, models.CodeInvalid)
		require.Nil(t, u.built)
		u.requireClean()
	}
	require.Zero(t, u.kept())
}

func TestAnUploadWhoseConnectionBreaksLeavesNothing(t *testing.T) {
	t.Parallel()
	u := newUploads(t, builds.Limits{})
	f := described().file("assets", "a.js", "the bundle").file("assets", "b.png", strings.Repeat("p", 1<<20))
	whole := f.End()
	answer := u.do(request{
		method: post, path: "/v1/ota/builds", body: io.MultiReader(strings.NewReader(whole[:len(whole)/2]), brokenReader{}),
		header: map[string]string{"Content-Type": f.writer.FormDataContentType()},
	})
	u.problem(answer, 400, models.CodeInvalid)
	require.Nil(t, u.built)
	require.Zero(t, u.kept())
	u.requireClean()
}

func TestAnUploadThatIsNoFormIsUnsupported(t *testing.T) {
	t.Parallel()
	u := newUploads(t, builds.Limits{})
	for _, media := range []string{"", "application/xml", "multipart/form-data", "multipart/mixed; boundary=x", "nonsense;;"} {
		answer := u.do(request{method: post, path: "/v1/ota/builds", body: "{}", header: map[string]string{"Content-Type": media}})
		u.problem(answer, 415, models.CodeUnsupportedMedia)
	}
}

func TestAnUploadOfNamesIsChecked(t *testing.T) {
	t.Parallel()
	u := newUploads(t, builds.Limits{})
	sum := strings.Repeat("A", 42) + "A"
	good := func(files string) string { return `{"platform":"ios","runtimeVersion":"1","files":` + files + `}` }
	for body, c := range map[string]struct {
		status int
		code   models.ErrorCode
		field  string
	}{
		`{`:                              {400, models.CodeInvalid, ""},
		`[]`:                             {400, models.CodeInvalid, ""},
		`{"platform":"ios","x":1}`:       {400, models.CodeInvalid, "x"},
		`{"platform":1}`:                 {400, models.CodeInvalid, "platform"},
		good(`"[]"`):                     {400, models.CodeInvalid, "files"},
		good(`[{"path":"a","sum":"b"}]`): {400, models.CodeInvalid, "files"},
		good(`[{"path":"../a","sha256":"` + sum + `"}]`):                                     {400, models.CodeInvalid, "files[0].path"},
		good(`[{"path":"a.js","sha256":"b"}]`):                                               {400, models.CodeInvalid, "files[0].sha256"},
		good(`[{"path":"a","sha256":"` + sum + `"},{"path":"a","sha256":"` + sum + `"}]`):    {400, models.CodeInvalid, "files[1].path"},
		good(`[{"path":"a.js","sha256":"` + sum + `"},{"path":"b","sha256":"` + sum + `"}]`): {409, models.CodeFilesMissing, "files[1].sha256"},
		good(`[]`): {400, models.CodeInvalid, "assets"},
	} {
		answer := u.do(request{method: post, path: "/v1/ota/builds", body: body, header: map[string]string{"Content-Type": "application/json"}})
		p := u.problem(answer, c.status, c.code)
		if c.field != "" {
			require.True(t, slices.ContainsFunc(p.Errors, func(f rest.FieldProblem) bool { return f.Field == c.field }), "%s: %v", body, p.Errors)
		}
	}
	require.Nil(t, u.built)
}

func TestAnUploadIsRefusedByItsAnnouncedSize(t *testing.T) {
	t.Parallel()
	u := newUploads(t, builds.Limits{BuildBytes: 10})
	f := described()
	req := httptest.NewRequest(post, "/v1/ota/builds", brokenReader{})
	req.ContentLength = 10 + 32<<20 + 1
	req.Header.Set("Content-Type", f.writer.FormDataContentType())
	req.Header.Set("Authorization", "Bearer "+u.keys[models.RoleEditor])
	req.Header.Set("X-Project", demo.Slug)
	answer := httptest.NewRecorder()
	u.handler.ServeHTTP(answer, req)
	u.problem(answer, 413, models.CodeTooLarge)
}

func TestFilesThatTheProjectHoldsAreNotStoredAgain(t *testing.T) {
	t.Parallel()
	u := newUploads(t, builds.Limits{})
	held := map[string]string{}
	u.testAPI.store.knownBlobs = func(md5s []string) (map[string]string, error) {
		require.ElementsMatch(t, []string{md5Of("the bundle"), md5Of("the logo")}, md5s)
		return held, nil
	}
	upload := func() *httptest.ResponseRecorder {
		u.built = nil
		f := described().file("assets", "a.js", "the bundle").file("assets", "logo.png", "the logo")
		return u.Send(f, f.End())
	}
	held[md5Of("the logo")] = "another content"
	p := u.problem(upload(), 400, models.CodeInvalid)
	require.Contains(t, p.Detail, "logo.png")
	require.Zero(t, u.kept())

	decoded(t, func() *httptest.ResponseRecorder {
		delete(held, md5Of("the logo"))
		return upload()
	}(), 201)
	require.Equal(t, 2, u.kept())
	for _, a := range u.built.Assets {
		held[a.MD5] = a.SHA256
	}
	require.NoError(t, os.RemoveAll(filepath.Join(u.store, "projects")))
	decoded(t, upload(), 201)
	require.Zero(t, u.kept(), "what the project holds is not uploaded again")
	u.requireClean()
}

func TestABuildThatTheStoreRefusesIsNotAnswered(t *testing.T) {
	t.Parallel()
	u := newUploads(t, builds.Limits{})
	u.testAPI.store.createBuild = func(models.NewBuild) (models.Build, error) {
		return models.Build{}, models.Unavailable("Postgres", io.ErrClosedPipe)
	}
	f := described().file("assets", "a.js", "the bundle")
	u.problem(u.Send(f, f.End()), 503, models.CodeUnavailable)
	u.requireClean()
}
