package api

import (
	"encoding/json"
	"testing"

	"github.com/waft-ota/waft/internal/decide/reports"
	"github.com/waft-ota/waft/internal/lab/benchratio"
)

// BenchmarkRatioReport is beside the standard library's reading of the same JSON.
func BenchmarkRatioReport(b *testing.B) {
	body := []byte(reportWith(map[string]any{"events": []any{
		eventWith(map[string]any{"message": "undefined is not an object", "flagStates": map[string]any{"f": "on"}}),
		eventWith(nil), eventWith(nil),
	}}))
	benchratio.Compare(b, "report", func() {
		var report struct {
			ProjectSlug, DeviceID, Platform, RuntimeVersion string
			Events                                          []struct {
				Type, Message string
				Count         int
				FlagStates    map[string]string
			}
		}
		if err := json.Unmarshal(body, &report); err != nil {
			b.Fatal(err)
		}
	}, func() {
		if _, _, err := reports.ParseHealth(body); err != nil {
			b.Fatal(err)
		}
	})
}
