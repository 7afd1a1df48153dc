// Package pid1 does what the kernel expects of the first process of a container.
package pid1

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// forwarded are the signals that end a container or that its processes understand. The kernel ignores them for a first process that does
// not ask for them.
var forwarded = []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2}

// Run runs the program with the arguments, beginning with its name, and returns its exit code. It passes signals on to the
// program, and reaps processes whose parents have ended: those become children of the first process, and stay zombies otherwise.
func Run(path string, args []string) (code int, err error) {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, forwarded...)
	defer signal.Stop(signals)
	program, err := os.StartProcess(path, args, &os.ProcAttr{Env: os.Environ(), Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err != nil {
		return 126, fmt.Errorf("start %s: %w", path, err)
	}
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for {
			select {
			case got := <-signals:
				if number, ok := got.(syscall.Signal); ok {
					_ = syscall.Kill(program.Pid, number) // it may have ended
				}
			case <-ended:
				return
			}
		}
	}()
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return 1, fmt.Errorf("wait for %s: %w", path, err)
		case pid == program.Pid && status.Signaled():
			// As shells report it.
			return 128 + int(status.Signal()), nil
		case pid == program.Pid && status.Exited():
			return status.ExitStatus(), nil
		}
	}
}
