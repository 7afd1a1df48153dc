package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// repeatWindow is how often the same problem is logged while it lasts.
	repeatWindow = time.Minute
	// maxProblems bounds the remembered problems. With more, all are forgotten.
	maxProblems = 1000
)

// repeats is a handler that passes on only one record per problem and repeatWindow. While a database is unavailable, the loops of the
// server retry several times per second, and their records would hide all others. The next record of a problem contains the number of
// dropped records as "repeated".
//
// A record describes a problem if it is a warning or an error and has an error attribute or the status 503. Two records describe the
// same problem if their messages and their string attributes are equal. For warnings, the comparison ignores errors and attributes
// that identify a single request.
type repeats struct {
	slog.Handler
	with  string // key of the logger's own attributes
	known *problems
}

// problems contains the recently logged problems.
type problems struct {
	now func() time.Time

	mu   sync.Mutex
	seen map[string]problem
}

type problem struct {
	logged  time.Time
	leftOut int
}

func withoutRepeats(inner slog.Handler, now func() time.Time) slog.Handler {
	return repeats{Handler: inner, known: &problems{now: now, seen: map[string]problem{}}}
}

// Handle writes the record, unless its problem was written less than a repeatWindow
// ago.
func (h repeats) Handle(ctx context.Context, r slog.Record) error {
	key, ok := h.problem(r)
	if !ok {
		return h.Handler.Handle(ctx, r)
	}
	leftOut, due := h.known.note(key)
	if !due {
		return nil
	}
	if leftOut > 0 {
		r = r.Clone()
		r.AddAttrs(slog.Int("repeated", leftOut))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs returns a handler for records that also have these attributes.
func (h repeats) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.Handler = h.Handler.WithAttrs(attrs)
	for _, a := range attrs {
		h.with += part(a)
	}
	return h
}

// WithGroup returns a handler for records whose attributes are in a group.
func (h repeats) WithGroup(name string) slog.Handler {
	h.Handler = h.Handler.WithGroup(name)
	h.with += name + "."
	return h
}

// ofOneRequest are attributes that name a single request and not the problem.
var ofOneRequest = map[string]bool{
	"path": true, "client": true, "requestId": true, "traceId": true, "actor": true, "project": true, "method": true,
}

// problem returns the key of a record's problem, and false when it has none.
func (h repeats) problem(r slog.Record) (key string, ok bool) {
	if r.Level < slog.LevelWarn {
		return "", false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%v\x00%s\x00%s", r.Level, r.Message, h.with)
	r.Attrs(func(a slog.Attr) bool {
		switch {
		case strings.EqualFold(a.Key, "error"): // Temporal's SDK writes Error
			ok = true
		case a.Key == "status" && a.Value.Kind() == slog.KindInt64:
			ok = ok || a.Value.Int64() == http.StatusServiceUnavailable
			b.WriteString(part(slog.String(a.Key, a.Value.String())))
		case r.Level > slog.LevelWarn || !ofOneRequest[a.Key]:
			b.WriteString(part(a))
		}
		return true
	})
	return b.String(), ok
}

// part returns an attribute's part of a key. It leaves out numbers and times, which differ
// between records of the same problem.
func part(a slog.Attr) string {
	if a.Value.Kind() != slog.KindString {
		return ""
	}
	return a.Key + "=" + a.Value.String() + "\x00"
}

// note reports whether to log the problem now, and how many records of it were dropped
// before.
func (p *problems) note(key string) (leftOut int, due bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	known, ok := p.seen[key]
	if ok && now.Sub(known.logged) < repeatWindow {
		known.leftOut++
		p.seen[key] = known
		return 0, false
	}
	if !ok && len(p.seen) >= maxProblems {
		clear(p.seen)
	}
	p.seen[key] = problem{logged: now}
	return known.leftOut, true
}
