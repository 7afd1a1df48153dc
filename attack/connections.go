package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

const (
	slowConnections = 400
	// slowLimit is the time within which the server must close connections with unfinished headers. slowAnswer is the
	// longest that other clients may wait while those are open.
	slowLimit  = 15 * time.Second
	slowAnswer = time.Second
)

// manyConnections opens connections that begin a request and never finish its headers.
func manyConnections(ctx context.Context, t *target) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, slowLimit)
	defer cancel()
	began := time.Now()
	slow := openUnfinished(ctx, t, slowConnections, "GET /healthz HTTP/1.1\r\nHost: "+hostPort(t.url)+"\r\nX-Slow: ")
	var slowest time.Duration
	for range 20 {
		asked := time.Now()
		a, err := t.send(ctx, request{path: "/healthz"})
		if err != nil || a.status != http.StatusOK {
			return "", broken(fmt.Sprintf("%d connections that never finish their headers keep others from getting a response: %d %v",
				slowConnections, a.status, err))
		}
		slowest = max(slowest, time.Since(asked))
	}
	if n := slow.await(); n > 0 {
		return "", broken(fmt.Sprintf("%d of %d connections whose headers never end are open after %v", n, slowConnections, slowLimit))
	}
	if slowest > slowAnswer {
		return "", broken(fmt.Sprintf("others waited %v", slowest))
	}
	return fmt.Sprintf("%d that never finish their headers are closed after %.0f s, others get responses within %d ms",
		slowConnections, time.Since(began).Seconds(), slowest.Milliseconds()), nil
}
