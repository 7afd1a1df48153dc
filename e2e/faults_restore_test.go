package e2e

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/internal/lab/enginetest/temporaltest"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/restorestore"
	"github.com/waft-ota/waft/models"
)

// copyDatabase copies an unused database, as a backup does, and returns the URL of the copy.
func copyDatabase(t *testing.T, databaseURL string) string {
	t.Helper()
	u, err := url.Parse(databaseURL)
	require.NoError(t, err)
	name := "copy_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	original := strings.TrimPrefix(u.Path, "/")
	u.Path = "/postgres"
	conn, err := pgx.Connect(t.Context(), u.String())
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "CREATE DATABASE "+name+" TEMPLATE "+original)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		_, err := conn.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)")
		require.NoError(t, errors.Join(err, conn.Close(ctx)))
	})
	u.Path = "/" + name
	return u.String()
}

// settled settles a restored database.
func settled(t *testing.T, databaseURL string, facts restorestore.Facts) (report restorestore.Report) {
	t.Helper()
	db, err := pg.Open(t.Context(), databaseURL, pg.Config{})
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	require.NoError(t, db.InTx(t.Context(), func(tx *gorm.DB) error {
		report, err = restorestore.Settle(t.Context(), tx, facts)
		return err
	}))
	return report
}

// TestARestoredInstallationGoesOn stops an installation in the middle of its work, continues it for a while, and then loses
// it. A server with the records of the first stop and an empty Temporal continues from there.
func TestARestoredInstallationGoesOn(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_WEBHOOK_ALLOWED_NETWORKS"], env["WAFT_WEBHOOK_RETRIES"] = "127.0.0.1", strings.Repeat("5s,", 29)+"5s"
	all := app.Role{API: true, Worker: true}
	address, stop := startRole(t, env, all)
	p := installation{url: address, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	colleague := p.person(models.RoleEditor)
	running, held := p.begun(), p.begun()
	p.command(held.id("id"), "pause").record(200)
	before := p.release()
	var isDown atomic.Bool
	r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
		if isDown.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	hook := p.hook(r, "branch.created")
	p.branch()
	eventually(t, func() bool { return p.deliveries(hook)[0]["status"] == "delivered" })
	isDown.Store(true)
	p.branch()
	eventually(t, func() bool { return len(attempts(p.deliveries(hook)[1])) > 0 })
	scheduled := p.scheduled()
	p.protect("production", 1)
	waiting := p.pending(p.publishCall())
	stop()
	// No worker has started the workflow of this rollout.
	p.url, stop = startRole(t, env, app.Role{API: true})
	fresh := p.execution()
	var unfinished []string
	for _, d := range p.deliveries(hook)[1:] { // one had an attempt, and the relay has not started the other
		unfinished = append(unfinished, d["messageId"].(string))
	}
	require.Len(t, unfinished, 2)
	stop()
	facts := restorestore.Facts{Source: "last-night", BackedUpAt: time.Now()}
	backup := copyDatabase(t, env["DATABASE_URL"])

	// After the backup: a release that a device gets, and a key.
	p.url, stop = startRole(t, env, all)
	p.do(to(object{"isProtected": false}, "/v1/ota/channels/production").by(http.MethodPatch)).record(200)
	lost := p.release()
	p.awaitServed([]string{"d"}, is(lost["updateUuid"]))
	lostKey := p.key(models.RoleViewer)
	stop()

	restored := maps.Clone(env)
	restored["DATABASE_URL"], restored["TEMPORAL_NAMESPACE"], restored["WAFT_DATA_DIR"] = backup, temporaltest.Namespace(t), t.TempDir()
	facts.RestoredAt = time.Now()
	report := settled(t, backup, facts)
	require.Len(t, report.Rollouts, 2)
	require.Equal(t, [2]int64{running.id("id"), fresh.id("id")}, [2]int64{report.Rollouts[0].ID, report.Rollouts[1].ID})
	require.Equal(t, 1, report.Approvals)
	sent := len(r.got("branch.created"))
	isDown.Store(false)

	p.url, p.databaseURL = serve(t, restored), backup
	// The rollout is paused with the reason, and continues at its stage.
	reason := models.RestorePauseReason(facts.BackedUpAt)
	row := p.rollout(running.id("id"))
	require.Equal(t, [3]any{"paused", reason, 10.0}, [3]any{row["status"], row["reason"], row["percentage"]})
	require.Equal(t, 2.0, p.read("/v1/ota/attention")["restore"].(map[string]any)["pausedRollouts"])
	eventually(t, func() bool { return p.command(running.id("id"), "resume").status == 200 })
	row = p.rollout(running.id("id"))
	require.Equal(t, [3]any{"running", 0.0, 10.0}, [3]any{row["status"], row["stageIndex"], row["percentage"]})
	p.command(running.id("id"), "pause").record(200)
	require.Equal(t, 1.0, p.read("/v1/ota/attention")["restore"].(map[string]any)["pausedRollouts"], "a person paused the other one")
	p.command(running.id("id"), "resume").record(200)
	p.command(running.id("id"), "advance").record(200)
	require.Equal(t, 50.0, p.rollout(running.id("id"))["percentage"])
	p.command(held.id("id"), "cancel").record(200)
	row = p.rollout(fresh.id("id"))
	require.Equal(t, [2]any{"paused", 100.0}, [2]any{row["status"], row["percentage"]}, "the first stage has not begun")
	eventually(t, func() bool { return p.command(fresh.id("id"), "resume").status == 200 })
	p.awaitRollout(fresh.id("id"), has("percentage", 10.0))
	require.Equal(t, 0.0, p.read("/v1/ota/attention")["restore"].(map[string]any)["pausedRollouts"])

	// Calls and scheduled changes wait again.
	tc := dialTemporal(t, restored)
	for _, workflow := range []any{waiting["workflowId"], scheduled["workflowId"]} {
		eventually(t, func() bool {
			_, err := tc.DescribeWorkflowExecution(t.Context(), workflow.(string), "")
			return err == nil
		})
	}
	p.do(at("/v1/ota/flags").get().in(colleague.session)).problem(401, models.CodeUnauthenticated)
	colleague.session = p.signIn(colleague.email)
	p.carriedOut(waiting.id("id"), colleague)

	// The messages that were not finished arrive, and no other.
	eventually(t, func() bool {
		return !slices.ContainsFunc(p.deliveries(hook), func(d object) bool { return d["status"] != "delivered" })
	})
	var arrived []string
	for _, m := range r.got("branch.created")[sent:] {
		arrived = append(arrived, m.id)
	}
	require.ElementsMatch(t, unfinished, arrived)

	p.do(request{method: http.MethodGet, path: "/v1/ota/channels", key: lostKey}).problem(401, models.CodeUnauthenticated)
	require.Len(t, p.list("/v1/ota/audit-log?action=project.restored"), 1)
	require.NotEqual(t, lost["id"], before["id"])
}

// A device that runs a release which the restored server does not know keeps it, may report on it, and gets the next one.
func TestADeviceNoticesNoRestore(t *testing.T) {
	t.Parallel()
	env := settings(t)
	address, stop := startRole(t, env, app.Role{API: true})
	p := installation{url: address, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
	old := p.release()
	stop()
	facts := restorestore.Facts{Source: "last-night", BackedUpAt: time.Now()}
	backup := copyDatabase(t, env["DATABASE_URL"])
	p.url, stop = startRole(t, env, app.Role{API: true})
	lost := p.release()
	stop()

	restored := maps.Clone(env)
	restored["DATABASE_URL"] = backup
	facts.RestoredAt = time.Now()
	settled(t, backup, facts)
	p.url, p.databaseURL = serveAPI(t, restored), backup
	ask := func() answer {
		return p.do(request{method: http.MethodGet, path: "/v1/ota/manifest/" + p.known() + "?channel=production"}.
			with("Expo-Runtime-Version", "1.0.0").with("Expo-Platform", "ios").with("Expo-Protocol-Version", "1").
			with("Accept", "multipart/mixed").with("Eas-Client-Id", "d").
			with("Expo-Current-Update-Id", lost["updateUuid"].(string)).with("Expo-Embedded-Update-Id", uuid.NewString()))
	}
	kept := ask()
	require.Equal(t, http.StatusOK, kept.status)
	require.Contains(t, kept.body, "noUpdateAvailable")
	require.Empty(t, kept.header.Values("Expo-Manifest-Filters"))
	require.NotContains(t, kept.body, old["updateUuid"])
	report := to(object{
		"projectSlug": p.slug, "deviceId": "d", "platform": "ios", "runtimeVersion": "1.0.0", "channel": "production",
		"updateUuid": lost["updateUuid"], "events": []object{{"type": "app_launch", "count": 1}},
	}, "/v1/ota/health-metrics").by(http.MethodPost)
	require.Equal(t, http.StatusNoContent, p.do(report).status)
	p.eventually(func() bool {
		found := p.device("d")
		if found.status != http.StatusOK {
			return false
		}
		device := found.record(http.StatusOK)
		return device["updateUuid"] == lost["updateUuid"] && device["resolve"].(map[string]any)["outcome"] == "no_update"
	})

	next := p.release()
	require.Greater(t, next.id("id"), lost.id("id"))
	require.Greater(t, next["createdAt"], lost["createdAt"])
	eventually(t, func() bool { return strings.Contains(ask().body, next["updateUuid"].(string)) })
	require.NotEmpty(t, ask().header.Values("Expo-Manifest-Filters"))
}
