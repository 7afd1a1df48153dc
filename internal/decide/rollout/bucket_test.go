package rollout_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/murmur3"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/internal/decide/rollout"
)

func TestBucketIsTheFormulaOfTheContract(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		salt := rapid.String().Draw(t, "salt")
		id := strings.Repeat(rapid.String().Draw(t, "id"), rapid.IntRange(1, 40).Draw(t, "times"))
		want := uint32(uint64(murmur3.StringSum32(salt+":"+id)) * 100_000 >> 32)
		got := rollout.Bucket(salt, id)
		require.Equal(t, want, got)
		require.Less(t, got, uint32(rollout.Buckets))
	})
}

func TestMurmur3IsTheReferenceHash(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]uint32{
		"ejOoVL": 0, "bY9fO-": 1, "SI7p-": 2147483647, "6LvT0": 2147483648, "ceQdGm": 4294967295,
	} {
		require.Equal(t, want, murmur3.StringSum32(text), text)
	}
}

func TestRaisingAShareOnlyAddsDevices(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		salt, id := rapid.String().Draw(t, "salt"), rapid.String().Draw(t, "id")
		low := rapid.Float64Range(0, 100).Draw(t, "low")
		high := rapid.Float64Range(low, 100).Draw(t, "high")
		if rollout.InShare(salt, id, low) {
			require.True(t, rollout.InShare(salt, id, high))
		}
	})
}

func TestAShareHoldsItsPercentageOfDevices(t *testing.T) {
	t.Parallel()
	const devices = 200_000
	for _, percentage := range []float64{0.1, 1, 5, 25, 50, 99.9} {
		t.Run(fmt.Sprint(percentage), func(t *testing.T) {
			t.Parallel()
			held := 0
			for i := range devices {
				if rollout.InShare("release:distribution", fmt.Sprintf("device-%d", i), percentage) {
					held++
				}
			}
			p := percentage / 100
			deviation := math.Sqrt(devices * p * (1 - p))
			require.InDelta(t, devices*p, held, 4*deviation)
		})
	}
}

func TestSlicesAreEven(t *testing.T) {
	t.Parallel()
	const devices, slices = 200_000, 100
	for _, salt := range []string{"release:a", "release:b", "channel:demo/production", "flag:new-home"} {
		t.Run(salt, func(t *testing.T) {
			t.Parallel()
			counts := [slices]int{}
			for i := range devices {
				counts[rollout.Bucket(salt, fmt.Sprintf("user%06d", i))*slices/rollout.Buckets]++
			}
			chi2 := 0.0
			for _, n := range counts {
				chi2 += math.Pow(float64(n)-devices/slices, 2) / (devices / slices)
			}
			require.Less(t, chi2, 149.0, "chi² of 99 degrees of freedom, 0.1 %%")
		})
	}
}

func TestSaltsAreIndependent(t *testing.T) {
	t.Parallel()
	const devices = 100_000
	both := 0
	for i := range devices {
		id := fmt.Sprintf("device-%d", i)
		if rollout.InShare("release:one", id, 10) && rollout.InShare("release:two", id, 10) {
			both++
		}
	}
	require.InDelta(t, devices*0.01, both, 4*math.Sqrt(devices*0.01*0.99))
}

func TestTheColonKeepsSaltAndIDApart(t *testing.T) {
	t.Parallel()
	require.NotEqual(t, rollout.Bucket("flag1", "23"), rollout.Bucket("flag", "123"))
}

func TestADeviceWithoutAnIDIsOnlyInAFullShare(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		salt := rapid.String().Draw(t, "salt")
		require.False(t, rollout.InShare(salt, "", rapid.Float64Range(0, 99.999).Draw(t, "percentage")))
		require.True(t, rollout.InShare(salt, "", 100))
	})
}

func TestThreshold(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		percentage float64
		want       uint32
	}{
		{0, 0}, {0.0004, 0}, {0.0005, 1}, {0.001, 1}, {0.07, 70}, {1, 1000}, {33.333, 33333},
		{99.999, 99999}, {100, 100_000}, {100.1, 100_000}, {-1, 0}, {math.NaN(), 0}, {math.Inf(1), 100_000},
	} {
		require.Equal(t, tc.want, rollout.Threshold(tc.percentage), "%v", tc.percentage)
	}
}

func TestNobodyIsInAnEmptyShareAndEverybodyInAFullOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		salt, id := rapid.String().Draw(t, "salt"), rapid.String().Draw(t, "id")
		require.False(t, rollout.InShare(salt, id, 0))
		require.True(t, rollout.InShare(salt, id, 100))
	})
}

func TestBucketDoesNotAllocate(t *testing.T) {
	// Not parallel: AllocsPerRun counts the allocations of the whole process.
	salt, id := "release:8b0b1c1e-6d7a-4f7e-9a49-6d7d9f0c7a11", strings.Repeat("x", 256)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		rollout.InShare(salt, id[:36], 25)
		rollout.InShare(salt, id, 25)
	}))
}

func FuzzBucket(f *testing.F) {
	f.Add("release:a", "device", 25.0)
	f.Add("", "", 100.0)
	f.Add("channel:demo/production", "ünï\x00code \xff", 0.001)
	f.Fuzz(func(t *testing.T, salt, id string, percentage float64) {
		bucket := rollout.Bucket(salt, id)
		require.Less(t, bucket, uint32(rollout.Buckets))
		require.Equal(t, bucket, rollout.Bucket(strings.Clone(salt), strings.Clone(id)))
		threshold := rollout.Threshold(percentage)
		require.LessOrEqual(t, threshold, uint32(rollout.Buckets))
		want := threshold == rollout.Buckets || id != "" && bucket < threshold
		require.Equal(t, want, rollout.InShare(salt, id, percentage))
	})
}

func BenchmarkBucket(b *testing.B) {
	b.ReportAllocs()
	salt, id := "release:8b0b1c1e-6d7a-4f7e-9a49-6d7d9f0c7a11", "0e984725-c51c-4bf4-9960-e1c80e27aba0"
	for b.Loop() {
		rollout.Bucket(salt, id)
	}
}
