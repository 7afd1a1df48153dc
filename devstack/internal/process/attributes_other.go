//go:build !linux

package process

import "syscall"

// Tether does nothing here: only Linux can tie a child's life to its parent's.
func Tether(*syscall.SysProcAttr, syscall.Signal) {}

// enterNamespace does nothing here: only Linux has user namespaces.
func enterNamespace(*syscall.SysProcAttr, *Identity) {}
