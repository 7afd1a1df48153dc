//go:build !linux

package clickhouse

// keepSignals runs fn; the engine is only ever loaded on Linux.
func keepSignals(fn func()) { fn() }
