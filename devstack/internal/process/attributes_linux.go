package process

import (
	"os"
	"syscall"
)

// Tether has the kernel send the process a signal when its parent dies.
func Tether(attr *syscall.SysProcAttr, signal syscall.Signal) { attr.Pdeathsig = signal }

// enterNamespace starts the process in a user namespace in which the caller
// appears as another user. On disk and to the kernel it stays the caller.
func enterNamespace(attr *syscall.SysProcAttr, id *Identity) {
	attr.Cloneflags |= syscall.CLONE_NEWUSER
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: id.UID, HostID: os.Getuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: id.GID, HostID: os.Getgid(), Size: 1}}
}
