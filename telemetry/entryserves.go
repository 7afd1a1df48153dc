package telemetry

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/waft-ota/waft/models"
)

// storedServe is a models.Serve as entryServes has it, in an array. As with
// storedReport, its names are the format.
type storedServe struct {
	ProjectID      int64   `json:"p"`
	DeviceID       string  `json:"d"`
	Platform       string  `json:"o,omitempty"`
	Channel        string  `json:"c,omitempty"`
	RuntimeVersion string  `json:"r,omitempty"`
	UpdateUUID     string  `json:"u"`
	Kind           string  `json:"k"`
	ServedMillis   int64   `json:"t"`
	ShareBucket    *uint32 `json:"b,omitempty"`
}

// encodeServes makes an entry of many serves; times keep their milliseconds.
func encodeServes(serves []models.Serve) ([]byte, error) {
	stored := make([]storedServe, len(serves))
	for i, s := range serves {
		stored[i] = storedServe{
			ProjectID: s.ProjectID, DeviceID: s.DeviceID, Platform: string(s.Platform), Channel: s.Channel,
			RuntimeVersion: s.RuntimeVersion, UpdateUUID: s.UpdateUUID, Kind: string(s.Kind),
			ServedMillis: s.ServedAt.UnixMilli(), ShareBucket: s.ShareBucket,
		}
	}
	body, err := json.Marshal(stored)
	if err != nil {
		return nil, fmt.Errorf("encode serves: %w", err)
	}
	return sealEntry(entryServes, body), nil
}

func decodeServes(body []byte) ([]models.Serve, error) {
	var stored []storedServe
	if err := json.Unmarshal(body, &stored); err != nil {
		return nil, fmt.Errorf("%w: %w", errEntryDamaged, err)
	}
	serves := make([]models.Serve, len(stored))
	for i, s := range stored {
		serves[i] = models.Serve{
			ProjectID: s.ProjectID, DeviceID: s.DeviceID, Platform: models.Platform(s.Platform), Channel: s.Channel,
			RuntimeVersion: s.RuntimeVersion, UpdateUUID: s.UpdateUUID, Kind: models.ServeKind(s.Kind),
			ServedAt: time.UnixMilli(s.ServedMillis).UTC(), ShareBucket: s.ShareBucket,
		}
	}
	return serves, nil
}
