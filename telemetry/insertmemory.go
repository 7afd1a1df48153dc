package telemetry

import (
	"reflect"
	"sync"

	"github.com/ClickHouse/clickhouse-go/v2/lib/column"

	"github.com/waft-ota/waft/models"
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

// textsRow is a row of a Map column: the driver takes it for what it calls an ordered map,
// without the reflection that it needs for any other.
type textsRow struct {
	texts models.Texts
	at    int
}

// appendTexts appends a row for each of the texts.
func appendTexts(to interface{ AppendRow(row any) error }, rows []models.Texts) error {
	var row textsRow
	for _, texts := range rows {
		row = textsRow{texts, -1}
		if err := to.AppendRow(&row); err != nil {
			return err
		}
	}
	return nil
}

// Iterator, Next, Key and Value are what the driver asks for; Put is for reading.
func (r *textsRow) Iterator() column.MapIterator { return r }

func (r *textsRow) Next() bool {
	r.at++
	return r.at < len(r.texts)
}

// Key and Value are pointers, for which nothing is allocated.
func (r *textsRow) Key() any { return &r.texts[r.at].Name }

func (r *textsRow) Value() any { return &r.texts[r.at].Value }

func (r *textsRow) Put(_, _ any) {}
