package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os/exec"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

const openFeaturePackage = "../sdk/openfeature"

// localSDK is a program that evaluates flags locally with the package @waft/openfeature.
type localSDK struct {
	t       *testing.T
	in      io.WriteCloser
	answers <-chan object
	events  <-chan object
	ended   <-chan struct{}
}

// startLocalSDK starts the program with a provider, "server" or "web", which must become ready.
func startLocalSDK(t *testing.T, provider string, options object) localSDK {
	t.Helper()
	l := runLocalSDK(t, provider)
	require.Equal(t, object{"status": "READY"}, l.say(object{"provider": provider, "options": options}))
	return l
}

// runLocalSDK starts the program without a provider.
func runLocalSDK(t *testing.T, provider string) localSDK {
	t.Helper()
	require.FileExists(t, openFeaturePackage+"/dist/server.js", "the package is built by `make sdk`")
	command := exec.CommandContext(t.Context(), "node", "test/e2e/evaluate.mjs")
	command.Dir, command.Stderr = openFeaturePackage, t.Output()
	in, err := command.StdinPipe()
	require.NoError(t, err)
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	answers, events, ended := make(chan object, 1), make(chan object, 1000), make(chan struct{})
	go func() {
		defer close(ended)
		defer close(answers)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var said object
			if err := json.Unmarshal(lines.Bytes(), &said); err != nil {
				t.Errorf("%s: %s", provider, lines.Text())
			} else if _, isEvent := said["event"]; isEvent {
				events <- said
			} else {
				answers <- said
			}
		}
	}()
	l := localSDK{t, in, answers, events, ended}
	t.Cleanup(func() {
		l.close()
		if err := command.Wait(); t.Context().Err() == nil {
			require.NoError(t, err, provider)
		}
	})
	return l
}

// close ends the program. It reports its last evaluations before it ends.
func (l localSDK) close() {
	l.in.Close()
	for range l.answers { // a reply that the test did not wait for
	}
	<-l.ended
}

// say sends a line and returns the reply.
func (l localSDK) say(line object) object {
	l.t.Helper()
	require.NoError(l.t, json.NewEncoder(l.in).Encode(line))
	answer, ok := <-l.answers
	require.True(l.t, ok, "the program ended")
	return answer
}

// evaluate returns the values of flags for a context. types gives the type of each flag.
func (l localSDK) evaluate(context, types object) map[string]any {
	l.t.Helper()
	return l.say(object{"context": context, "flags": types})["answers"].(map[string]any)
}

// awaitChange waits until the program reports that the flag has changed.
func (l localSDK) awaitChange(flag string) {
	l.t.Helper()
	l.await("a change of "+flag, func(e object) bool {
		changed, _ := e["flagsChanged"].([]any)
		return slices.Contains(changed, any(flag))
	})
}

// await waits until the program reports an event.
func (l localSDK) await(what string, isIt func(event object) bool) {
	l.t.Helper()
	limit, cancel := context.WithTimeout(l.t.Context(), waitLimit)
	defer cancel()
	for {
		select {
		case e := <-l.events:
			if isIt(e) {
				return
			}
		case <-limit.Done():
			require.FailNow(l.t, "the program did not report an event", what)
		}
	}
}

// TestLocalEvaluationAgreesWithTheServer evaluates random flags for random contexts with the package and on the server.
// It does so again after random changes, which reach the package through the stream.
func TestLocalEvaluationAgreesWithTheServer(t *testing.T) {
	t.Parallel()
	f := newRandomFlags(t, 20, 100)
	types := object{}
	for i, id := range f.ids {
		types[fmt.Sprint("f", i)] = f.types[id]
	}
	reasons, compared := map[any]int{}, 0
	agree := func(sdk localSDK, channel string, contexts int) {
		t.Helper()
		for range contexts {
			device, attributes := f.device(), f.attributes()
			device["channel"] = channel
			local := sdk.evaluate(flat(device, attributes), types)
			maps.Copy(attributes, device["attributes"].(object))
			device["attributes"] = attributes
			for key, want := range f.bulk(device) {
				require.Equal(t, want, local[key], "%s for %v", key, device)
				reasons[want.(map[string]any)["reason"]]++
				compared++
			}
		}
	}
	for provider, channel := range map[string]string{"server": "production", "web": "staging"} {
		// Without the stream the package would see the change only after a day.
		sdk := startLocalSDK(t, provider, object{"url": f.url, "project": f.slug, "channel": channel, "pollIntervalMs": 86_400_000})
		agree(sdk, channel, enginetest.Sized(60, 20))
		for range 10 {
			f.change()
		}
		last := "last-" + provider
		f.settle(f.create("/v1/ota/flags", object{"key": last, "flagType": models.FlagBoolean, "defaultValue": false}).id("id"))
		sdk.awaitChange(last)
		types[last] = models.FlagBoolean
		agree(sdk, channel, enginetest.Sized(20, 10))
	}
	for _, reason := range []string{"RELEASE_OVERRIDE", "DISABLED", "TARGETING_MATCH", "SEGMENT_MATCH", "SPLIT", "DEFAULT"} {
		require.Positive(t, reasons[reason], reason)
	}
	require.Greater(t, compared, enginetest.Sized(10_000, 5_000))
}

// TestLocalEvaluationsAreReported evaluates flags with the package, which reports its evaluations when it ends.
func TestLocalEvaluationsAreReported(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	id := p.create("/v1/ota/flags", object{"key": "dark", "flagType": models.FlagBoolean, "defaultValue": true}).id("id")
	p.settle(id)
	sdk := startLocalSDK(t, "server", object{"url": p.url, "project": p.slug, "channel": "production"})
	for _, user := range []string{"ada", "ada", "bob"} {
		sdk.evaluate(object{"targetingKey": user}, object{"dark": models.FlagBoolean})
	}
	sdk.close()
	eventually(t, func() bool {
		counts := p.do(request{method: http.MethodGet, path: path("/v1/ota/flags/%d/evaluations", id)}).record(http.StatusOK)
		return counts["total"] == 3.0 && counts["variations"].([]any)[0].(map[string]any)["count"] == 3.0
	})
	eventually(t, func() bool {
		return len(p.do(request{method: http.MethodGet, path: "/v1/ota/contexts?search=bob"}).list()) == 1
	})
}

// TestLocalEvaluationSaysWhatIsWrong starts the package for a channel that does not exist, and creates it then.
func TestLocalEvaluationSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	p.settle(p.create("/v1/ota/flags", object{"key": "dark", "flagType": models.FlagBoolean, "defaultValue": true}).id("id"))
	for _, provider := range []string{"server", "web"} {
		channel := "late-" + provider
		sdk := runLocalSDK(t, provider)
		options := object{"url": p.url, "project": p.slug, "channel": channel, "pollIntervalMs": 100}
		started := sdk.say(object{"provider": provider, "options": options})
		require.Equal(t, "ERROR", started["status"], provider)
		require.Contains(t, started["error"], fmt.Sprintf("answered 404: channel %q does not exist in this project", channel))
		require.Equal(t, "PROVIDER_ERROR", (<-sdk.events)["event"], "the provider must not be ready before")
		question := object{"context": object{"targetingKey": "ada"}, "flags": object{"dark": models.FlagBoolean}}
		require.Equal(t, "ERROR", sdk.say(question)["status"], "a new context does not make the provider ready")
		p.create("/v1/ota/channels", object{"name": channel, "branchName": "main"})
		sdk.await("readiness", func(e object) bool { return e["event"] == "PROVIDER_READY" })
		answered := sdk.say(question)
		require.Equal(t, "READY", answered["status"], provider)
		require.Equal(t, true, answered["answers"].(map[string]any)["dark"].(map[string]any)["value"])
	}
}
