package main

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync/atomic"
)

// tap forwards connections to a server and counts the bytes that clients send over them.
type tap struct {
	url  string
	sent atomic.Int64
}

// newTap listens in front of the server at a URL until the session ends.
func (s *session) newTap(ctx context.Context, server string) (*tap, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.atEnd(func() error {
		if err := listener.Close(); !errors.Is(err, net.ErrClosed) {
			return err
		}
		return nil
	})
	t := &tap{url: "http://" + listener.Addr().String()}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return // the session has ended
			}
			go t.forward(ctx, client, strings.TrimPrefix(server, "http://"))
		}
	}()
	return t, nil
}

// forward copies both ways until both have ended. A broken connection is seen by the client.
func (t *tap) forward(ctx context.Context, client net.Conn, server string) {
	defer client.Close()
	to, err := new(net.Dialer).DialContext(ctx, "tcp", server)
	if err != nil {
		return
	}
	defer to.Close()
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		_, _ = io.Copy(client, to)
		client.Close()
	}()
	_, _ = io.Copy(to, io.TeeReader(client, counter{&t.sent}))
	to.Close()
	<-answered
}

// counter counts what is written to it.
type counter struct{ bytes *atomic.Int64 }

func (c counter) Write(p []byte) (int, error) {
	c.bytes.Add(int64(len(p)))
	return len(p), nil
}
