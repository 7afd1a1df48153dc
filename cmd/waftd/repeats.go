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
	// maxProblems bounds the problems that are remembered at a time.
	maxProblems = 1000
)

// repeats passes records on to another handler, but of those that tell of the same
// problem only one in a repeatWindow: a database that is away makes every loop of
// the server try again several times a second, and a log full of that hides the
// rest. The next record of a problem says how many were left out before it, as
// "repeated".
//
// A record tells of a problem when it is a warning or worse and has an error, or the
// status 503. Two tell of the same one when their messages and their attributes of
// type string agree; of warnings, errors and what names a single request do not count.
type repeats struct {
	slog.Handler
	with  string // key of the attributes that the logger has itself
	known *problems
}

// problems are those that were logged of late.
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

// WithAttrs is a handler of records that have these attributes too.
func (h repeats) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.Handler = h.Handler.WithAttrs(attrs)
	for _, a := range attrs {
		h.with += part(a)
	}
	return h
}

// WithGroup is a handler of records whose attributes are in a group.
func (h repeats) WithGroup(name string) slog.Handler {
	h.Handler = h.Handler.WithGroup(name)
	h.with += name + "."
	return h
}

// ofOneRequest name a single request rather than what is wrong.
var ofOneRequest = map[string]bool{
	"path": true, "client": true, "requestId": true, "traceId": true, "actor": true, "project": true, "method": true,
}

// problem is the key of what a record tells of, and false when that is no problem.
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

// part is an attribute's part of a key. Numbers and times differ from one try to the
// next.
func part(a slog.Attr) string {
	if a.Value.Kind() != slog.KindString {
		return ""
	}
	return a.Key + "=" + a.Value.String() + "\x00"
}

// note says whether the problem is to be logged now, and how many records of it were
// left out before.
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
		p.forget(now)
	}
	p.seen[key] = problem{logged: now}
	return known.leftOut, true
}

// forget makes room: for the problems that are over, or else for all.
func (p *problems) forget(now time.Time) {
	for key, known := range p.seen {
		if now.Sub(known.logged) >= repeatWindow {
			delete(p.seen, key)
		}
	}
	if len(p.seen) >= maxProblems {
		clear(p.seen)
	}
}
