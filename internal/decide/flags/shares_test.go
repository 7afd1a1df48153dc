package flags

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// ids returns targeting keys of several forms: numbered, random, and UTF-8.
func ids(n int) []string {
	random := rand.New(rand.NewPCG(1, 2))
	all := make([]string, n)
	for i := range all {
		switch i % 3 {
		case 0:
			all[i] = fmt.Sprintf("user-%d", i)
		case 1:
			all[i] = fmt.Sprintf("%016x-%016x", random.Uint64(), random.Uint64())
		default:
			all[i] = fmt.Sprintf("用户%d", i)
		}
	}
	return all
}

// valuesOn returns the values for the IDs if the flag has the key and the shares.
func valuesOn(t *testing.T, key string, ids []string, shares ...models.RolloutShare) []string {
	t.Helper()
	p := one(split("", shares...))
	p.Flags[0].Key = key
	f, _ := set(t, p).Flag(key)
	values := make([]string, len(ids))
	for i, id := range ids {
		values[i] = string(f.Evaluate(&Context{TargetingKey: id}).Value)
	}
	return values
}

// The sizes of the shares must match their weights. Chi-square over four values (three degrees of freedom) is below
// 16.27 in 999 of 1,000 samples.
func TestSharesHaveTheirSize(t *testing.T) {
	t.Parallel()
	all := ids(60_000)
	for _, key := range []string{"new-home", "checkout", "a", "dark-mode", "größe"} {
		counts := map[string]float64{}
		for _, v := range valuesOn(t, key, all, models.RolloutShare{VariantValue: "1", Weight: 10}, models.RolloutShare{VariantValue: "2", Weight: 25.5}, models.RolloutShare{VariantValue: "3", Weight: 0.5}) {
			counts[v]++
		}
		chi := 0.0
		for v, percent := range map[string]float64{"1": 10, "2": 25.5, "3": 0.5, "0": 64} {
			expected := percent / 100 * float64(len(all))
			chi += (counts[v] - expected) * (counts[v] - expected) / expected
		}
		require.Less(t, chi, 16.27, "%s: %v", key, counts)
	}
}

// The shares of different flags must be independent. Chi-square of the 2×2 table (one degree of freedom) is below
// 10.83 in 999 of 1,000 samples.
func TestSharesOfFlagsAreIndependent(t *testing.T) {
	t.Parallel()
	all := ids(60_000)
	keys := []string{"new-home", "new-home-2", "checkout", "a", "b"}
	values := make([][]string, len(keys))
	for i, key := range keys {
		values[i] = valuesOn(t, key, all, models.RolloutShare{VariantValue: "1", Weight: 30})
	}
	for i := range keys {
		for j := range i {
			var table [2][2]float64
			for n := range all {
				a, b := 0, 0
				if values[i][n] == "1" {
					a = 1
				}
				if values[j][n] == "1" {
					b = 1
				}
				table[a][b]++
			}
			total, chi := float64(len(all)), 0.0
			for a := range 2 {
				for b := range 2 {
					expected := (table[a][0] + table[a][1]) * (table[0][b] + table[1][b]) / total
					chi += (table[a][b] - expected) * (table[a][b] - expected) / expected
				}
			}
			require.Less(t, chi, 10.83, "%s and %s", keys[i], keys[j])
		}
	}
}

// Raising the last share must only add contexts to it.
func TestRaisingTheLastShareMovesNobodyElse(t *testing.T) {
	t.Parallel()
	all := ids(20_000)
	first := models.RolloutShare{VariantValue: "1", Weight: 20}
	last := 5.0
	before := valuesOn(t, "new-home", all, first, models.RolloutShare{VariantValue: "2", Weight: last})
	for _, weight := range []float64{5.001, 20, 60, 80} {
		after := valuesOn(t, "new-home", all, first, models.RolloutShare{VariantValue: "2", Weight: weight})
		joined := 0
		for i := range all {
			if before[i] == after[i] {
				continue
			}
			joined++
			require.Equal(t, "0", before[i], "%s moved from a share", all[i])
			require.Equal(t, "2", after[i])
		}
		require.InDelta(t, (weight-last)/100*float64(len(all)), joined, 300)
		before, last = after, weight
	}
	require.NotContains(t, before, "0", "shares with the sum 100 include everyone")
}

// Flags must evaluate to the published examples.
func TestPublishedSplits(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/bucket-vectors.json")
	require.NoError(t, err)
	var published struct {
		Splits []struct {
			FlagKey, ID string
			Weights     []float64
			Entry       *int
		}
	}
	require.NoError(t, json.Unmarshal(text, &published))
	require.NotEmpty(t, published.Splits)
	for _, s := range published.Splits {
		var shares []models.RolloutShare
		for i, w := range s.Weights {
			shares = append(shares, models.RolloutShare{VariantValue: strconv.Itoa(i + 1), Weight: w})
		}
		want := "0"
		if s.Entry != nil {
			want = strconv.Itoa(*s.Entry + 1)
		}
		require.Equal(t, want, valuesOn(t, s.FlagKey, []string{s.ID}, shares...)[0], "%s %q %v", s.FlagKey, s.ID, s.Weights)
	}
}
