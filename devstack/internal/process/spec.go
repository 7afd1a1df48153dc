// Package process starts, recognises and stops the stack's processes.
package process

import "syscall"

// Spec describes a process to start.
type Spec struct {
	// Name is the process's name in the data folder: its pid file and log.
	Name string
	// Path is the program, Args its arguments without the program's name.
	Path string
	Args []string
	// Env is the whole environment.
	Env []string
	// Dir is the working directory.
	Dir string
	// Address is where the process will answer, for people and for status.
	Address string
	// Identity is the user to run as; nil runs as the caller.
	Identity *Identity
	// Tethered ties the process's life to this one: it is killed when this
	// process ends, however that happens.
	Tethered bool
}

// Identity is a user other than the caller.
type Identity struct {
	UID, GID int
	// Namespace maps the caller to that user in a namespace of its own, so
	// that files keep their owner. Without it the process really changes
	// users.
	Namespace bool
}

// Attributes returns the attributes with which the kernel creates the process.
func (s Spec) Attributes() *syscall.SysProcAttr {
	// A session of its own: a Ctrl-C meant for the caller passes it by.
	attr := &syscall.SysProcAttr{Setsid: true}
	if s.Tethered {
		Tether(attr, syscall.SIGKILL)
	}
	switch id := s.Identity; {
	case id == nil:
	case id.Namespace:
		enterNamespace(attr, id)
	default:
		attr.Credential = &syscall.Credential{Uid: uint32(id.UID), Gid: uint32(id.GID)}
	}
	return attr
}
