package telemetry

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/waft-ota/waft/models"
)

// An entry of the log is a CRC-32C of the rest (4 bytes, little-endian), one byte
// that names the encoding, and a report or serves so encoded. The log's own format has no
// checksum, and a file system may leave zeros or old data where a write was cut
// off by a power failure.
const (
	entryChecksumBytes = 4
	entryHeaderBytes   = entryChecksumBytes + 1

	entryReport      = 1 // see encodeEntry
	entryServes      = 2 // an array of storedServe as JSON
	entryEvaluations = 3 // an array of storedEvaluations as JSON
)

var (
	errEntryDamaged = errors.New("entry does not match its checksum")
	errEntryNewer   = errors.New("entry was written by a newer version of Waft")

	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

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
	case entryReport:
		e.report, err = decodeReport(body)
	case entryServes:
		e.serves, err = decodeServes(body)
	case entryEvaluations:
		e.evaluations, err = decodeEvaluations(body)
	default:
		return logEntry{}, fmt.Errorf("%w: encoding %d", errEntryNewer, encoding)
	}
	return e, err
}
