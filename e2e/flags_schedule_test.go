package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// scheduledCall returns the call that schedules a change of a flag after some time.
func (p *tenant) scheduledCall(flagID int64, after time.Duration, changed object) request {
	p.t.Helper()
	body := object{"at": time.Now().Add(after).UTC().Format(time.RFC3339Nano), "body": p.whole(flagID, changed)}
	return to(body, "/v1/ota/flags/%d/schedule", flagID).by(http.MethodPost).with("If-Match", "*")
}

// scheduled schedules a change of a new flag in an hour.
func (p *tenant) scheduled() object {
	p.t.Helper()
	return p.do(p.scheduledCall(p.flag().id("id"), time.Hour, object{"name": p.marker})).record(http.StatusCreated)
}

// schedule returns a scheduled change.
func (p *tenant) schedule(flagID, id int64) object {
	p.t.Helper()
	for _, s := range p.list(path("/v1/ota/flags/%d/schedule", flagID)) {
		if s.id("id") == id {
			return s
		}
	}
	require.Fail(p.t, "the flag does not list the scheduled change")
	return nil
}

// awaitScheduleEnd waits until a scheduled change has ended, and returns it.
func (p *tenant) awaitScheduleEnd(s object) (ended object) {
	p.t.Helper()
	await(p.t, waitLimit, atLeisure, func() bool {
		ended = p.schedule(s.id("flagId"), s.id("id"))
		return ended["endedAt"] != nil
	})
	return ended
}

// auditOf returns the actions about a scheduled change, newest first, with the actor of each.
func (p *tenant) auditOf(scheduleID int64) (actions []string) {
	p.t.Helper()
	for _, e := range p.list("/v1/ota/audit-log?limit=200") {
		if e["entityType"] == "flag_schedule" && e["entityId"] == path("%d", scheduleID) {
			actions = append(actions, e["action"].(string)+" by "+e["actorName"].(string))
		}
	}
	return actions
}

// A change is made at its time, in the name of the person who scheduled it, and once.
func TestAScheduledChangeIsMadeAtItsTime(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	author := p.person(models.RoleEditor)
	id := p.flag().id("id")
	etag := p.do(at("/v1/ota/flags/%d", id).by(http.MethodGet)).header.Get("ETag")
	split := object{"ruleType": "percentage_rollout", "ruleConfig": object{"rollout": []object{{"variantValue": "true", "weight": 10}}}}
	call := p.scheduledCall(id, 2*time.Second, object{"defaultValue": true, "rules": []object{split}}).with("If-Match", etag).
		with("Idempotency-Key", "once").in(author.session)
	s := p.do(call).record(http.StatusCreated)
	require.Equal(t, "scheduled", s["status"])
	require.Equal(t, author.email, s["scheduledBy"].(map[string]any)["name"])
	require.Contains(t, s["summary"], `the default value from "false" to "true"`)
	require.Contains(t, s["summary"], "true for 10%")
	require.Equal(t, true, s["body"].(map[string]any)["defaultValue"])
	require.Equal(t, s["id"], p.do(call).record(http.StatusCreated)["id"], "the same request schedules one change")
	require.Equal(t, etag, p.do(at("/v1/ota/flags/%d", id).by(http.MethodGet)).header.Get("ETag"), "scheduling does not change the flag")
	require.Equal(t, false, p.read(path("/v1/ota/flags/%d", id))["defaultValue"])

	done := p.awaitScheduleEnd(s)
	require.Equal(t, "applied", done["status"], done)
	require.Nil(t, done["error"])
	after := p.read(path("/v1/ota/flags/%d", id))
	require.Equal(t, true, after["defaultValue"])
	require.Len(t, after["rules"], 1)
	require.Equal(t, []string{"flag.schedule_applied by schedules", "flag.scheduled by " + author.email}, p.auditOf(s.id("id")))
	var changes []object
	for _, e := range p.list("/v1/ota/audit-log?action=flag.updated") {
		if e["entityId"] == path("%d", id) {
			changes = append(changes, e)
		}
	}
	require.Len(t, changes, 1)
	require.Equal(t, author.email, changes[0]["actorName"])
	require.EqualValues(t, s.id("id"), changes[0]["details"].(map[string]any)["scheduleId"])
	p.do(at("/v1/ota/flags/%d/schedule/%d", id, s.id("id")).by(http.MethodDelete)).problem(409, models.CodeInvalidTransition)
	require.Len(t, p.list(path("/v1/ota/flags/%d/schedule?status=applied", id)), 1)
	require.Empty(t, p.list(path("/v1/ota/flags/%d/schedule?status=scheduled", id)))
}

// A change is not made if the flag has changed, the change was cancelled, or the flag was deleted.
func TestAScheduledChangeThatIsOutdatedIsNotMade(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	soon := func(id int64) object {
		return p.do(p.scheduledCall(id, 3*time.Second, object{"defaultValue": true})).record(http.StatusCreated)
	}
	changed, cancelled, deleted := p.flag().id("id"), p.flag().id("id"), p.flag().id("id")
	stale, stopped, lost := soon(changed), soon(cancelled), soon(deleted)
	p.do(to(object{"name": "Other"}, "/v1/ota/flags/%d", changed).by(http.MethodPatch)).record(200)
	require.Equal(t, true, p.schedule(changed, stale.id("id"))["isOutdated"])
	p.do(at("/v1/ota/flags/%d/schedule/%d", cancelled, stopped.id("id")).by(http.MethodDelete)).requireStatus(204)
	require.Equal(t, "cancelled", p.schedule(cancelled, stopped.id("id"))["status"])
	p.do(at("/v1/ota/flags/%d", deleted).by(http.MethodDelete)).requireStatus(204)

	ended := p.awaitScheduleEnd(stale)
	require.Equal(t, "stale", ended["status"])
	require.Contains(t, ended["error"], "was changed or deleted")
	require.Equal(t, false, p.read(path("/v1/ota/flags/%d", changed))["defaultValue"])
	require.Equal(t, []string{"flag.schedule_missed by schedules", "flag.scheduled by " + p.keyName()}, p.auditOf(stale.id("id")))
	await(t, waitLimit, atLeisure, func() bool { return len(p.auditOf(lost.id("id"))) == 2 })
	require.Equal(t, "flag.schedule_missed by schedules", p.auditOf(lost.id("id"))[0], "the flag is deleted")
	require.Equal(t, "flag.schedule_cancelled by "+p.keyName(), p.auditOf(stopped.id("id"))[0])
	require.Equal(t, false, p.read(path("/v1/ota/flags/%d", cancelled))["defaultValue"])
}

// keyName returns the name of the tenant's key.
func (p *tenant) keyName() string {
	p.t.Helper()
	return p.list("/v1/ota/audit-log?action=flag.scheduled&limit=1")[0]["actorName"].(string)
}

// A change of a protected channel asks for approval when it is scheduled.
func TestAScheduledChangeIsApprovedBeforeItsTime(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	author, colleague := p.person(models.RoleEditor), p.person(models.RoleEditor)
	var flags []int64
	for range 4 {
		flags = append(flags, p.flag().id("id"))
	}
	p.protect("production", 1)
	asks := func(after time.Duration) (schedule, approval object) {
		id := flags[0]
		flags = flags[1:]
		call := p.scheduledCall(id, after, object{"defaultValue": true}).in(author.session)
		asked := p.pending(call)
		require.Equal(t, "flag.schedule", asked["action"])
		require.Regexp(t, `^on \d{4}-\d\d-\d\d at \d\d:\d\d UTC: save flag `, asked["summary"])
		require.Equal(t, asked["id"], p.pending(call)["id"], "the same call waits once")
		all := p.list(path("/v1/ota/flags/%d/schedule", id))
		require.Len(t, all, 1)
		require.Equal(t, "pending_approval", all[0]["status"])
		require.Equal(t, asked["id"], all[0]["approvalId"])
		return all[0], asked
	}
	approved, approval := asks(4 * time.Second)
	require.Equal(t, approved["at"], approval["expiresAt"], "the approval expires at the time of the change")
	later, refused := asks(time.Hour)
	dropped, withdrawn := asks(time.Hour)
	forgotten, unanswered := asks(time.Second)

	p.carriedOut(approval.id("id"), colleague)
	require.Equal(t, "applied", p.awaitScheduleEnd(approved)["status"])
	require.Equal(t, true, p.read(path("/v1/ota/flags/%d", approved.id("flagId")))["defaultValue"])

	p.verdict(refused.id("id"), "reject", colleague).record(200)
	rejected := p.schedule(later.id("flagId"), later.id("id"))
	require.Equal(t, "rejected", rejected["status"])
	require.Contains(t, rejected["error"], colleague.email)

	p.do(at("/v1/ota/flags/%d/schedule/%d", dropped.id("flagId"), dropped.id("id")).by(http.MethodDelete)).requireStatus(204)
	require.Equal(t, "cancelled", p.schedule(dropped.id("flagId"), dropped.id("id"))["status"])
	require.Equal(t, "stale", p.approval(withdrawn.id("id"))["status"])

	require.Equal(t, "unapproved", p.awaitScheduleEnd(forgotten)["status"])
	require.Equal(t, "expired", p.approval(unanswered.id("id"))["status"])
	require.Equal(t, false, p.read(path("/v1/ota/flags/%d", forgotten.id("flagId")))["defaultValue"])
}

// A scheduled change is not made if its author has lost access, the project is stopped, or the channel
// was protected in the meantime.
func TestAScheduledChangeIsMadeWithTheRightsOfItsTime(t *testing.T) {
	t.Parallel()
	env := settings(t)
	in := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}
	soon := func(p *tenant, who human) object {
		return p.do(p.scheduledCall(p.flag().id("id"), 3*time.Second, object{"defaultValue": true}).in(who.session)).record(http.StatusCreated)
	}
	unchanged := func(p *tenant, s object, status, reason string) {
		ended := p.awaitScheduleEnd(s)
		require.Equal(t, status, ended["status"], ended)
		require.Contains(t, ended["error"], reason)
		require.Equal(t, false, p.read(path("/v1/ota/flags/%d", s.id("flagId")))["defaultValue"])
	}
	p, q, r := in.tenant(t), in.tenant(t), in.tenant(t)
	leaver, stopper, author := p.person(models.RoleEditor), q.person(models.RoleEditor), r.person(models.RoleEditor)
	left, stopped, guarded := soon(p, leaver), soon(q, stopper), soon(r, author)
	_, err := p.postgres().Exec(t.Context(), "UPDATE members SET role = 'viewer' WHERE project_id = $1 AND user_id = (SELECT id FROM users WHERE email = $2)",
		p.id, leaver.email)
	require.NoError(t, err)
	q.do(to(object{"reason": "fire"}, "/v1/ota/emergency-stop").by(http.MethodPost)).requireStatus(200)
	r.protect("production", 1)
	unchanged(p, left, "failed", "is a viewer")
	unchanged(q, stopped, "failed", "stopped in an emergency")
	unchanged(r, guarded, "unapproved", "approval required")
}

// A change whose time passes while no worker runs is made when a worker runs again.
func TestAScheduledChangeWaitsForAWorker(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	id := p.flag().id("id")
	s := p.do(p.scheduledCall(id, time.Second, object{"defaultValue": true})).record(http.StatusCreated)
	// Each request takes some time, so the time of the change passes without a timer.
	await(t, waitLimit, atLeisure, func() bool {
		p.read(path("/v1/ota/flags/%d", id))
		due, err := time.Parse(time.RFC3339, s["at"].(string))
		require.NoError(t, err)
		return time.Now().After(due)
	})
	require.Equal(t, "scheduled", p.schedule(id, s.id("id"))["status"])
	startWorker(t, env)
	require.Equal(t, "applied", p.awaitScheduleEnd(s)["status"])
	require.Equal(t, true, p.read(path("/v1/ota/flags/%d", id))["defaultValue"])
}

// A flag has a limited number of waiting changes.
func TestAFlagHasFewScheduledChanges(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	id := p.flag().id("id")
	var last object
	for range models.MaxOpenSchedules {
		last = p.do(p.scheduledCall(id, time.Hour, object{"defaultValue": true})).record(http.StatusCreated)
	}
	refused := p.do(p.scheduledCall(id, time.Hour, object{"defaultValue": true})).problem(409, models.CodeQuotaExceeded)
	require.Contains(t, refused["detail"], "cancel one")
	p.do(at("/v1/ota/flags/%d/schedule/%d", id, last.id("id")).by(http.MethodDelete)).requireStatus(204)
	p.do(p.scheduledCall(id, time.Hour, object{"defaultValue": true})).record(http.StatusCreated)
	require.Len(t, p.list(path("/v1/ota/flags/%d/schedule?limit=5", id)), 5)

	wrong := p.do(p.scheduledCall(id, time.Hour, object{"defaultValue": 7})).problem(400, models.CodeInvalid)
	require.Contains(t, wrong["detail"], "body.defaultValue")
}
