package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/sync/errgroup"
)

const (
	streamPath = "/v1/ota/flag-stream/"
	changePath = "/change"
	// openers open streams at the same time.
	openers = 64
	// settleFor lets what opening the streams has set off end.
	settleFor = 5 * time.Second
	// fanOutLimit is the most that a change may take to reach all streams.
	fanOutLimit = time.Minute
)

// The events of the flag that changes, without rules.
const (
	patchOff = `{"key":"flag-000","flag":{"value":false,"variant":"Off","reason":"DISABLED"}}`
	patchOn  = `{"key":"flag-000","flag":{"value":false,"variant":"Off","reason":"DEFAULT"}}`
)

func patchEvent(data string) string { return "event: patch\ndata: " + data + "\n\n" }

// runStreams measures what open streams take, and how long a change takes to reach them all.
func (s *session) runStreams(ctx context.Context, server *child, p *project, changing int64) error {
	t := newTable(fmt.Sprintf("%d streams\theap KiB\tstacks KiB\tresident KiB\t"+
		"change: median ms\tp99 ms\tlast ms\tCPU µs a stream", s.requests))
	bare, err := s.startProcess(ctx, "serve-flags", bareFlags{
		Put: "event: put\ndata: {}\n\n", Patches: []string{patchEvent(patchOff), patchEvent(patchOn)},
	})
	if err != nil {
		return err
	}
	for _, of := range []struct {
		name, addr, slug string
		server           *child
		change           func(round int) error
	}{
		{"bare Gin", bare, "bare", s.child, func(int) error {
			_, err := send(ctx, http.MethodPost, "http://"+bare+changePath, "", "", nil, http.StatusNoContent)
			return err
		}},
		{fmt.Sprint("Waft, ", projectFlags, " flags"), p.w.addr, p.slug, server, func(round int) error {
			body := fmt.Sprintf(`{"enabled": %t}`, round%2 == 1)
			return p.send(ctx, http.MethodPatch, fmt.Sprintf("/v1/ota/flags/%d", changing), body, http.StatusOK)
		}},
	} {
		f, err := s.follow(ctx, of.server, of.addr, of.slug)
		if err != nil {
			return fmt.Errorf("%s: %w", of.name, err)
		}
		if err := f.changes(ctx, s.rounds, of.change); err != nil {
			return fmt.Errorf("%s: %w", of.name, err)
		}
		f.close()
		kib := func(bytes int64) float64 { return float64(bytes) / 1024 / float64(s.requests) }
		t.row("%s\t%.1f\t%.1f\t%.1f\t%.0f\t%.0f\t%.0f\t%.0f", of.name, kib(f.memory.Heap), kib(f.memory.Stacks), kib(f.memory.Resident),
			f.took.ms(.5), f.took.ms(.99), f.took.ms(1), float64(f.cpu)/float64(time.Microsecond)/float64(len(f.took.took)))
	}
	return t.print()
}

// followers are open streams of one server.
type followers struct {
	server *child
	conns  []net.Conn
	heard  chan heard
	// memory is the additional memory that the server uses.
	memory memory
	// took is how long each change took to reach each stream, cpu what all took of the server.
	took samples
	cpu  time.Duration
}

// heard is an event that a stream got.
type heard struct {
	text string
	at   time.Time
	err  error
}

// follow opens s.requests streams.
func (s *session) follow(ctx context.Context, server *child, addr, slug string) (f *followers, err error) {
	f = &followers{server: server, heard: make(chan heard, s.requests)}
	before, err := server.memory()
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	opening, o := errgroup.WithContext(ctx)
	opening.SetLimit(openers)
	for i := range s.requests {
		opening.Go(func() error {
			conn, err := new(net.Dialer).DialContext(o, "tcp", addr)
			if err != nil {
				return err
			}
			mu.Lock()
			f.conns = append(f.conns, conn)
			mu.Unlock()
			_, err = conn.Write(httpRequest(streamPath+slug+"?channel=production&runtimeVersion=1.3.0&platform=ios&deviceId="+bulkDevice(i), nil))
			if err == nil {
				go f.hear(conn)
			}
			return err
		})
	}
	s.atEnd(func() error { f.close(); return nil })
	if err := opening.Wait(); err != nil {
		return nil, err
	}
	if _, err := f.all(ctx, "event: put\n"); err != nil {
		return nil, err
	}
	settle := time.NewTimer(s.lasting(settleFor))
	if err := wait(ctx, settle.C); err != nil {
		return nil, err
	}
	after, err := server.memory()
	f.memory = memory{Heap: after.Heap - before.Heap, Stacks: after.Stacks - before.Stacks, Resident: after.Resident - before.Resident}
	return f, err
}

// hear reads a stream until it ends. It does as little as possible: an event ends with a chunk of the response.
func (f *followers) hear(conn net.Conn) {
	var text []byte
	buffer := make([]byte, 1<<10)
	for {
		n, err := conn.Read(buffer)
		at := time.Now()
		text = append(text, buffer[:n]...)
		if err != nil {
			f.heard <- heard{err: err}
			return
		}
		if !bytes.HasSuffix(text, []byte("\n\n\r\n")) {
			continue
		}
		if bytes.Contains(text, []byte("event: ")) { // and no heartbeat
			f.heard <- heard{text: string(text), at: at}
		}
		text = text[:0]
	}
}

// all waits until every stream has heard an event with the text, and returns when each did.
func (f *followers) all(ctx context.Context, text string) (at []time.Time, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, fanOutLimit, fmt.Errorf("not every stream heard within %v", fanOutLimit))
	defer cancel()
	for range f.conns {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case h := <-f.heard:
			if h.err != nil {
				return nil, h.err
			}
			if !bytes.Contains([]byte(h.text), []byte(text)) {
				return nil, fmt.Errorf("a stream heard %.300q", h.text)
			}
			at = append(at, h.at)
		}
	}
	return at, nil
}

// changes measures how long changes take to reach the streams; a first one is discarded.
func (f *followers) changes(ctx context.Context, rounds int, change func(round int) error) error {
	for round := range rounds + 1 {
		used, _ := cpuTime(f.server.pid)
		began := time.Now()
		if err := change(round); err != nil {
			return err
		}
		heard, err := f.all(ctx, patchEvent([]string{patchOff, patchOn}[round%2]))
		if err != nil {
			return err
		}
		if round == 0 {
			continue
		}
		now, _ := cpuTime(f.server.pid)
		f.cpu += now - used
		took := make([]time.Duration, len(heard))
		for i := range heard {
			took[i] = heard[i].Sub(began)
		}
		f.took.add(took, 0)
	}
	return nil
}

func (f *followers) close() {
	for _, conn := range f.conns {
		conn.Close()
	}
}

// stream serves streams, to which the next patch goes when changePath is asked for.
func (b bareFlags) stream(engine *gin.Engine) {
	var mu sync.Mutex
	changes, changed := 0, make(chan struct{})
	next := func() (n int, change <-chan struct{}) {
		mu.Lock()
		defer mu.Unlock()
		return changes, changed
	}
	engine.POST(changePath, func(c *gin.Context) {
		mu.Lock()
		changes++
		close(changed)
		changed = make(chan struct{})
		mu.Unlock()
		c.Status(http.StatusNoContent)
	})
	engine.GET(streamPath+":projectSlug", func(c *gin.Context) {
		_, change := next()
		c.Header("Content-Type", "text/event-stream")
		text := b.Put
		for {
			if _, err := c.Writer.WriteString(text); err != nil {
				return
			}
			c.Writer.Flush()
			select {
			case <-c.Request.Context().Done():
				return
			case <-change:
			}
			var n int
			n, change = next()
			text = b.Patches[(n-1)%len(b.Patches)]
		}
	})
}
