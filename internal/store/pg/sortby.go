package pg

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/waft-ota/waft/models"
)

// SortBy is an expression that a list can be sorted by. Its value is never NULL.
type SortBy struct {
	sql  string
	kind sortKind
}

// sortKind is the type of the values of an expression.
type sortKind int

const (
	sortText sortKind = iota
	sortTime
	sortNumber
)

// ByText sorts by a string, ignoring case.
func ByText(sql string) SortBy { return SortBy{"lower(" + sql + ")", sortText} }

// ByTime sorts by a time.
func ByTime(sql string) SortBy { return SortBy{sql, sortTime} }

// ByMaybeTime sorts by a time that may be NULL, which counts as the oldest time.
func ByMaybeTime(sql string) SortBy {
	return SortBy{"coalesce(" + sql + ", timestamptz 'epoch')", sortTime}
}

// ByNumber sorts by a number.
func ByNumber(sql string) SortBy { return SortBy{"(" + sql + ")::double precision", sortNumber} }

// ByBool sorts by a boolean, false first.
func ByBool(sql string) SortBy { return ByNumber("(" + sql + ")::int") }

// text returns SQL for the value as a string, which parsed reads.
func (s SortBy) text() string {
	if s.kind == sortTime {
		return "(extract(epoch FROM " + s.sql + ") * 1000000)::bigint::text"
	}
	return "(" + s.sql + ")::text"
}

// parsed returns the value in a cursor.
func (s SortBy) parsed(text string) (value any, err error) {
	var p models.Problems
	switch s.kind {
	case sortTime:
		micros, bad := strconv.ParseInt(text, 10, 64)
		if bad != nil || micros < 0 || micros >= 1<<55 {
			p.Add("cursor", badCursor)
		}
		return time.UnixMicro(micros).UTC(), p.Err()
	case sortNumber:
		number, bad := strconv.ParseFloat(text, 64)
		if bad != nil || math.IsNaN(number) || math.IsInf(number, 0) {
			p.Add("cursor", badCursor)
		}
		return number, p.Err()
	default:
		return text, nil
	}
}

const badCursor = "is not a cursor of this list"

// listOrder is the order of one page.
type listOrder struct {
	SortBy
	args       []any
	descending bool
}

// order returns the order of a page with a sort or a search. In a search without a sort, the best match has the greatest
// number, so that matches that are equally good are newest first.
func (l List) order(page models.Page) listOrder {
	if page.Sort != "" {
		field, descending := strings.CutPrefix(page.Sort, "-")
		return listOrder{SortBy: l.Sorts[field], descending: descending}
	}
	o := listOrder{descending: true}
	searched := strings.ToLower(strings.TrimSpace(page.Search))
	var equal, begins []string
	for _, text := range l.Texts {
		equal = append(equal, "lower("+text+") = ?")
		begins = append(begins, "starts_with(lower("+text+"), ?)")
		o.args = append(o.args, searched, searched)
	}
	o.SortBy = ByNumber("CASE WHEN " + strings.Join(equal, " OR ") + " THEN 2 WHEN " + strings.Join(begins, " OR ") + " THEN 1 ELSE 0 END")
	return o
}
