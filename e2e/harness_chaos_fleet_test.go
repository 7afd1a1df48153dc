package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

const (
	// chaosDevices is the number of devices inside each rollout's first stage. Each device requests its manifest and
	// reports again and again.
	chaosDevices = 5
	// chaosPause is the time between two launches of a device.
	chaosPause = 2500 * time.Millisecond
)

// chaosFleet is the devices and operators of all rollouts. Their server is unavailable now and then.
type chaosFleet struct {
	p        *tenant
	rollouts []fated
	// lasting is the time during which processes are killed.
	lasting            time.Duration
	http               http.Client
	devices, operators sync.WaitGroup

	mu sync.Mutex
	// answers counts the responses by status; 0 stands for no response. surprises lists what no client should ever get.
	answers   map[int]int
	surprises []string
}

func newChaosFleet(p *tenant, rollouts []fated, lasting time.Duration) *chaosFleet {
	return &chaosFleet{
		p: p, rollouts: rollouts, lasting: lasting, answers: map[int]int{},
		http: http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
	}
}

// run begins the rollouts within the first half of the chaos. Devices and operators then act as their rollout's fate
// says, until ctx ends.
func (f *chaosFleet) run(ctx context.Context) {
	all := time.Duration(len(f.rollouts))
	for i := range f.rollouts {
		r := &f.rollouts[i]
		f.operators.Go(func() {
			wait(ctx, f.lasting/2*time.Duration(i)/all)
			if !f.begin(ctx, r) {
				return
			}
			for _, device := range r.devices {
				f.devices.Go(func() { f.keepStarting(ctx, r, device) })
			}
			wait(ctx, f.lasting/2*(time.Duration(i*7)%all)/all)
			switch r.fate {
			case fateCancelled:
				f.persist(ctx, r.command("cancel", "postponed"), r)
			case fatePaused:
				f.persist(ctx, r.command("pause", "looking at it"), r)
			case fateAsked:
				f.ask(ctx, r)
			default: // the rollout ends without a command
			}
		})
	}
}

func (f *chaosFleet) awaitOperators() { f.operators.Wait() }

// awaitEnd returns once the devices have noticed that ctx ended.
func (f *chaosFleet) awaitEnd() { f.devices.Wait() }

// wait returns after the duration, or when ctx ends.
func wait(ctx context.Context, d time.Duration) {
	pause, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-pause.Done()
}

// begin publishes the release of the rollout.
func (f *chaosFleet) begin(ctx context.Context, r *fated) bool {
	body := f.persist(ctx, request{
		method: http.MethodPost, path: path("/v1/ota/builds/%d/publish", r.build),
		body: object{"channel": r.channel, "rolloutPolicyId": r.policy},
	}, r)
	if err := json.Unmarshal([]byte(body), &r.release); err != nil {
		f.surprise("release on %s: %v in %q", r.channel, err, body)
		return false
	}
	r.id = r.release.id("rolloutExecutionId")
	r.devices, r.outsiders = f.p.inShareOf(r.release, 10, true, chaosDevices), f.p.inShareOf(r.release, 10, false, 2)
	return true
}

// persist repeats one request until it succeeds, and returns the response's body.
func (f *chaosFleet) persist(ctx context.Context, r request, of *fated) (body string) {
	r = r.with("Idempotency-Key", of.channel+r.path[strings.LastIndex(r.path, "/"):])
	for ; ctx.Err() == nil; wait(ctx, 100*time.Millisecond) {
		a, err := f.send(ctx, r)
		if err == nil && a.status < http.StatusMultipleChoices {
			return a.body
		}
	}
	f.surprise("%s was never done", r.path)
	return ""
}

// ask sends pause and resume alternately, each command once, and remembers the results.
func (f *chaosFleet) ask(ctx context.Context, r *fated) {
	for end := time.Now().Add(f.lasting / 2); time.Now().Before(end); wait(ctx, 300*time.Millisecond) {
		c := question{name: "pause", reason: fmt.Sprintf("question %d", len(r.asked))}
		if len(r.asked)%2 == 1 {
			c.name = "resume"
		}
		c.sent = time.Now()
		c.answer, c.err = f.send(ctx, r.command(c.name, c.reason), http.StatusConflict)
		c.over = time.Now()
		r.asked = append(r.asked, c)
	}
}

// keepStarting launches a device again and again.
func (f *chaosFleet) keepStarting(ctx context.Context, r *fated, device string) {
	for ; ctx.Err() == nil; wait(ctx, chaosPause) {
		f.startOnce(ctx, r, device) // a failed launch is repeated by the next one
	}
}

func (f *chaosFleet) startOnce(ctx context.Context, r *fated, device string) {
	ask := request{method: http.MethodGet, path: "/v1/ota/manifest/" + f.p.slug + "?channel=" + r.channel}
	for name, value := range map[string]string{
		"Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0", "Eas-Client-Id": device, "Accept": "application/expo+json",
	} {
		ask = ask.with(name, value)
	}
	a, err := f.send(ctx, ask)
	var manifest struct{ ID string }
	if err != nil || a.status != http.StatusOK || json.Unmarshal([]byte(a.body), &manifest) != nil || manifest.ID != r.release["updateUuid"] {
		return
	}
	events := []object{{"type": "app_launch", "count": 1}}
	if r.fate == fateRolledBack {
		events = append(events, object{"type": "crash", "count": 1})
	}
	_, _ = f.send(ctx, request{method: http.MethodPost, path: "/v1/ota/health-metrics", body: object{
		"projectSlug": f.p.slug, "deviceId": device, "channel": r.channel, "platform": "ios", "runtimeVersion": "1.0.0",
		"updateUuid": manifest.ID, "events": events,
	}})
}

// send sends a request once. The response must be a success, a 503 with Retry-After, or one of the expected statuses.
// Anything else is a surprise.
func (f *chaosFleet) send(ctx context.Context, r request, expected ...int) (answer, error) {
	text := r.text(f.p.t)
	req, err := http.NewRequestWithContext(ctx, r.method, f.p.url+r.path, strings.NewReader(text))
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Authorization", "Bearer "+f.p.keys[models.RoleEditor])
	req.Header.Set("X-Project", f.p.slug)
	if text != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	a, err := received(f.http.Do(req))
	f.mu.Lock()
	f.answers[a.status]++
	f.mu.Unlock()
	known := err != nil || a.status < http.StatusMultipleChoices || a.status == http.StatusServiceUnavailable && a.header.Get("Retry-After") != ""
	for _, status := range expected {
		known = known || a.status == status
	}
	if !known {
		f.surprise("%s %s: %d %s", r.method, r.path, a.status, a.body)
	}
	return a, err
}

// received returns the whole response, or the zero answer if it did not arrive completely.
func received(res *http.Response, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return answer{}, err
	}
	return answer{status: res.StatusCode, header: res.Header, body: string(body)}, nil
}

func (f *chaosFleet) surprise(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.surprises = append(f.surprises, fmt.Sprintf(format, args...))
}

func (f *chaosFleet) requireNoSurprise() {
	f.p.t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	require.Empty(f.p.t, f.surprises)
}
