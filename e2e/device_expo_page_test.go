package e2e

import (
	"bytes"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// webExport returns the folder of the example app's export for the web.
func webExport(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(exportsDir, "web")
	require.FileExists(t, filepath.Join(dir, "index.html"), "build the example app's exports with `make exports`")
	return dir
}

// hostPage serves the example app as if its app.json named this server and project.
func hostPage(t *testing.T, server, slug string) string {
	t.Helper()
	dir := webExport(t)
	const configured = "http://localhost:8080/v1/ota/manifest/demo"
	pages := map[string][]byte{}
	named := false
	require.NoError(t, filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(file)
		named = named || bytes.Contains(content, []byte(configured))
		at := "/" + filepath.ToSlash(strings.TrimPrefix(file, dir+string(filepath.Separator)))
		pages[at] = bytes.ReplaceAll(content, []byte(configured), []byte(server+"/v1/ota/manifest/"+slug))
		return err
	}))
	require.True(t, named, "the export names the server of app.json")
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := r.URL.Path
		if at == "/" {
			at = "/index.html"
		}
		content, ok := pages[at]
		if !ok {
			http.NotFound(w, r)
			return
		}
		switch filepath.Ext(at) {
		case ".js":
			w.Header().Set("Content-Type", "text/javascript")
		case ".html":
			w.Header().Set("Content-Type", "text/html")
		}
		_, _ = w.Write(content)
	}))
	t.Cleanup(host.Close)
	return host.URL
}

// openPage opens the example app in Chromium, for the project with the slug, with settings of test/page/page.mjs.
func openPage(t *testing.T, p *tenant, slug string, env ...string) *program {
	t.Helper()
	return openURL(t, hostPage(t, p.url, slug), env...)
}

// openURL opens a page in Chromium, with settings of test/page/page.mjs.
func openURL(t *testing.T, url string, env ...string) *program {
	t.Helper()
	chromium, err := exec.CommandContext(t.Context(), "../tools/chromium.sh").Output()
	require.NoError(t, err)
	return startProgram(t, "../sdk/expo", []string{"node", "test/page/page.mjs"},
		append(env, "WAFT_PAGE="+url, "CHROMIUM="+strings.TrimSpace(string(chromium)))...)
}

// The example app runs in a browser. An error that it throws is counted once, and a flag changes on the screen without
// a reload. Only the tab that crashed reports an abnormal exit.
func TestTheExpoPackageInABrowser(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	flag := p.create("/v1/ota/flags", object{"key": "greeting", "flagType": "boolean", "defaultValue": false}).id("id")
	p.settle(flag)
	page := openPage(t, p, p.slug)
	require.Equal(t, "", page.say(object{"do": "text", "testID": "greeting"})["text"])
	set := func(value bool) {
		p.do(request{method: http.MethodPatch, path: path("/v1/ota/flags/%d", flag), body: object{"defaultValue": value}}).record(http.StatusOK)
	}
	set(true)
	page.say(object{"do": "await", "testID": "greeting", "shown": true})
	set(false)
	page.say(object{"do": "await", "testID": "greeting", "shown": false})
	page.say(object{"do": "throw", "message": "thrown in the page"})
	page.say(object{"do": "reject", "message": "rejected in the page"})
	want := map[string]int{"app_launch": 1, "thrown in the page": 1, "rejected in the page": 1}
	p.eventually(func() bool { return len(p.counted()) >= len(want) })
	require.Equal(t, want, p.counted())
	page.say(object{"do": "open another tab"})
	p.eventually(func() bool { return p.counted()["app_launch"] == 2 })
	page.say(object{"do": "crash that tab"})
	page.say(object{"do": "open another tab"})
	want["app_launch"], want["abnormal_exit"] = 3, 1
	p.eventually(func() bool { return p.counted()["app_launch"] >= 3 && p.counted()["abnormal_exit"] >= 1 })
	require.Equal(t, want, p.counted(), "only the tab that crashed reports an abnormal exit")
	require.EqualValues(t, 1, page.say(object{"do": "loads"})["loads"], "the page was loaded once")
}
