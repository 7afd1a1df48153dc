package postgres

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// Serve runs Postgres as a child of this process until ctx ends. Killing this process
// kills the child. The password is the environment's.
func Serve(ctx context.Context, s Settings) error {
	s.Tethered, s.Password = true, os.Getenv(PasswordVariable)
	if s.Password == "" {
		return fmt.Errorf("%s is not set", PasswordVariable)
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	spec, err := Prepare(ctx, s)
	if err != nil {
		return err
	}
	server, err := process.Start(s.Dir, spec)
	if err != nil {
		return err
	}
	go announce(ctx, s)
	select {
	case <-server.Done():
		return server.Failure()
	case <-ctx.Done():
		server.Stop(StopSignal, 20*time.Second)
		return nil
	}
}

// announce creates the database when the server is ready, and prints the address.
func announce(ctx context.Context, s Settings) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for Ready(ctx, s) != nil {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
	fmt.Println("Postgres listens on " + net.JoinHostPort(cmp.Or(s.Host, "127.0.0.1"), strconv.Itoa(s.Port)))
}
