package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// spiking is a project on two API processes, which both look for incidents.
type spiking struct {
	*tenant
	books books
	other *tenant // the same project in the other process
}

func newSpiking(t *testing.T) spiking {
	t.Helper()
	env := hooked(t)
	env["WAFT_RATE_PER_ADDRESS"], env["WAFT_RATE_PER_DEVICE"], env["WAFT_INCIDENT_INTERVAL"] = "0", "0", "200ms"
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	env["WAFT_DATA_DIR"] = t.TempDir()
	other := *p
	other.url = serveAPI(t, env)
	s := spiking{tenant: p, books: openBooks(t, env["CLICKHOUSE_URL"]), other: &other}
	s.known()
	other.known()
	return s
}

// yesterday inserts reports of devices for ten hours of the previous day. The test only needs this history, so the
// reports are not sent through the API.
func (s spiking) yesterday(update, channel string, devices, errored int) {
	s.t.Helper()
	require.NoError(s.t, s.books.conn.Exec(s.t.Context(), fmt.Sprintf(`
		INSERT INTO health_reports (project_id, received_at, report_id, device_id, platform, channel, runtime_version, update_uuid, launches, js_errors)
		SELECT %d, now64(3) - INTERVAL 3 + hour HOUR, generateUUIDv4(), concat('old-', toString(device)), 'ios', '%s', '1.0.0', '%s', 1, device < %d
		FROM (SELECT intDiv(number, %d) AS hour, number %% %[5]d AS device FROM numbers(10 * %[5]d))`,
		s.id, channel, update, errored, devices)))
}

// othersLaunch inserts launches of the given number of other devices, all at the same time. If they came one by one, a
// check in between could close an incident at the first rate that is not a spike.
func (s spiking) othersLaunch(update, channel string, devices int) {
	s.t.Helper()
	require.NoError(s.t, s.books.conn.Exec(s.t.Context(), fmt.Sprintf(`
		INSERT INTO health_reports (project_id, received_at, report_id, device_id, platform, channel, runtime_version, update_uuid, launches)
		SELECT %d, now64(3), generateUUIDv4(), concat('other-', toString(number)), 'ios', '%s', '1.0.0', '%s', 3 FROM numbers(%d)`,
		s.id, channel, update, devices)))
}

// report sends reports of devices on iOS, half of them to each process.
func (s spiking) report(devices []int, update, channel, kind string, flags object) {
	s.t.Helper()
	inParallel(s.t, len(devices), func(i int) error {
		report := object{
			"projectSlug": s.slug, "deviceId": fmt.Sprintf("device-%d", devices[i]), "channel": channel, "platform": "ios", "runtimeVersion": "1.0.0",
			"events": []object{{"type": kind, "count": 3, "flagStates": flags}},
		}
		if update != "" {
			report["updateUuid"] = update
		}
		at := s.tenant
		if i%2 == 1 {
			at = s.other
		}
		if status := at.do(request{method: http.MethodPost, path: "/v1/ota/health-metrics", body: report}).status; status != http.StatusNoContent {
			return fmt.Errorf("device %d got %d", devices[i], status)
		}
		return nil
	})
}

// count returns n consecutive device numbers, beginning with first.
func count(first, n int) (devices []int) {
	for i := range n {
		devices = append(devices, first+i)
	}
	return devices
}

// seen waits until queries show this many launches and errors of a release on a channel.
func (s spiking) seen(update, channel string, launches, errors int) {
	s.t.Helper()
	s.eventually(func() bool {
		series := s.read("/v1/ota/telemetry/timeseries?period=1h&updateUuid=" + update + "&channel=" + channel)
		return sum(series, "launches") == 3*launches && sum(series, "errors")+sum(series, "crashes") == 3*errors
	})
}

func (s spiking) incidents(status string) []object {
	return s.list("/v1/ota/telemetry/incidents?status=" + status)
}

// requireEntries checks that the audit log has each of the incidents exactly once. Webhooks get their messages from the
// audit log.
func (s spiking) requireEntries(action string, incidents ...object) {
	s.t.Helper()
	want, got := map[string]int{}, map[string]int{}
	for _, i := range incidents {
		want[strconv.FormatInt(i.id("id"), 10)]++
	}
	for _, entry := range s.list("/v1/ota/audit-log?action=" + action) {
		require.Equal(s.t, "system", entry["actorType"])
		got[entry["entityId"].(string)]++
	}
	require.Equal(s.t, want, got, action)
}

func TestAnIncidentOpensAndResolvesByItself(t *testing.T) {
	t.Parallel()
	s := newSpiking(t)
	few, steady, bad := s.release(), s.release(), s.release()
	uuidOf := func(release object) string { return release["updateUuid"].(string) }
	neighbour := s.installation.tenant(t)
	for _, release := range []object{steady, bad} {
		s.yesterday(uuidOf(release), "production", 50, 1)
	}
	s.yesterday(uuidOf(few), "production", 3, 1)
	launches := func(devices []int, update, channel string, on bool) {
		s.report(devices, update, channel, "app_launch", object{"checkout": on, "theme": "dark"})
	}

	// These must not open an incident: few errors after few launches, a rate as high as the day before, and another
	// channel.
	launches(count(0, 3), uuidOf(few), "production", true)
	s.report(count(0, 2), uuidOf(few), "production", "js_error", nil)
	launches(count(0, 60), uuidOf(steady), "production", true)
	s.report(count(0, 2), uuidOf(steady), "production", "crash", nil)
	launches(count(0, 50), uuidOf(bad), "staging", true)
	s.seen(uuidOf(few), "production", 3, 2)
	s.seen(uuidOf(steady), "production", 60, 2)
	s.seen(uuidOf(bad), "staging", 50, 0)

	// A release has errors with one variation, on one channel.
	launches(count(0, 40), uuidOf(bad), "production", true)
	launches(count(40, 60), uuidOf(bad), "production", false)
	s.report(count(40, 1), uuidOf(bad), "production", "js_error", object{"checkout": false, "theme": "dark"})
	s.seen(uuidOf(bad), "production", 100, 1)
	s.report(count(0, 20), uuidOf(bad), "production", "crash", object{"checkout": true, "theme": "dark"})
	s.report(count(20, 10), uuidOf(bad), "production", "js_error", object{"checkout": true, "theme": "dark"})
	want := object{
		"status": "open", "updateUuid": bad["updateUuid"], "updateId": bad["id"], "channel": "production", "platform": "ios",
		"runtimeVersion": "1.0.0", "flagKey": "checkout", "variation": "true", "devices": 100.0, "erroredDevices": 31.0, "crashedDevices": 20.0,
		"peakErroredDevices": 31.0, "errorRate": 31.0, "baselineErrorRate": 2.0, "resolvedAt": nil, "resolution": nil,
		"acknowledgedAt": nil, "acknowledgedBy": nil, "note": "", "release": nameOf(bad),
		"flagId": nil, "rolloutExecutionId": nil, "gitCommitHash": "", "gitAuthor": "",
	}
	var open []object
	s.eventually(func() bool {
		open = s.incidents("open")
		// The flags of errors are stored after their reports.
		return len(open) == 1 && open[0]["erroredDevices"] == 31.0 && open[0]["flagKey"] != nil
	})
	require.Equal(t, want, without(open[0], "id", "openedAt", "checkedAt"))
	s.requireEntries("incident.opened", open...)
	s.requireEntries("incident.resolved")
	require.Empty(t, neighbour.list("/v1/ota/telemetry/incidents"))

	// The rate is normal again once many other devices launch without errors.
	s.othersLaunch(uuidOf(bad), "production", 1800)
	var resolved []object
	s.eventually(func() bool {
		resolved = s.incidents("resolved")
		return len(resolved) == 1
	})
	require.Empty(t, s.incidents("open"))
	require.NotNil(t, resolved[0]["resolvedAt"])
	require.Equal(t, "recovered", resolved[0]["resolution"])
	for _, field := range []string{"id", "updateUuid", "channel", "flagKey", "variation", "openedAt", "peakErroredDevices", "baselineErrorRate"} {
		require.Equal(t, open[0][field], resolved[0][field], field)
	}
	require.Less(t, resolved[0]["errorRate"], 4.0)

	// The next incident is about the embedded update, for which no flag is responsible. It ends when reports stop.
	launches(count(0, 50), "", "default", true)
	s.report(count(0, 12), "", "default", "crash", nil)
	s.eventually(func() bool {
		open = s.incidents("open")
		return len(open) == 1 && open[0]["crashedDevices"] == 12.0
	})
	require.Equal(t, [5]any{nil, nil, nil, nil, "default"},
		[5]any{open[0]["updateUuid"], open[0]["updateId"], open[0]["flagKey"], open[0]["variation"], open[0]["channel"]})
	require.NoError(t, s.books.conn.Exec(t.Context(), "DELETE FROM activity WHERE channel = 'default'")) // as if an hour had passed
	s.eventually(func() bool { return len(s.incidents("open")) == 0 })
	resolved = s.incidents("resolved")
	require.Len(t, resolved, 2)
	require.Equal(t, [3]any{0.0, 0.0, 12.0}, [3]any{resolved[0]["devices"], resolved[0]["erroredDevices"], resolved[0]["peakErroredDevices"]})
	s.requireEntries("incident.opened", resolved...)
	s.requireEntries("incident.resolved", resolved...)
	require.Empty(t, neighbour.list("/v1/ota/telemetry/incidents"))
}

// An incident ends once every device that had the release has asked again after its rollback. The errors are still in
// the last hour, but do not open another incident.
func TestARollbackResolvesTheIncident(t *testing.T) {
	t.Parallel()
	s := newSpiking(t)
	receiver := newReceiver(t, nil)
	s.hook(receiver, "incident.resolved", "incident.closed")
	good, bad := s.release(), s.release()
	var devices []string
	for _, n := range count(0, 20) {
		devices = append(devices, fmt.Sprintf("device-%d", n))
	}
	s.run(devices, bad["updateUuid"], "app_launch")
	s.report(count(0, 12), bad["updateUuid"].(string), "production", "crash", nil)
	var open []object
	s.eventually(func() bool {
		open = s.incidents("open")
		return len(open) == 1 && open[0]["erroredDevices"] == 12.0
	})
	s.eventually(func() bool { // the metrics are at most a second old
		broken := s.stream("production").broken()
		return len(broken) == 1 && broken[0]["isServed"] == true && broken[0].health()["crashRate"] == 60.0
	})
	broken := s.stream("production").broken()[0]
	require.Equal(t, nameOf(bad), broken.health()["release"])
	require.Equal(t, object{
		"id": open[0]["id"], "devices": 20.0, "erroredDevices": 12.0, "errorRate": 60.0, "baselineErrorRate": 0.0,
	}, without(broken["incident"].(map[string]any), "openedAt", "checkedAt"))
	require.Nil(t, broken["disabledAt"])
	s.create("/v1/ota/rollback", object{
		"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", "rollbackToUpdateId": good["id"], "reason": "crashes",
	})
	s.eventually(func() bool {
		broken = s.stream("production").broken()[0]
		return broken["isServed"] == false && broken.health()["crashRate"] == 60.0
	})
	require.Equal(t, "api_key", broken["disabledBy"].(map[string]any)["type"])
	require.Equal(t, "rolled back to "+good.phrase()+": crashes", broken["disabledReason"])
	other := isNot(bad["updateUuid"])
	s.awaitServed(devices[1:], other)
	checked := func() any { return s.read(path("/v1/ota/telemetry/incidents/%d", open[0].id("id")))["checkedAt"] }
	for range 2 { // the second check began after the rollback
		before := checked()
		s.eventually(func() bool { return checked() != before })
	}
	require.Len(t, s.incidents("open"), 1, "a device has not asked again")
	s.awaitServed(devices[:1], other)
	s.eventually(func() bool { return len(s.incidents("open")) == 0 })
	resolved := s.incidents("resolved")
	require.Len(t, resolved, 1)
	require.Equal(t, "rolled_back", resolved[0]["resolution"])
	require.Empty(t, s.stream("production").broken(), "the incident has ended, and a person rolled the release back")
	require.NotNil(t, resolved[0]["resolvedAt"])
	s.eventually(func() bool { return len(receiver.got("incident.resolved")) == 1 })
	require.Equal(t, "rolled_back", receiver.got("incident.resolved")[0].data["details"].(map[string]any)["resolution"])

	// The next incident, about another channel, is closed by a person. Until then, the first incident does not open again.
	s.report(count(20, 20), bad["updateUuid"].(string), "beta", "crash", nil)
	s.eventually(func() bool { open = s.incidents("open"); return len(open) == 1 })
	require.Equal(t, "beta", open[0]["channel"])
	closing := to(object{"status": "closed"}, "/v1/ota/telemetry/incidents/%d", open[0].id("id"))
	closing.method = http.MethodPatch
	closed := s.do(closing).record(http.StatusOK)
	require.Equal(t, [2]any{"closed", "closed_by_person"}, [2]any{closed["status"], closed["resolution"]})
	require.NotNil(t, closed["resolvedAt"])
	require.Equal(t, closed, s.do(closing).record(http.StatusOK), "closing it again changes nothing")
	require.Equal(t, closed, s.incidents("closed")[0])
	s.eventually(func() bool { return len(receiver.got("incident.closed")) == 1 })
	s.report(count(40, 1), bad["updateUuid"].(string), "beta", "crash", nil)
	s.seen(bad["updateUuid"].(string), "beta", 0, 21)
	require.Empty(t, s.incidents("open"))
}

// A release is withdrawn without a rollback, and devices return to a release that they had less than an hour before. The
// process that they ask has not served them the withdrawn release.
func TestADisabledReleaseResolvesTheIncident(t *testing.T) {
	t.Parallel()
	s := newSpiking(t)
	var devices []string
	for _, n := range count(0, 12) {
		devices = append(devices, fmt.Sprintf("device-%d", n))
	}
	good := s.release()
	s.other.awaitServed(devices, is(good["updateUuid"]))
	bad := s.release()
	s.run(devices, bad["updateUuid"], "app_launch")
	s.report(count(0, 12), bad["updateUuid"].(string), "production", "crash", nil)
	s.eventually(func() bool { return len(s.incidents("open")) == 1 })
	s.do(to(object{"isEnabled": false}, "/v1/ota/updates/%d", bad.id("id")).by(http.MethodPatch)).record(http.StatusOK)
	s.other.awaitServed(devices, is(good["updateUuid"]))
	s.eventually(func() bool { return len(s.incidents("open")) == 0 })
	require.Equal(t, "rolled_back", s.incidents("resolved")[0]["resolution"])
}

// Each platform has its own incident.
func TestEachPlatformHasItsIncident(t *testing.T) {
	t.Parallel()
	s := newSpiking(t)
	for _, platform := range []string{"ios", "android"} {
		inParallel(t, 10, func(i int) error {
			report := object{
				"projectSlug": s.slug, "deviceId": fmt.Sprintf("%s-%d", platform, i), "channel": "production", "platform": platform,
				"runtimeVersion": "1.0.0", "events": []object{{"type": "crash", "count": 1}},
			}
			s.do(request{method: http.MethodPost, path: "/v1/ota/health-metrics", body: report})
			return nil
		})
	}
	s.eventually(func() bool { return len(s.incidents("open")) == 2 })
}

// without returns the record without the given fields.
func without(record object, fields ...string) object {
	rest := maps.Clone(record)
	for _, field := range fields {
		delete(rest, field)
	}
	return rest
}
