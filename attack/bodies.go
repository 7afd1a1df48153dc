package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

const (
	silentLogins = 1500
	// silentLimit is the server's bound of 30 s for a body, and some time to close all connections.
	silentLimit = 36 * time.Second
)

// silentBodies opens connections that log in and never send one byte of their bodies.
func silentBodies(ctx context.Context, t *target) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, silentLimit)
	defer cancel()
	began := time.Now()
	var open atomic.Int64
	var waiting sync.WaitGroup
	opened := 0
	for range silentLogins {
		conn, err := t.dial(ctx)
		if err != nil {
			break // a server may refuse more
		}
		if _, err := fmt.Fprintf(conn, "POST /v1/auth/login HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n",
			hostPort(t.url)); err != nil {
			conn.Close()
			continue
		}
		opened++
		waiting.Go(func() {
			defer conn.Close()
			_, err := io.Copy(io.Discard, conn)
			var timeout net.Error
			if errors.As(err, &timeout) && timeout.Timeout() {
				open.Add(1)
			}
		})
	}
	waiting.Wait()
	if opened == 0 {
		return "", errors.New("the server took no connection")
	}
	if n := open.Load(); n > 0 {
		return "", broken(fmt.Sprintf("%d of %d logins without a byte of body are open after %v", n, opened, silentLimit))
	}
	return fmt.Sprintf("%d logins without a byte of body are closed after %.0f s, the bound is 30 s", opened, time.Since(began).Seconds()), nil
}
