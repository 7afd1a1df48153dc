package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// kind is one sort of request. client counts from 0, n from 0 over all clients.
type kind struct {
	name    string
	request func(ctx context.Context, client, n int) error
}

// samples are how long requests took, and how long all of them did together.
type samples struct {
	took []time.Duration
	wall time.Duration
}

func (s samples) plus(other samples) samples {
	return samples{append(s.took, other.took...), s.wall + other.wall}
}

// quantile is the time that a share q of the requests did not exceed.
func (s samples) quantile(q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(s.took))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

func (s samples) perSecond() float64 { return float64(len(s.took)) / s.wall.Seconds() }

// measure lets clients send n requests altogether, each the next one as soon as
// its last is answered. It fails with the first request that does, and when limit
// is over.
func measure(ctx context.Context, clients, n int, limit time.Duration, request func(ctx context.Context, client, n int) error) (samples, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%d requests took longer than %v", n, limit))
	defer cancel()
	took := make([]time.Duration, n)
	var next atomic.Int64
	var failed error
	var once sync.Once
	var all sync.WaitGroup
	start := time.Now()
	for client := range clients {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				begun := time.Now()
				if err := request(ctx, client, i); err != nil {
					once.Do(func() { failed = err; cancel() })
					return
				}
				took[i] = time.Since(begun)
			}
		})
	}
	all.Wait()
	if failed == nil && ctx.Err() != nil {
		failed = context.Cause(ctx)
	}
	return samples{took, time.Since(start)}, failed
}

// connections are kept, one for each client.
var connections = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}

// send makes a request and returns the answer's body; another status than
// expected is an error.
func send(ctx context.Context, method, url, contentType, body string, header map[string]string, status int) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, url, err)
	}
	if body != "" {
		req.Header.Set("Content-Type", contentType)
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	answer, err := connections.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, url, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != status {
		err = fmt.Errorf("status %d: %s", answer.StatusCode, text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, url, err)
	}
	return text, nil
}
