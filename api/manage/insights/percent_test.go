package insights

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
		"timeseries": timeseriesPoint(models.TimeseriesPoint{Activity: models.Activity{DeviceCounts: models.DeviceCounts{Devices: 3, ErroredDevices: 2,
			CrashedDevices: 1}}}),
		"total":    timeseriesTotal(models.Activity{DeviceCounts: models.DeviceCounts{Devices: 3, ErroredDevices: 2, CrashedDevices: 1}}),
		"adoption": updateDevices(models.UpdateDevices{Devices: 1}, 3, nil),
		"incident": incidentRecord(
			models.Incident{Devices: 3, ErroredDevices: 1, BaselineDevices: 7, BaselineErroredDevices: 1}, nil),
	} {
		raw, err := json.Marshal(record)
		require.NoError(t, err)
		require.Regexp(t, `\.\d{3}\D`, string(raw), name)
		require.NotRegexp(t, `\.\d{4}`, strings.ReplaceAll(string(raw), `"0001-01-01T00:00:00.000Z"`, ""), name)
	}
}
