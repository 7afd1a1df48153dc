package main

import (
	"context"
	"errors"
	"fmt"
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
	silent := openUnfinished(ctx, t, silentLogins, "POST /v1/auth/login HTTP/1.1\r\nHost: "+hostPort(t.url)+
		"\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n")
	if silent.opened == 0 {
		return "", errors.New("the server took no connection")
	}
	if n := silent.await(); n > 0 {
		return "", broken(fmt.Sprintf("%d of %d logins without a byte of body are open after %v", n, silent.opened, silentLimit))
	}
	return fmt.Sprintf("%d logins without a byte of body are closed after %.0f s", silent.opened, time.Since(began).Seconds()), nil
}
