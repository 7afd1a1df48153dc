package demo

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/models"
)

func (p *player) actStable(ctx context.Context) error {
	p.setTrouble(Broken)
	releases, err := p.publish(ctx, Stable, 0)
	if err != nil {
		return err
	}
	p.say(Plain, "published %s to every device on %s, group %s", Stable, p.Channel, releases[0].GroupID)
	p.say(Plain, "%d devices start, %v launches per second", p.Devices, p.PerSecond)
	p.launchFleet(ctx)
	return p.expectOnAll(ctx, Stable, releases)
}

func (p *player) actNext(ctx context.Context) error {
	asked := p.Now()
	releases, err := p.publish(ctx, Next, p.policy)
	if err != nil {
		return err
	}
	p.say(Plain, "published %s with the policy, group %s", Next, releases[0].GroupID)
	rollouts, err := p.follow(ctx, Next, releases, asked)
	if err != nil {
		return err
	}
	p.next = rollouts
	if err := p.until(ctx, func() bool { return allOver(rollouts) }); err != nil {
		return err
	}
	for _, r := range rollouts {
		e := r.execution()
		p.expect(e.Status == models.ExecutionCompleted && slices.Equal(r.shares(), stages),
			r.name()+" went through its stages automatically", fmt.Sprintf("percentages %v, then %s", r.shares(), e.Status))
		p.expectShares(r)
	}
	if err := p.expectOnAll(ctx, Next, releases); err != nil {
		return err
	}
	lost := p.ledger.left(updatesOf(rollouts), p.Now())
	p.expect(lost == 0, "a growing percentage only adds devices", fmt.Sprintf("%d devices lost the release", lost))
	return nil
}

// expectShares compares each stage's rollout percentage with the percentage of devices that were served the release while the
// stage certainly applied. On a busy machine, a stage may be over before any device sends a request.
func (p *player) expectShares(r *rollout) {
	shares, until := r.stages()
	served := p.ledger.servedFrom(r.updates(), r.release.Platform, len(shares))
	for i, share := range shares {
		var holders, asked int
		if !served[i].IsZero() {
			holders, asked = p.ledger.share(r.updates(), r.release.Platform, served[i].Add(settle), until[i].Add(-settle))
		}
		if asked == 0 {
			p.say(Quiet, "%s at %v%%: no device sent a request during this stage, so its percentage is not compared", r.name(), share)
			continue
		}
		fewest, most := shareBound(asked, share)
		p.expect(holders >= fewest && holders <= most,
			fmt.Sprintf("%s at %v%% reached that percentage of devices", r.name(), share),
			fmt.Sprintf("%d of the %d devices that sent a request (%.1f%%), expected %d to %d",
				holders, asked, 100*float64(holders)/float64(max(asked, 1)), fewest, most))
	}
}

// expectOnAll waits until every device runs one of the releases.
func (p *player) expectOnAll(ctx context.Context, label string, releases []models.Release) error {
	updates := ids{}
	for _, r := range releases {
		updates[r.UpdateUUID.String()] = true
	}
	if err := p.until(ctx, func() bool { return p.ledger.running(updates) == p.Devices }); err != nil {
		return err
	}
	n := p.ledger.running(updates)
	p.expect(n == p.Devices, "every device runs "+label, fmt.Sprintf("%d of %d", n, p.Devices))
	return nil
}

// actBroken rolls out a release that crashes, and checks that it is rolled back.
func (p *player) actBroken(ctx context.Context) error {
	began := p.Now()
	releases, err := p.publish(ctx, Broken, p.policy)
	if err != nil {
		return err
	}
	p.say(Plain, "published %s with the policy, group %s: it crashes on %v%% of devices", Broken, releases[0].GroupID, p.CrashPercent)
	rollouts, err := p.follow(ctx, Broken, releases, began)
	if err != nil {
		return err
	}
	told := map[*rollout]bool{}
	if err := p.until(ctx, func() bool {
		for _, r := range rollouts {
			if n, _ := p.ledger.crashes(r.updates()); n > 0 && !told[r] {
				told[r] = true
				p.say(Bad, "%s: the first device reported a crash", r.name())
			}
		}
		return allOver(rollouts)
	}); err != nil {
		return err
	}
	for _, r := range rollouts {
		e := r.execution()
		p.expect(e.Status == models.ExecutionRolledBack, r.name()+" was rolled back", fmt.Sprintf("%s at %v%%", e.Status, r.reached()))
	}
	if err := p.expectServedBack(ctx, rollouts); err != nil {
		return err
	}
	return p.expectRestored(ctx, rollouts, began)
}

// expectServedBack measures the time until devices were served the previous release.
func (p *player) expectServedBack(ctx context.Context, rollouts []*rollout) error {
	for _, r := range rollouts {
		var crashed int
		var first, back time.Time
		if err := p.until(ctx, func() bool {
			// The rollback may be observed before the launch that caused it is recorded.
			crashed, first = p.ledger.crashes(r.updates())
			if !first.IsZero() {
				back = p.ledger.servedBack(r.updates(), first)
			}
			return !back.IsZero()
		}); err != nil {
			return err
		}
		claim := fmt.Sprintf("%s: the rollback was served within %v of the first crash report", r.name(), p.MaxRollback)
		if first.IsZero() || back.IsZero() || r.endedAt().IsZero() {
			p.expect(false, claim, fmt.Sprintf("%d devices reported crashes, but none was served another release", crashed))
			continue
		}
		reaction, decision := back.Sub(first), r.endedAt().Sub(first)
		p.result.Reaction = max(p.result.Reaction, reaction)
		p.expect(reaction <= p.MaxRollback, claim, fmt.Sprintf("%.1f s, decided after %.1f s, when %d devices had reported a crash",
			reaction.Seconds(), decision.Seconds(), crashed))
	}
	return nil
}

// expectRestored checks that the devices that had the broken release run the previous release again, and that the other
// devices kept the previous release.
func (p *player) expectRestored(ctx context.Context, rollouts []*rollout, began time.Time) error {
	bundles := p.Cast[Next].Bundles
	broken := updatesOf(rollouts)
	restored := func() bool { return p.ledger.notYetOn(p.ledger.everHeld(broken), bundles) == 0 }
	if err := p.until(ctx, restored); err != nil {
		return err
	}
	had := p.ledger.everHeld(broken)
	left := p.ledger.notYetOn(had, bundles)
	p.expect(len(had) > 0 && left == 0, "every device that had "+Broken+" runs "+Next+" again",
		fmt.Sprintf("%d had it, %d run %s", len(had), len(had)-left, Next))
	touched, strayed := p.ledger.touched(updatesOf(p.next), bundles, had, began)
	var reached float64
	for _, r := range rollouts {
		reached = max(reached, r.reached())
	}
	_, most := shareBound(p.Devices, reached)
	p.expect(strayed == 0 && touched <= most, "no other device got another bundle",
		fmt.Sprintf("%d of %d devices kept %s throughout, at most %d were inside the rollout", p.Devices-touched, p.Devices, Next, most))
	return nil
}

func (p *player) checkRequests() {
	s := p.fleet.Stats()
	seen := []string{fmt.Sprintf("%d launches, %d health reports", s.Launches, s.Reports)}
	for _, kind := range slices.Sorted(maps.Keys(s.Failures)) {
		seen = append(seen, fmt.Sprintf("%d × %s (%s)", s.Failures[kind].Count, kind, s.Failures[kind].First))
	}
	if s.Refused > 0 {
		seen = append(seen, fmt.Sprintf("%d updates were refused by devices", s.Refused))
	}
	p.expect(s.FailureCount() == 0 && s.Refused == 0, "no request of a device failed", strings.Join(seen, "; "))
}

// setTrouble makes the labelled release crash, and every release report a few errors.
func (p *player) setTrouble(label string) {
	rules := []fleet.Rule{{Match: fleet.AnyMatch, Effect: fleet.JSError, Percent: errorPercent}}
	for _, md5 := range p.Cast[label].Bundles {
		rules = append(rules, fleet.Rule{Match: md5, Effect: fleet.Crash, Percent: p.CrashPercent})
	}
	p.fleet.SetRules(rules...)
}

// reached returns the highest observed rollout percentage.
func (r *rollout) reached() float64 {
	return slices.Max(append(r.shares(), 0))
}

// sigmas is the maximum difference from the policy's percentage, in standard deviations. Each device is included
// independently of the others, so a correct server fails such a check about once in 150,000 times (both tails of a normal
// distribution beyond 4.5).
const sigmas = 4.5

// shareBound returns the minimum and maximum number of devices that a percentage may include.
func shareBound(asked int, percent float64) (fewest, most int) {
	p := percent / 100
	mean := float64(asked) * p
	// Half a device for the step from a continuous bound to whole devices.
	slack := sigmas*math.Sqrt(mean*(1-p)) + 0.5
	if p <= 0 || p >= 1 {
		slack = 0
	}
	return max(0, int(math.Ceil(mean-slack))), min(asked, int(math.Floor(mean+slack)))
}
