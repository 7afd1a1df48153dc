package clickhouse

import (
	"cmp"
	"context"
	"sync"
	"time"
)

// poolSize is the number of statements that run at the same time. Further statements wait.
const poolSize = 16

// killPause is the longest time between two tries to end a statement.
const killPause = 5 * time.Second

// statement is one statement with its session's state.
type statement struct {
	sql      string
	format   string
	database string
	settings map[string]string
	params   []parameter
}

type pool struct {
	lib  *library
	path string
	// config is the path of the engine's configuration file.
	config string
	// anchor keeps the engine running, which stops when its last session closes. It runs
	// no client's statement.
	anchor *connection
	slots  chan struct{}

	mu sync.Mutex
	// idle holds the free sessions by their value of readOnly, which a session keeps.
	idle map[string][]*connection
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
	return &pool{
		lib: lib, path: path, config: config, anchor: anchor, slots: make(chan struct{}, poolSize), idle: map[string][]*connection{},
	}, nil
}

// exec runs the statement on a free session and hands its output to use.
func (p *pool) exec(ctx context.Context, s statement, use func([]byte)) *Failure {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return newFailure(ctx.Err().Error())
	}
	defer func() { <-p.slots }()
	mode := cmp.Or(s.settings[readOnly], "0")
	c, failure := p.take(mode)
	if failure != nil {
		return failure
	}
	ended, killed := make(chan struct{}), make(chan struct{})
	spare := context.AfterFunc(ctx, func() { defer close(killed); p.kill(c, ended) })
	failure = c.exec(s, use)
	close(ended)
	if !spare() {
		// A late kill would end the session's next statement. The engine lists the killed one until its session closes.
		<-killed
		c.broken = true
	}
	if c.broken || changesSession(s.sql) || mode != "0" && mode != othersMaySet {
		c.close()
		return failure
	}
	p.mu.Lock()
	p.idle[mode] = append(p.idle[mode], c)
	p.mu.Unlock()
	return failure
}

// kill ends the session's statement after its client has disconnected. It tries again until the statement has ended, because the
// engine may not have begun it yet. It waits twice as long each time, up to killPause, so that clients that give up on a busy engine do
// not make it busier. It does not find a statement that sets log_comment itself.
func (p *pool) kill(c *connection, ended <-chan struct{}) {
	s := statement{
		sql:      "KILL QUERY WHERE Settings['log_comment'] = " + quoteString(c.mark) + " ASYNC",
		database: defaultDatabase,
	}
	pause := 100 * time.Millisecond
	again := time.NewTimer(pause)
	defer again.Stop()
	for {
		_ = p.anchor.exec(s, nil) // the statement may have ended
		select {
		case <-ended:
			return
		case <-again.C:
			pause = min(2*pause, killPause)
			again.Reset(pause)
		}
	}
}

func (p *pool) take(mode string) (*connection, *Failure) {
	p.mu.Lock()
	if n := len(p.idle[mode]); n > 0 {
		c := p.idle[mode][n-1]
		p.idle[mode] = p.idle[mode][:n-1]
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()
	return newConnection(p.lib, p.path, p.config)
}

// close ends all sessions and so the engine. No statement may run.
func (p *pool) close() {
	for _, sessions := range p.idle {
		for _, c := range sessions {
			c.close()
		}
	}
	p.anchor.close()
}
