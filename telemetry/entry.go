package telemetry

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/waft-ota/waft/models"
)

// An entry of the log is a CRC-32C of the rest (4 bytes, little-endian), one byte
// that names the encoding, and a report or serves so encoded. The log's own format has no
// checksum, and a file system may leave zeros or old data where a write was cut
// off by a power failure.
const (
	entryChecksumBytes = 4
	entryHeaderBytes   = entryChecksumBytes + 1
	entryJSONv1        = 1 // a storedReport, as older versions wrote it
	entryServesJSONv1  = 2 // an array of storedServe

	entryEvaluationsJSONv1 = 3 // an array of storedEvaluations

	entryReportV2 = 4 // a report, see encodeEntry
)

var (
	errEntryDamaged = errors.New("entry does not match its checksum")
	errEntryNewer   = errors.New("entry was written by a newer version of Waft")

	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

// storedReport is a models.HealthReport as entryJSONv1 has it. No new ones are made,
// but a log may still hold them at an update of Waft. Its names are the format.
type storedReport struct {
	ID             string        `json:"i"`
	ProjectID      int64         `json:"p"`
	DeviceID       string        `json:"d,omitempty"`
	Channel        string        `json:"c,omitempty"`
	Platform       string        `json:"o,omitempty"`
	RuntimeVersion string        `json:"r,omitempty"`
	UpdateUUID     string        `json:"u,omitempty"`
	ReceivedMillis int64         `json:"t"`
	Events         []storedEvent `json:"e,omitempty"`
	ShareBucket    *uint32       `json:"b,omitempty"`
	Keyed          bool          `json:"k,omitempty"`
}

type storedEvent struct {
	Type           string            `json:"y"`
	Name           string            `json:"n,omitempty"`
	Message        string            `json:"m,omitempty"`
	ErrorName      string            `json:"x,omitempty"`
	StackTrace     string            `json:"s,omitempty"`
	ComponentStack string            `json:"k,omitempty"`
	IsFatal        bool              `json:"f,omitempty"`
	Count          int64             `json:"q"`
	Tags           map[string]string `json:"g,omitempty"`
	FlagStates     map[string]string `json:"l,omitempty"`
}

// sealEntry puts the header in front of what was encoded.
func sealEntry(encoding byte, body []byte) []byte {
	entry := make([]byte, entryHeaderBytes, entryHeaderBytes+len(body))
	return sealed(append(entry, body...), encoding)
}

// sealed fills in the header of an entry that is whole otherwise.
func sealed(entry []byte, encoding byte) []byte {
	entry[entryChecksumBytes] = encoding
	binary.LittleEndian.PutUint32(entry, crc32.Checksum(entry[entryChecksumBytes:], castagnoli))
	return entry
}

// entryIntact reports whether an entry is what was once written.
func entryIntact(entry []byte) bool {
	return len(entry) >= entryHeaderBytes &&
		binary.LittleEndian.Uint32(entry) == crc32.Checksum(entry[entryChecksumBytes:], castagnoli)
}

// logEntry is what an entry holds: one report, or serves, or evaluations.
type logEntry struct {
	report      *models.HealthReport
	serves      []models.Serve
	evaluations []models.FlagEvaluations
}

func decodeEntry(entry []byte) (e logEntry, err error) {
	if !entryIntact(entry) {
		return logEntry{}, errEntryDamaged
	}
	body := entry[entryHeaderBytes:]
	switch encoding := entry[entryChecksumBytes]; encoding {
	case entryReportV2:
		e.report, err = decodeReport(body)
	case entryJSONv1:
		e.report, err = decodeReportJSON(body)
	case entryServesJSONv1:
		e.serves, err = decodeServes(body)
	case entryEvaluationsJSONv1:
		e.evaluations, err = decodeEvaluations(body)
	default:
		return logEntry{}, fmt.Errorf("%w: encoding %d", errEntryNewer, encoding)
	}
	return e, err
}

func decodeReportJSON(body []byte) (*models.HealthReport, error) {
	var stored storedReport
	if err := json.Unmarshal(body, &stored); err != nil {
		return nil, fmt.Errorf("%w: %w", errEntryDamaged, err)
	}
	r := models.HealthReport{
		ID: stored.ID, ProjectID: stored.ProjectID, DeviceID: stored.DeviceID, Channel: stored.Channel,
		Platform: models.Platform(stored.Platform), RuntimeVersion: stored.RuntimeVersion,
		UpdateUUID: stored.UpdateUUID, ReceivedAt: time.UnixMilli(stored.ReceivedMillis).UTC(),
		Events: make([]models.HealthEvent, len(stored.Events)), ShareBucket: stored.ShareBucket, Keyed: stored.Keyed,
	}
	for i, e := range stored.Events {
		r.Events[i] = models.HealthEvent{
			Type: models.HealthEventType(e.Type), Name: e.Name, Message: e.Message, ErrorName: e.ErrorName,
			StackTrace: e.StackTrace, ComponentStack: e.ComponentStack, IsFatal: e.IsFatal, Count: e.Count,
			Tags: models.TextsOf(e.Tags), FlagStates: models.TextsOf(e.FlagStates),
		}
	}
	return &r, nil
}
