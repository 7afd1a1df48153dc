package rollout_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/internal/decide/rollout"
)

// exactEvidence computes the formula of LogEvidence in 512-bit arithmetic, without logarithms.
func exactEvidence(affected, devices int64, limit float64) *big.Float {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(512).SetFloat64(x) }
	power := func(base *big.Float, exponent int64) *big.Float {
		result := number(1)
		for range exponent {
			result.Mul(result, base)
		}
		return result
	}
	sum := number(0)
	for _, ratio := range []float64{1.25, 1.5, 2, 3, 5, 10} {
		p := math.Min(ratio*limit, 0.95)
		up := new(big.Float).Quo(number(p), number(limit))
		down := new(big.Float).Quo(new(big.Float).Sub(number(1), number(p)), new(big.Float).Sub(number(1), number(limit)))
		sum.Add(sum, new(big.Float).Mul(power(up, affected), power(down, devices-affected)))
	}
	return sum.Quo(sum, number(6))
}

func TestEvidenceIsTheFormula(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		devices := rapid.Int64Range(0, 600).Draw(t, "devices")
		affected := rapid.Int64Range(0, devices).Draw(t, "affected")
		limit := rapid.Float64Range(0.0001, 0.9).Draw(t, "limit")
		exact := exactEvidence(affected, devices, limit)
		got := rollout.LogEvidence(float64(affected), float64(devices), limit)
		mantissa := new(big.Float)
		exponent := exact.MantExp(mantissa)
		m, _ := mantissa.Float64()
		want := math.Log(m) + float64(exponent)*math.Ln2
		require.InDelta(t, want, got, 1e-9*math.Max(1, math.Abs(want)))
	})
}

func TestEvidenceIsFiniteForEveryCount(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		devices := rapid.Int64Range(-5, 1_000_000_000).Draw(t, "devices")
		affected := rapid.Int64Range(-5, 1_000_000_000).Draw(t, "affected")
		limit := rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{1e-9, 0.94, 0.95, 0.96, 0.999999, 1})).Draw(t, "limit")
		logE := rollout.LogEvidence(float64(affected), float64(devices), limit)
		require.False(t, math.IsNaN(logE) || math.IsInf(logE, 0), "%v", logE)
	})
}

func TestEvidenceAtTheEdges(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		affected, devices int64
		limit             float64
		check             func(t *testing.T, logE float64)
	}{
		"no device says nothing":                  {0, 0, 0.01, func(t *testing.T, e float64) { require.Zero(t, e) }},
		"a limit of 100% cannot be broken":        {1e9, 1e9, 1, func(t *testing.T, e float64) { require.Zero(t, e) }},
		"a billion healthy devices speak for it":  {0, 1e9, 0.005, func(t *testing.T, e float64) { require.Less(t, e, -1e5) }},
		"a billion crashes speak against it":      {1e9, 1e9, 0.005, func(t *testing.T, e float64) { require.Greater(t, e, 1e9) }},
		"more affected than devices means all":    {9, 5, 0.5, func(t *testing.T, e float64) { require.Equal(t, rollout.LogEvidence(5, 5, 0.5), e) }},
		"two crashes of two are not beyond doubt": {2, 2, 0.2, func(t *testing.T, e float64) { require.Less(t, math.Exp(e), rollout.DecisiveEvidence) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.check(t, rollout.LogEvidence(float64(tc.affected), float64(tc.devices), tc.limit))
		})
	}
}

// At limits above the maximum of the alternatives, a naive formula would count healthy devices as evidence against the release.
func TestKeepingALimitIsNeverEvidenceAgainstARelease(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.OneOf(rapid.Float64Range(0.0001, 1), rapid.SampledFrom([]float64{0.94, 0.95, 0.96, 0.999})).Draw(t, "limit")
		devices := rapid.Int64Range(1, 1_000_000).Draw(t, "devices")
		affected := rapid.Int64Range(0, int64(float64(devices)*limit)).Draw(t, "affected")
		require.LessOrEqual(t, rollout.LogEvidence(float64(affected), float64(devices), limit), 1e-6)
	})
}

func TestOneMoreAffectedDeviceIsMoreEvidence(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Float64Range(0.0001, 0.99).Draw(t, "limit")
		devices := rapid.Int64Range(1, 1_000_000).Draw(t, "devices")
		affected := rapid.Int64Range(0, devices-1).Draw(t, "affected")
		require.Greater(t, rollout.LogEvidence(float64(affected+1), float64(devices), limit), rollout.LogEvidence(float64(affected), float64(devices), limit))
	})
}

func BenchmarkLogEvidence(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		rollout.LogEvidence(12, 4321, 0.005)
	}
}
