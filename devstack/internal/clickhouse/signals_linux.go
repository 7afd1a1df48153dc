package clickhouse

import (
	"syscall"
	"unsafe"
)

// guarded are the signals whose handlers the engine resets to the system's
// defaults when it is asked to install none of its own.
var guarded = []syscall.Signal{
	syscall.SIGABRT, syscall.SIGSEGV, syscall.SIGILL, syscall.SIGBUS,
	syscall.SIGSYS, syscall.SIGFPE, syscall.SIGTSTP, syscall.SIGTRAP,
}

// sigaction is as large as the kernel's struct on every platform.
type sigaction [64]byte

// keepSignals runs fn and puts Go's signal handlers back after it.
func keepSignals(fn func()) {
	saved := make([]sigaction, len(guarded))
	for i, sig := range guarded {
		rtSigaction(sig, nil, &saved[i])
	}
	fn()
	for i, sig := range guarded {
		rtSigaction(sig, &saved[i], nil)
	}
}

func rtSigaction(sig syscall.Signal, set, get *sigaction) {
	const maskSize = 8
	_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(sig),
		uintptr(unsafe.Pointer(set)), uintptr(unsafe.Pointer(get)), maskSize, 0, 0)
}
