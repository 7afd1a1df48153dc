package simulation

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// Attack is an attacker who gets the release under invented device IDs and reports for them.
type Attack struct {
	// Networks is the number of networks of the attacker, and IDs the number of device IDs in each.
	Networks int
	IDs      int64
	// Allocations is the number of allocations over which the networks are distributed. With 0, each network is its own
	// allocation.
	Allocations int
	// Crash is true if the IDs report crashes, to force a rollback. Otherwise they report no crash, to suppress a rollback.
	Crash bool
	// After is the number of honest devices that report before all IDs report in a burst. The IDs report earlier if the
	// stage has fewer devices. With 0, the IDs report first: that is possible for IDs that Waft knew before the release,
	// because they can be the first to get it. With new IDs, the attacker chooses.
	After int64
}

// Attacked is a rollout to a fleet, with a policy with stages. Devices report one after the other, in random order, and each
// crashes with its true rate. Health is observed after each of the first 50 devices, and then whenever 2% more devices have
// reported. The rollout follows the decisions of rollout.Plan.
type Attacked struct {
	Fleet     Fleet
	Attack    Attack
	CrashRate float64 // of honest devices, a fraction
	// Allocation is World.Allocation, or nil if each network is its own allocation.
	Allocation []int
	// Defective is true for each network of Fleet whose devices crash with DefectRate instead. It is nil for no such network.
	Defective  []bool
	DefectRate float64
	Thresholds models.Thresholds
	// Stages are rollout percentages that rise to 100. A stage's minDevices is half of its devices, at most MinDevices.
	Stages     []float64
	MinDevices int64
	// Patience is the fraction of a stage's devices, 0 to 1, that has reported when the stage's minimum time is over.
	Patience float64
	// Unobserved is the number of devices that report before the first observation.
	Unobserved int64
}

// Fate is the end of a rollout.
type Fate struct {
	// Status is completed or rolled_back, or running if the rollout is held although every device has reported.
	Status models.ExecutionStatus
	// WaitingFor is the reason of the hold.
	WaitingFor models.WaitReason
	// Reported is the number of honest devices that had reported by then. Held is the number of them that reported while the
	// rollout was waiting for a threshold or for networks.
	Reported, Held int64
}

// Fates counts the ends of many rollouts.
type Fates struct {
	Runs, Completed, RolledBack, Holding int
	// MedianAt is the median number of honest devices that had reported at a rollback, or 0 without a rollback.
	MedianAt int64
	// MedianHeld is the median of Fate.Held over all rollouts.
	MedianHeld int64
}

// PlayFates runs the rollout the given number of times. The devices of a run report in the same order and crash in the same
// way under every attack, so fates under different attacks can be compared.
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

// play runs the rollout once. devices contains the network of each device; play changes its order.
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
	// inShare is the number of honest devices inside the rollout in each stage.
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

// allocations returns the allocation of each network. The attacker's networks are last.
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

// recap recounts the devices toward the stage's minDevices.
func (p *play) recap() {
	stage := p.stages[p.stage]
	p.census.recap(rollout.MaxPerNetwork(stage, p.Thresholds), rollout.MaxPerAllocation(stage, p.Thresholds))
}

// strike reports for the attacker's IDs.
func (p *play) strike() {
	p.joined = true
	for i := range p.Attack.Networks {
		p.census.report(len(p.Fleet)+i, p.Attack.IDs, p.Attack.Crash)
	}
}

// observe plans with the current health and executes the decision. It reports whether a stage has ended.
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
