package telemetry

import (
	"github.com/ClickHouse/clickhouse-go/v2/lib/column"

	"github.com/waft-ota/waft/models"
)

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
