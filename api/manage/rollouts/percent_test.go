package rollouts

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// Every percentage in a response has at most three decimals.
func TestPercentagesHaveThreeDecimals(t *testing.T) {
	t.Parallel()
	for name, record := range map[string]any{
		"rollout": healthRecord(&models.Observation{ErrorRate: 200.0 / 3, CrashRate: 100.0 / 3}),
	} {
		raw, err := json.Marshal(record)
		require.NoError(t, err)
		require.Regexp(t, `\.\d{3}\D`, string(raw), name)
		require.NotRegexp(t, `\.\d{4}`, strings.ReplaceAll(string(raw), `"0001-01-01T00:00:00.000Z"`, ""), name)
	}
}
