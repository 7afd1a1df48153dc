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

// scratch returns where exec's folders go: into memory, because tests create and drop
// thousands of files, which takes some disks a millisecond each. It is the temporary
// folder instead when there is too little memory, when the data must be durable, or
// when TMPDIR is set.
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
