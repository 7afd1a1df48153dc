package stack

import (
	"os"

	"golang.org/x/sys/unix"
)

const (
	// memory is where Linux keeps files in memory.
	memory = "/dev/shm"
	// memoryNeeded is what must be free there, in bytes. The whole test suite
	// writes less than a fifth of it.
	memoryNeeded = 8 << 30
)

// scratch returns where exec's folders go. Tests make and drop thousands of files,
// for which some disks take a millisecond each, so that is memory unless there is
// too little of it, the data must be durable, or TMPDIR names a place.
func (c Config) scratch() string {
	if c.Durable || os.Getenv("TMPDIR") != "" {
		return os.TempDir()
	}
	var fs unix.Statfs_t
	if unix.Access(memory, unix.W_OK) != nil || unix.Statfs(memory, &fs) != nil || fs.Bavail*uint64(fs.Bsize) < memoryNeeded {
		return os.TempDir()
	}
	return memory
}
