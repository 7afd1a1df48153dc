// Package clickhouse serves ClickHouse's HTTP interface over the engine as a library.
package clickhouse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/waft-ota/waft/devstack/internal/modules"
	"github.com/waft-ota/waft/devstack/internal/process"
)

// Options configure a server.
type Options struct {
	// Folder is the absolute data folder.
	Folder string
	// Address is the address to listen on, as host:port.
	Address string
	// Database is the database that exists before the server listens.
	Database string
	// Config is the path of a configuration file of a ClickHouse server that is merged into the engine's own, or "".
	Config string
	// User is the name of the user, "default" if it is empty. The environment has the password.
	User string
	// Names are hosts that requests may name in addition to localhost, such as the server's name in a container network.
	Names []string
}

// Serve runs the engine until ctx ends.
func Serve(ctx context.Context, o Options) error {
	password := os.Getenv(PasswordVariable)
	if password == "" {
		return fmt.Errorf("%s is not set: without a password every program and web page could send statements", PasswordVariable)
	}
	if err := os.MkdirAll(o.Folder, 0o700); err != nil {
		return err
	}
	config, err := configure(o.Folder, o.Config)
	if err != nil {
		return err
	}
	// The engine has some files relative to its working directory.
	if err := os.Chdir(o.Folder); err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.Address)
	if err != nil {
		return err
	}
	defer listener.Close()
	p, err := newPool(o.Folder, config)
	if err != nil {
		return err
	}
	defer p.close()
	create := statement{sql: "CREATE DATABASE IF NOT EXISTS " + quoteIdentifier(o.Database), database: defaultDatabase}
	if failure := p.exec(ctx, create, nil); failure != nil {
		return failure
	}
	hello, err := newGreeting(p)
	if err != nil {
		return err
	}
	h := &handler{pool: p, greeting: hello, user: cmp.Or(o.User, User), password: password, names: o.Names}
	server := &http.Server{Handler: h.routes(), ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	fmt.Printf("ClickHouse %s listens on http://%s\n", hello.version, listener.Addr())
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(draining); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// Installed returns an error when the library of the engine is not installed.
func Installed() error {
	_, err := modules.Find("ClickHouse")
	return err
}

// URL returns the address of a database for clients, with the user's name and password.
func URL(address, password, database string) string {
	u := url.URL{Scheme: "http", User: url.UserPassword(User, password), Host: address, Path: "/" + database}
	return u.String()
}

// Ready returns an error until the server executes a query in the database.
func Ready(ctx context.Context, address, password, database string) error {
	query := url.Values{"query": {"SELECT 1"}, "database": {database}}
	answer, err := process.Get(ctx, URL(address, password, "")+"?"+query.Encode())
	if err == nil && answer != "1" {
		return fmt.Errorf("ClickHouse answered %q", answer)
	}
	return err
}
