package e2e

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// phoneProgram is an app that uses the package for Expo. Doubles replace what exists only on a phone, see
// sdk/expo/test/device.
const phoneProgram = "../sdk/expo/build/device.mjs"

// phone is a device with that app. Data that outlives the app's processes is in its folder.
type phone struct {
	t                 *testing.T
	url, slug, folder string
	options           string // settings of createWaft, as JSON
	app               *program
}

func newPhone(t *testing.T, url, slug string) *phone {
	t.Helper()
	require.FileExists(t, phoneProgram, "it is built by `make sdk`")
	return &phone{t: t, url: url, slug: slug, folder: filepath.Join(t.TempDir(), "phone"), options: "{}"}
}

// start starts the app, as a user does, and returns the ID of the running update.
func (p *phone) start() (update string) {
	p.t.Helper()
	p.app = startProgram(p.t, ".", []string{"node", phoneProgram},
		"WAFT_URL="+p.url, "WAFT_PROJECT="+p.slug, "WAFT_DEVICE="+p.folder, "WAFT_OPTIONS="+p.options)
	return p.app.say(object{"do": "start"})["running"].(string)
}

// kill ends the app as the system does, without a warning.
func (p *phone) kill() { p.app.kill() }

// say sends the app a command and returns its reply.
func (p *phone) say(line object) object { return p.app.say(line) }

// stores reports whether the app's storage contains the string.
func (p *phone) stores(text string) bool {
	stored, err := os.ReadFile(filepath.Join(p.folder, "storage.json"))
	return err == nil && strings.Contains(string(stored), text)
}

// badLine is a connection to a server that disturbs health reports as the test demands.
type badLine struct {
	*httptest.Server
	mu    sync.Mutex
	fates []reportFate
	isCut bool
}

// reportFate is the treatment of a request with a health report.
type reportFate string

const (
	fateAnswerLost  reportFate = "its response is lost"
	fateUnreachable reportFate = "the server is unreachable"
	fateLimited     reportFate = "429 with Retry-After"
	fateUnavailable reportFate = "503"
	fateHeld        reportFate = "it does not arrive before the app ends"
)

func newBadLine(t *testing.T, target string) *badLine {
	t.Helper()
	at, err := url.Parse(target)
	require.NoError(t, err)
	through := &httputil.ReverseProxy{Transport: &http.Transport{}, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(at) }}
	l := &badLine{}
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if l.cutOff() {
			panic(http.ErrAbortHandler)
		}
		if !strings.HasSuffix(r.URL.Path, "/health-metrics") {
			through.ServeHTTP(w, r)
			return
		}
		switch l.next() {
		case fateAnswerLost:
			through.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler) // cuts the connection
		case fateUnreachable:
			panic(http.ErrAbortHandler)
		case fateLimited:
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		case fateUnavailable:
			w.WriteHeader(http.StatusServiceUnavailable)
		case fateHeld:
			// The context ends with the connection once the body is read.
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		default:
			through.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(l.Close)
	return l
}

// will sets the fates of the next reports. Later reports are served normally.
func (l *badLine) will(fates ...reportFate) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fates = fates
}

func (l *badLine) next() (fate reportFate) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.fates) > 0 {
		fate, l.fates = l.fates[0], l.fates[1:]
	}
	return fate
}

// cut sets whether every request fails, as in airplane mode.
func (l *badLine) cut(isCut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.isCut = isCut
}

func (l *badLine) cutOff() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.isCut
}

// untold returns the number of fates that are left.
func (l *badLine) untold() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.fates)
}
