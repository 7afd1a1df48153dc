package rollout

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPercentagesHaveTheDigitsOfTheDashboard(t *testing.T) {
	t.Parallel()
	for p, want := range map[float64]string{
		0: "0%", 1e-12: "0%", 0.001: "<0.01%", 0.01: "0.01%", 0.5: "0.5%", 3.2258: "3.23%", 50.505: "50.51%", 99.99: "99.99%", 99.999: ">99.99%", 99.99999999: "100%", 100: "100%",
	} {
		require.Equal(t, want, percent(p))
	}
	for _, c := range []struct {
		rate, limit       float64
		wantRate, wantLim string
	}{
		{1.3333, 0.5, "1.33%", "0.5%"},
		{0.5033, 0.5, "0.503%", "0.5%"},
		{0.5, 0.5, "0.5%", "0.5%"},
	} {
		rate, limit := percents(c.rate, c.limit)
		require.Equal(t, []string{c.wantRate, c.wantLim}, []string{rate, limit})
	}
}
