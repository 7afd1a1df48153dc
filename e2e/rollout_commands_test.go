package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

// A command that no worker received is refused, and stays refused even if a worker starts a moment later.
func TestACommandWithoutAWorkerNeverHappens(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	stop := startWorker(t, env)
	_, id := p.rollOut(p.inStages(0, 0, 20, 100))
	p.awaitRollout(id, hasHappened("started"))
	stop()

	for _, a := range p.together(steering(id, "advance", nil), steering(id, "cancel", nil), steering(id, "pause", nil)) {
		a.problem(http.StatusServiceUnavailable, models.CodeUnavailable)
		require.NotEmpty(t, a.header.Get("Retry-After"))
	}
	before := p.rolloutNow(id)
	require.Equal(t, []string{"started"}, happened(before))

	startWorker(t, env)
	// The worker handles this command after everything that was waiting for it.
	e := p.awaitCommand(id, "pause", object{"reason": "by hand"})
	require.Equal(t, []string{"started", "paused"}, happened(e))
	require.Equal(t, "by hand", e["reason"])
	require.Equal(t, 20.0, e["percentage"])
	for _, action := range []string{"rollout.cancelled", "rollout.stage_advanced"} {
		require.Zero(t, p.audited(action, id))
	}
}

// awaitCommand sends a command until a worker takes it, and returns the rollout.
func (p *tenant) awaitCommand(id int64, command string, body object) object {
	p.t.Helper()
	return p.do(steering(id, command, body).untilTaken()).record(http.StatusOK)
}

// However often a command is sent with the same Idempotency-Key, it is one command.
func TestACommandSentAgainJoinsTheFirst(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	_, id := p.rollOut(p.inStages(0, 0, 10, 20, 30, 40, 50, 100))
	p.awaitRollout(id, hasHappened("started"))
	advance := steering(id, "advance", object{"reason": "on"}).with("Idempotency-Key", "once").untilTaken()
	answers := p.together(slices.Repeat([]request{advance}, 6)...)
	replayed := 0
	for _, a := range answers {
		require.Equal(t, 1.0, a.record(http.StatusOK)["stageIndex"])
		if a.header.Get("Idempotency-Replayed") == "true" {
			replayed++
		}
	}
	require.Equal(t, len(answers)-1, replayed)
	require.Equal(t, 1, p.audited("rollout.stage_advanced", id))
	advance.body = object{"reason": "another"}
	p.do(advance).problem(http.StatusConflict, models.CodeIdempotencyMismatch)
	require.Equal(t, 2.0, p.do(advance.with("Idempotency-Key", "twice")).record(http.StatusOK)["stageIndex"])
}

// The response to a command has the rollout as the command changed it. `bench commands` measures the response time.
func TestACommandReturnsTheChangedRollout(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	_, id := p.rollOut(p.inStages(0, 0, 10, 20, 100))
	p.awaitRollout(id, hasHappened("started"))
	events := []string{"started"}
	for _, c := range []struct {
		command, event, status string
		percentage             float64
	}{
		{"pause", "paused", "paused", 10},
		{"resume", "resumed", "running", 10},
		{"advance", "stage_advanced", "running", 20},
		{"cancel", "cancelled", "cancelled", 20},
	} {
		events = append(events, c.event)
		e := p.awaitCommand(id, c.command, object{})
		require.Equal(t, events, happened(e))
		require.Equal(t, c.status, e["status"], c.command)
		require.Equal(t, c.percentage, e["percentage"], c.command)
	}
}

// The event stream has the same events in the same order, with the same sentences, as the record has later.
func TestTheStreamAndTheRecordAgree(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.release()
	release, id := p.rollOut(p.inStages(1, 3, 20, 50, 100))
	records := p.follow(id)
	p.awaitRollout(id, hasHappened("started"))
	p.awaitCommand(id, "pause", object{"reason": "lunch"})
	p.run(p.inShareOf(release, 20, true, 6), release["updateUuid"], "app_launch")
	p.awaitCommand(id, "resume", object{"reason": "back from lunch"})

	seen := []string{}
	var last object
	for e := range records {
		last = e
		timeline := e["timeline"].([]any)
		require.GreaterOrEqual(t, len(timeline), len(seen))
		for _, event := range timeline[len(seen):] {
			seen = append(seen, event.(map[string]any)["reason"].(string))
		}
		if e["endedAt"] != nil {
			break
		}
	}
	e := p.rolloutNow(id)
	require.Equal(t, "completed", e["status"])
	require.Equal(t, e, last)
	told := []string{}
	for _, event := range e["timeline"].([]any) {
		told = append(told, event.(map[string]any)["reason"].(string))
	}
	require.Equal(t, told, seen)
	require.Subset(t, told, []string{"lunch", "back from lunch"})
	require.Equal(t, told[len(told)-1], e["reason"])
}

// follow reads the event stream of a rollout until the test ends.
func (p *tenant) follow(id int64) <-chan object {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.url+path("/v1/ota/rollout-executions/%d/stream", id), nil)
	require.NoError(p.t, err)
	req.Header.Set("Authorization", "Bearer "+p.keys[models.RoleViewer])
	req.Header.Set("X-Project", p.slug)
	res, err := http.DefaultClient.Do(req)
	require.NoError(p.t, err)
	require.Equal(p.t, http.StatusOK, res.StatusCode)
	records := make(chan object, 1000)
	go func() {
		defer close(records)
		defer res.Body.Close()
		lines := bufio.NewScanner(res.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			if !ok {
				continue
			}
			var e object
			if json.Unmarshal([]byte(data), &e) != nil {
				return
			}
			records <- e
		}
	}()
	return records
}

// Postgres is unreachable for the API or for the worker when a command arrives. The command is refused as unavailable,
// and its effect is complete or absent.
func TestACommandWithoutPostgres(t *testing.T) {
	t.Parallel()
	env := settings(t)
	direct := env["DATABASE_URL"]
	ofAPI, throughAPI := newLine(t, direct)
	ofWorker, throughWorker := newLine(t, direct)
	env["DATABASE_URL"] = throughWorker
	startWorker(t, env)
	env["DATABASE_URL"] = throughAPI
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: direct}.tenant(t)
	release, id := p.rollOut(p.inStages(0, 0, 20, 100))
	p.awaitRollout(id, hasHappened("started"))

	ofAPI.cut()
	for _, command := range []string{"cancel", "rollback"} {
		a := p.steer(id, command, map[string]object{"rollback": {"scope": "release"}}[command])
		a.problem(http.StatusServiceUnavailable, models.CodeUnavailable)
		require.NotEmpty(t, a.header.Get("Retry-After"))
	}
	ofAPI.mend(t)
	e := p.awaitAnswer(id)
	require.Equal(t, []string{"started"}, happened(e))

	// The rollout receives the command but cannot store it. A repetition with the same key is the same command, which
	// takes effect once.
	ofWorker.cut()
	cancel := request{method: http.MethodPost, path: path("/v1/ota/rollout-executions/%d/cancel", id), body: object{}}.with("Idempotency-Key", "once")
	p.do(cancel).problem(http.StatusServiceUnavailable, models.CodeUnavailable)
	require.Equal(t, "running", p.rolloutNow(id)["status"])
	require.Equal(t, true, p.read(path("/v1/ota/updates/%d", release.id("id")))["isEnabled"])
	ofWorker.mend(t)
	await(t, waitLimit, atLeisure, func() bool { return p.do(cancel).status == http.StatusOK })
	require.Equal(t, []string{"started", "cancelled"}, happened(p.rolloutNow(id)))
	require.Equal(t, 1, p.audited("rollout.cancelled", id))
	require.Equal(t, false, p.read(path("/v1/ota/updates/%d", release.id("id")))["isEnabled"])
}

// awaitAnswer returns the rollout once the API can read it again.
func (p *tenant) awaitAnswer(id int64) (e object) {
	p.t.Helper()
	await(p.t, waitLimit, atLeisure, func() bool {
		a := p.do(at("/v1/ota/rollout-executions/%d", id).get())
		if a.status != http.StatusOK {
			return false
		}
		e = a.record(http.StatusOK)
		return true
	})
	return e
}

// Commands with keys do not block anything that the worker needs to execute them. Many commands sent together all take
// effect, once each. `bench commands` measures how fast.
func TestManyKeyedCommandsTogether(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	rollouts := enginetest.Sized(30, 10)
	together := rollouts
	policy := p.inStages(0, 0, 10, 20, 30, 40, 50, 100)
	ids := make([]int64, rollouts)
	for i := range ids {
		_, ids[i] = p.rollOut(maps.Clone(policy).with("name", p.name()))
	}
	for _, id := range ids {
		p.awaitRollout(id, hasHappened("started"))
	}
	var sending errgroup.Group
	sending.SetLimit(together)
	for _, id := range slices.Concat(ids, ids) {
		advance := steering(id, "advance", object{}).untilTaken()
		sending.Go(func() error {
			a, err := p.send(http.DefaultClient, advance)
			if err == nil && a.status != http.StatusOK {
				err = fmt.Errorf("%s: %d %s", advance.path, a.status, a.body)
			}
			return err
		})
	}
	require.NoError(t, sending.Wait())
	for _, id := range ids {
		require.Equal(t, 2, p.audited("rollout.stage_advanced", id))
	}
}
