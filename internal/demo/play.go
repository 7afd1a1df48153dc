package demo

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/waft-ota/waft/internal/fleet"
	"github.com/waft-ota/waft/models"
)

// showEvery is how often the scene is shown and a wait looks again.
const showEvery = 200 * time.Millisecond

// errorPercent of the devices meet a harmless JavaScript error on every release:
// real fleets are never silent, and the policy does not watch it.
const errorPercent = 1

// player is one play under way.
type player struct {
	Options
	server Server
	fleet  *fleet.Fleet
	ledger *ledger
	began  time.Time
	policy int64
	result Result
	// background holds what goes on while the acts are played.
	background sync.WaitGroup

	mu       sync.Mutex // guards narrator and what follows
	narrator Narrator
	rollouts []*rollout
	rate     fleet.RateMeter
}

// Play plays the whole demo. The error is what kept it from being played; whether
// the server did as it should is in the result.
func Play(ctx context.Context, o Options, s Server, n Narrator) (Result, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return Result{}, err
	}
	p := &player{Options: o, server: s, narrator: n, ledger: newLedger(), began: o.Now()}
	var err error
	if p.fleet, err = fleet.New(fleet.Options{
		BaseURL: o.BaseURL, ProjectSlug: o.Project, Channel: o.Channel, RuntimeVersion: o.RuntimeVersion,
		Devices: o.Devices, IOSPercent: 50, Seed: o.Seed, Connections: o.Workers, AllowRemote: o.AllowRemote,
		OnLaunch: p.ledger.add, Now: o.Now,
	}); err != nil {
		return Result{}, err
	}
	defer p.fleet.Close()
	if p.policy, err = s.EnsurePolicy(ctx, o.policy()); err != nil {
		return Result{}, fmt.Errorf("making the policy: %w", err)
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
		{"a release for everybody", p.actStable},
		{"the next release rolls out by itself", p.actNext},
		{"a broken release is taken back", p.actBroken},
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

// launchFleet starts the devices, which go on until the play ends.
func (p *player) launchFleet(ctx context.Context) {
	p.background.Go(func() {
		if err := p.fleet.Run(ctx, fleet.Load{Workers: p.Workers, PerSecond: p.PerSecond}); err != nil {
			p.say(Bad, "the devices stopped: %v", err)
		}
	})
	p.background.Go(func() { p.keepShowing(ctx) })
}

// tell calls the narrator with nothing else calling it.
func (p *player) tell(f func(Narrator)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f(p.narrator)
}

func (p *player) say(tone Tone, format string, args ...any) {
	p.tell(func(n Narrator) { n.Say(tone, fmt.Sprintf(format, args...)) })
}

// keepShowing shows the scene until ctx ends.
func (p *player) keepShowing(ctx context.Context) {
	tick := time.NewTicker(showEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			p.show()
		}
	}
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

// held says how many devices hold each release.
func (p *player) held() []HeldView {
	byLabel := map[string]int{}
	for md5, n := range p.ledger.held() {
		byLabel[p.heldLabel(md5)] += n
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

func (p *player) heldLabel(md5 string) string {
	if md5 == "" {
		return embeddedLabel
	}
	if label := p.Cast.labelOf(md5); label != "" {
		return label
	}
	return earlierLabel
}

// until waits for something that should happen by itself, or until patience runs
// out.
func (p *player) until(ctx context.Context, happened func() bool) error {
	patience := time.NewTimer(p.Patience)
	defer patience.Stop()
	tick := time.NewTicker(showEvery / 2)
	defer tick.Stop()
	for !happened() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-patience.C:
			return nil
		case <-tick.C:
		}
	}
	return nil
}

// expect notes a claim and whether it held, and says so.
func (p *player) expect(ok bool, claim, seen string) {
	p.result.Checks = append(p.result.Checks, Check{Claim: claim, OK: ok, Seen: seen})
	tone, mark := Good, "✓"
	if !ok {
		tone, mark = Bad, "✗"
	}
	p.say(tone, "%s %s: %s", mark, claim, seen)
}

// publish publishes a part of the cast for both platforms.
func (p *player) publish(ctx context.Context, label string, policy int64) ([]models.Release, error) {
	releases, err := p.server.Publish(ctx, Publication{
		Dir: p.Cast[label].Dir, Platforms: platforms, Channel: p.Channel,
		RuntimeVersion: p.RuntimeVersion, Message: label, PolicyID: policy,
	})
	if err != nil {
		return nil, fmt.Errorf("publishing %s: %w", label, err)
	}
	if len(releases) != len(platforms) {
		return nil, fmt.Errorf("publishing %s: %d releases for %d platforms", label, len(releases), len(platforms))
	}
	return releases, nil
}
