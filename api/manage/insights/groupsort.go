package insights

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/waft-ota/waft/models"
)

// groupSorts returns the fields by which error groups can be sorted.
func groupSorts() []string {
	return []string{"devices", "errorName", "events", "firstSeenAt", "lastSeenAt"}
}

// placeOf returns the place of a group in a list with the given order. Values of a field compare as their strings do.
func placeOf(g models.GroupFigures, order string) models.Cursor {
	number := g.Devices
	switch strings.TrimPrefix(order, "-") {
	case "errorName":
		return models.Cursor{Order: order, Value: strings.ToLower(cmp.Or(g.ErrorName, g.Title)), Key: g.Fingerprint.String()}
	case "events":
		number = g.Events
	case "firstSeenAt":
		number = g.FirstAt.UnixMilli()
	case "lastSeenAt":
		number = g.LastAt.UnixMilli()
	}
	return models.Cursor{Order: order, Value: fmt.Sprintf("%019d", number), Key: g.Fingerprint.String()}
}

// pageAfter sorts the groups, and leaves out those up to the cursor. Groups with equal values are sorted by their
// fingerprints.
func pageAfter(groups []models.GroupFigures, order string, after *models.Cursor) []models.GroupFigures {
	compare := func(a, b models.Cursor) int {
		up := cmp.Or(strings.Compare(a.Value, b.Value), strings.Compare(a.Key, b.Key))
		if strings.HasPrefix(order, "-") {
			return -up
		}
		return up
	}
	slices.SortFunc(groups, func(a, b models.GroupFigures) int { return compare(placeOf(a, order), placeOf(b, order)) })
	if after == nil {
		return groups
	}
	return slices.DeleteFunc(groups, func(g models.GroupFigures) bool { return compare(placeOf(g, order), *after) <= 0 })
}
