// Command devstack runs Waft and the engines that it needs as processes of one machine.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/waft-ota/waft/devstack/internal/pid1"
)

func main() {
	if os.Getpid() == 1 {
		asFirstProcess()
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := root().ExecuteContext(ctx)
	stop()
	var code exitCode
	switch {
	case err == nil:
	case errors.As(err, &code):
		os.Exit(int(code))
	default:
		fmt.Fprintln(os.Stderr, "devstack: error: "+message(err))
		os.Exit(1)
	}
}

// asFirstProcess runs this program as the child of a container's first process, and ends with it.
func asFirstProcess() {
	self, err := os.Executable()
	if err == nil {
		var code int
		if code, err = pid1.Run(self, os.Args); err == nil {
			os.Exit(code)
		}
	}
	fmt.Fprintln(os.Stderr, "devstack: error: "+message(err))
	os.Exit(1)
}

func message(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "the disk is full: free some space and try again"
	case errors.Is(err, context.Canceled):
		return "interrupted"
	default:
		return strings.ReplaceAll(err.Error(), "\n", "; ")
	}
}

// exitCode is the exit code of the command that exec ran.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }
