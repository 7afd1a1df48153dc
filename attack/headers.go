package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
)

// oversizedHeaders sends headers of 96 KiB. Without a limit, a few such requests would fill the server's memory.
func oversizedHeaders(ctx context.Context, t *target) (string, error) {
	small, err := t.headerOf(ctx, 8<<10)
	if err != nil || small != http.StatusOK {
		return "", fmt.Errorf("headers of 8 KiB get %d: %w", small, err)
	}
	large, err := t.headerOf(ctx, 96<<10)
	if err == nil && large < 400 {
		return "", broken(fmt.Sprintf("headers of 96 KiB are accepted with %d", large))
	}
	if err != nil {
		return "headers of 96 KiB end the connection", nil //nolint:nilerr // the server may close it
	}
	return fmt.Sprintf("headers of 96 KiB get %d", large), nil
}

// headerOf sends a request whose headers have the given size in bytes, and returns the response's status.
func (t *target) headerOf(ctx context.Context, size int) (int, error) {
	conn, err := t.dial(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	var text strings.Builder
	fmt.Fprintf(&text, "GET /healthz HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n", hostPort(t.url))
	for i := 0; text.Len() < size; i++ {
		fmt.Fprintf(&text, "X-%d: %s\r\n", i, strings.Repeat("a", 1000))
	}
	if _, err := conn.Write([]byte(text.String() + "\r\n")); err != nil {
		return 0, err
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	return res.StatusCode, nil
}

// dial opens a connection that closes at the deadline of ctx.
func (t *target) dial(ctx context.Context) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", hostPort(t.url))
	if err != nil {
		return nil, err
	}
	if end, ok := ctx.Deadline(); ok {
		err = conn.SetDeadline(end)
	}
	return conn, err
}
