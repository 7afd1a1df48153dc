package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// readyInterval is how often a starting server is asked whether it is ready.
const readyInterval = 20 * time.Millisecond

// Serve runs Postgres as a child of this process until ctx ends. The child ends
// with this process however that happens, so that killing one kills both.
func Serve(ctx context.Context, s Settings) error {
	s.Tethered = true
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return err
	}
	spec, err := Prepare(ctx, s)
	if err != nil {
		return err
	}
	server := exec.CommandContext(context.WithoutCancel(ctx), spec.Path, spec.Args...)
	server.Env, server.Dir = spec.Env, spec.Dir
	server.Stdout, server.Stderr = os.Stderr, os.Stderr
	server.SysProcAttr = spec.Attributes()
	if err := process.Spawn(server); err != nil {
		return fmt.Errorf("start %s: %w", Name, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	go announce(ctx, s)

	select {
	case err := <-ended:
		return errors.Join(errors.New("the server ended"), err)
	case <-ctx.Done():
	}
	if err := server.Process.Signal(StopSignal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return <-ended
}

// announce creates the database as soon as the server is ready, and prints the address.
func announce(ctx context.Context, s Settings) {
	tick := time.NewTicker(readyInterval)
	defer tick.Stop()
	for Ready(ctx, s) != nil {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
	fmt.Println("Postgres answers on 127.0.0.1:" + strconv.Itoa(s.Port))
}
