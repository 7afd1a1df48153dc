package reports

import (
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"github.com/waft-ota/waft/models"
)

// Limits of the breadcrumbs of an event. The newest breadcrumbs are kept, and strings that are too long are cut.
const (
	MaxBreadcrumbs        = 50
	MaxBreadcrumbBytes    = maxStack // strings of an event's breadcrumbs together, so that they take at most the space of its stack
	maxBreadcrumbMessage  = 512      // in characters, like the limits of all strings below, because the app package counts characters
	maxBreadcrumbCategory = 64
	maxBreadcrumbData     = 16
	maxBreadcrumbName     = 128
	maxBreadcrumbValue    = 256
	lastBreadcrumbYear    = 9999 // the last year that JSON of the API can contain
)

// The fields of a breadcrumb in the order in which they are read.
var breadcrumbFields = []string{"timestamp", "category", "message", "level", "data"}

// breadcrumbsOf reads the newest breadcrumbs of a list, which has the oldest first. It skips every value that it cannot use instead of
// rejecting the report, because an error is worth more than its breadcrumbs.
func breadcrumbsOf(list gjson.Result) []models.Breadcrumb {
	if !list.IsArray() {
		return nil
	}
	var newest [][5]gjson.Result
	list.ForEach(func(_, value gjson.Result) bool {
		var fields [5]gjson.Result
		if value.IsObject() {
			pick(value, breadcrumbFields, fields[:])
		}
		if stringOf(fields[1]) == "" && stringOf(fields[2]) == "" {
			return true
		}
		if len(newest) == 2*MaxBreadcrumbs {
			newest = newest[:copy(newest, newest[MaxBreadcrumbs:])]
		}
		newest = append(newest, fields)
		return true
	})
	newest = newest[max(0, len(newest)-MaxBreadcrumbs):]
	var all []models.Breadcrumb
	size := 0
	for _, fields := range slices.Backward(newest) {
		b := breadcrumb(fields)
		if size += b.Size(); size > MaxBreadcrumbBytes {
			break
		}
		all = append(all, b)
	}
	slices.Reverse(all)
	return all
}

func breadcrumb(fields [5]gjson.Result) models.Breadcrumb {
	b := models.Breadcrumb{
		At: breadcrumbTime(stringOf(fields[0])), Category: cutCharacters(stringOf(fields[1]), maxBreadcrumbCategory),
		Message: cutCharacters(stringOf(fields[2]), maxBreadcrumbMessage), Level: models.BreadcrumbLevel(stringOf(fields[3])),
	}
	if !b.Level.Known() {
		b.Level = models.BreadcrumbInfo
	}
	if fields[4].IsObject() {
		b.Data = textsIn(fields[4], cutCharacters, maxBreadcrumbName, maxBreadcrumbValue)
		b.Data = b.Data[:min(len(b.Data), maxBreadcrumbData)]
	}
	return b
}

// breadcrumbTime parses a time of RFC 3339. It returns the zero time for any other string, and for years that Waft cannot store.
func breadcrumbTime(text string) time.Time {
	at, err := time.Parse(time.RFC3339, text)
	if at = at.UTC().Truncate(time.Millisecond); err != nil || at.UnixMilli() <= 0 || at.Year() > lastBreadcrumbYear {
		return time.Time{}
	}
	return at
}

// cutCharacters shortens text to at most limit characters.
func cutCharacters(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	n := 0
	for at := range text {
		if n == limit {
			return text[:at]
		}
		n++
	}
	return text
}

// stringOf returns the value of a string, or "" for any other value.
func stringOf(value gjson.Result) string {
	if value.Type != gjson.String {
		return ""
	}
	return textOf(value)
}
