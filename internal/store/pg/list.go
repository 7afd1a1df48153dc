package pg

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/waft-ota/waft/models"
)

// List describes how a list of records can be sorted and searched. Its SQL never contains text of a request.
type List struct {
	Table string
	// Owner is the column with the ID of the record that the rows belong to, such as project_id. If it is empty, the list
	// contains all rows of its query.
	Owner string
	// Sorts maps fields of the record to what they are sorted by.
	Sorts map[string]SortBy
	// Matches is the condition of a search. Its parameters are the owner and the searched text. It is empty for a list that
	// cannot be searched.
	Matches string
	// Texts are SQL expressions of the record's names. A search returns the records first for which one of them equals the
	// searched text, then those for which one of them begins with it.
	Texts []string
}

// Rows returns a page of q, whose rows come from the list's table and belong to owner. If the page asks for it, Rows
// also counts all rows.
func Rows[T any](q *gorm.DB, l List, owner int64, page models.Page) ([]T, error) {
	if err := l.check(page); err != nil {
		return nil, err
	}
	q = l.narrowed(q, owner, page)
	if page.Counts() {
		page.Found.Total = new(int64)
		if err := q.Table(l.Table).Select("count(*)").Scan(page.Found.Total).Error; err != nil {
			return nil, err
		}
	}
	if page.Order() == "" {
		return All[T](l.newestFirst(q, page))
	}
	return ordered[T](q, l, page)
}

// RowsWith returns a page like Rows. load completes the rows from other tables.
func RowsWith[T any](tx, q *gorm.DB, l List, owner int64, page models.Page, load func(tx *gorm.DB, rows []T) error) ([]T, error) {
	rows, err := Rows[T](q, l, owner, page)
	if err != nil {
		return nil, err
	}
	return rows, load(tx, rows)
}

// check returns an error that names everything that the list cannot do.
func (l List) check(page models.Page) error {
	var p models.Problems
	if page.Search != "" && l.Matches == "" {
		p.Add("search", "is not available for this list")
	}
	if _, known := l.Sorts[strings.TrimPrefix(page.Sort, "-")]; page.Sort != "" && !known {
		p.Add("sort", "must be one of %s, with a leading - for descending order", strings.Join(slices.Sorted(maps.Keys(l.Sorts)), ", "))
	}
	if page.After != nil && page.After.Order != page.Order() {
		p.Add("cursor", "belongs to a list with another order; request the first page without a cursor")
	}
	if page.Before > 0 && page.Order() != "" {
		p.Add("before", "is not available with sort or search; follow the Link header, which has a cursor")
	}
	return p.Err()
}

// narrowed restricts q to the rows of the owner that the search finds. The result can be used for several queries.
//
// The owner is passed as an array with one element, and is part of the order, so that Postgres reads an index that
// begins with the owner. With project_id = ?, Postgres might read the primary key instead, past all newer records of
// other projects.
func (l List) narrowed(q *gorm.DB, owner int64, page models.Page) *gorm.DB {
	if l.Owner != "" {
		q = q.Where(l.Table+"."+l.Owner+" = ANY (ARRAY[?]::bigint[])", owner)
	}
	if page.Search != "" {
		q = q.Where(l.Matches, owner, page.Search)
	}
	return q.Session(&gorm.Session{})
}

// NewestFirst narrows q to a page of the owner's rows, newest first. The result can be used for several queries.
func NewestFirst(q *gorm.DB, l List, owner int64, page models.Page) *gorm.DB {
	return l.newestFirst(l.narrowed(q, owner, page), page).Session(&gorm.Session{})
}

func (l List) newestFirst(q *gorm.DB, page models.Page) *gorm.DB {
	if l.Owner != "" {
		q = q.Order(l.Table + "." + l.Owner + " DESC")
	}
	if page.Before > 0 {
		q = q.Where(l.Table+".id < ?", page.Before)
	}
	return q.Order(l.Table + ".id DESC").Limit(LimitOf(page.Limit))
}

// ordered returns a page of a list with a sort or a search, and the places of its records. A page begins after the
// value and the ID of the last record of the page before, so that records with equal values are neither repeated nor
// left out.
func ordered[T any](q *gorm.DB, l List, page models.Page) ([]T, error) {
	o, id := l.order(page), l.Table+".id"
	compared, direction := ">", " ASC"
	if o.descending {
		compared, direction = "<", " DESC"
	}
	found := q.Table(l.Table).Select(id+" AS id, "+o.text()+" AS value", o.args...)
	if after := page.After; after != nil {
		value, err := o.parsed(after.Value)
		if err != nil {
			return nil, err
		}
		found = found.Where("("+o.sql+", "+id+") "+compared+" (?, ?)", append(slices.Clone(o.args), value, after.ID)...)
	}
	by := o.sql + direction + ", " + id + direction
	if l.Owner != "" {
		by = l.Table + "." + l.Owner + direction + ", " + by
	}
	var places []struct {
		ID    int64
		Value string
	}
	err := found.Clauses(clause.OrderBy{Expression: clause.Expr{SQL: by, Vars: o.args, WithoutParentheses: true}}).
		Limit(LimitOf(page.Limit)).Scan(&places).Error
	if err != nil || len(places) == 0 {
		return []T{}, err
	}
	ids := make([]string, len(places))
	for i, place := range places {
		ids[i] = strconv.FormatInt(place.ID, 10)
		if page.Found != nil {
			page.Found.Cursors = append(page.Found.Cursors, models.Cursor{Order: page.Order(), Value: place.Value, ID: place.ID})
		}
	}
	return All[T](q.Where(id+" = ANY (?::bigint[])", ArrayOf(ids)).
		Clauses(clause.OrderBy{Expression: clause.Expr{SQL: "array_position(?::bigint[], " + id + ")", Vars: []any{ArrayOf(ids)}}}))
}
