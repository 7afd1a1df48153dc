package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

const (
	// chaosRollouts roll out at once, each on a channel of its own.
	chaosRollouts = 50
	// chaosDevices of each rollout's first stage ask and report again and again.
	chaosDevices = 5
	// chaosTime is how long API and worker are killed.
	chaosTime = 15 * time.Second
	// chaosPause is between two starts of a device.
	chaosPause = 1500 * time.Millisecond
)

// chaosSeed decides what is killed when. WAFT_TEST_CHAOS_SEED tries another one.
func chaosSeed(t *testing.T) uint64 {
	t.Helper()
	seed := uint64(6)
	if text := os.Getenv("WAFT_TEST_CHAOS_SEED"); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
	}
	t.Logf("the seed of the chaos is %d", seed)
	return seed
}

// fated is a rollout of which the test knows how it has to end.
type fated struct {
	fate     models.ExecutionStatus
	channel  string
	release  object
	id       int64
	devices  []string
	outsider string
}

// TestRolloutsEndRightWhateverIsKilled rolls 50 releases out at once and kills the
// worker and the API at moments that nobody chose. Healthy releases reach everybody,
// crashing ones are taken back, cancelled ones are gone, no step is taken twice, and
// Postgres, what devices are served and the workflows agree.
func TestRolloutsEndRightWhateverIsKilled(t *testing.T) {
	t.Parallel()
	chaos := rand.New(rand.NewPCG(chaosSeed(t), 0))
	env := settings(t)
	env["WAFT_RATE_PER_ADDRESS"], env["WAFT_RATE_PER_DEVICE"] = "0", "0"
	migrate(t, env)
	workerEnv := maps.Clone(env)
	env["WAFT_LISTEN_ADDR"] = freeAddress(t)
	api, worker := waftd(t, "api", env), waftd(t, "worker", workerEnv)
	p := installation{url: "http://" + api.addr, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	began := time.Now()
	rollouts := p.fates()
	t.Logf("%d rollouts began within %s", len(rollouts), time.Since(began))

	ctx, stop := context.WithCancel(t.Context())
	fleet := p.keepStarting(ctx, rollouts)
	cancelling := p.keepCancelling(rollouts)
	kills := map[string]int{}
	for end := time.Now().Add(chaosTime); time.Now().Before(end); {
		pause(time.Duration(200+chaos.IntN(2000)) * time.Millisecond)
		both := chaos.IntN(4) == 0
		if both || chaos.IntN(2) == 0 {
			kills["worker"]++
			worker.kill()
			worker = waftd(t, "worker", workerEnv)
		}
		if both || chaos.IntN(3) == 0 {
			kills["API"]++
			api.kill()
			api = waftd(t, "api", env)
		}
	}
	t.Logf("killed: %v", kills)
	require.Positive(t, kills["worker"])
	require.Positive(t, kills["API"])
	for _, r := range rollouts {
		p.awaitRollout(r.id, func(e object) bool { return e["endedAt"] != nil })
	}
	stop()
	fleet.Wait()
	require.Empty(t, cancelling())
	t.Logf("all have ended after %s", time.Since(began))
	p.requireFates(env, rollouts)
}

// fates begins all rollouts.
func (p *tenant) fates() []fated {
	p.t.Helper()
	quick := p.create("/v1/ota/rollout-policies", p.inStages(1, 3, 10, 50, 100)).id("id")
	slow := p.create("/v1/ota/rollout-policies", p.inStages(0, 3, 10, 50, 100)).id("id")
	stable, next := p.build().id("id"), p.build().id("id")
	rollouts := make([]fated, chaosRollouts)
	for i := range rollouts {
		r := &rollouts[i]
		r.fate = []models.ExecutionStatus{models.ExecutionCompleted, models.ExecutionRolledBack, models.ExecutionCancelled}[i%3]
		r.channel = p.channel()
		p.create(path("/v1/ota/builds/%d/publish", stable), object{"channel": r.channel})
		policy := quick
		if r.fate == models.ExecutionCancelled {
			policy = slow
		}
		r.release = p.create(path("/v1/ota/builds/%d/publish", next), object{"channel": r.channel, "rolloutPolicyId": policy})
		r.id = r.release.id("rolloutExecutionId")
		r.devices = p.inShareOf(r.release, 10, true, chaosDevices)
		r.outsider = p.inShareOf(r.release, 50, false, 1)[0]
	}
	return rollouts
}

// keepStarting lets the devices of all rollouts take what they are served and report
// on it, again and again, as devices do whose server is away now and then.
func (p *tenant) keepStarting(ctx context.Context, rollouts []fated) *sync.WaitGroup {
	var running sync.WaitGroup
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	for i, r := range rollouts {
		for n, device := range r.devices {
			running.Go(func() {
				// Not all at the same moment.
				wait := chaosPause * time.Duration(i*chaosDevices+n) / (chaosRollouts * chaosDevices)
				for {
					select {
					case <-ctx.Done():
						return
					case <-time.After(wait):
					}
					wait = chaosPause
					_ = p.startOnce(ctx, client, r, device) // the next start tries again
				}
			})
		}
	}
	return &running
}

func (p *tenant) startOnce(ctx context.Context, client *http.Client, r fated, device string) error {
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+"/v1/ota/manifest/"+p.slug+"?channel="+r.channel, nil)
	if err != nil {
		return err
	}
	for name, value := range map[string]string{
		"Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0", "Eas-Client-Id": device, "Accept": "application/expo+json",
	} {
		ask.Header.Set(name, value)
	}
	var manifest struct{ ID string }
	if err := answerOf(client, ask, &manifest); err != nil || manifest.ID != r.release["updateUuid"] {
		return err
	}
	events := []object{{"type": "app_launch", "count": 1}}
	if r.fate == models.ExecutionRolledBack {
		events = append(events, object{"type": "crash", "count": 1})
	}
	report, err := json.Marshal(object{
		"projectSlug": p.slug, "deviceId": device, "channel": r.channel, "platform": "ios", "runtimeVersion": "1.0.0",
		"updateUuid": manifest.ID, "events": events,
	})
	if err != nil {
		return err
	}
	tell, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+"/v1/ota/health-metrics", bytes.NewReader(report))
	if err != nil {
		return err
	}
	tell.Header.Set("Content-Type", "application/json")
	return answerOf(client, tell, nil)
}

// keepCancelling cancels those rollouts that are to be, until they are told that it
// is done, by the same command however often it takes. wait returns why some were
// never told.
func (p *tenant) keepCancelling(rollouts []fated) (wait func() []error) {
	var running sync.WaitGroup
	ctx, stop := context.WithTimeout(p.t.Context(), waitLimit)
	untold := make([]error, len(rollouts))
	for i, r := range rollouts {
		if r.fate != models.ExecutionCancelled {
			continue
		}
		running.Go(func() { untold[i] = p.cancelOnce(ctx, r, chaosTime*time.Duration(i)/chaosRollouts) })
	}
	return func() []error {
		running.Wait()
		stop()
		return slices.DeleteFunc(untold, func(err error) bool { return err == nil })
	}
}

func (p *tenant) cancelOnce(ctx context.Context, r fated, wait time.Duration) (last error) {
	client := &http.Client{Timeout: 15 * time.Second}
	for ; ; wait = 100 * time.Millisecond {
		select {
		case <-ctx.Done():
			return fmt.Errorf("rollout %d was not cancelled in time: %w", r.id, last)
		case <-time.After(wait):
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+path("/v1/ota/rollout-executions/%d/cancel", r.id), strings.NewReader("{}"))
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+p.keys[models.RoleEditor])
		req.Header.Set("X-Project", p.slug)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", "cancel")
		if err := answerOf(client, req, nil); err == nil {
			return nil
		} else if ctx.Err() == nil {
			last = err
		}
	}
}
