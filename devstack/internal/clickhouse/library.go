package clickhouse

import (
	"fmt"
	"path/filepath"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/waft-ota/waft/devstack/internal/modules"
)

// library is the part of the engine's C interface that this package uses.
type library struct {
	connect       func(argc int32, argv unsafe.Pointer) unsafe.Pointer
	closeConn     func(conn unsafe.Pointer)
	setSignals    func(enabled int32)
	destroyResult func(result unsafe.Pointer)
	resultBuffer  func(result unsafe.Pointer) unsafe.Pointer
	resultLength  func(result unsafe.Pointer) uintptr
	resultError   func(result unsafe.Pointer) string

	query func(conn unsafe.Pointer,
		sql unsafe.Pointer, sqlLen uintptr, format unsafe.Pointer, formatLen uintptr,
		names, nameLens, values, valueLens unsafe.Pointer, count uintptr) unsafe.Pointer
}

func openLibrary() (*library, error) {
	dir, err := modules.Find("ClickHouse")
	if err != nil {
		return nil, err
	}
	handle, err := purego.Dlopen(filepath.Join(dir, "libchdb.so"), purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("load ClickHouse: %w", err)
	}
	lib := &library{}
	symbols := map[string]any{
		"chdb_connect":                     &lib.connect,
		"chdb_close_conn":                  &lib.closeConn,
		"chdb_set_signal_handlers_enabled": &lib.setSignals,
		"chdb_query_with_params_n":         &lib.query,
		"chdb_destroy_query_result":        &lib.destroyResult,
		"chdb_result_buffer":               &lib.resultBuffer,
		"chdb_result_length":               &lib.resultLength,
		"chdb_result_error":                &lib.resultError,
	}
	for name, fn := range symbols {
		if _, err := purego.Dlsym(handle, name); err != nil {
			return nil, fmt.Errorf("load ClickHouse: %w", err)
		}
		purego.RegisterLibFunc(fn, handle, name)
	}
	// The engine would install handlers for signals that the Go runtime handles.
	keepSignals(func() { lib.setSignals(0) })
	return lib, nil
}

// open starts the engine on the folder, or opens one more session of a running one.
func (l *library) open(path string, options ...string) unsafe.Pointer {
	var args []unsafe.Pointer
	for _, arg := range append([]string{"clickhouse", "--path=" + path}, options...) {
		args = append(args, cBytes(arg))
	}
	var conn unsafe.Pointer
	keepSignals(func() {
		conn = l.connect(int32(len(args)), unsafe.Pointer(unsafe.SliceData(args)))
	})
	runtime.KeepAlive(args)
	return conn
}

// parameter is a value for a {name:Type} placeholder, in the engine's escaped text form.
type parameter struct{ name, value string }

// run executes one statement. The caller must destroy the result.
func (l *library) run(conn unsafe.Pointer, sql, format string, params []parameter) unsafe.Pointer {
	names, values := make([]unsafe.Pointer, len(params)), make([]unsafe.Pointer, len(params))
	nameLens, valueLens := make([]uintptr, len(params)), make([]uintptr, len(params))
	for i, p := range params {
		names[i], nameLens[i] = cBytes(p.name), uintptr(len(p.name))
		values[i], valueLens[i] = cBytes(p.value), uintptr(len(p.value))
	}
	// A connection is a pointer to a pointer: closing takes the outer one.
	inner := *(*unsafe.Pointer)(conn)
	result := l.query(inner,
		unsafe.Pointer(unsafe.StringData(sql)), uintptr(len(sql)),
		unsafe.Pointer(unsafe.StringData(format)), uintptr(len(format)),
		unsafe.Pointer(unsafe.SliceData(names)), unsafe.Pointer(unsafe.SliceData(nameLens)),
		unsafe.Pointer(unsafe.SliceData(values)), unsafe.Pointer(unsafe.SliceData(valueLens)),
		uintptr(len(params)))
	runtime.KeepAlive(names)
	runtime.KeepAlive(values)
	return result
}

// bytes returns the result's output, which lives as long as the result.
func (l *library) bytes(result unsafe.Pointer) []byte {
	n := l.resultLength(result)
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(l.resultBuffer(result)), n)
}

// cBytes copies the string and ends it with a zero byte.
func cBytes(s string) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(append([]byte(s), 0)))
}
