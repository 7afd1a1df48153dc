package telemetry

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/models"
)

func TestEntryKeepsAReport(t *testing.T) {
	t.Parallel()
	texts := rapid.StringMatching(`[\x20-\x7eäöü漢字🚀\n"\\]{0,40}`)
	tags := rapid.MapOfN(texts, texts, 1, 4)
	events := rapid.Custom(func(t *rapid.T) models.HealthEvent {
		return models.HealthEvent{
			Type:           rapid.SampledFrom([]models.HealthEventType{models.EventCrash, models.EventAppLaunch}).Draw(t, "type"),
			Name:           texts.Draw(t, "name"),
			Message:        texts.Draw(t, "message"),
			ErrorName:      texts.Draw(t, "errorName"),
			StackTrace:     texts.Draw(t, "stackTrace"),
			ComponentStack: texts.Draw(t, "componentStack"),
			IsFatal:        rapid.Bool().Draw(t, "isFatal"),
			Count:          rapid.Int64Range(1, 1_000_000).Draw(t, "count"),
			Tags:           tags.Draw(t, "tags"),
			FlagStates:     tags.Draw(t, "flagStates"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		r := models.HealthReport{
			ID:             texts.Draw(t, "id"),
			ProjectID:      rapid.Int64().Draw(t, "projectID"),
			DeviceID:       texts.Draw(t, "deviceID"),
			Channel:        texts.Draw(t, "channel"),
			Platform:       models.Android,
			RuntimeVersion: texts.Draw(t, "runtimeVersion"),
			UpdateUUID:     texts.Draw(t, "updateUUID"),
			ReceivedAt:     time.UnixMilli(rapid.Int64Range(0, 1<<42).Draw(t, "receivedAt")).UTC(),
			Events:         rapid.SliceOfN(events, 0, 4).Draw(t, "events"),
		}
		entry, err := encodeEntry(r)
		require.NoError(t, err)
		decoded, err := decodeEntry(entry)
		require.NoError(t, err)
		require.Equal(t, r, decoded)
	})
}

func TestEntryOfAnotherEncodingIsNotGuessedAt(t *testing.T) {
	t.Parallel()
	_, err := decodeEntry(newerEntry(t))
	require.ErrorIs(t, err, errEntryNewer)
}

func FuzzDecodeEntry(f *testing.F) {
	entry, err := encodeEntry(testReport("d", models.EventCrash))
	require.NoError(f, err)
	f.Add(entry)
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, entry []byte) {
		if _, err := decodeEntry(entry); err == nil {
			require.True(t, entryIntact(entry))
		}
	})
}
