// Package breadcrumbs encodes the breadcrumbs of an event as the column breadcrumbs of the table health_events has them.
package breadcrumbs

import (
	"encoding/json"
	"time"

	"github.com/waft-ota/waft/models"
)

// stored is a breadcrumb in the column. A field is left out if it is empty.
type stored struct {
	Timestamp time.Time              `json:"timestamp,omitzero"`
	Category  string                 `json:"category,omitempty"`
	Message   string                 `json:"message,omitempty"`
	Level     models.BreadcrumbLevel `json:"level"`
	Data      map[string]string      `json:"data,omitempty"`
}

// Text returns the breadcrumbs as the column stores them, "" if all is empty.
func Text(all []models.Breadcrumb) string {
	if len(all) == 0 {
		return ""
	}
	rows := make([]stored, len(all))
	for i, b := range all {
		rows[i] = stored{b.At, b.Category, b.Message, b.Level, b.Data.Map()}
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return "" // impossible, because reports have only times that JSON can contain
	}
	return string(text)
}

// Of returns the breadcrumbs of a value that Text returned.
func Of(text string) []models.Breadcrumb {
	var rows []stored
	if text == "" || json.Unmarshal([]byte(text), &rows) != nil {
		return nil
	}
	all := make([]models.Breadcrumb, len(rows))
	for i, s := range rows {
		all[i] = models.Breadcrumb{At: s.Timestamp, Category: s.Category, Message: s.Message, Level: s.Level, Data: models.TextsOf(s.Data)}
	}
	return all
}
