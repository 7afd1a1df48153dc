package main

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
)

// line forwards connections to a server, and can be cut: then there is no server at its address.
type line struct {
	addr, target string

	mu       sync.Mutex
	listener net.Listener // nil while it is cut
	ends     map[net.Conn]bool
}

// newLine opens a line to the server at an address until the session ends.
func (s *session) newLine(ctx context.Context, target string) (*line, error) {
	l := &line{addr: "127.0.0.1:0", target: target}
	s.atEnd(l.cut)
	return l, l.mend(ctx)
}

// mend takes connections, at the same address each time.
func (l *line) mend(ctx context.Context) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", l.addr)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.addr, l.listener, l.ends = listener.Addr().String(), listener, map[net.Conn]bool{}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return // it is cut
			}
			go l.forward(ctx, client)
		}
	}()
	return nil
}

// cut ends all connections and stops accepting new ones.
func (l *line) cut() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.listener == nil {
		return nil
	}
	errs := []error{l.listener.Close()}
	l.listener = nil
	for end := range l.ends {
		errs = append(errs, end.Close())
	}
	return errors.Join(errs...)
}

// forward copies both ways until one of them ends.
func (l *line) forward(ctx context.Context, client net.Conn) {
	server, err := new(net.Dialer).DialContext(ctx, "tcp", l.target)
	if err != nil {
		_ = client.Close()
		return
	}
	if !l.join(client, server) {
		return
	}
	ended := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{client, server}, {server, client}} {
		go func() {
			_, _ = io.Copy(way[0], way[1]) // the ends see a broken connection
			ended <- struct{}{}
		}()
	}
	<-ended
	l.leave(client, server)
	<-ended
}

// join notes both ends of a connection, or closes them when the line is cut.
func (l *line) join(ends ...net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, end := range ends {
		if l.listener == nil {
			_ = end.Close()
			continue
		}
		l.ends[end] = true
	}
	return l.listener != nil
}

// leave closes both ends of a connection, unless cut did.
func (l *line) leave(ends ...net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, end := range ends {
		if l.ends[end] {
			delete(l.ends, end)
			_ = end.Close()
		}
	}
}
