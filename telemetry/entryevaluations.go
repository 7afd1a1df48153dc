package telemetry

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/waft-ota/waft/models"
)

// storedEvaluations is a models.FlagEvaluations as entryEvaluations has it, in
// an array. As with storedReport, its names are the format.
type storedEvaluations struct {
	ProjectID      int64  `json:"p"`
	FlagKey        string `json:"f"`
	Channel        string `json:"c,omitempty"`
	Value          string `json:"v"`
	Count          int64  `json:"q"`
	ReceivedMillis int64  `json:"t"`
	LastMillis     int64  `json:"l"`
}

// encodeEvaluations makes one entry of them; times keep their milliseconds.
func encodeEvaluations(evaluations []models.FlagEvaluations) ([]byte, error) {
	stored := make([]storedEvaluations, len(evaluations))
	for i, e := range evaluations {
		stored[i] = storedEvaluations{
			ProjectID: e.ProjectID, FlagKey: e.FlagKey, Channel: e.Channel, Value: e.Value, Count: e.Count,
			ReceivedMillis: e.ReceivedAt.UnixMilli(), LastMillis: e.LastAt.UnixMilli(),
		}
	}
	body, err := json.Marshal(stored)
	if err != nil {
		return nil, fmt.Errorf("encode flag evaluations: %w", err)
	}
	return sealEntry(entryEvaluations, body), nil
}

func decodeEvaluations(body []byte) ([]models.FlagEvaluations, error) {
	var stored []storedEvaluations
	if err := json.Unmarshal(body, &stored); err != nil {
		return nil, fmt.Errorf("%w: %w", errEntryDamaged, err)
	}
	evaluations := make([]models.FlagEvaluations, len(stored))
	for i, e := range stored {
		evaluations[i] = models.FlagEvaluations{
			ProjectID: e.ProjectID, FlagKey: e.FlagKey, Channel: e.Channel, Value: e.Value, Count: e.Count,
			ReceivedAt: time.UnixMilli(e.ReceivedMillis).UTC(), LastAt: time.UnixMilli(e.LastMillis).UTC(),
		}
	}
	return evaluations, nil
}
