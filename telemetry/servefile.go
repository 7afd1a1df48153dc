package telemetry

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"time"

	"github.com/waft-ota/waft/models"
)

// entryServeV1 is the encoding of one serve in a serveFile; see appendServeEntry. It is
// in no log.
const entryServeV1 = 16

// serveFile holds the serves of a serveBatch a second time, for the next start of a
// process that is killed: what was written to a file survives that without any sync,
// since it is the kernel's by then. Only a power failure takes it. The zero value keeps
// nothing.
type serveFile struct {
	file *os.File
	// size is where the last whole entry ends.
	size          int64
	entry, framed []byte
	// failed is why nothing is kept until the file is emptied.
	failed error
}

// add keeps a serve; false when it could not. It allocates nothing.
func (f *serveFile) add(key *serveKey, kept *keptServe) bool {
	if f.file == nil || f.failed != nil {
		return f.file == nil
	}
	f.entry = appendServeEntry(f.entry[:0], key, kept)
	// The size goes in front, as in the log's files.
	f.framed = append(binary.AppendUvarint(f.framed[:0], uint64(len(f.entry))), f.entry...)
	if _, err := f.file.Write(f.framed); err != nil {
		// Half an entry in the middle would hide what follows it.
		f.failed = errors.Join(err, f.file.Truncate(f.size))
		return false
	}
	f.size += int64(len(f.framed))
	return true
}

// empty forgets what is kept and returns why something was not, if so.
func (f *serveFile) empty() error {
	if f.file == nil || f.size == 0 && f.failed == nil {
		return nil
	}
	failed := f.failed
	f.size = 0
	if f.failed = f.file.Truncate(0); f.failed != nil {
		return errors.Join(failed, f.failed)
	}
	return failed
}

func (f *serveFile) close() error {
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	*f = serveFile{}
	return err
}

func openServeFile(path string) (serveFile, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND|os.O_TRUNC, 0o640)
	return serveFile{file: file}, err
}

// readServeFiles returns the serves that a killed process left in dir, which need not
// be there.
func readServeFiles(dir string) ([]models.Serve, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the files of serves: %w", err)
	}
	var serves []models.Serve
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return nil, fmt.Errorf("read serves: %w", err)
		}
		// A serve that the kill cut off was never answered.
		for data = data[:wholeEntries(data)]; len(data) > 0; {
			size, n := binary.Uvarint(data)
			entry := data[n : n+int(size)]
			data = data[n+int(size):]
			if s, ok := decodeServeEntry(entry); ok {
				serves = append(serves, s)
			}
		}
	}
	return serves, nil
}

// appendServeEntry appends an entry as sealEntry makes them, of three varints (project,
// Unix milliseconds, the bucket plus one or 0) and six texts, each with its length as an
// unsigned varint in front.
func appendServeEntry(to []byte, key *serveKey, kept *keptServe) []byte {
	bucket := uint64(0)
	if kept.shareBucket != nil {
		bucket = uint64(*kept.shareBucket) + 1
	}
	start := len(to)
	to = append(to, 0, 0, 0, 0, entryServeV1)
	to = binary.AppendVarint(to, key.projectID)
	to = binary.AppendVarint(to, kept.servedAt/int64(time.Millisecond))
	to = binary.AppendUvarint(to, bucket)
	for _, text := range [...]string{
		key.deviceID, key.updateUUID, string(key.kind), string(kept.platform), kept.channel, kept.runtimeVersion,
	} {
		to = binary.AppendUvarint(to, uint64(len(text)))
		to = append(to, text...)
	}
	entry := to[start:]
	binary.LittleEndian.PutUint32(entry, crc32.Checksum(entry[entryChecksumBytes:], castagnoli))
	return to
}

// decodeServeEntry reads an intact entry; false when it is none of a serve.
func decodeServeEntry(entry []byte) (s models.Serve, ok bool) {
	if entry[entryChecksumBytes] != entryServeV1 {
		return s, false
	}
	r := serveReader{rest: entry[entryHeaderBytes:]}
	s.ProjectID = r.number()
	s.ServedAt = time.UnixMilli(r.number()).UTC()
	if bucket := r.size(); bucket > 0 {
		s.ShareBucket = new(uint32(bucket - 1))
	}
	s.DeviceID, s.UpdateUUID, s.Kind = r.text(), r.text(), models.ServeKind(r.text())
	s.Platform, s.Channel, s.RuntimeVersion = models.Platform(r.text()), r.text(), r.text()
	return s, !r.short
}

// serveReader reads what appendServeEntry wrote; short says that there was less.
type serveReader struct {
	rest  []byte
	short bool
}

func (r *serveReader) number() int64 {
	value, n := binary.Varint(r.rest)
	r.skip(n)
	return value
}

func (r *serveReader) size() uint64 {
	value, n := binary.Uvarint(r.rest)
	r.skip(n)
	return value
}

func (r *serveReader) text() string {
	size := r.size()
	if size > uint64(len(r.rest)) {
		r.skip(0)
		return ""
	}
	text := string(r.rest[:size])
	r.rest = r.rest[size:]
	return text
}

// skip passes over the bytes of a number, of which there is at least one.
func (r *serveReader) skip(n int) {
	if n <= 0 {
		r.short, r.rest = true, nil
		return
	}
	r.rest = r.rest[n:]
}
