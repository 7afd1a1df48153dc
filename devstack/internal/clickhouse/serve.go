package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"
)

// drainTime is how long running requests may take when the server stops.
const drainTime = 5 * time.Second

// Serve runs the engine on the folder and answers on the address until ctx
// ends. The named database exists from the first answer on. config is a
// configuration file of ClickHouse's own, in the form of a server's, or empty.
func Serve(ctx context.Context, folder, address, database, config string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	// The engine keeps some files relative to where it runs.
	if err := os.Chdir(folder); err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer listener.Close()

	p, err := newPool(folder, config)
	if err != nil {
		return err
	}
	defer p.close()

	create := statement{sql: "CREATE DATABASE IF NOT EXISTS " + quoteIdentifier(database), database: defaultDatabase}
	if failure := p.exec(ctx, create, nil); failure != nil {
		return failure
	}
	hello, err := newGreeting(p)
	if err != nil {
		return err
	}

	h := &handler{pool: p, greeting: hello}
	server := &http.Server{Handler: h.routes(), ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	fmt.Printf("ClickHouse %s answers on http://%s\n", hello.version, listener.Addr())

	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	if err := server.Shutdown(draining); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}
