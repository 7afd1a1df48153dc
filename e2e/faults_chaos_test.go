package e2e

import (
	"context"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/waft-ota/waft/internal/lab/enginetest"
)

// chaosSeed seeds the random choice of processes and times.
const chaosSeed = 6

// TestRolloutsEndRightWhateverIsKilled rolls releases out, each on its own channel, and kills the worker, the API,
// Temporal, Postgres and ClickHouse at random moments. Healthy releases must reach every device, and crashing releases
// must be rolled back. Cancelled releases are withdrawn, and paused rollouts stay at their stage.
//
// A step is never taken twice, and a refused command never takes effect. Postgres, the devices' manifests and the
// workflows must agree. There are five rollouts in eight seconds with -short, as in `make test`. Without it there are 15 in twenty
// seconds, or 60 with WAFT_TEST_SCALE=4, as in `make kill-test`.
func TestRolloutsEndRightWhateverIsKilled(t *testing.T) {
	t.Parallel()
	chaos := rand.New(rand.NewPCG(enginetest.Seed(t, chaosSeed), 0))
	postgres, clickhouse, temporal := newPostgres(t), newClickHouse(t), newTemporal(t)
	env := settingsWithoutEngines(t)
	env["DATABASE_URL"], env["CLICKHOUSE_URL"] = postgres.await().address, clickhouse.await().address
	env["TEMPORAL_ADDRESS"], env["TEMPORAL_NAMESPACE"] = temporal.await().address, "default"
	env["WAFT_RATE_PER_ADDRESS"], env["WAFT_RATE_PER_DEVICE"] = "0", "0"
	migrate(t, env)
	workerEnv := maps.Clone(env)
	env["WAFT_LISTEN_ADDR"] = freeAddress(t)
	v := victims{
		t: t, chaos: chaos,
		engines: []*victim{engineVictim(postgres), engineVictim(clickhouse), engineVictim(temporal)},
		servers: []*victim{serverVictim(t, "api", env), serverVictim(t, "worker", workerEnv)},
	}
	v.revive()

	p := installation{url: "http://" + env["WAFT_LISTEN_ADDR"], rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	rollouts := p.makeFates(enginetest.Sized(15, 5) * enginetest.Scale(t))
	chaosTime := enginetest.Sized(20*time.Second, 8*time.Second)
	ctx, stop := context.WithTimeout(t.Context(), chaosTime+waitLimit)
	defer stop()
	began := time.Now()
	fleet := newChaosFleet(p, rollouts, chaosTime)
	fleet.run(ctx)
	v.torment(chaosTime)
	v.revive()
	t.Logf("all processes are running again after %s", time.Since(began))
	fleet.awaitOperators()
	fleet.requireNoSurprise()
	t.Logf("all operators have got a response after %s", time.Since(began))
	for _, r := range rollouts {
		if r.ends() {
			p.awaitRollout(r.id, func(e object) bool { return e["endedAt"] != nil })
		}
	}
	stop()
	fleet.awaitEnd()
	t.Logf("all rollouts have ended after %s; responses: %v", time.Since(began), fleet.answers)
	fleet.requireNoSurprise()
	p.requireFates(env, rollouts)
}
