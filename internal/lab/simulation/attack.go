package simulation

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// Attack is somebody who is served the release under invented device ids and reports for them.
type Attack struct {
	// Networks are how many networks the attacker has, IDs how many device ids in each.
	Networks int
	IDs      int64
	// Allocations are how many allocations the networks are in, in turn; 0 makes each an allocation of its own.
	Allocations int
	// Crash says what the ids report: crashes to force a rollback, or none to suppress one.
	Crash bool
	// After is how many honest devices have reported when the ids do, all at once; they do earlier when
	// the stage has no more. Aged ids report after 0: who is known before the release can be the first
	// that is served it. With new ids the attacker chooses.
	After int64
}

// Attacked is a rollout of a policy with stages to a fleet. Devices report one after the other, in
// any order; each crashes with its true rate. Health is observed after each of the first 50 devices,
// and then whenever 2 % more have reported; the rollout moves as rollout.Plan decides.
type Attacked struct {
	Fleet     Fleet
	Attack    Attack
	CrashRate float64 // of honest devices, a fraction
	// Allocation is World.Allocation, nil when each network is an allocation by itself.
	Allocation []int
	// Defective says of each network of Fleet whether its devices crash with the rate DefectRate instead; nil for none.
	Defective  []bool
	DefectRate float64
	Thresholds models.Thresholds
	// Stages are shares, 0–100, rising to 100. A stage's minDevices is half of its devices, at most
	// MinDevices.
	Stages     []float64
	MinDevices int64
	// Patience is the part of a stage's devices, 0–1, that has reported when it has run long enough.
	Patience float64
	// Unobserved is how many devices report before the first observation.
	Unobserved int64
}

// Fate is the end of a rollout.
type Fate struct {
	// Status is completed, rolled_back, or running when it holds although every device has reported.
	Status models.ExecutionStatus
	// WaitingFor is why it holds.
	WaitingFor models.WaitReason
	// Reported is how many honest devices had reported by then, Held how many of them while the
	// rollout was waiting for a threshold or for networks.
	Reported, Held int64
}

// Fates counts the ends of many rollouts.
type Fates struct {
	Runs, Completed, RolledBack, Holding int
	// MedianAt is the median of the honest devices that had reported at a rollback, 0 without any.
	MedianAt int64
	// MedianHeld is the median of Fate.Held over all rollouts.
	MedianHeld int64
}

// PlayFates runs the rollout runs times. A run's devices report in the same order and crash in the
// same way whatever the attack, so fates under different attacks can be compared.
func PlayFates(a Attacked, seed uint64, runs int) Fates {
	f := Fates{Runs: runs}
	var at, held []int64
	fleet := a.Fleet.networksOfDevices()
	devices := make([]int, len(fleet))
	for run := range uint64(runs) {
		copy(devices, fleet)
		fate := a.play(rand.New(rand.NewPCG(seed, run)), devices)
		held = append(held, fate.Held)
		switch fate.Status {
		case models.ExecutionCompleted:
			f.Completed++
		case models.ExecutionRolledBack:
			f.RolledBack++
			at = append(at, fate.Reported)
		default:
			f.Holding++
		}
	}
	f.MedianAt, f.MedianHeld = median(at), median(held)
	return f
}

func median(values []int64) int64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// play runs the rollout once with devices, of which each element is the network of one. It changes
// their order.
func (a Attacked) play(r *rand.Rand, devices []int) Fate {
	p := a.begin(int64(len(devices)))
	for {
		if !p.joined && p.fate.Reported >= a.Attack.After {
			p.strike()
		}
		exhausted := p.fate.Reported == p.inShare[p.stage]
		if exhausted || p.fate.Reported >= p.nextObservation {
			moved := p.observe()
			switch {
			case p.fate.Status != models.ExecutionRunning:
				return p.fate
			case exhausted && !moved && p.joined:
				return p.fate
			case exhausted && !moved:
				p.strike()
				continue
			case exhausted:
				continue
			}
		}
		next := p.fate.Reported + r.Int64N(int64(len(devices))-p.fate.Reported)
		devices[p.fate.Reported], devices[next] = devices[next], devices[p.fate.Reported]
		network, rate := devices[p.fate.Reported], a.CrashRate
		if a.Defective != nil && a.Defective[network] {
			rate = a.DefectRate
		}
		p.census.report(network, 1, r.Float64() < rate)
		p.fate.Reported++
		if w := p.fate.WaitingFor; w == models.WaitThreshold || w == models.WaitNetworks {
			p.fate.Held++
		}
	}
}

// play is a rollout under way.
type play struct {
	Attacked
	census *census
	stages []models.Stage
	// inShare is how many honest devices the share of each stage has.
	inShare         []int64
	stage           int
	nextObservation int64
	fate            Fate
	joined          bool
}

func (a Attacked) begin(devices int64) *play {
	p := &play{Attacked: a, fate: Fate{Status: models.ExecutionRunning}, nextObservation: a.Unobserved}
	for _, share := range a.Stages {
		inShare := int64(share / 100 * float64(devices))
		p.inShare = append(p.inShare, inShare)
		p.stages = append(p.stages, models.Stage{Percentage: share, MinDevices: min(inShare/2, a.MinDevices), MinDurationMinutes: 60})
	}
	p.census = newCensus(a.allocations(), a.Thresholds.MaxAllocationVotes())
	p.recap()
	return p
}

// allocations returns the allocation of each network, those of the attacker last.
func (a Attacked) allocations() []int {
	all := slices.Clone(a.Allocation)
	if all == nil {
		all = slices.Repeat([]int{alone}, len(a.Fleet))
	}
	first := 0
	for _, allocation := range all {
		first = max(first, allocation+1)
	}
	for i := range a.Attack.Networks {
		if a.Attack.Allocations == 0 {
			all = append(all, alone)
			continue
		}
		all = append(all, first+i%a.Attack.Allocations)
	}
	return all
}

// recap counts devices for the stage's minDevices.
func (p *play) recap() {
	stage := p.stages[p.stage]
	p.census.recap(rollout.MaxPerNetwork(stage, p.Thresholds), rollout.MaxPerAllocation(stage, p.Thresholds))
}

// strike counts the attacker's ids.
func (p *play) strike() {
	p.joined = true
	for i := range p.Attack.Networks {
		p.census.report(len(p.Fleet)+i, p.Attack.IDs, p.Attack.Crash)
	}
}

// observe plans with the health so far and moves; it reports whether a stage has ended.
func (p *play) observe() (moved bool) {
	p.nextObservation = max(p.nextObservation, p.fate.Reported+max(1, p.fate.Reported/50))
	health := p.census.health()
	in := rollout.Input{
		Status: models.ExecutionRunning, StageIndex: p.stage, Stages: p.stages, Thresholds: p.Thresholds, Health: &health,
	}
	if float64(p.fate.Reported) >= p.Patience*float64(p.inShare[p.stage]) {
		in.Ran = time.Hour
	}
	d := rollout.Plan(in)
	p.fate.WaitingFor = d.WaitingFor
	switch d.Action {
	case rollout.ActionRollBack:
		p.fate.Status = models.ExecutionRolledBack
	case rollout.ActionComplete:
		p.fate.Status = models.ExecutionCompleted
	case rollout.ActionAdvance:
		p.stage = d.Stage
		p.recap()
		return true
	case rollout.ActionHold, rollout.ActionDropFlags:
	}
	return false
}
