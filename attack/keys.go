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

// wrongKeyRequests are more than the address of a client may send at once.
const wrongKeyRequests = 20_000

// wrongKeys asks with invented keys until its address is refused. A look-up for each would keep the management of
// everybody waiting.
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
			return "", broken("meanwhile a right key gets no answer: " + err.Error())
		}
		slowest = max(slowest, time.Since(began))
	}
	_ = senders.Wait() // they return no errors
	switch n := sent.Load(); {
	case failed.Load() > 0:
		return "", broken(fmt.Sprintf("%d of %d requests with wrong keys are neither refused nor limited", failed.Load(), n))
	case limited.Load() == 0:
		return "", broken(fmt.Sprintf("%d wrong keys of one address are looked up, and none is limited", min(n, wrongKeyRequests)))
	case slowest > time.Second:
		return "", broken(fmt.Sprintf("a right key waited %v meanwhile", slowest))
	default:
		return fmt.Sprintf("their address gets 429 after %d; a right key waits at most %d ms meanwhile", n, slowest.Milliseconds()), nil
	}
}

// inventedKey has the form of a key.
func inventedKey() string {
	random := make([]byte, 36)
	_, _ = rand.Read(random) // never returns an error
	text := hex.EncodeToString(random)
	return "waft_" + text[:8] + "_" + text[8:]
}
