package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/models"
)

// maxDifferences are printed.
const maxDifferences = 20

// errorGroup is a group in the API's response.
type errorGroup struct {
	Fingerprint, ErrorName, Message, Culprit string
	Type                                     models.HealthEventType
	State                                    models.GroupState
	Events, Devices                          int64
	FirstSeenAt, LastSeenAt                  time.Time
	ByUpdate, ByPlatform                     []errorShare
}

// errorShare is the part of a group on an update or a platform.
type errorShare struct {
	UpdateUUID      *string
	Platform        string
	Events, Devices int64
}

// comparison collects figures that differ from what was sent.
type comparison struct {
	mu          sync.Mutex
	figures     int
	differences []string
}

func (c *comparison) equal(what string, got, want any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.figures++
	if got != want {
		c.differences = append(c.differences, fmt.Sprintf("%s: %v, but %v was sent", what, got, want))
	}
}

func (c *comparison) err() error {
	if len(c.differences) == 0 {
		return nil
	}
	return errors.New(strings.Join(append([]string{"figures differ"}, c.differences[:min(len(c.differences), maxDifferences)]...), "\n  "))
}

// check compares the lists of groups, whole and filtered, and each group's page with what was sent.
func (b *errorsBench) check(ctx context.Context) (*comparison, error) {
	c := &comparison{}
	type filter struct {
		query   string
		matches func(platform, update int) bool
	}
	filters := []filter{{"", func(int, int) bool { return true }}}
	for p, platform := range errorPlatforms {
		filters = append(filters, filter{"platform=" + platform, func(platform, _ int) bool { return platform == p }})
		for u := 1; u <= errorReleases; u++ {
			filters = append(filters, filter{"updateUuid=" + b.world.updates[p][u], func(platform, update int) bool {
				return platform == p && update == u
			}})
		}
	}
	var whole []errorGroup
	for i, f := range filters {
		groups, err := b.groups(ctx, f.query)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			whole = groups
		}
		b.compare(c, f.query, groups, f.matches)
	}
	g, asking := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for _, group := range whole {
		g.Go(func() error {
			var page errorGroup
			err := b.project.get(asking, "/v1/ota/observe/groups/"+group.Fingerprint, &page)
			b.comparePage(c, page)
			return err
		})
	}
	return c, g.Wait()
}

// groups reads all pages of the list.
func (b *errorsBench) groups(ctx context.Context, filter string) (all []errorGroup, err error) {
	for path := "/v1/ota/observe/groups?limit=200&" + filter; path != ""; {
		a, err := exchange(ctx, http.MethodGet, b.project.w.url+path, "", "", b.project.header, http.StatusOK)
		if err != nil {
			return nil, err
		}
		var page []errorGroup
		if err := json.Unmarshal(a.Body, &page); err != nil {
			return nil, err
		}
		all = append(all, page...)
		next, _, _ := strings.Cut(strings.TrimPrefix(a.Header.Get("Link"), "<"), ">")
		u, err := url.Parse(next)
		if err != nil {
			return nil, err
		}
		path = u.RequestURI()
		if next == "" {
			path = ""
		}
	}
	return all, nil
}

func (b *errorsBench) compare(c *comparison, filter string, groups []errorGroup, matches func(platform, update int) bool) {
	found := map[int]bool{}
	for _, g := range groups {
		kind := kindOf(g)
		if kind < 0 || found[kind] {
			c.equal(fmt.Sprintf("%s: a group %+v", filter, g), "there", "none")
			continue
		}
		found[kind] = true
		t := b.world.of(kind, matches)
		what := fmt.Sprintf("%s kind %d ", filter, kind)
		c.equal(what+"events", g.Events, t.events)
		c.equal(what+"devices", g.Devices, int64(len(t.devices)))
		c.equal(what+"state", g.State, b.world.state(kind, matches))
		life := b.world.of(kind, func(int, int) bool { return true })
		c.equal(what+"first seen in time", within(g.FirstSeenAt, life.since, life.first), true)
		c.equal(what+"last seen in time", within(g.LastSeenAt, life.last, life.until), true)
	}
	sent := 0
	for kind := range errorKinds {
		if b.world.of(kind, matches).events > 0 {
			sent++
		}
	}
	c.equal(filter+" groups", len(groups), sent)
}

// within allows for times being stored in milliseconds.
func within(at, from, to time.Time) bool {
	return !at.Before(from.Truncate(time.Millisecond)) && !at.After(to)
}

func (b *errorsBench) comparePage(c *comparison, g errorGroup) {
	kind := kindOf(g)
	if kind < 0 {
		return // compare has told
	}
	shares := 0
	share := func(name string, events, devices int64, matches func(platform, update int) bool) {
		t := b.world.of(kind, matches)
		c.equal(fmt.Sprintf("page of kind %d, events of %s", kind, name), events, t.events)
		c.equal(fmt.Sprintf("page of kind %d, devices of %s", kind, name), devices, int64(len(t.devices)))
		shares++
	}
	for _, s := range g.ByUpdate {
		id := ""
		if s.UpdateUUID != nil {
			id = *s.UpdateUUID
		}
		share("update "+id, s.Events, s.Devices, func(platform, update int) bool { return b.world.updates[platform][update] == id })
	}
	for _, s := range g.ByPlatform {
		share(s.Platform, s.Events, s.Devices, func(platform, _ int) bool { return errorPlatforms[platform] == s.Platform })
	}
	want := map[string]bool{}
	for platform, updates := range b.world.truth[kind] {
		for update, t := range updates {
			if t.events > 0 {
				want["update "+b.world.updates[platform][update]], want[errorPlatforms[platform]] = true, true
			}
		}
	}
	c.equal(fmt.Sprintf("page of kind %d, parts", kind), shares, len(want))
	all := b.world.of(kind, func(int, int) bool { return true })
	c.equal(fmt.Sprintf("page of kind %d, events", kind), g.Events, all.events)
	c.equal(fmt.Sprintf("page of kind %d, devices", kind), g.Devices, int64(len(all.devices)))
}
