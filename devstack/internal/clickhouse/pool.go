package clickhouse

import (
	"context"
	"sync"
)

// poolSize bounds how many statements run at once; more wait.
const poolSize = 16

// Stats counts what a statement read.
type Stats struct{ Rows, Bytes uint64 }

// statement is one statement with all that belongs to it.
type statement struct {
	sql      string
	format   string
	database string
	settings map[string]string
	params   []parameter
}

// pool holds the sessions with the engine.
type pool struct {
	lib  *library
	path string
	// config is a configuration file of the engine's own, or none.
	config string
	// anchor runs no client's statement: the engine stops when its last session closes.
	anchor *connection
	slots  chan struct{}

	mu   sync.Mutex
	idle []*connection
}

func newPool(path, config string) (*pool, error) {
	lib, err := openLibrary()
	if err != nil {
		return nil, err
	}
	anchor, failure := newConnection(lib, path, config)
	if failure != nil {
		return nil, failure
	}
	return &pool{lib: lib, path: path, config: config, anchor: anchor, slots: make(chan struct{}, poolSize)}, nil
}

// exec runs the statement on a free session and hands its output to use.
func (p *pool) exec(ctx context.Context, s statement, use func([]byte, Stats)) *Failure {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return newFailure(ctx.Err().Error())
	}
	defer func() { <-p.slots }()

	c, failure := p.take()
	if failure != nil {
		return failure
	}
	killed := make(chan struct{})
	spare := context.AfterFunc(ctx, func() { defer close(killed); p.kill(c) })
	failure = c.exec(s, use)
	if !spare() {
		// The kill must not end the session's next statement.
		<-killed
	}
	if c.broken || changesSession(s.sql) {
		c.close()
		return failure
	}
	p.mu.Lock()
	p.idle = append(p.idle, c)
	p.mu.Unlock()
	return failure
}

// kill ends the session's statement when its client has gone. A statement that sets
// log_comment itself is not found and runs on.
func (p *pool) kill(c *connection) {
	s := statement{
		sql:      "KILL QUERY WHERE Settings['log_comment'] = " + quoteString(c.mark) + " ASYNC",
		database: defaultDatabase,
	}
	// The statement may have ended by itself.
	_ = p.anchor.exec(s, nil)
}

func (p *pool) take() (*connection, *Failure) {
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()
	return newConnection(p.lib, p.path, p.config)
}

// close ends every session, and with the last one the engine. No statement may run.
func (p *pool) close() {
	for _, c := range p.idle {
		c.close()
	}
	p.anchor.close()
}
