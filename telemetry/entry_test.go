package telemetry

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/models"
)

func TestEntryKeepsAReport(t *testing.T) {
	t.Parallel()
	texts := rapid.StringMatching(`[\x20-\x7eäöü漢字🚀\n"\\]{0,40}`)
	tags := rapid.Map(rapid.MapOfN(texts, texts, 0, 4), models.TextsOf)
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
			ShareBucket:    rapid.Ptr(rapid.Uint32Range(0, 100_000), true).Draw(t, "shareBucket"),
			Keyed:          rapid.Bool().Draw(t, "keyed"),
		}
		decoded, err := decodeEntry(encodeEntry(r))
		require.NoError(t, err)
		require.Equal(t, logEntry{report: &r}, decoded)
	})
}

// A later version may add fields; those of a report are what they were.
func TestEntryMayHaveFieldsThatAreNotKnown(t *testing.T) {
	t.Parallel()
	r := testReport("d", models.EventCrash)
	body := encodeEntry(r)[entryHeaderBytes:]
	body = protowire.AppendFixed64(protowire.AppendTag(body, 99, protowire.Fixed64Type), 1)
	body = protowire.AppendString(protowire.AppendTag(body, 100, protowire.BytesType), "later")
	decoded, err := decodeEntry(sealEntry(entryReport, body))
	require.NoError(t, err)
	require.Equal(t, logEntry{report: &r}, decoded)
	_, err = decodeEntry(sealEntry(entryReport, body[:len(body)-1]))
	require.ErrorIs(t, err, errEntryDamaged)
}

func TestEntryKeepsServes(t *testing.T) {
	t.Parallel()
	bucket := uint32(99_999)
	serves := []models.Serve{testServe("ä"), testServe("b"), {
		ProjectID: 1 << 60, DeviceID: "c", UpdateUUID: "u", Kind: models.ServeFailure,
		ServedAt: time.UnixMilli(1).UTC(), ShareBucket: &bucket,
	}}
	entry, err := encodeServes(serves)
	require.NoError(t, err)
	decoded, err := decodeEntry(entry)
	require.NoError(t, err)
	require.Equal(t, logEntry{serves: serves}, decoded)
}

func TestEntryOfAnotherEncodingIsNotGuessedAt(t *testing.T) {
	t.Parallel()
	_, err := decodeEntry(newerEntry(t))
	require.ErrorIs(t, err, errEntryNewer)
}

func FuzzDecodeEntry(f *testing.F) {
	f.Add(encodeEntry(testReport("d", models.EventCrash)))
	f.Add(sealEntry(entryReport, []byte{0x4a, 3, 0x4a, 1, 0xff})) // a report, an event, a tag that is cut off
	f.Add(sealEntry(entryReport, []byte{0x4b, 0x4d, 1, 2, 3, 4})) // groups and fixed sizes, which no field has
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, entry []byte) {
		if _, err := decodeEntry(entry); err == nil {
			require.True(t, entryIntact(entry))
		}
	})
}
