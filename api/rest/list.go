package rest

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/waft-ota/waft/models"
)

// PageQuery selects a page of a list that may be sorted.
type PageQuery struct {
	Limit  int        `query:"limit" default:"100" minimum:"1" maximum:"200" doc:"Maximum number of records to return."`
	Before int64      `query:"before" minimum:"1" doc:"Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page."`
	Sort   string     `query:"sort" maxLength:"64" doc:"Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by." example:"-createdAt"`
	Cursor PageCursor `query:"cursor" maxLength:"2000" doc:"Cursor for the next page of a list with sort or search, from the Link header of the previous page."`
	Count  bool       `query:"count" doc:"Whether to return the number of records on all pages in the header X-Total-Count."`
}

// ListQuery selects a page of a list that may be sorted and searched.
type ListQuery struct {
	PageQuery
	Search string `query:"search" maxLength:"200" doc:"Search words. Each must begin a word in the names, texts or versions of the record. The word 2.4 finds 2.4.1 and does not find 2.40. A UUID is found by at least its first eight characters, and a release by its number as #17. Without sort, exact matches come first, then names that begin with the text, then the others." example:"checkout"`
}

// page returns the page for the store, one record longer than requested: the last record exists only if a next page exists.
func (q PageQuery) page() (models.Page, error) {
	after, err := q.Cursor.place()
	return models.Page{
		Limit: q.Limit + 1, Before: q.Before, Sort: q.Sort, After: after, Count: q.Count, Found: &models.Found{},
	}, err
}

func (q ListQuery) page() (models.Page, error) {
	p, err := q.PageQuery.page()
	p.Search = strings.TrimSpace(q.Search)
	return p, err
}

// pageRequest is a PageQuery or a ListQuery.
type pageRequest interface {
	page() (models.Page, error)
}

// PageCursor is the place of a record in a list with sort or search, as clients send it back.
type PageCursor string

// Place returns the place of the cursor in a list with the given order, or nil without a cursor.
func (c PageCursor) Place(order string) (*models.Cursor, error) {
	at, err := c.place()
	if err == nil && at != nil && at.Order != order {
		var p models.Problems
		p.Add("cursor", "belongs to a list with another order; request the first page without a cursor")
		return nil, p.Err()
	}
	return at, err
}

// place returns the place of the cursor, or nil without a cursor.
func (c PageCursor) place() (*models.Cursor, error) {
	if c == "" {
		return nil, nil
	}
	var at models.Cursor
	text, err := base64.RawURLEncoding.DecodeString(string(c))
	if err == nil {
		err = json.Unmarshal(text, &at)
	}
	if err != nil || at.Order == "" || at.ID < 1 && at.Key == "" || strings.ContainsRune(at.Value+at.Key, 0) || !utf8.ValidString(at.Value+at.Key) {
		var p models.Problems
		p.Add("cursor", "is not a cursor of this list")
		return nil, p.Err()
	}
	return &at, nil
}

// CursorOf returns a place as a PageCursor.
func CursorOf(at models.Cursor) string {
	text, _ := json.Marshal(at) // a struct of strings and a number
	return base64.RawURLEncoding.EncodeToString(text)
}

// List is a page of records, newest first unless the list is sorted or searched.
type List[R any] struct {
	Link  string `header:"Link" doc:"Path of the next page, as <…>; rel=\"next\"; absent on the last page."`
	Total string `header:"X-Total-Count" doc:"Number of records on all pages, with count=true."`
	Body  []R
}

// identified is a record whose ID orders the pages of a list.
type identified interface{ RecordID() int64 }

// Listed returns a page of the records that fetch returns.
func Listed[M any, R identified](
	ctx context.Context, request pageRequest, render func(M) R, fetch func(models.Page) ([]M, error),
) (*List[R], error) {
	return ListedWhole(ctx, request, 0, nil, render, fetch)
}

// ListedWhole returns a page like Listed. If the page would end between two records that belong together, it is up to more
// records longer.
func ListedWhole[M any, R identified](
	ctx context.Context, request pageRequest, more int, together func(a, b M) bool, render func(M) R, fetch func(models.Page) ([]M, error),
) (*List[R], error) {
	page, err := request.page()
	if err != nil {
		return nil, err
	}
	limit := page.Limit - 1
	page.Limit += more
	found, err := fetch(page)
	if err != nil {
		return nil, err
	}
	for most := limit + more; limit < min(most, len(found)) && together(found[limit-1], found[limit]); {
		limit++
	}
	list := PageOf(ctx, found, limit, render, func(last M) (parameter, value string) {
		if page.Order() != "" {
			return "cursor", CursorOf(page.Found.Cursors[limit-1])
		}
		return "before", strconv.FormatInt(render(last).RecordID(), 10)
	})
	return list.Counted(page.Found.Total), nil
}

// Counted sets the number of records on all pages. nil means that it is unknown.
func (l *List[R]) Counted(total *int64) *List[R] {
	if total != nil {
		l.Total = strconv.FormatInt(*total, 10)
	}
	return l
}

// SortOf checks that a list can be sorted by the field of sort. Without a sort, it returns usual.
func SortOf(sort, usual string, fields []string) (order string, err error) {
	if sort == "" {
		return usual, nil
	}
	if !slices.Contains(fields, strings.TrimPrefix(sort, "-")) {
		var p models.Problems
		p.Add("sort", "must be one of %s, with a leading - for descending order", strings.Join(fields, ", "))
		return "", p.Err()
	}
	return sort, nil
}

// PageOf returns the first limit records of found. If there are more records, there is a next page, whose Link has
// the ID of the last returned record and keeps the filters.
func PageOf[M, R any](
	ctx context.Context, found []M, limit int, render func(M) R, after func(last M) (cursor, value string),
) *List[R] {
	out := &List[R]{Body: Rendered(found[:min(len(found), limit)], render)}
	if len(found) > limit {
		c := CallOf(ctx)
		query, _ := url.ParseQuery(c.Query) // checkText has already rejected a malformed query
		cursor, value := after(found[limit-1])
		query.Set(cursor, value)
		query.Del("page") // page counts from the cursor
		out.Link = fmt.Sprintf(`<%s?%s>; rel="next"`, c.Path, query.Encode())
	}
	return out
}
