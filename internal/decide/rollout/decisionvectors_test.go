package rollout_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/lab/votestest"
	"github.com/waft-ota/waft/models"
)

// The documentation computes the decisions of docs/decision-vectors.json in the browser. -update rewrites the file.
const decisionVectorsFile = "../../../docs/decision-vectors.json"

type decisionVectors struct {
	Rule      string           `json:"rule"`
	Decisions []decisionVector `json:"decisions"`
}

type decisionVector struct {
	Name     string            `json:"name"`
	Policy   policyVector      `json:"policy"`
	Inside   []allocationGroup `json:"inside"`
	Outside  []allocationGroup `json:"outside,omitempty"`
	Decision decided           `json:"decision"`
}

type policyVector struct {
	CrashRate       float64         `json:"crashRate"`
	MinNetworks     int64           `json:"minNetworks"`
	AllocationVotes int64           `json:"allocationVotes"`
	Baseline        models.Baseline `json:"baseline"`
	MinDevices      int64           `json:"minDevices"`
	LastStage       bool            `json:"lastStage"`
}

// allocationGroup stands for equal allocations with the given networks in each.
type allocationGroup struct {
	Allocations int            `json:"allocations"`
	Networks    []networkGroup `json:"networks"`
}

// networkGroup stands for equal networks.
type networkGroup struct {
	Times   int   `json:"times"`
	Devices int64 `json:"devices"`
	Crashed int64 `json:"crashed"`
}

// decided has floats rounded to six digits, because processors differ in the last one.
type decided struct {
	Action         rollout.Action    `json:"action"`
	WaitingFor     models.WaitReason `json:"waitingFor"`
	Evidence       float64           `json:"evidence"`
	CountedDevices int64             `json:"countedDevices"`
	Affected       float64           `json:"affected"`
	Counted        float64           `json:"counted"`
	Limit          float64           `json:"limit"`
}

func TestDecisionVectors(t *testing.T) {
	t.Parallel()
	want := decisionVectors{Rule: "the stage has run for its minimum time, earlier stages were not compared with a control group, " +
		"and the policy leaves everything else at its default"}
	for _, v := range append(examplesOfDecisions(), randomDecisions()...) {
		v.Decision = v.decide()
		want.Decisions = append(want.Decisions, v)
	}
	if *update {
		text, err := json.Marshal(want)
		require.NoError(t, err)
		text = bytes.ReplaceAll(text, []byte(`{"name":`), []byte("\n"+`{"name":`))
		require.NoError(t, os.WriteFile(decisionVectorsFile, append(text, '\n'), 0o644))
	}
	text, err := os.ReadFile(decisionVectorsFile)
	require.NoError(t, err)
	var published decisionVectors
	require.NoError(t, json.Unmarshal(text, &published))
	require.Equal(t, want, published, "run: go test ./internal/decide/rollout -run DecisionVectors -update")
}

// each returns so many allocations, each with one network of one device.
func each(allocations int, crashed int64) allocationGroup {
	return allocationGroup{allocations, []networkGroup{{1, 1, crashed}}}
}

func examplesOfDecisions() []decisionVector {
	common := policyVector{CrashRate: 0.5, MinNetworks: 3, AllocationVotes: 20, Baseline: models.BaselineLimit, MinDevices: 100}
	last, counting, compared := common, common, common
	last.LastStage, counting.MinNetworks, compared.Baseline = true, 1, models.BaselineControl
	return []decisionVector{
		{Name: "nothing was reported", Policy: common},
		{Name: "a healthy release", Policy: common, Inside: []allocationGroup{each(400, 0)}},
		{Name: "a healthy release in the last stage", Policy: last, Inside: []allocationGroup{each(400, 0)}},
		{Name: "too few devices", Policy: common, Inside: []allocationGroup{each(60, 0)}},
		{Name: "one crash is not enough", Policy: common, Inside: []allocationGroup{each(39, 0), each(1, 1)}},
		{Name: "three crashes in 40 networks are not enough", Policy: common, Inside: []allocationGroup{each(37, 0), each(3, 1)}},
		{Name: "four crashes in 40 networks are enough", Policy: common, Inside: []allocationGroup{each(36, 0), each(4, 1)}},
		{Name: "an office crashes and decides nothing", Policy: common,
			Inside: []allocationGroup{each(300, 0), {1, []networkGroup{{1, 30, 30}}}}},
		{Name: "a provider crashes and decides nothing", Policy: common,
			Inside: []allocationGroup{each(300, 0), {1, []networkGroup{{40, 1, 1}}}}},
		{Name: "two providers crash", Policy: common, Inside: []allocationGroup{each(300, 0), {2, []networkGroup{{40, 1, 1}}}}},
		{Name: "all devices are behind one proxy", Policy: common, Inside: []allocationGroup{{1, []networkGroup{{1, 500, 2}}}}},
		{Name: "all networks are of one provider", Policy: common, Inside: []allocationGroup{{1, []networkGroup{{60, 5, 0}}}}},
		{Name: "devices are counted", Policy: counting, Inside: []allocationGroup{{1, []networkGroup{{1, 500, 20}}}}},
		{Name: "a large network does not fill a stage", Policy: common,
			Inside: []allocationGroup{each(40, 0), {1, []networkGroup{{1, 500, 0}}}}},
		{Name: "worse than the devices outside", Policy: compared,
			Inside: []allocationGroup{each(380, 0), each(20, 1)}, Outside: []allocationGroup{each(800, 0), each(4, 1)}},
		{Name: "an app that crashes anyway", Policy: compared,
			Inside: []allocationGroup{each(399, 0), each(1, 1)}, Outside: []allocationGroup{each(700, 0), each(100, 1)}},
	}
}

// randomDecisions returns rollouts of every size, each the same whenever it is called.
func randomDecisions() []decisionVector {
	r := rand.New(rand.NewPCG(1, 2))
	allocations := func(most int) []allocationGroup {
		var groups []allocationGroup
		for range 1 + r.IntN(4) {
			g := allocationGroup{Allocations: 1 + r.IntN(most)}
			for range 1 + r.IntN(2) {
				n := networkGroup{Times: 1 + r.IntN(30), Devices: 1 + r.Int64N(8)}
				if r.IntN(3) == 0 {
					n.Crashed = r.Int64N(n.Devices + 1)
				}
				g.Networks = append(g.Networks, n)
			}
			groups = append(groups, g)
		}
		return groups
	}
	var vectors []decisionVector
	for i := range 60 {
		v := decisionVector{Name: "random " + strconv.Itoa(i+1), Inside: allocations(1 << r.IntN(8))}
		v.Policy = policyVector{
			CrashRate:   []float64{0.5, 1, 2, 5, 20, 60}[r.IntN(6)],
			MinNetworks: []int64{3, 3, 1, 10, 100}[r.IntN(5)], AllocationVotes: []int64{20, 20, 1, 5}[r.IntN(4)],
			Baseline: models.BaselineLimit, MinDevices: []int64{0, 50, 500}[r.IntN(3)], LastStage: r.IntN(3) == 0,
		}
		if r.IntN(2) == 0 {
			v.Policy.Baseline, v.Outside = models.BaselineControl, allocations(1<<r.IntN(8))
		}
		vectors = append(vectors, v)
	}
	return vectors
}

// decide decides the vector as a rollout's workflow does.
func (v decisionVector) decide() decided {
	limits := models.Thresholds{
		CrashRate: &v.Policy.CrashRate, MinNetworks: &v.Policy.MinNetworks, AllocationVotes: &v.Policy.AllocationVotes,
		Baseline: v.Policy.Baseline,
	}
	stage := models.Stage{Percentage: 50, MinDevices: v.Policy.MinDevices}
	stages := []models.Stage{stage, {Percentage: 100}}
	if v.Policy.LastStage {
		stages = stages[:1]
	}
	inside := groupHealth(v.Inside, stage, limits)
	health := models.ReleaseHealth{Devices: inside.Devices, CrashedDevices: inside.CrashedDevices, Votes: inside.Votes}
	if v.Policy.Baseline == models.BaselineControl {
		health.Compared = models.ComparedHealth{Inside: inside, Outside: groupHealth(v.Outside, stage, limits)}
	}
	d := rollout.Plan(rollout.Input{
		Status: models.ExecutionRunning, Stages: stages, Thresholds: limits, Ran: time.Hour, Health: &health, Now: now,
	})
	result := decided{
		Action: d.Action, WaitingFor: d.WaitingFor, Evidence: sixDigits(d.Judgement.Evidence), CountedDevices: health.Devices,
	}
	if v.Policy.MinNetworks > 1 {
		result.CountedDevices = health.Votes.CappedDevices
	}
	if worst := d.Judgement.Worst; worst != nil {
		result.Affected, result.Counted, result.Limit = sixDigits(worst.Affected), sixDigits(worst.Counted), sixDigits(worst.Limit)
	}
	return result
}

// groupHealth counts the devices and votes of the allocations.
func groupHealth(groups []allocationGroup, stage models.Stage, limits models.Thresholds) models.GroupHealth {
	var h models.GroupHealth
	for _, g := range groups {
		var networks []models.DeviceCounts
		for _, n := range g.Networks {
			for range n.Times {
				networks = append(networks, models.DeviceCounts{Devices: n.Devices, CrashedDevices: n.Crashed})
			}
		}
		for range g.Allocations {
			for _, n := range networks {
				h.Devices += n.Devices
				h.CrashedDevices += n.CrashedDevices
			}
			h.Votes = votestest.WithAllocation(h.Votes, networks, limits.MaxAllocationVotes(),
				rollout.MaxPerNetwork(stage, limits), rollout.MaxPerAllocation(stage, limits))
		}
	}
	return h
}

func sixDigits(x float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	if err != nil {
		panic(err)
	}
	return rounded
}

// The page about evidence has examples in a table: networks, networks that crashed, evidence, decision.
func TestExamplesOfEvidence(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/concepts/evidence.md")
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^\| (\d+) \| (\d+) \| ([\d.]+) \| (hold|roll back|next stage) \|$`).FindAllStringSubmatch(string(text), -1)
	require.Len(t, rows, 10)
	decisions := map[rollout.Action]string{
		rollout.ActionHold: "hold", rollout.ActionRollBack: "roll back", rollout.ActionAdvance: "next stage",
	}
	for _, row := range rows {
		networks, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		crashed, err := strconv.Atoi(row[2])
		require.NoError(t, err)
		d := decisionVector{
			Policy: policyVector{CrashRate: 0.5, MinNetworks: 3, AllocationVotes: 20, Baseline: models.BaselineLimit, MinDevices: 40},
			Inside: []allocationGroup{each(networks-crashed, 0), each(crashed, 1)},
		}.decide()
		require.Equal(t, row[3], strconv.FormatFloat(d.Evidence, 'g', 3, 64), row[0])
		require.Equal(t, row[4], decisions[d.Action], row[0])
	}
}
