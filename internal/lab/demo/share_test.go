package demo

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShareBounds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		asked        int
		percent      float64
		fewest, most int
	}{
		{1500, 100, 1500, 1500},
		{1500, 0, 0, 0},
		{0, 5, 0, 0},
		{1500, 5, 37, 113}, // 75 ± 4.5·8.44 + 0.5
		{10_000, 25, 2305, 2695},
		{3, 5, 0, 2},
	} {
		fewest, most := shareBound(c.asked, c.percent)
		require.Equal(t, [2]int{c.fewest, c.most}, [2]int{fewest, most}, "%v %% of %d", c.percent, c.asked)
	}
}

func TestACorrectShareStaysInBoundsAndAWrongOneDoesNot(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	draw := func(asked int, percent float64) (holders int) {
		for range asked {
			if random.Float64()*100 < percent {
				holders++
			}
		}
		return holders
	}
	fewest, most := shareBound(1500, 5)
	for range 500 {
		n := draw(1500, 5)
		require.True(t, n >= fewest && n <= most, "%d holders", n)
	}
	require.Greater(t, draw(1500, 10), most, "twice the share")
	fewest, most = shareBound(1500, 25)
	require.Less(t, draw(1500, 18), fewest)
	require.Greater(t, draw(1500, 33), most)
}

func TestAFastDemoHasEnoughDevicesForItsCrashes(t *testing.T) {
	t.Parallel()
	require.NoError(t, Fast().validate())
	require.NoError(t, Defaults().validate())
}
