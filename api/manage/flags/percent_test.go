package flags

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
	counts := models.DeviceCounts{Devices: 3, ErroredDevices: 2, CrashedDevices: 1}
	others := models.DeviceCounts{Devices: 7, ErroredDevices: 1}
	variations := []models.VariationHealth{{Variation: "true", DeviceCounts: counts}, {Variation: "false", DeviceCounts: others}}
	days := []models.FlagEvaluationDay{{Value: "true", Count: 1}, {Value: "false", Count: 2}}
	for name, record := range map[string]any{
		"impact": flagImpact(models.FlagImpact{DeviceCounts: counts, ErrorRateDelta: counts.DeltaTo(others)}, nil),
		"health": flagHealthRecord(models.Flag{}, models.FlagHealth{DeviceCounts: counts.Plus(others), Variations: variations}),
		"counts": flagEvaluationsRecord(models.Flag{}, models.FlagEvaluationSummary{Total: 3, Days: days}),
	} {
		raw, err := json.Marshal(record)
		require.NoError(t, err)
		require.Regexp(t, `\.\d{3}\D`, string(raw), name)
		require.NotRegexp(t, `\.\d{4}`, strings.ReplaceAll(string(raw), `"0001-01-01T00:00:00.000Z"`, ""), name)
	}
}
