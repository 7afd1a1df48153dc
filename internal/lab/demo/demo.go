// Package demo plays the main use of Waft on a running server. A first release reaches every device, a second release rolls
// out stage by stage, and a third release crashes and is rolled back. The success of the demo depends on what simulated
// devices were served, in addition to what the management API reports.
//
// The package reports events to a Narrator and does not print.
package demo

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/every"
	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/models"
)

const showEvery = 200 * time.Millisecond

// errorPercent is the percentage of devices that report a JavaScript error on every release, as in real fleets. The policy
// has no threshold for the error rate.
const errorPercent = 1

type player struct {
	Options
	server Server
	fleet  *fleet.Fleet
	ledger *ledger
	began  time.Time
	policy int64
	next   []*rollout // rollouts of the second release
	result Result
	// background tracks the goroutines that run during the acts.
	background sync.WaitGroup

	mu       sync.Mutex // guards narrator and the fields below
	narrator Narrator
	rollouts []*rollout
	rate     fleet.RateMeter
}

// Play plays the whole demo. It returns an error if the demo could not be played. Result.OK reports whether the server met
// the expectations.
func Play(ctx context.Context, o Options, s Server, n Narrator) (Result, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if err := o.validate(); err != nil {
		return Result{}, err
	}
	p := &player{Options: o, server: s, narrator: n, ledger: newLedger(), began: o.Now()}
	var err error
	if p.fleet, err = fleet.New(fleet.Options{
		BaseURL: o.BaseURL, ProjectSlug: o.Project, Channel: o.Channel, RuntimeVersion: o.RuntimeVersion,
		Devices: o.Devices, IOSPercent: 50, Seed: o.Seed, Connections: o.Workers, AllowRemote: o.AllowRemote,
		OnLaunch: p.ledger.add, Now: o.Now, Timeout: o.Patience,
	}); err != nil {
		return Result{}, err
	}
	defer p.fleet.Close()
	if p.policy, err = s.EnsurePolicy(ctx, o.policy()); err != nil {
		return Result{}, fmt.Errorf("creating the policy: %w", err)
	}
	return p.play(ctx)
}

func (p *player) play(ctx context.Context) (Result, error) {
	ctx, stop := context.WithCancel(ctx)
	defer p.background.Wait()
	defer stop()
	acts := []struct {
		title string
		play  func(context.Context) error
	}{
		{"a release for every device", p.actStable},
		{"the next release rolls out automatically", p.actNext},
		{"a broken release is rolled back", p.actBroken},
	}
	for i, act := range acts {
		p.tell(func(n Narrator) { n.Act(i+1, len(acts), act.title) })
		if err := act.play(ctx); err != nil {
			return p.finish(), fmt.Errorf("act %d, %s: %w", i+1, act.title, err)
		}
	}
	p.checkRequests()
	return p.finish(), nil
}

func (p *player) finish() Result {
	p.result.Stats = p.fleet.Stats()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.rollouts {
		if link := p.link(r); link != "" {
			p.result.Links = append(p.result.Links, link)
		}
	}
	return p.result
}

// launchFleet starts the devices. They run until the demo ends.
func (p *player) launchFleet(ctx context.Context) {
	p.background.Go(func() {
		if err := p.fleet.Run(ctx, fleet.Load{Workers: p.Workers, PerSecond: p.PerSecond}); err != nil {
			p.say(Bad, "the devices stopped: %v", err)
		}
	})
	p.background.Go(func() {
		_ = every.Run(ctx, showEvery, p.show) // always returns nil
	})
}

// tell calls the narrator, one call at a time.
func (p *player) tell(f func(Narrator)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f(p.narrator)
}

func (p *player) say(tone Tone, format string, args ...any) {
	p.tell(func(n Narrator) { n.Say(tone, fmt.Sprintf(format, args...)) })
}

func (p *player) show() {
	now, stats := p.Now(), p.fleet.Stats()
	held := p.held()
	p.mu.Lock()
	defer p.mu.Unlock()
	s := Scene{
		Elapsed: now.Sub(p.began), Held: held, Fleet: stats,
		PerSecond: p.rate.Update(stats.Launches, now),
	}
	for _, r := range p.rollouts {
		s.Rollouts = append(s.Rollouts, RolloutView{Label: r.label, Execution: r.execution()})
	}
	p.narrator.Show(s)
}

// held returns the number of devices that hold each release.
func (p *player) held() []HeldView {
	byLabel := map[string]int{}
	for md5, n := range p.ledger.held() {
		label := embeddedLabel
		if md5 != "" {
			label = cmp.Or(p.Cast.labelOf(md5), earlierLabel)
		}
		byLabel[label] += n
	}
	var views []HeldView
	for _, label := range []string{embeddedLabel, earlierLabel, Stable, Next, Broken} {
		if n := byLabel[label]; n > 0 {
			views = append(views, HeldView{Label: label, Devices: n})
		}
	}
	return views
}

const (
	embeddedLabel = "embedded"
	earlierLabel  = "earlier"
)

// until waits until happened returns true, for at most Patience. It returns an error only if ctx ends.
func (p *player) until(ctx context.Context, happened func() bool) error {
	waiting, cancel := context.WithTimeout(ctx, p.Patience)
	defer cancel()
	tick := time.NewTicker(showEvery / 2)
	defer tick.Stop()
	for !happened() {
		select {
		case <-waiting.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	return nil
}

// expect records and announces whether a claim held.
func (p *player) expect(ok bool, claim, seen string) {
	p.result.Checks = append(p.result.Checks, Check{Claim: claim, OK: ok, Seen: seen})
	tone, mark := Good, "✓"
	if !ok {
		tone, mark = Bad, "✗"
	}
	p.say(tone, "%s %s: %s", mark, claim, seen)
}

// publish publishes the export with the label for both platforms.
func (p *player) publish(ctx context.Context, label string, policy int64) ([]models.Release, error) {
	updates, err := p.server.Publish(ctx, client.Publication{
		Dir: p.Cast[label].Dir, Platforms: platforms, Channel: p.Channel, Message: label, PolicyID: policy,
		Upload: client.Upload{RuntimeVersion: p.RuntimeVersion, Message: label},
	})
	if err != nil {
		return nil, fmt.Errorf("publishing %s: %w", label, err)
	}
	var releases []models.Release
	for _, u := range updates {
		releases = append(releases, u.Model())
	}
	return releases, nil
}
