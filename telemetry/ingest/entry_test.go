package ingest

import (
	"testing"
	"time"

	"github.com/fxamacker/cbor/v2"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/models"
)

func TestEntryKeepsAReport(t *testing.T) {
	t.Parallel()
	texts := rapid.StringMatching(`[\x20-\x7eäöü漢字🚀\n"\\]{0,40}`)
	tags := rapid.Map(rapid.MapOfN(texts, texts, 0, 4), models.TextsOf)
	breadcrumbs := rapid.Custom(func(t *rapid.T) models.Breadcrumb {
		b := models.Breadcrumb{
			Category: texts.Draw(t, "category"), Message: texts.Draw(t, "text"), Level: models.BreadcrumbDebug, Data: tags.Draw(t, "data"),
		}
		if rapid.Bool().Draw(t, "dated") {
			b.At = time.UnixMilli(rapid.Int64Range(1, 1<<42).Draw(t, "at")).UTC()
		}
		return b
	})
	events := rapid.Custom(func(t *rapid.T) models.HealthEvent {
		e := models.HealthEvent{
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
			Breadcrumbs:    rapid.SliceOfN(breadcrumbs, 0, 3).Draw(t, "breadcrumbs"),
		}
		if len(e.Breadcrumbs) == 0 {
			e.Breadcrumbs = nil
		}
		return e
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
		if len(r.Events) == 0 {
			r.Events = nil
		}
		decoded, err := decodeEntry(entryOf(t, r))
		require.NoError(t, err)
		require.Equal(t, logEntry{report: &r}, decoded)
	})
}

// entryOf returns the entry of a report.
func entryOf(t require.TestingT, r models.HealthReport) []byte {
	entry, err := encodeEntry(logEntry{report: &r})
	require.NoError(t, err)
	return entry
}

// sealEntry returns an entry with the header and the encoded body.
func sealEntry(version byte, body []byte) []byte {
	return sealed(append(make([]byte, entryHeaderBytes), body...), version)
}

// A later version may add fields. The fields of a report keep their meaning.
func TestEntryMayHaveFieldsThatAreNotKnown(t *testing.T) {
	t.Parallel()
	body, err := cbor.Marshal(map[int]any{
		1: map[int]any{1: "id", 2: 7, 99: "later"}, 100: []string{"later"},
	})
	require.NoError(t, err)
	decoded, err := decodeEntry(sealEntry(entryVersion, body))
	require.NoError(t, err)
	require.Equal(t, logEntry{report: &models.HealthReport{ID: "id", ProjectID: 7, ReceivedAt: time.UnixMilli(0).UTC()}}, decoded)
	_, err = decodeEntry(sealEntry(entryVersion, body[:len(body)-1]))
	require.ErrorIs(t, err, errEntryDamaged)
}

// An entry from before events had breadcrumbs, as version 0.1.0 wrote it.
func TestAnEntryWithoutBreadcrumbsIsRead(t *testing.T) {
	t.Parallel()
	body, err := cbor.Marshal(map[int]any{1: map[int]any{1: "id", 2: 7, 9: []any{
		map[int]any{1: "crash", 3: "m", 5: "s", 6: "c", 7: true, 8: 2, 9: []any{[]string{"screen", "home"}}},
	}}})
	require.NoError(t, err)
	decoded, err := decodeEntry(sealEntry(entryVersion, body))
	require.NoError(t, err)
	require.Equal(t, []models.HealthEvent{{
		Type: models.EventCrash, Message: "m", StackTrace: "s", ComponentStack: "c", IsFatal: true, Count: 2,
		Tags: models.Texts{{Name: "screen", Value: "home"}},
	}}, decoded.report.Events)
}

// A device ID comes from a header, which may contain any bytes.
func TestEntryKeepsExposures(t *testing.T) {
	t.Parallel()
	bucket := uint32(99_999)
	exposures := []models.Exposure{testExposure("ä"), testExposure("\xff\xfe"), {
		ProjectID: 1 << 60, DeviceID: "c", UpdateUUID: "u", Kind: models.ExposureFailure,
		ServedAt: time.UnixMilli(1).UTC(), ShareBucket: &bucket,
	}}
	entry, err := encodeEntry(logEntry{exposures: exposures})
	require.NoError(t, err)
	decoded, err := decodeEntry(entry)
	require.NoError(t, err)
	require.Equal(t, logEntry{exposures: exposures}, decoded)
}

func TestEntryOfAnotherEncodingIsNotGuessedAt(t *testing.T) {
	t.Parallel()
	_, err := decodeEntry(newerEntry(t))
	require.ErrorIs(t, err, errEntryNewer)
}

func FuzzDecodeEntry(f *testing.F) {
	f.Add(entryOf(f, testReport("d", models.EventCrash)))
	f.Add(sealEntry(entryVersion, []byte{0xa1, 0x01, 0xa1, 0x09, 0x81, 0xbf})) // a report with a truncated event
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, entry []byte) {
		if _, err := decodeEntry(entry); err == nil {
			require.True(t, entryIntact(entry))
		}
	})
}
