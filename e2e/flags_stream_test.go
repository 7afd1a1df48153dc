package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// flagEvents is an open flag stream.
type flagEvents struct {
	t     *testing.T
	lines *bufio.Scanner
}

// followFlags opens a flag stream for a device. query is appended to the path and begins with &.
func (p *tenant) followFlags(device, query string) flagEvents {
	p.t.Helper()
	return p.followFlagsAt("/v1/ota/flag-stream/" + p.slug + "?deviceId=" + device + query)
}

// followFlagsAt opens the flag stream at a path. headers are added to the request.
func (p *tenant) followFlagsAt(path string, headers ...http.Header) flagEvents {
	p.t.Helper()
	return p.followFlagsOver(http.DefaultTransport, p.url+path, headers...)
}

// followFlagsOver opens the flag stream at a URL over a transport. headers are added to the request.
func (p *tenant) followFlagsOver(transport http.RoundTripper, url string, headers ...http.Header) flagEvents {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), waitLimit)
	p.t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	require.NoError(p.t, err)
	for _, header := range headers {
		maps.Copy(req.Header, header)
	}
	res, err := transport.RoundTrip(req)
	require.NoError(p.t, err)
	p.t.Cleanup(func() { res.Body.Close() })
	require.Equal(p.t, http.StatusOK, res.StatusCode)
	require.Equal(p.t, "text/event-stream", res.Header.Get("Content-Type"))
	require.Equal(p.t, "*", res.Header.Get("Access-Control-Allow-Origin"))
	lines := bufio.NewScanner(res.Body)
	lines.Split(func(data []byte, _ bool) (int, []byte, error) { // unlike ScanLines, this keeps a carriage return
		if i := slices.Index(data, '\n'); i >= 0 {
			return i + 1, data[:i], nil
		}
		return 0, nil, nil
	})
	return flagEvents{p.t, lines}
}

// next returns the next event, and skips heartbeats.
func (e flagEvents) next() (event string, data object) {
	e.t.Helper()
	for e.lines.Scan() {
		line := e.lines.Text()
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			event = name
		} else if text, ok := strings.CutPrefix(line, "data: "); ok {
			require.NoError(e.t, json.Unmarshal([]byte(text), &data), text)
		} else if line == "" && event != "" {
			return event, data
		} else {
			require.True(e.t, line == "" || strings.HasPrefix(line, ":"), "%q", line)
		}
	}
	require.NoError(e.t, e.lines.Err())
	require.Fail(e.t, "the stream ended")
	return "", nil
}

func TestAStreamOfFlagsSaysWhatChangesForTheDevice(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	first := p.create("/v1/ota/flags", object{"key": "b", "flagType": "boolean", "defaultValue": false}).id("id")
	// The stream may start with a snapshot from before the flag. Once a bulk evaluation has the flag, that cannot
	// happen.
	require.Contains(t, p.bulk(object{"deviceId": "d1"}), "b")
	stream := p.followFlags("d1", "&channel=production&targetingKey=ada&platform=web&runtimeVersion=1.0")
	event, data := stream.next()
	require.Equal(t, "put", event)
	require.Equal(t, object{"flags": map[string]any{"b": map[string]any{"value": false, "variant": "Off", "reason": "DEFAULT"}}}, data)

	change := func(id int64, body object) {
		t.Helper()
		require.Equal(t, http.StatusOK, p.do(request{method: http.MethodPatch, path: path("/v1/ota/flags/%d", id), body: body}).status)
	}
	requirePatch := func(key string, value any, variant, reason string) {
		t.Helper()
		event, data := stream.next()
		require.Equal(t, "patch", event)
		require.Equal(t, object{"key": key, "flag": map[string]any{"value": value, "variant": variant, "reason": reason}}, data)
	}
	rule := func(body object) { t.Helper(); p.create(path("/v1/ota/flags/%d/rules", first), body) }

	// None of these changes affects this device. The next event is about the rule that does affect it.
	change(first, object{"description": "another"})
	rule(object{"ruleType": "user_list", "ruleConfig": object{"userIds": "bob"}, "variantValue": "true"})
	rule(object{"ruleType": "user_list", "ruleConfig": object{"userIds": "ada"}, "variantValue": "true", "channelName": "staging"})
	p.channel()
	rule(object{"ruleType": "user_list", "ruleConfig": object{"userIds": "ada"}, "variantValue": "true"})
	requirePatch("b", true, "On", "TARGETING_MATCH")
	change(first, object{"enabled": false})
	requirePatch("b", false, "Off", "DISABLED")

	second := p.create("/v1/ota/flags", object{"key": "a", "flagType": "boolean", "defaultValue": true}).id("id")
	requirePatch("a", true, "On", "DEFAULT")
	require.Equal(t, http.StatusNoContent, p.do(request{method: http.MethodDelete, path: path("/v1/ota/flags/%d", second)}).status)
	event, data = stream.next()
	require.Equal(t, "delete", event)
	require.Equal(t, object{"key": "a"}, data)

	// A release overrides the flag for devices that run the release.
	release := p.create(path("/v1/ota/builds/%d/publish", p.build().id("id")), object{
		"channel": "production", "linkedFlags": []object{{"flagId": first, "enabled": true}},
	})
	require.Contains(t, p.bulk(object{"deviceId": "d1", "attributes": object{"update_id": release["updateUuid"]}})["b"], "reason")
	running := p.followFlags("d2", path("&updateId=%s", release["updateUuid"]))
	_, data = running.next()
	require.Equal(t, "RELEASE_OVERRIDE", data["flags"].(map[string]any)["b"].(map[string]any)["reason"])
	require.Equal(t, http.StatusOK, p.do(request{
		method: http.MethodPatch, path: path("/v1/ota/updates/%d", release.id("id")), body: object{"isEnabled": false},
	}).status)
	event, data = running.next()
	require.Equal(t, "patch", event)
	require.Equal(t, "DISABLED", data["flag"].(map[string]any)["reason"])
}

func TestAStreamOfDefinitionsSaysWhenTheyChange(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	id := p.create("/v1/ota/flags", object{"key": "b", "flagType": "boolean", "defaultValue": false}).id("id")
	p.settle(id)
	version := func() any {
		document := p.do(request{method: http.MethodGet, path: "/v1/ota/flag-definitions/" + p.slug + "?channel=production"})
		return document.record(http.StatusOK)["version"]
	}
	stream := p.followFlagsAt("/v1/ota/flag-stream/" + p.slug + "?channel=production&definitions=true")
	requireNext := func() {
		t.Helper()
		event, data := stream.next()
		require.Equal(t, "definitions", event)
		require.Equal(t, object{"version": version()}, data)
	}
	requireNext()
	// Neither a description nor another channel changes the definitions. The next event is about the rule, although it
	// is for one user.
	p.channel()
	p.settle(id)
	p.create(path("/v1/ota/flags/%d/rules", id), object{"ruleType": "user_list", "ruleConfig": object{"userIds": "bob"}, "variantValue": "true"})
	p.settle(id)
	requireNext()
}
