package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	silentLogins = 1500
	// silentLimit is the server's limit of 30 s for a body, plus some time to close all connections.
	silentLimit = 36 * time.Second
)

// silentBodies opens connections that start a sign-in request and never send a byte of its body.
func silentBodies(ctx context.Context, t *target) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, silentLimit)
	defer cancel()
	began := time.Now()
	silent := openUnfinished(ctx, t, silentLogins, "POST /v1/auth/login HTTP/1.1\r\nHost: "+hostPort(t.url)+
		"\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n")
	if silent.opened == 0 {
		return "", errors.New("the server accepted none of the connections")
	}
	if n := silent.await(); n > 0 {
		return "", broken(fmt.Sprintf("%d of %d sign-in requests without a body are still open after %v", n, silent.opened, silentLimit))
	}
	return fmt.Sprintf("%d sign-in requests without a body are closed after %.0f s", silent.opened, time.Since(began).Seconds()), nil
}
