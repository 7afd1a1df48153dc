package ingest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/fxamacker/cbor/v2"

	"github.com/waft-ota/waft/models"
)

// An entry of the log is a CRC-32C of the rest (4 bytes, little-endian), a version byte
// and a storedEntry as CBOR. The log's files have no checksum of their own, and a file
// system may leave zeros or old data where a power failure interrupted a write.
const (
	entryChecksumBytes = 4
	entryHeaderBytes   = entryChecksumBytes + 1
	entryVersion       = 1

	// entryBytes is more than most entries need.
	entryBytes = 1024
)

var (
	errEntryDamaged = errors.New("entry does not match its checksum")
	errEntryNewer   = errors.New("entry was written by a newer version of Waft")

	castagnoli = crc32.MakeTable(crc32.Castagnoli)

	// Device ids come from headers and may not be valid UTF-8.
	entryEncoding = must(cbor.EncOptions{}.UserBufferEncMode())
	entryDecoding = must(cbor.DecOptions{UTF8: cbor.UTF8DecodeInvalid}.DecMode())
)

func must[T any](mode T, err error) T {
	if err != nil {
		panic(err)
	}
	return mode
}

// logEntry is the content of an entry: one report, or exposures, or evaluations.
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

// sealed fills in the header of an entry.
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

// decodeEntry fails with errEntryDamaged, or with errEntryNewer for an entry of another
// version.
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
