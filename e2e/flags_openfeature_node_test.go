package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// nodeSDK is a program of examples/openfeature that replies to each line with one line.
type nodeSDK struct {
	t       *testing.T
	in      io.Writer
	answers <-chan object
	// changes are the flags that the program reports as changed.
	changes <-chan []string
}

const openFeatureExample = "../examples/openfeature"

func startNodeSDK(t *testing.T, program, url, key string) nodeSDK {
	t.Helper()
	require.FileExists(t, openFeatureExample+"/node_modules/@openfeature/core/package.json", "the SDKs are installed by `make openfeature`")
	command := exec.CommandContext(t.Context(), "node", program)
	command.Dir = openFeatureExample
	command.Env = append(os.Environ(), "WAFT_URL="+url, "WAFT_API_KEY="+key, "POLL_MILLISECONDS=50")
	command.Stderr = t.Output()
	in, err := command.StdinPipe()
	require.NoError(t, err)
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	answers, changes, read := make(chan object, 1), make(chan []string, 1000), make(chan struct{})
	go func() {
		defer close(read)
		defer close(answers)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var said struct{ Changed []string }
			var answer object
			if json.Unmarshal(lines.Bytes(), &said) != nil || json.Unmarshal(lines.Bytes(), &answer) != nil {
				t.Errorf("%s: %s", program, lines.Text())
			} else if said.Changed != nil {
				changes <- said.Changed
			} else {
				answers <- answer
			}
		}
	}()
	t.Cleanup(func() {
		in.Close()
		for range answers { // a reply that the test did not wait for
		}
		<-read
		if err := command.Wait(); t.Context().Err() == nil {
			require.NoError(t, err, program)
		}
	})
	return nodeSDK{t, in, answers, changes}
}

// say sends a line and returns the reply.
func (n nodeSDK) say(line object) object {
	n.t.Helper()
	require.NoError(n.t, json.NewEncoder(n.in).Encode(line))
	answer, ok := <-n.answers
	require.True(n.t, ok, "the program ended")
	return answer
}

// evaluation returns the reply about a flag.
func (n nodeSDK) evaluation(line object) sdkAnswer {
	n.t.Helper()
	answer := n.say(line)
	variant, _ := answer["variant"].(string)
	reason, _ := answer["reason"].(string)
	code, _ := answer["errorCode"].(string)
	return sdkAnswer{answer["value"], variant, reason, code}
}

func TestTheOpenFeatureSDKForServersInNode(t *testing.T) {
	t.Parallel()
	s := newSDKFlags(t)
	sdk := startNodeSDK(t, "server.mjs", s.url, s.key(models.RoleClient))
	ask := func(a sdkQuestion) sdkAnswer {
		return sdk.evaluation(object{"flag": a.flag, "default": a.byDefault, "context": a.context})
	}
	for name, row := range s.sdkRows() {
		require.Equal(t, row.sdkAnswer, ask(row.sdkQuestion), name)
	}
	require.Equal(t, sdkAnswer{true, "", "ERROR", "INVALID_CONTEXT"}, ask(sdkQuestion{"dark", true, object{"channel": "nowhere"}}))
	s.setLimit(9)
	require.Equal(t, sdkAnswer{9.0, "", "DEFAULT", ""}, ask(sdkQuestion{"limit", 0, object{"targetingKey": "ada"}}), "the new value")
	s.override(s.limit, "7")
	require.Equal(t, sdkAnswer{7.0, "Many", "RELEASE_OVERRIDE", ""}, ask(sdkQuestion{"limit", 0, object{"updateUuid": s.update}}))
}

func TestTheOpenFeatureSDKForWebPages(t *testing.T) {
	t.Parallel()
	s := newSDKFlags(t)
	line := newStatusLine(t, s.url)
	sdk := startNodeSDK(t, "web.mjs", line.URL, s.key(models.RoleClient))
	ask := func(a sdkQuestion) sdkAnswer { return sdk.evaluation(object{"flag": a.flag, "default": a.byDefault}) }
	set := func(context object) { sdk.say(object{"context": context}) }
	for name, row := range s.sdkRows() {
		set(row.context)
		require.Equal(t, row.sdkAnswer, ask(row.sdkQuestion), name)
	}

	set(object{"targetingKey": "ada", "updateUuid": s.update})
	limit := sdkQuestion{"limit", 0, nil}
	require.Equal(t, sdkAnswer{1.5, "", "DEFAULT", ""}, ask(limit))
	before := line.unchanged.Load()
	eventually(t, func() bool { return line.unchanged.Load() > before }, "the ETag must depend on the context")
	await := func(want sdkAnswer) {
		for ask(limit) != want {
			sdk.awaitChange("limit") // perhaps for an earlier context
		}
	}
	s.setLimit(9)
	await(sdkAnswer{9.0, "", "DEFAULT", ""})
	s.override(s.limit, "7")
	await(sdkAnswer{7.0, "Many", "RELEASE_OVERRIDE", ""})
}

// awaitChange waits until the program reports that the flag has changed.
func (n nodeSDK) awaitChange(flag string) {
	n.t.Helper()
	limit, cancel := context.WithTimeout(n.t.Context(), waitLimit)
	defer cancel()
	for {
		select {
		case changed := <-n.changes:
			if slices.Contains(changed, flag) {
				return
			}
		case <-limit.Done():
			require.FailNow(n.t, "the program did not report a change", flag)
		}
	}
}

// statusLine is a proxy that counts responses with status 304.
type statusLine struct {
	*httptest.Server
	unchanged atomic.Int64
}

func newStatusLine(t *testing.T, target string) *statusLine {
	t.Helper()
	at, err := url.Parse(target)
	require.NoError(t, err)
	l := &statusLine{}
	l.Server = httptest.NewServer(&httputil.ReverseProxy{
		Transport: &http.Transport{}, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(at) },
		ModifyResponse: func(res *http.Response) error {
			if res.Request.Header.Get("Origin") == "" || res.Header.Get("Access-Control-Allow-Origin") != "*" {
				return errors.New("a page would not send this request, or could not read the response")
			}
			if res.StatusCode == http.StatusNotModified {
				l.unchanged.Add(1)
			}
			return nil
		},
	})
	t.Cleanup(l.Close)
	return l
}
