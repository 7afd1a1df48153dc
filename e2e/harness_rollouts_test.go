package e2e

import (
	"errors"
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/serviceerror"
	temporal "go.temporal.io/sdk/client"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

// atLeisure is the interval for polling a state that no event announces.
const atLeisure = 5 * pollEvery

// inStages returns a policy whose stages last the given number of seconds, or longer than any test if seconds is 0. Its
// crash rate threshold is 2%.
func (p *tenant) inStages(seconds float64, minDevices int, percentages ...float64) object {
	stages := make([]object, len(percentages))
	for i, percentage := range percentages {
		minutes := seconds / 60
		if seconds == 0 {
			minutes = 600
		}
		stages[i] = object{"percentage": percentage, "minDevices": minDevices, "minDurationMinutes": minutes}
	}
	stages[len(stages)-1]["minDevices"] = 0
	return object{"name": p.name(), "stages": stages, "thresholds": object{"crashRate": 2.0}}
}

// with sets a field and returns the object.
func (o object) with(field string, value any) object {
	o[field] = value
	return o
}

// rollOut publishes a new build with a policy. The functions in more change the body of the request.
func (p *tenant) rollOut(policy object, more ...func(object)) (release object, execution int64) {
	p.t.Helper()
	made := p.create("/v1/ota/rollout-policies", policy)
	body := object{"channel": "production", "rolloutPolicyId": made.id("id"), "releaseMessage": p.marker}
	for _, change := range more {
		change(body)
	}
	release = p.create(path("/v1/ota/builds/%d/publish", p.build().id("id")), body)
	return release, release.id("rolloutExecutionId")
}

// linking returns a change for rollOut that links the flag to the release.
func linking(flag object) func(object) {
	return func(body object) { body["linkedFlags"] = []object{{"flagId": flag.id("id"), "enabled": true}} }
}

func (p *tenant) rolloutNow(id int64) object {
	p.t.Helper()
	return p.read(path("/v1/ota/rollout-executions/%d", id))
}

// awaitRollout returns the rollout once enough returns true for it.
func (p *tenant) awaitRollout(id int64, enough func(object) bool) (e object) {
	p.t.Helper()
	await(p.t, waitLimit, atLeisure, func() bool {
		e = p.rolloutNow(id)
		return enough(e)
	}, "rollout %d: %v", id, &e)
	return e
}

// has returns a condition on a rollout: the field has the value.
func has(field string, value any) func(object) bool {
	return func(e object) bool { return e[field] == value }
}

// happened returns the events on the timeline of a rollout, without its holds.
func happened(e object) (events []string) {
	for _, event := range e["timeline"].([]any) {
		if kind := event.(map[string]any)["event"].(string); kind != string(models.EventHeld) {
			events = append(events, kind)
		}
	}
	return events
}

// told returns the sentence of the first event of a kind on the timeline, or "".
func told(e object, kind models.RolloutEventKind) string {
	for _, event := range e["timeline"].([]any) {
		if event := event.(map[string]any); event["event"] == string(kind) {
			return event["reason"].(string)
		}
	}
	return ""
}

func hasHappened(events ...string) func(object) bool {
	return func(e object) bool { return len(happened(e)) >= len(events) }
}

// steer sends a command, or a rollback.
func (p *tenant) steer(id int64, command string, body object) answer {
	p.t.Helper()
	return p.do(steering(id, command, body))
}

func steering(id int64, command string, body object) request {
	r := request{method: http.MethodPost, path: path("/v1/ota/rollout-executions/%d/%s", id, command)}
	if body != nil {
		r.body = body
	}
	return r
}

// inShareOf returns n device IDs that are inside the release's rollout at the percentage, or outside it.
func (p *tenant) inShareOf(release object, percentage float64, in bool, n int) (ids []string) {
	p.t.Helper()
	group, err := uuid.Parse(release["groupId"].(string))
	require.NoError(p.t, err)
	for len(ids) < n {
		if id := uuid.NewString(); rollout.InShare(models.ReleaseSalt(group), id, percentage) == in {
			ids = append(ids, id)
		}
	}
	return ids
}

// gets returns the ID of the update that a device is served, or "".
func (p *tenant) gets(device, channel string) string {
	p.t.Helper()
	a := p.do(at("/v1/ota/manifest/%s?channel=%s", p.slug, channel).with("Expo-Platform", "ios").with("Authorization", "").
		with("Expo-Runtime-Version", "1.0.0").with("Eas-Client-Id", device).with("Accept", "application/expo+json").get())
	if a.status != http.StatusOK {
		return ""
	}
	id, _ := a.record(http.StatusOK)["id"].(string) // a directive has no ID
	return id
}

// awaitServed waits until right returns true for the update of every device.
func (p *tenant) awaitServed(devices []string, right func(update string) bool) {
	p.t.Helper()
	for _, device := range devices {
		eventually(p.t, func() bool { return right(p.gets(device, "production")) })
	}
}

func is(update any) func(string) bool { return func(got string) bool { return got == update } }
func isNot(update any) func(string) bool {
	return func(got string) bool { return got != "" && got != update }
}

// tells sends one report of a device about an update.
func (p *tenant) tells(device, channel string, update any, events ...string) {
	p.t.Helper()
	body := object{
		"projectSlug": p.slug, "deviceId": device, "channel": channel, "platform": "ios", "runtimeVersion": "1.0.0", "updateUuid": update,
	}
	reported := make([]object, len(events))
	for i, event := range events {
		reported[i] = object{"type": event, "count": 1}
	}
	a := p.do(request{method: http.MethodPost, path: "/v1/ota/health-metrics", body: body.with("events", reported)}.with("Authorization", ""))
	require.Equal(p.t, http.StatusNoContent, a.status, a.body)
}

// run waits until the devices are served the release, and reports events of it for each device.
func (p *tenant) run(devices []string, update any, events ...string) {
	p.t.Helper()
	p.awaitServed(devices, is(update))
	for _, device := range devices {
		p.tells(device, "production", update, events...)
	}
}

// overriding returns the updates with a release override of the flag.
func (p *tenant) overriding(flagKey any) (updates []string) {
	p.t.Helper()
	for _, f := range p.read("/v1/ota/flag-definitions/" + p.slug + "?channel=production")["flags"].([]any) {
		flag := f.(map[string]any)
		if flag["key"] != flagKey {
			continue
		}
		for _, override := range flag["releaseOverrides"].([]any) {
			updates = append(updates, override.(map[string]any)["updateUuid"].(string))
		}
	}
	return updates
}

// followed waits for the end of a rollout's workflow and returns the workflow's state. The workflow may not exist yet,
// because the outbox starts it some time after a worker has started.
func followed(t *testing.T, env map[string]string, workflowID any) models.RolloutExecution {
	t.Helper()
	tc := dialTemporal(t, env)
	var result workflows.RolloutResult
	var err error
	eventually(t, func() bool {
		err = tc.GetWorkflow(t.Context(), workflowID.(string), "").Get(t.Context(), &result)
		var unheard *serviceerror.NotFound
		return !errors.As(err, &unheard)
	})
	require.NoError(t, err)
	return queried(t, tc, workflowID).Execution
}

func dialTemporal(t *testing.T, env map[string]string) temporal.Client {
	t.Helper()
	tc, err := temporal.Dial(temporal.Options{HostPort: env["TEMPORAL_ADDRESS"], Namespace: env["TEMPORAL_NAMESPACE"]})
	require.NoError(t, err)
	t.Cleanup(tc.Close)
	return tc
}

func queried(t *testing.T, tc temporal.Client, workflowID any) (s rollout.State) {
	t.Helper()
	value, err := tc.QueryWorkflow(t.Context(), workflowID.(string), "", workflows.QueryState)
	require.NoError(t, err)
	require.NoError(t, value.Get(&s))
	return s
}

// audited counts the entries in the project's audit log for an action on a record.
func (p *tenant) audited(action string, record int64) int {
	p.t.Helper()
	return len(p.list(path("/v1/ota/audit-log?action=%s&entity_id=%d", action, record)))
}
