package telemetry

import (
	"reflect"
	"sync"

	"github.com/ClickHouse/clickhouse-go/v2/lib/column"
)

// columnMemory is what columns of earlier inserts lay in, by statement. The driver makes
// new ones for each insert, and to let these grow costs more than to fill them. What
// nobody asks for during two garbage collections is given back.
type columnMemory struct{ statements sync.Map }

// lend gives new, empty columns the memory of those that an earlier insert kept.
func (m *columnMemory) lend(statement string, columns []column.Interface) {
	kept, ok := m.of(statement).Get().(*[]column.Interface)
	if !ok || len(*kept) != len(columns) {
		return
	}
	for n, into := range columns {
		from := (*kept)[n]
		if reflect.TypeOf(from) != reflect.TypeOf(into) || from.Type() != into.Type() || from.Name() != into.Name() {
			continue
		}
		from.Reset()
		reflect.ValueOf(into).Elem().Set(reflect.ValueOf(from).Elem())
	}
}

// keep takes columns whose insert has ended well: nothing reads them any more.
func (m *columnMemory) keep(statement string, columns []column.Interface) {
	m.of(statement).Put(&columns)
}

func (m *columnMemory) of(statement string) *sync.Pool {
	pool, _ := m.statements.LoadOrStore(statement, &sync.Pool{})
	return pool.(*sync.Pool)
}

// textPairs are objects of texts as rows of a Map column: the driver takes them for what
// it calls an ordered map, without the reflection that it needs for any other.
type textPairs struct {
	names, values []string
	at            int
}

// appendMaps appends a row for each of the objects.
func appendMaps(to interface{ AppendRow(row any) error }, objects []map[string]string) error {
	var p textPairs
	for _, object := range objects {
		p = textPairs{p.names[:0], p.values[:0], -1}
		for name, value := range object {
			p.names, p.values = append(p.names, name), append(p.values, value)
		}
		if err := to.AppendRow(&p); err != nil {
			return err
		}
	}
	return nil
}

// Iterator, Next, Key and Value are what the driver asks for; Put is for reading.
func (p *textPairs) Iterator() column.MapIterator { return p }

func (p *textPairs) Next() bool {
	p.at++
	return p.at < len(p.names)
}

// Key and Value are pointers, for which nothing is allocated.
func (p *textPairs) Key() any { return &p.names[p.at] }

func (p *textPairs) Value() any { return &p.values[p.at] }

func (p *textPairs) Put(_, _ any) {}
