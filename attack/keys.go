package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// wrongKeyRequests is more than the number of requests that one address may send in a burst.
const wrongKeyRequests = 20_000

// wrongKeys sends requests with invented keys until the server refuses its address. If the server looked up every key,
// all management requests would have to wait.
func wrongKeys(ctx context.Context, t *target) (string, error) {
	p, err := t.project(ctx)
	if err != nil {
		return "", err
	}
	var sent, limited, failed atomic.Int64
	flooding, stop := context.WithTimeout(ctx, 15*time.Second)
	defer stop()
	senders, flooding := errgroup.WithContext(flooding)
	for range 32 {
		senders.Go(func() error {
			for limited.Load() == 0 && flooding.Err() == nil && sent.Add(1) <= wrongKeyRequests {
				a, err := t.send(flooding, request{path: "/v1/ota/channels", project: p.slug, key: inventedKey(), from: "203.0.113.66"})
				switch {
				case err != nil && flooding.Err() == nil, err == nil && (a.status < 400 || a.status >= 500):
					failed.Add(1)
				case err == nil && a.status == http.StatusTooManyRequests && a.header.Get("Retry-After") != "":
					limited.Add(1)
				}
			}
			return nil
		})
	}
	var slowest time.Duration
	for range 10 {
		began := time.Now()
		if err := p.call(ctx, request{path: "/v1/ota/channels"}, nil); err != nil {
			return "", broken("during the flood a valid key does not get a response: " + err.Error())
		}
		slowest = max(slowest, time.Since(began))
	}
	_ = senders.Wait() // the senders return no errors
	switch n := sent.Load(); {
	case failed.Load() > 0:
		return "", broken(fmt.Sprintf("%d of %d requests with invalid keys are neither refused nor limited", failed.Load(), n))
	case limited.Load() == 0:
		return "", broken(fmt.Sprintf("%d invalid keys from one address are looked up, and none is limited", min(n, wrongKeyRequests)))
	case slowest > time.Second:
		return "", broken(fmt.Sprintf("a valid key waited %v during the flood", slowest))
	default:
		return fmt.Sprintf("their address gets 429 after %d; during the flood a valid key waits at most %d ms", n, slowest.Milliseconds()), nil
	}
}

// inventedKey returns a string in the format of an API key.
func inventedKey() string {
	random := make([]byte, 36)
	_, _ = rand.Read(random) // Read never returns an error
	text := hex.EncodeToString(random)
	return "waft_" + text[:8] + "_" + text[8:]
}
