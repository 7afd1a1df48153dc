package api

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

	"github.com/waft-ota/waft/models"
)

// PageQuery asks for a page of a list.
type PageQuery struct {
	Limit  int   `query:"limit" default:"100" minimum:"1" maximum:"200" doc:"Most records to answer."`
	Before int64 `query:"before" minimum:"1" doc:"Only records with a lower id than this one; the Link header of a page has it for the next."`
}

// List is a page of records, newest first.
type List[R any] struct {
	Link string `header:"Link" doc:"Path of the next page, as <…>; rel=\"next\"; absent on the last one."`
	Body []R
}

// identified is a record that a list is paged by.
type identified interface{ recordID() int64 }

// listed asks fetch for one record more than the page holds, which tells whether
// another page follows, and renders what is on the page.
func listed[M any, R identified](
	ctx context.Context, page PageQuery, render func(M) R, fetch func(models.Page) ([]M, error),
) (*List[R], error) {
	found, err := fetch(models.Page{Limit: page.Limit + 1, Before: page.Before})
	if err != nil {
		return nil, err
	}
	out := &List[R]{Body: rendered(found[:min(len(found), page.Limit)], render)}
	if len(found) > page.Limit {
		out.Link = nextLink(callOf(ctx), page.Limit, out.Body[page.Limit-1].recordID())
	}
	return out, nil
}

// rendered maps a list; the result is never nil, since lists are never null.
func rendered[M, R any](from []M, render func(M) R) []R {
	to := make([]R, len(from))
	for i, m := range from {
		to[i] = render(m)
	}
	return to
}

// nextLink is the Link to the page of the same list that follows the record with
// the id before; filters stay.
func nextLink(c *call, limit int, before int64) string { return linkFrom(c, limit, "before", before) }

// linkFrom is nextLink for a list with a cursor of the given name.
func linkFrom(c *call, limit int, cursor string, id int64) string {
	query, err := url.ParseQuery(c.query)
	if err != nil {
		query = url.Values{} // huma has read what it could of such a query
	}
	query.Set("limit", strconv.Itoa(limit))
	query.Set(cursor, strconv.FormatInt(id, 10))
	return fmt.Sprintf(`<%s?%s>; rel="next"`, c.path, query.Encode())
}
