package fleet

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRulesAreReadFromText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Rule{
		"broken=20%":     {Match: "broken", Effect: Crash, Percent: 20},
		"two words=0.5":  {Match: "two words", Effect: Crash, Percent: 0.5},
		"a=b=100%":       {Match: "a=b", Effect: Crash, Percent: 100},
		"embedded = 3 %": {},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			got, err := ParseRule(Crash, text)
			if want == (Rule{}) {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, want, got)
		})
	}
	for _, text := range []string{"", "broken", "=5%", "x=101", "x=-1", "x=NaN", "x="} {
		_, err := ParseRule(Crash, text)
		require.Error(t, err, text)
	}
}

func TestTroubleStrikesItsShareOfDevicesAndAlwaysTheSame(t *testing.T) {
	t.Parallel()
	const devices = 20_000
	broken := &stored{manifest: &Manifest{ID: "b", Message: "broken", Launch: Asset{Key: "k1"}}}
	again := &stored{manifest: &Manifest{ID: "c", Launch: Asset{Key: "k1"}}}
	rules := []Rule{{Match: "broken", Effect: Crash, Percent: 20}, {Match: "k1", Effect: Crash, Percent: 20}}
	var struck, both int
	for i := range devices {
		id := DeviceID(7, i)
		first := strikes(rules, Crash, 7, id, broken)
		require.Equal(t, first, strikes(rules, Crash, 7, id, broken))
		require.Equal(t, first, strikes(rules, Crash, 7, id, again), "the same bundle under another id")
		if first {
			struck++
			if strikes([]Rule{{Match: AnyMatch, Effect: JSError, Percent: 20}}, JSError, 7, id, broken) {
				both++
			}
		}
	}
	// 4.5 standard deviations of a binomial: sqrt(20000·0.2·0.8) = 57.
	require.InDelta(t, 0.2*devices, struck, 255)
	require.InDelta(t, 0.04*devices, both, 125, "effects are independent of each other")
}

func TestARuleThatNamesTheReleaseCountsBeforeOneForAll(t *testing.T) {
	t.Parallel()
	good := &stored{manifest: &Manifest{ID: "g", Message: "good", Launch: Asset{Key: "k"}}}
	other := &stored{manifest: &Manifest{ID: "o", Launch: Asset{Key: "l"}}}
	embedded := &stored{embeddedID: "e"}
	for _, rules := range [][]Rule{
		{{AnyMatch, Crash, 100}, {"good", Crash, 0}, {EmbeddedMatch, Crash, 0}},
		{{"good", Crash, 0}, {EmbeddedMatch, Crash, 0}, {AnyMatch, Crash, 100}},
	} {
		require.False(t, strikes(rules, Crash, 1, "d", good))
		require.False(t, strikes(rules, Crash, 1, "d", embedded))
		require.True(t, strikes(rules, Crash, 1, "d", other))
		require.False(t, strikes(rules, JSError, 1, "d", other))
	}
}
