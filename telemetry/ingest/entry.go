package ingest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/fxamacker/cbor/v2"

	"github.com/waft-ota/waft/models"
)

// An entry of the log is a CRC-32C of the rest (4 bytes, little-endian), a version byte and a storedEntry as CBOR.
// The checksum is necessary because the log's files do not have one, and a file system may leave zeros or old data
// where a power failure interrupted a write.
const (
	entryChecksumBytes = 4
	entryHeaderBytes   = entryChecksumBytes + 1
	entryVersion       = 1

	// entryBytes is the initial buffer size. Most entries are smaller.
	entryBytes = 1024
)

var (
	errEntryDamaged = errors.New("entry does not match its checksum")
	errEntryNewer   = errors.New("entry was written by a newer version of Waft")

	castagnoli = crc32.MakeTable(crc32.Castagnoli)

	// Device IDs come from headers and may be invalid UTF-8.
	entryEncoding = must(cbor.EncOptions{}.UserBufferEncMode())
	entryDecoding = must(cbor.DecOptions{UTF8: cbor.UTF8DecodeInvalid}.DecMode())
)

func must[T any](mode T, err error) T {
	if err != nil {
		panic(err)
	}
	return mode
}

// logEntry is the content of an entry: one report, exposures, or evaluations.
type logEntry struct {
	report      *models.HealthReport
	exposures   []models.Exposure
	evaluations []models.FlagEvaluations
}

func encodeEntry(e logEntry) ([]byte, error) {
	buffer := bytes.NewBuffer(make([]byte, entryHeaderBytes, entryBytes))
	if err := entryEncoding.MarshalToBuffer(stored(e), buffer); err != nil {
		return nil, fmt.Errorf("encode log entry: %w", err)
	}
	return sealed(buffer.Bytes(), entryVersion), nil
}

// sealed sets the header of an entry and returns the entry.
func sealed(entry []byte, version byte) []byte {
	entry[entryChecksumBytes] = version
	binary.LittleEndian.PutUint32(entry, crc32.Checksum(entry[entryChecksumBytes:], castagnoli))
	return entry
}

// entryIntact reports whether the entry matches its checksum.
func entryIntact(entry []byte) bool {
	return len(entry) >= entryHeaderBytes &&
		binary.LittleEndian.Uint32(entry) == crc32.Checksum(entry[entryChecksumBytes:], castagnoli)
}

// decodeEntry decodes an entry. It returns errEntryDamaged, or errEntryNewer for an entry of another version.
func decodeEntry(entry []byte) (logEntry, error) {
	if !entryIntact(entry) {
		return logEntry{}, errEntryDamaged
	}
	if version := entry[entryChecksumBytes]; version != entryVersion {
		return logEntry{}, fmt.Errorf("%w: version %d", errEntryNewer, version)
	}
	var s storedEntry
	if err := entryDecoding.Unmarshal(entry[entryHeaderBytes:], &s); err != nil {
		return logEntry{}, fmt.Errorf("%w: %w", errEntryDamaged, err)
	}
	return s.entry(), nil
}

// The stored types are the format of an entry. A new field gets a new number, and a number never changes its meaning.
// Times are in milliseconds since 1970.

type storedEntry struct {
	Report      *storedReport       `cbor:"1,keyasint,omitempty"`
	Exposures   []storedExposure    `cbor:"2,keyasint,omitempty"`
	Evaluations []storedEvaluations `cbor:"3,keyasint,omitempty"`
}

type storedReport struct {
	ID             string        `cbor:"1,keyasint,omitempty"`
	ProjectID      int64         `cbor:"2,keyasint,omitempty"`
	DeviceID       string        `cbor:"3,keyasint,omitempty"`
	Channel        string        `cbor:"4,keyasint,omitempty"`
	Platform       string        `cbor:"5,keyasint,omitempty"`
	RuntimeVersion string        `cbor:"6,keyasint,omitempty"`
	UpdateUUID     string        `cbor:"7,keyasint,omitempty"`
	ReceivedAt     int64         `cbor:"8,keyasint,omitempty"`
	Events         []storedEvent `cbor:"9,keyasint,omitempty"`
	ShareBucket    *uint32       `cbor:"10,keyasint,omitempty"`
	Keyed          bool          `cbor:"11,keyasint,omitempty"`
	Network        uint64        `cbor:"12,keyasint,omitempty"`
	Trusted        bool          `cbor:"13,keyasint,omitempty"`
	Served         bool          `cbor:"14,keyasint,omitempty"`
}

type storedEvent struct {
	Type           string      `cbor:"1,keyasint,omitempty"`
	Name           string      `cbor:"2,keyasint,omitempty"`
	Message        string      `cbor:"3,keyasint,omitempty"`
	ErrorName      string      `cbor:"4,keyasint,omitempty"`
	StackTrace     string      `cbor:"5,keyasint,omitempty"`
	ComponentStack string      `cbor:"6,keyasint,omitempty"`
	IsFatal        bool        `cbor:"7,keyasint,omitempty"`
	Count          int64       `cbor:"8,keyasint,omitempty"`
	Tags           [][2]string `cbor:"9,keyasint,omitempty"`
	FlagStates     [][2]string `cbor:"10,keyasint,omitempty"`
	SentName       string      `cbor:"11,keyasint,omitempty"`

	Breadcrumbs []storedBreadcrumb `cbor:"12,keyasint,omitempty"`
}

type storedBreadcrumb struct {
	At       int64       `cbor:"1,keyasint,omitempty"` // 0 if it is unknown
	Category string      `cbor:"2,keyasint,omitempty"`
	Message  string      `cbor:"3,keyasint,omitempty"`
	Level    string      `cbor:"4,keyasint,omitempty"`
	Data     [][2]string `cbor:"5,keyasint,omitempty"`
}

type storedExposure struct {
	ProjectID      int64   `cbor:"1,keyasint,omitempty"`
	DeviceID       string  `cbor:"2,keyasint,omitempty"`
	Platform       string  `cbor:"3,keyasint,omitempty"`
	Channel        string  `cbor:"4,keyasint,omitempty"`
	RuntimeVersion string  `cbor:"5,keyasint,omitempty"`
	UpdateUUID     string  `cbor:"6,keyasint,omitempty"`
	Kind           string  `cbor:"7,keyasint,omitempty"`
	ServedAt       int64   `cbor:"8,keyasint,omitempty"`
	ShareBucket    *uint32 `cbor:"9,keyasint,omitempty"`
	Network        uint64  `cbor:"10,keyasint,omitempty"`
	Allocation     uint64  `cbor:"11,keyasint,omitempty"`
}

type storedEvaluations struct {
	ProjectID  int64  `cbor:"1,keyasint,omitempty"`
	FlagKey    string `cbor:"2,keyasint,omitempty"`
	Channel    string `cbor:"3,keyasint,omitempty"`
	Value      string `cbor:"4,keyasint,omitempty"`
	Count      int64  `cbor:"5,keyasint,omitempty"`
	ReceivedAt int64  `cbor:"6,keyasint,omitempty"`
	LastAt     int64  `cbor:"7,keyasint,omitempty"`
}

func stored(e logEntry) (s storedEntry) {
	if r := e.report; r != nil {
		s.Report = &storedReport{
			r.ID, r.ProjectID, r.DeviceID, r.Channel, string(r.Platform), r.RuntimeVersion, r.UpdateUUID, r.ReceivedAt.UnixMilli(),
			converted(r.Events, storedEventOf), r.ShareBucket, r.Keyed,
			uint64(r.Source.Network), r.Source.Trusted, r.Source.Served,
		}
	}
	s.Exposures = converted(e.exposures, func(x models.Exposure) storedExposure {
		return storedExposure{
			x.ProjectID, x.DeviceID, string(x.Platform), x.Channel, x.RuntimeVersion, x.UpdateUUID, string(x.Kind),
			x.ServedAt.UnixMilli(), x.ShareBucket, uint64(x.Network), uint64(x.Allocation),
		}
	})
	s.Evaluations = converted(e.evaluations, func(v models.FlagEvaluations) storedEvaluations {
		return storedEvaluations{v.ProjectID, v.FlagKey, v.Channel, v.Value, v.Count, v.ReceivedAt.UnixMilli(), v.LastAt.UnixMilli()}
	})
	return s
}

func storedEventOf(e models.HealthEvent) storedEvent {
	return storedEvent{
		string(e.Type), e.Name, e.Message, e.ErrorName, e.StackTrace, e.ComponentStack, e.IsFatal, e.Count,
		converted(e.Tags, pairOf), converted(e.FlagStates, pairOf), e.SentName, converted(e.Breadcrumbs, storedBreadcrumbOf),
	}
}

func storedBreadcrumbOf(b models.Breadcrumb) storedBreadcrumb {
	s := storedBreadcrumb{Category: b.Category, Message: b.Message, Level: string(b.Level), Data: converted(b.Data, pairOf)}
	if !b.At.IsZero() {
		s.At = b.At.UnixMilli()
	}
	return s
}

func pairOf(t models.Text) [2]string { return [2]string{t.Name, t.Value} }

func textOf(pair [2]string) models.Text { return models.Text{Name: pair[0], Value: pair[1]} }

func (s storedEntry) entry() (e logEntry) {
	if r := s.Report; r != nil {
		e.report = &models.HealthReport{
			ID: r.ID, ProjectID: r.ProjectID, DeviceID: r.DeviceID, Channel: r.Channel, Platform: models.Platform(r.Platform),
			RuntimeVersion: r.RuntimeVersion, UpdateUUID: r.UpdateUUID, ReceivedAt: time.UnixMilli(r.ReceivedAt).UTC(),
			Events: converted(r.Events, storedEvent.event), ShareBucket: r.ShareBucket, Keyed: r.Keyed,
			Source: models.ReportSource{Network: models.NetworkHash(r.Network), Trusted: r.Trusted, Served: r.Served},
		}
	}
	e.exposures = converted(s.Exposures, func(x storedExposure) models.Exposure {
		return models.Exposure{
			ProjectID: x.ProjectID, DeviceID: x.DeviceID, Platform: models.Platform(x.Platform), Channel: x.Channel,
			RuntimeVersion: x.RuntimeVersion, UpdateUUID: x.UpdateUUID, Kind: models.ExposureKind(x.Kind),
			ServedAt: time.UnixMilli(x.ServedAt).UTC(), ShareBucket: x.ShareBucket, Network: models.NetworkHash(x.Network),
			Allocation: models.AllocationHash(x.Allocation),
		}
	})
	e.evaluations = converted(s.Evaluations, func(v storedEvaluations) models.FlagEvaluations {
		return models.FlagEvaluations{
			ProjectID: v.ProjectID, FlagKey: v.FlagKey, Channel: v.Channel, Value: v.Value, Count: v.Count,
			ReceivedAt: time.UnixMilli(v.ReceivedAt).UTC(), LastAt: time.UnixMilli(v.LastAt).UTC(),
		}
	})
	return e
}

func (s storedEvent) event() models.HealthEvent {
	return models.HealthEvent{
		Type: models.HealthEventType(s.Type), Name: s.Name, Message: s.Message, ErrorName: s.ErrorName, StackTrace: s.StackTrace,
		ComponentStack: s.ComponentStack, IsFatal: s.IsFatal, Count: s.Count, SentName: s.SentName,
		Tags: converted(s.Tags, textOf), FlagStates: converted(s.FlagStates, textOf),
		Breadcrumbs: converted(s.Breadcrumbs, storedBreadcrumb.breadcrumb),
	}
}

func (s storedBreadcrumb) breadcrumb() models.Breadcrumb {
	b := models.Breadcrumb{Category: s.Category, Message: s.Message, Level: models.BreadcrumbLevel(s.Level), Data: converted(s.Data, textOf)}
	if s.At != 0 {
		b.At = time.UnixMilli(s.At).UTC()
	}
	return b
}

// converted returns the converted elements, or nil for an empty list.
func converted[A, B any](all []A, convert func(A) B) []B {
	if len(all) == 0 {
		return nil
	}
	to := make([]B, len(all))
	for i, one := range all {
		to[i] = convert(one)
	}
	return to
}
