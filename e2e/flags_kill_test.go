package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/base/backoff"
	"github.com/waft-ota/waft/models"
)

// flagFollower is a device that follows its flags, and connects again when its stream ends.
type flagFollower struct {
	// context is the context for a bulk evaluation. path is the path of its stream.
	context object
	path    string

	mu    sync.Mutex
	flags map[string]any
	puts  int
	wrong string // an invalid event of the stream
}

// betweenStreams is the pause of a follower before it connects again.
var betweenStreams = backoff.Policy{Min: 50 * time.Millisecond, Max: time.Second}

func (f *flagFollower) run(ctx context.Context, url string) {
	for failures := 1; ctx.Err() == nil; failures++ {
		if f.follow(ctx, url+f.path) == nil {
			failures = 1
		}
		_ = backoff.Sleep(ctx, betweenStreams.After(failures)) // the loop checks whether ctx has ended
	}
}

// follow reads one stream to its end.
func (f *flagFollower) follow(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", res.StatusCode)
	}
	var event string
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			event = name
		} else if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			f.apply(event, data)
		}
	}
	return nil
}

func (f *flagFollower) apply(event, data string) {
	var told struct {
		Flags map[string]any
		Key   string
		Flag  any
	}
	err := json.Unmarshal([]byte(data), &told)
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case err != nil:
		f.wrong = data
	case event == "put":
		f.flags, f.puts = told.Flags, f.puts+1
	case f.flags == nil:
		f.wrong = "first came " + event
	case event == "patch":
		f.flags[told.Key] = told.Flag
	case event == "delete":
		delete(f.flags, told.Key)
	default:
		f.wrong = event
	}
}

// state returns a copy of the follower's state.
func (f *flagFollower) state() (flags map[string]any, puts int, wrong string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.flags), f.puts, f.wrong
}

// flagFollowers are devices of a tenant.
type flagFollowers struct {
	*tenant
	all []*flagFollower
}

// followers starts a follower for each context. They follow until the test ends.
func (p *tenant) followers(contexts ...object) flagFollowers {
	p.t.Helper()
	ctx, end := context.WithCancel(context.WithoutCancel(p.t.Context()))
	var running sync.WaitGroup
	p.t.Cleanup(func() {
		end()
		running.Wait()
	})
	f := flagFollowers{tenant: p}
	for _, c := range contexts {
		one := &flagFollower{context: c, path: p.streamPath(c)}
		f.all = append(f.all, one)
		running.Go(func() { one.run(ctx, p.url) })
	}
	return f
}

// streamPath returns the path of the flag stream for a bulk context whose only attribute may be update_id.
func (p *tenant) streamPath(of object) string {
	query := url.Values{}
	for _, name := range []string{"deviceId", "targetingKey", "channel", "platform", "runtimeVersion"} {
		if v, ok := of[name].(string); ok {
			query.Set(name, v)
		}
	}
	if attributes, ok := of["attributes"].(object); ok {
		query.Set("updateId", attributes["update_id"].(string))
	}
	return "/v1/ota/flag-stream/" + p.slug + "?" + query.Encode()
}

// puts returns how often each follower was sent all flags.
func (f flagFollowers) puts() (all []int) {
	for _, one := range f.all {
		_, puts, _ := one.state()
		all = append(all, puts)
	}
	return all
}

// requireAgreement waits until every follower has the flags of a bulk evaluation and right returns true for them.
func (f flagFollowers) requireAgreement(right func(flags map[string]any) bool) {
	f.t.Helper()
	for _, one := range f.all {
		var streamed, bulk map[string]any
		eventually(f.t, func() bool {
			streamed, _, _ = one.state()
			bulk = f.bulk(one.context)
			return right(bulk) && fmt.Sprint(streamed) == fmt.Sprint(bulk)
		}, "%v: %v, in bulk %v", one.context, &streamed, &bulk)
		_, _, wrong := one.state()
		require.Empty(f.t, wrong)
	}
}

// TestFollowersOfFlagsAgreeWhateverIsKilled kills Postgres and the API while flag streams are open. While Postgres is
// unavailable, flags are evaluated as before. Once everything runs again, every follower has the flags of its device.
func TestFollowersOfFlagsAgreeWhateverIsKilled(t *testing.T) {
	t.Parallel()
	env := settings(t)
	postgres := newPostgres(t)
	env["DATABASE_URL"], env["WAFT_LISTEN_ADDR"] = postgres.await().address, freeAddress(t)
	migrate(t, env)
	api := waftd(t, "api", env)
	p := installation{url: api.url(), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
	p.known()
	id := p.create("/v1/ota/flags", object{"key": "colour", "flagType": "string", "defaultValue": "red"}).id("id")
	p.create("/v1/ota/flags", object{"key": "half", "flagType": "boolean", "defaultValue": false})
	key := p.key(models.RoleClient)
	eventually(t, func() bool { return p.ofrep(key, "colour", nil).status == http.StatusOK })
	colour := func(flags map[string]any) any {
		flag, _ := flags["colour"].(map[string]any)
		return flag["value"]
	}
	devices := make([]object, 20)
	for i := range devices {
		devices[i] = object{"deviceId": fmt.Sprint("d", i), "channel": "production"}
	}
	followers := p.followers(devices...)
	followers.requireAgreement(func(flags map[string]any) bool { return colour(flags) == "red" })
	for _, c := range []struct {
		value   string
		killAPI bool
	}{{"green", false}, {"blue", true}, {"white", true}} {
		before := followers.puts()
		postgres.kill()
		eventually(t, func() bool {
			return p.do(request{method: http.MethodGet, path: "/v1/ota/flags"}).status == http.StatusServiceUnavailable
		})
		require.Equal(t, colour(p.bulk(object{"deviceId": "d1"})), p.ofrep(key, "colour", nil).record(http.StatusOK)["value"])
		followers.requireAgreement(func(map[string]any) bool { return true })
		require.Equal(t, before, followers.puts(), "streams stay open without Postgres")
		if c.killAPI {
			api.kill()
		}
		postgres.start()
		if c.killAPI {
			api = waftd(t, "api", env)
			eventually(t, func() bool { return p.ofrep(key, "colour", nil).status == http.StatusOK })
			for i := range before {
				before[i]++ // a follower that reconnects gets all flags
			}
		}
		change := request{method: http.MethodPatch, path: path("/v1/ota/flags/%d", id), body: object{"defaultValue": c.value}}
		eventually(t, func() bool { return p.do(change).status == http.StatusOK })
		followers.requireAgreement(func(flags map[string]any) bool { return colour(flags) == c.value })
		require.Equal(t, before, followers.puts())
	}
}
