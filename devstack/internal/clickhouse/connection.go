package clickhouse

import (
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"
)

// baseline are a server's defaults for settings that differ in the embedded engine.
var baseline = map[string]string{
	// For a server, "1 + 1" is not a statement.
	"implicit_select": "0",
}

const defaultDatabase = "default"

// connection is one session with the engine, for one request at a time. All its calls are
// made on one thread.
type connection struct {
	lib      *library
	handle   unsafe.Pointer
	calls    chan func()
	settings map[string]string
	database string
	// mark identifies this session's statements in system.processes.
	mark string
	// broken is set when the session's state is unknown.
	broken bool
}

var sessions atomic.Uint64

func newConnection(lib *library, path, config string) (*connection, *Failure) {
	mark := "session " + strconv.FormatUint(sessions.Add(1), 10)
	c := &connection{
		lib: lib, calls: make(chan func()),
		mark: mark, database: defaultDatabase, settings: maps.Clone(baseline),
	}
	go c.serve()
	c.do(func() {
		options := []string{"--log-level=error", "--config-file=" + config}
		for name, value := range baseline {
			options = append(options, "--"+name+"="+value)
		}
		c.handle = lib.open(path, options...)
	})
	if c.handle == nil {
		close(c.calls)
		return nil, &Failure{Code: codeNoEngine, Message: "the engine refused to open its data folder"}
	}
	return c, nil
}

func (c *connection) serve() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for call := range c.calls {
		call()
	}
}

func (c *connection) do(call func()) {
	done := make(chan struct{})
	c.calls <- func() { defer close(done); call() }
	<-done
}

func (c *connection) close() {
	c.do(func() { c.lib.closeConn(c.handle) })
	close(c.calls)
}

// exec runs a statement and calls use with its output, which use must not keep.
func (c *connection) exec(s statement, use func(output []byte)) (failure *Failure) {
	c.do(func() {
		if failure = c.prepare(s); failure != nil {
			return
		}
		failure = c.run(s.sql, s.format, s.params, use)
	})
	return failure
}

// prepare sets the session's database and settings to the statement's.
func (c *connection) prepare(s statement) *Failure {
	if s.database != c.database {
		if failure := c.run("USE "+quoteIdentifier(s.database), "", nil, nil); failure != nil {
			return failure
		}
		c.database = s.database
	}
	want := maps.Clone(baseline)
	want["log_comment"] = c.mark
	maps.Copy(want, s.settings)
	var changes []string
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if value, ok := c.settings[name]; !ok || value != want[name] {
			changes = append(changes, quoteIdentifier(name)+" = "+quoteString(want[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.settings)) {
		if _, ok := want[name]; !ok {
			changes = append(changes, quoteIdentifier(name)+" = DEFAULT")
		}
	}
	if len(changes) == 0 {
		return nil
	}
	if failure := c.run("SET "+strings.Join(changes, ", "), "", nil, nil); failure != nil {
		c.broken = true
		return failure
	}
	c.settings = want
	return nil
}

func (c *connection) run(sql, format string, params []parameter, use func([]byte)) *Failure {
	if format == "" {
		format = "TabSeparated"
	}
	result := c.lib.run(c.handle, sql, format, params)
	if result == nil {
		return &Failure{Code: codeNoEngine, Message: "the engine gave no result"}
	}
	defer c.lib.destroyResult(result)
	if message := c.lib.resultError(result); message != "" {
		return newFailure(message)
	}
	if use != nil {
		use(c.lib.bytes(result))
	}
	return nil
}

func quoteIdentifier(name string) string {
	return "`" + strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(name) + "`"
}

func quoteString(value string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(value) + "'"
}
