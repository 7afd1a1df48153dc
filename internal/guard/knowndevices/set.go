// Package knowndevices remembers, in bounded memory and across restarts, which device ids had something stored, and
// which of them were served a release. So the budget for new device ids of a network (package api) is spent by new ones
// only, and names that served devices report have a reserve (package cardinality).
package knowndevices

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/waft-ota/waft/internal/base/cache"
	"github.com/waft-ota/waft/internal/base/every"
)

const (
	// maxIDs bounds the ids in memory: at most 48 MiB, and 16 MiB in the file.
	maxIDs = 1 << 21
	// saveInterval is how often the file is written while ids are added. A process that is
	// killed forgets what came later.
	saveInterval = 5 * time.Minute

	keyBytes = 32
	sumBytes = 8

	// servedBit is set in the sum of a device that was served a release.
	servedBit = 1
)

// Set contains 63-bit keyed hashes of device IDs by project, and whether each device was served. It remembers up to maxIDs, and forgets
// the least recently seen IDs, but only after at least maxIDs/2 other IDs. One unknown ID in 10^12 has the hash of a known ID.
type Set struct {
	path string
	log  *slog.Logger
	key  [keyBytes]byte

	mu      sync.Mutex
	sums    *cache.Generations[uint64, struct{}]
	changed bool
}

// Open reads the set from the file at path, which need not exist. A file that cannot be read is logged and replaced:
// its devices are new again. Run writes the file.
func Open(path string, log *slog.Logger) *Set {
	s := New()
	s.path, s.log = path, log
	content, err := os.ReadFile(path)
	if err == nil && (len(content) < keyBytes || (len(content)-keyBytes)%sumBytes != 0) {
		err = fmt.Errorf("it has %d bytes, not a key of %d and hashes of %d", len(content), keyBytes, sumBytes)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s
	case err != nil:
		log.Warn("the known devices could not be read; all are new", "file", path, "error", err)
		return s
	}
	copy(s.key[:], content)
	for sum := content[keyBytes:]; len(sum) > 0; sum = sum[sumBytes:] {
		s.add(binary.LittleEndian.Uint64(sum))
	}
	return s
}

// New makes an empty set without a file.
func New() *Set { return newSet(maxIDs) }

func newSet(most int) *Set {
	s := &Set{sums: cache.New[uint64, struct{}](most/2, 0)}
	_, _ = rand.Read(s.key[:]) // it never fails
	return s
}

// Has reports whether the project's device id, in lower case, is known, and keeps it known.
func (s *Set) Has(projectID int64, device string) bool {
	sum := s.sum(projectID, device)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(sum|servedBit) || s.find(sum)
}

// Served reports whether AddServed was called with the project's device ID, in lower case. It marks the ID as recently seen.
func (s *Set) Served(projectID int64, device string) bool {
	sum := s.sum(projectID, device)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(sum | servedBit)
}

// Add makes the project's device id, in lower case, known.
func (s *Set) Add(projectID int64, device string) {
	sum := s.sum(projectID, device)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.find(sum | servedBit) {
		s.add(sum)
	}
}

// AddServed records that the project's device with the ID, in lower case, was served a release.
func (s *Set) AddServed(projectID int64, device string) {
	sum := s.sum(projectID, device)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.find(sum | servedBit) {
		s.sums.Delete(sum)
		s.add(sum | servedBit)
	}
}

// find reports whether the sum is in the set, and keeps it.
func (s *Set) find(sum uint64) bool {
	_, known := s.sums.Get(sum)
	return known
}

func (s *Set) add(sum uint64) {
	s.sums.Put(sum, struct{}{})
	s.changed = true
}

// sum returns the keyed hash of a device ID, with servedBit not set. Because of the key, a device cannot choose an ID that has the hash
// of another device.
func (s *Set) sum(projectID int64, device string) uint64 {
	var space [keyBytes + sumBytes + 256]byte // enough for most IDs without an allocation
	text := append(space[:0], s.key[:]...)
	text = binary.LittleEndian.AppendUint64(text, uint64(projectID))
	sum := sha256.Sum256(append(text, device...))
	return binary.LittleEndian.Uint64(sum[:]) &^ servedBit
}

// Run writes the file every saveInterval and when ctx ends.
func (s *Set) Run(ctx context.Context) error {
	defer s.keep()
	return every.Run(ctx, saveInterval, s.keep)
}

// keep saves the set and logs when that fails.
func (s *Set) keep() {
	if err := s.save(); err != nil {
		s.log.Warn("the known devices could not be written; after a restart they are new", "file", s.path, "error", err)
	}
}

// save replaces the file if ids were added.
func (s *Set) save() error {
	s.mu.Lock()
	if !s.changed {
		s.mu.Unlock()
		return nil
	}
	s.changed = false
	content := append(make([]byte, 0, keyBytes+sumBytes*s.sums.Len()), s.key[:]...)
	for sum := range s.sums.All() { // the older ones first, as Open adds them
		content = binary.LittleEndian.AppendUint64(content, sum)
	}
	s.mu.Unlock()
	written := s.path + ".new"
	err := os.WriteFile(written, content, 0o600)
	if err == nil {
		err = os.Rename(written, s.path)
	}
	if err != nil {
		s.mu.Lock()
		s.changed = true
		s.mu.Unlock()
	}
	return err
}
