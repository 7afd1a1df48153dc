package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"strconv"
)

// wire is a connection on which the same requests are sent again and again. It does
// as little as it can, so that the time that is measured is the server's.
type wire struct {
	addr     string
	conn     net.Conn
	in       *bufio.Reader
	requests [][]byte
	next     int
	// devices are the ids that requests are sent by in turn, when there are any: each
	// is written over the id in the one request, at idAt.
	devices []string
	idAt    int
	// answer is the required beginning of every response, and size the required size of its body in bytes; anySize allows any size.
	answer []byte
	size   int
}

const anySize = -1

// answerOK and answerNoContent are beginnings of responses.
var answerOK, answerNoContent = []byte("HTTP/1.1 200 "), []byte("HTTP/1.1 204 ")

// httpRequest returns the bytes of a GET request.
func httpRequest(path string, header map[string]string) []byte {
	var request bytes.Buffer
	fmt.Fprintf(&request, "GET %s HTTP/1.1\r\nHost: waft\r\n", path)
	for name, value := range header {
		fmt.Fprintf(&request, "%s: %s\r\n", name, value)
	}
	request.WriteString("\r\n")
	return request.Bytes()
}

var contentLength = []byte("Content-Length: ")

// do sends the next request and reads the response, which must have the expected status and
// size.
func (w *wire) do(ctx context.Context) error {
	if until, ok := ctx.Deadline(); ok {
		if err := w.conn.SetDeadline(until); err != nil {
			return err
		}
	}
	request := w.requests[w.next%len(w.requests)]
	if w.devices != nil {
		copy(request[w.idAt:], w.devices[w.next])
	}
	if _, err := w.conn.Write(request); err != nil {
		return err
	}
	w.next = (w.next + 1) % max(len(w.requests), len(w.devices))
	line, err := w.in.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(line, w.answer) {
		return fmt.Errorf("the response is %q", bytes.TrimSpace(line))
	}
	size := 0
	for {
		if line, err = w.in.ReadSlice('\n'); err != nil {
			return err
		}
		if len(line) <= len("\r\n") {
			break
		}
		if value, ok := bytes.CutPrefix(line, contentLength); ok {
			if size, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
	}
	if size != w.size && w.size != anySize {
		return fmt.Errorf("the body has %d bytes, not %d", size, w.size)
	}
	_, err = w.in.Discard(size)
	return err
}

// wires are the connections of all clients to one server.
type wires []*wire

// openWires connects to addr until the end of the session. The clients begin with different
// requests.
func (s *session) openWires(ctx context.Context, addr string, requests [][]byte, size int) (wires, error) {
	var all wires
	for client := range s.clients {
		w := &wire{
			addr: addr, in: bufio.NewReaderSize(nil, 32<<10), requests: requests, next: client * len(requests) / s.clients,
			answer: answerOK, size: size,
		}
		all = append(all, w)
		s.atEnd(func() error { return w.conn.Close() })
	}
	return all, all.connect(ctx)
}

// connect replaces the connections of all clients, because a server closes a connection that is idle for long.
func (w wires) connect(ctx context.Context) error {
	for _, one := range w {
		if one.conn != nil {
			if err := one.conn.Close(); err != nil {
				return err
			}
		}
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", one.addr)
		if err != nil {
			return err
		}
		one.conn = conn
		one.in.Reset(conn)
	}
	return nil
}

// of makes the clients send their one request for their part of the devices in turn: each
// id, as long as the one in the request, is written over that.
func (w wires) of(id string, devices []string) {
	for client, one := range w {
		one.requests = [][]byte{bytes.Clone(one.requests[0])}
		one.idAt = bytes.Index(one.requests[0], []byte(id))
		one.devices = devices[client*len(devices)/len(w) : (client+1)*len(devices)/len(w)]
		one.next = 0
	}
}

func (w wires) request(ctx context.Context, client, _ int) error { return w[client].do(ctx) }
