package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	// neighbourClients is how many clients at the same time cost the server what they can.
	neighbourClients = 8
	// neighbourPause is how long each of them waits before its next request: together they send as many as one address may.
	neighbourPause = neighbourClients * time.Second / 1000
	// maxPatterns is how many of the largest patterns a project may have.
	maxPatterns = 10
	// costlyChannels have documents of definitions, each of them some megabytes.
	costlyChannels = 20
	// listedUsers are the user ids of each of costlyLists rules.
	listedUsers, costlyLists = 10_000, 10
	// quietPause is how long each client of the quiet tenant waits before its next request.
	quietPause = 10 * time.Millisecond
	// clientGarbage is how much garbage the clients make before they collect it, in percent of what they use: a collection stops them
	// for milliseconds, which would count for the server.
	clientGarbage = 3000
	// neighbourLimit is by how much the worst neighbour may raise the p99 of a quiet tenant.
	neighbourLimit = 1.5
)

// neighbour is a request that the clients of another tenant send again and again. In URL and Body, {n} stands for the number of the
// request, modulo Numbers.
type neighbour struct {
	Name, Method, URL, Body string
	Header                  map[string]string
	Numbers                 int
}

// runNeighbours measures the manifests of a quiet tenant, alone and during the most expensive requests that another tenant can
// send with its stored data (docs/contribute/costs.md).
func runNeighbours(ctx context.Context, s *session) error {
	w, err := s.startWaftProcess(ctx, nil)
	if err != nil {
		return err
	}
	quiet, err := w.project(ctx, uniqueSlug("quiet"))
	if err != nil {
		return err
	}
	loud, err := w.project(ctx, uniqueSlug("loud"))
	if err != nil {
		return err
	}
	if err := loud.makeCostly(ctx, s.size(listedUsers)); err != nil {
		return err
	}
	neighbours := append([]neighbour{{Name: "nobody"}}, loud.neighbours()...)
	const ordinary = 1
	defer debug.SetGCPercent(debug.SetGCPercent(clientGarbage))
	results := make([]samples, len(neighbours))
	before := load()
	for round := range s.rounds + 1 {
		for i := range neighbours {
			at := (i + round) % len(neighbours)
			got, err := quiet.measureWith(ctx, s, neighbours[at])
			if err != nil {
				return fmt.Errorf("with %s: %w", neighbours[at].Name, err)
			}
			if round > 0 {
				results[at].add(got.took, got.wall)
			}
		}
	}
	fmt.Printf("%d clients of the other tenant; %d rounds of %d manifests of the quiet one, whose %d clients pause for %v; %s\n\n",
		neighbourClients, s.rounds, s.requests, s.clients, quietPause, machine(before))
	t := newTable("other tenant\tmedian ms\tp99 ms\tratio to nobody\tratio to ordinary")
	worst := 0.0
	for i, r := range results {
		ratio := r.ms(.99) / results[0].ms(.99)
		if i != ordinary { // it has no costly content; the last column compares with it
			worst = max(worst, ratio)
		}
		t.row("%s\t%.2f\t%.2f\t%.2f\t%.2f", neighbours[i].Name, r.ms(.5), r.ms(.99), ratio, r.ms(.99)/results[ordinary].ms(.99))
	}
	if err := t.print(); err != nil {
		return err
	}
	if worst > neighbourLimit {
		return s.tooSlow("a neighbour raises the p99 of a quiet tenant by %.2f, more than %.1f", worst, neighbourLimit)
	}
	return nil
}

// measureWith measures manifests of the project while the clients of the neighbor send requests.
func (p *project) measureWith(ctx context.Context, s *session, of neighbour) (samples, error) {
	if of.URL == "" {
		return measurePaced(ctx, s.clients, s.requests, quietPause, p.manifest)
	}
	loud, _, err := startChild(ctx, of, "send-load", "nice", "-n", "19")
	if err != nil {
		return samples{}, err
	}
	got, err := measurePaced(ctx, s.clients, s.requests, quietPause, p.manifest)
	return got, errors.Join(err, loud.end())
}

// sendLoad sends the requests of a neighbor until standard input ends. Its process has the lowest priority, because the clients of
// other tenants do not share processors with the server and with the clients of the quiet tenant.
func sendLoad(ctx context.Context, _ *session) error {
	var of neighbour
	if err := json.NewDecoder(os.Stdin).Decode(&of); err != nil {
		return err
	}
	debug.SetGCPercent(clientGarbage)
	loading, stop := context.WithCancel(ctx)
	clients, loading := errgroup.WithContext(loading)
	for client := range neighbourClients {
		clients.Go(func() error {
			pause := time.NewTicker(neighbourPause)
			defer pause.Stop()
			for n := client; wait(loading, pause.C) == nil; n += neighbourClients {
				if err := of.send(loading, n); err != nil && loading.Err() == nil {
					return err
				}
			}
			return nil
		})
	}
	err := await("sending", nil)
	stop()
	return errors.Join(err, clients.Wait())
}

// manifest asks for a manifest of the project.
func (p *project) manifest(ctx context.Context, _ int) error {
	_, err := send(ctx, http.MethodGet, p.w.url+"/v1/ota/manifest/"+p.slug, "", "", map[string]string{
		"expo-channel-name": "staging", "expo-platform": "ios", "expo-runtime-version": "1.0.0", "expo-protocol-version": "1",
	}, http.StatusOK)
	return err
}

// makeCostly gives the project the largest patterns, lists of so many users and channels that it may have.
func (p *project) makeCostly(ctx context.Context, users int) error {
	rules := make([]any, 0, maxPatterns+costlyLists)
	for i := range maxPatterns {
		rules = append(rules, condition("text", "matches", fmt.Sprintf("^(?:x?){%d}x{%d}$", 600+i, 600)))
	}
	for list := range costlyLists {
		ids := make([]string, users)
		for i := range ids {
			ids[i] = fmt.Sprintf("listed-%d-%08d", list, i)
		}
		rules = append(rules, map[string]any{"ruleType": "user_list", "variantValue": "true", "ruleConfig": map[string]any{"userIds": ids}})
	}
	for i, rule := range rules {
		var flag struct{ ID int64 }
		body := fmt.Sprintf(`{"key": "flag-%d", "name": "Flag", "flagType": "boolean", "defaultValue": false}`, i)
		if err := p.create(ctx, "/v1/ota/flags", "application/json", body, &flag); err != nil {
			return err
		}
		text, err := json.Marshal(rule)
		if err != nil {
			return err
		}
		var made struct{ ID int64 }
		if err := p.create(ctx, fmt.Sprintf("/v1/ota/flags/%d/rules", flag.ID), "application/json", string(text), &made); err != nil {
			return err
		}
	}
	for i := range costlyChannels {
		var made struct{ ID int64 }
		if err := p.create(ctx, "/v1/ota/channels", "application/json", fmt.Sprintf(`{"name": "costly-%d", "branchName": "staging"}`, i), &made); err != nil {
			return err
		}
	}
	return nil
}

func condition(attribute, operator string, values ...string) map[string]any {
	return map[string]any{"ruleType": "attribute", "variantValue": "true", "ruleConfig": map[string]any{
		"conditions": []any{map[string]any{"attribute": attribute, "operator": operator, "values": values}},
	}}
}

// neighbours returns ordinary requests, and the most expensive requests to the data that makeCostly created.
func (p *project) neighbours() []neighbour {
	estimate := fmt.Sprintf(`{"matchType": "any", "conditions": [{"attribute": "channel", "operator": "matches", "valuesJson": [%q]}]}`,
		"^(?:x?){600}x{600}$")
	return []neighbour{
		p.evaluations("ordinary evaluations", "note", 1024),
		p.evaluations("evaluations that end over the steps", "text", 1024),
		p.evaluations("evaluations just below the steps", "text", 270),
		{Name: "estimates of segments", Method: http.MethodPost, URL: p.w.url + "/v1/ota/segments/estimate", Body: estimate, Header: p.header},
		{
			Name: "documents of many channels", Method: http.MethodGet,
			URL:     p.w.url + "/v1/ota/flag-definitions/" + p.slug + "?channel=costly-{n}",
			Header:  map[string]string{"Accept-Encoding": "br"}, // which the client does not unpack
			Numbers: costlyChannels,
		},
	}
}

// evaluations returns a neighbour that evaluates all flags for an attribute of so many bytes. The costly rules read the attribute text.
func (p *project) evaluations(name, attribute string, bytes int) neighbour {
	return neighbour{
		Name: name, Method: http.MethodPost, URL: p.w.url + bulkPath, Numbers: math.MaxInt,
		Body: fmt.Sprintf(`{"projectSlug": %q, "deviceId": "device-{n}", "attributes": {%q: %q}}`, p.slug, attribute, strings.Repeat("x", bytes)),
	}
}

// send sends the request with the number n. A request that waits too long for its turn counts as a response.
func (of neighbour) send(ctx context.Context, n int) error {
	numbered := strings.NewReplacer("{n}", strconv.Itoa(n%max(of.Numbers, 1)))
	content := ""
	if of.Body != "" {
		content = "application/json"
	}
	_, err := send(ctx, of.Method, numbered.Replace(of.URL), content, numbered.Replace(of.Body), of.Header, http.StatusOK)
	if err != nil && strings.Contains(err.Error(), "status 429") {
		return nil
	}
	return err
}
