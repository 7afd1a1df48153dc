package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// changeEvents is an open event stream of a project, on its own connection.
type changeEvents struct {
	lines *bufio.Scanner
	close func()
	// id is the ID of the last event.
	id string
}

// followProject opens the project's event stream on a server, starting after the last event that the caller has.
func (p *tenant) followProject(url, after string) (*changeEvents, error) {
	return p.followProjectOver(&http.Transport{}, url, after)
}

// followProjectOver does the same over a transport, whose idle connections end with the stream.
func (p *tenant) followProjectOver(transport http.RoundTripper, url, after string) (*changeEvents, error) {
	ctx, cancel := context.WithTimeout(p.t.Context(), waitLimit)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/v1/ota/stream", http.NoBody)
	if err != nil {
		cancel()
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+p.keys[models.RoleViewer])
	req.Header.Set("X-Project", p.slug)
	if after != "" {
		req.Header.Set("Last-Event-ID", after)
	}
	reader := &http.Client{Transport: transport}
	res, err := reader.Do(req)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d", res.StatusCode)
	}
	if err != nil {
		cancel()
		return nil, err
	}
	return &changeEvents{lines: bufio.NewScanner(res.Body), id: after, close: func() {
		cancel()
		res.Body.Close()
		reader.CloseIdleConnections()
	}}, nil
}

// next returns the next event, or "" for a line that has only an ID.
func (e *changeEvents) next() (event string, data object, err error) {
	id := ""
	for e.lines.Scan() {
		line := e.lines.Text()
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			event = name
		} else if text, ok := strings.CutPrefix(line, "id: "); ok {
			id = text
		} else if text, ok := strings.CutPrefix(line, "data: "); ok {
			if err := json.Unmarshal([]byte(text), &data); err != nil {
				return "", nil, err
			}
		} else if line == "" && id != "" {
			e.id = id
			return event, data, nil
		}
	}
	return "", nil, errors.Join(e.lines.Err(), io.ErrUnexpectedEOF)
}

// entry returns the ID of the audit entry that the last event is about.
func (e *changeEvents) entry() int64 {
	id, _ := strconv.ParseInt(e.id[strings.LastIndex(e.id, "/")+1:], 10, 64)
	return id
}

// fickle reads a project's event stream and now and then switches to another server. It returns the audit entries that
// it received, up to the entry of the last channel.
func (p *tenant) fickle(servers []*atomic.Pointer[process], seed uint64, began func(), last *atomic.Int64) (entries []int64, err error) {
	rng := rand.New(rand.NewPCG(seed, 1))
	after, channels := "", map[int64]bool{}
	for deadline := time.Now().Add(waitLimit); time.Now().Before(deadline); {
		stream, err := p.followProject(servers[rng.IntN(len(servers))].Load().url(), after)
		if err != nil {
			continue // the server was killed
		}
		for patience := 1 + rng.IntN(20); patience > 0; patience-- {
			event, data, err := stream.next()
			if err != nil {
				break
			}
			began()
			after = stream.id
			switch event {
			case "reset":
				stream.close()
				return nil, errors.New("the stream was reset")
			case "changed":
				entries = append(entries, stream.entry())
				if data["resource"] == "channels" {
					channels[data.id("id")] = true
				}
				if channels[last.Load()] {
					stream.close()
					return entries, nil
				}
			}
		}
		stream.close()
	}
	return entries, errors.New("the reader did not get the last change")
}

// tryChange sends a change to a server. If the server is killed during the request, the change may or may not be
// applied.
func (p *tenant) tryChange(client *http.Client, url string, r request) {
	req, err := http.NewRequestWithContext(p.t.Context(), r.method, url+r.path, strings.NewReader(r.text(p.t)))
	if err != nil {
		return
	}
	req.Header.Set("Authorization", "Bearer "+p.keys[models.RoleAdmin])
	req.Header.Set("X-Project", p.slug)
	req.Header.Set("Content-Type", "application/json")
	if res, err := client.Do(req); err == nil {
		res.Body.Close()
	}
}

// Both API processes accept changes while one of them is killed and readers come and go. Each reader must get every
// change exactly once.
func TestEveryChangeReachesEveryReaderOnce(t *testing.T) {
	t.Parallel()
	env := settings(t)
	migrate(t, env)
	env["WAFT_RATE_PER_ADDRESS"] = "0"
	other := maps.Clone(env)
	other["WAFT_DATA_DIR"] = t.TempDir()
	servers := []*atomic.Pointer[process]{{}, {}}
	servers[0].Store(waftd(t, "api", env))
	servers[1].Store(waftd(t, "api", other))
	p := installation{url: servers[1].Load().url(), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	conn, err := pgx.Connect(t.Context(), env["DATABASE_URL"])
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close(context.WithoutCancel(t.Context())) })
	var before int64
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT max(id) FROM audit_log").Scan(&before))

	const readers, writers, changes = 6, 4, 40
	var last atomic.Int64
	var listening, writing, reading sync.WaitGroup
	told, failed := make([][]int64, readers), make([]error, readers)
	listening.Add(readers)
	for i := range readers {
		reading.Go(func() {
			began := sync.OnceFunc(listening.Done)
			defer began()
			told[i], failed[i] = p.fickle(servers, uint64(i), began, &last)
		})
	}
	listening.Wait()
	client, halfway, half := &http.Client{Transport: &http.Transport{}}, make(chan struct{}), sync.Once{}
	for w := range writers {
		writing.Go(func() {
			for n := range changes {
				r := request{method: http.MethodPost, path: "/v1/ota/channels", body: object{"name": fmt.Sprintf("c-%d-%d", w, n)}}
				if n%3 == 0 { // this change does not lock a project
					r = request{method: http.MethodPost, path: "/v1/ota/contexts", body: object{"kind": "user", "targetingKey": fmt.Sprintf("u-%d-%d", w, n)}}
				}
				if n == changes/2 {
					half.Do(func() { close(halfway) })
				}
				p.tryChange(client, servers[w%2].Load().url(), r)
			}
		})
	}
	<-halfway
	servers[0].Load().kill()
	servers[0].Store(waftd(t, "api", env))
	writing.Wait()
	last.Store(p.create("/v1/ota/channels", object{"name": "last"}).id("id"))
	var end int64
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT max(id) FROM audit_log").Scan(&end))
	p.create("/v1/ota/channels", object{"name": "after-the-last"}) // for readers that got the last change before its ID was stored
	reading.Wait()
	rows, err := conn.Query(t.Context(), "SELECT id FROM audit_log WHERE project_id = $1 AND id > $2 AND id <= $3", p.id, before, end)
	require.NoError(t, err)
	committed, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	require.NoError(t, err)
	require.Greater(t, len(committed), writers*changes/2)
	for i := range readers {
		require.NoError(t, failed[i])
		require.ElementsMatch(t, committed, slices.DeleteFunc(told[i], func(id int64) bool { return id > end }), "reader %d", i)
	}
}

// An event stream names each change by the paths of the API, and shows only changes of its own project.
func TestAProjectStreamNamesWhatChanged(t *testing.T) {
	t.Parallel()
	server := install(t)
	p, other := server.tenant(t), server.tenant(t)
	stream, err := p.followProject(p.url, "")
	require.NoError(t, err)
	defer stream.close()
	event, _, err := stream.next()
	require.NoError(t, err)
	require.Empty(t, event, "the first line is an ID")
	other.channel()

	flagID, ruleID := p.rule()
	require.NotZero(t, ruleID)
	p.override()
	p.context()
	p.webhook()
	p.segment()
	p.apiKey()
	execution := p.execution()
	require.Equal(t, 200, p.do(request{method: http.MethodPatch, path: "/v1/ota/settings", body: object{"buildRetentionDays": 30}}).status)
	seen := map[string][]any{}
	for seen["settings"] == nil {
		event, data, err := stream.next()
		require.NoError(t, err)
		require.Equal(t, "changed", event)
		require.NotEmpty(t, data["at"])
		resource := data["resource"].(string)
		seen[resource] = append(seen[resource], data["id"])
	}
	doc, err := document()
	require.NoError(t, err)
	for resource := range seen {
		found := false
		for path := range doc.Paths.Map() {
			found = found || path == "/v1/ota/"+resource || strings.HasPrefix(path, "/v1/ota/"+resource+"/")
		}
		require.True(t, found, "no path shows %s", resource)
	}
	require.Contains(t, seen["flags"], float64(flagID))
	require.NotContains(t, seen["flags"], float64(ruleID))
	require.Equal(t, []any{execution["id"]}, slices.Compact(seen["rollout-executions"]))
	require.Equal(t, []any{execution["updateId"]}, slices.Compact(seen["updates"]))
	require.Len(t, seen["api-keys"], 1)
	require.Len(t, seen["settings"], 1)

	gone, err := p.followProject(p.url, "of no stream")
	require.NoError(t, err)
	defer gone.close()
	event, _, err = gone.next()
	require.NoError(t, err)
	require.Equal(t, "reset", event)
}

// A reader that gets an event and then reads the state sees the state after the change, even if the response is
// computed from what devices are served.
func TestTheOverviewHasWhatTheStreamTells(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.execution()
	overview := func() (channel string, isPaused bool) {
		rows := p.do(request{method: http.MethodGet, path: "/v1/ota/overview"}).list()
		require.Len(t, rows, 1)
		return rows[0]["channel"].(string), rows[0]["isPaused"].(bool)
	}
	channel, _ := overview()
	stream, err := p.followProject(p.url, "")
	require.NoError(t, err)
	defer stream.close()
	_, _, err = stream.next()
	require.NoError(t, err)
	for i := range 20 {
		paused := i%2 == 0
		var changing sync.WaitGroup
		changing.Go(func() {
			p.do(request{method: http.MethodPatch, path: "/v1/ota/channels/" + channel, body: object{"isPaused": paused}})
		})
		for resource := ""; resource != "channels"; {
			_, data, err := stream.next()
			require.NoError(t, err)
			resource = data["resource"].(string)
		}
		_, isPaused := overview()
		changing.Wait()
		require.Equal(t, paused, isPaused, "change %d", i)
	}
}
