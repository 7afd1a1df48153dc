package main

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
)

// unfinished counts connections with requests that never end.
type unfinished struct {
	opened  int
	open    atomic.Int64
	waiting sync.WaitGroup
}

// openUnfinished opens up to n connections, fewer if the server refuses more, and sends text on each. Then it waits in
// the background until the server closes them or ctx ends.
func openUnfinished(ctx context.Context, t *target, n int, text string) *unfinished {
	u := &unfinished{}
	for range n {
		conn, err := t.dial(ctx)
		if err != nil {
			break
		}
		if _, err := io.WriteString(conn, text); err != nil {
			conn.Close()
			continue
		}
		u.opened++
		u.waiting.Go(func() {
			defer conn.Close()
			_, err := io.Copy(io.Discard, conn)
			var timeout net.Error
			if errors.As(err, &timeout) && timeout.Timeout() {
				u.open.Add(1)
			}
		})
	}
	return u
}

// await returns the number of connections that the server had left open when ctx ended.
func (u *unfinished) await() int64 {
	u.waiting.Wait()
	return u.open.Load()
}
