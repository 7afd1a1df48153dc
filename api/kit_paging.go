package api

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

	"github.com/waft-ota/waft/models"
)

// PageQuery selects a page of a list.
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

// listed answers a page of records that fetch returns newest first.
func listed[M any, R identified](
	ctx context.Context, page PageQuery, render func(M) R, fetch func(models.Page) ([]M, error),
) (*List[R], error) {
	found, err := fetch(models.Page{Limit: page.Limit + 1, Before: page.Before})
	return pageOf(ctx, found, page.Limit, render, func(last M) (cursor, value string) {
		return "before", strconv.FormatInt(render(last).recordID(), 10)
	}), err
}

// pageOf answers the first limit records of found. A record after them means that there
// is a next page, whose Link has the cursor of the last record and keeps the filters.
func pageOf[M, R any](
	ctx context.Context, found []M, limit int, render func(M) R, after func(last M) (cursor, value string),
) *List[R] {
	out := &List[R]{Body: rendered(found[:min(len(found), limit)], render)}
	if len(found) > limit {
		c := callOf(ctx)
		query, _ := url.ParseQuery(c.query) // checkText has rejected a malformed one
		cursor, value := after(found[limit-1])
		query.Set(cursor, value)
		query.Del("page") // it counts from the cursor
		out.Link = fmt.Sprintf(`<%s?%s>; rel="next"`, c.path, query.Encode())
	}
	return out
}

// rendered converts a list. The result is never nil, because lists are never null.
func rendered[M, R any](from []M, render func(M) R) []R {
	to := make([]R, len(from))
	for i, m := range from {
		to[i] = render(m)
	}
	return to
}

// The records that lists are paged by.
func (r APIKey) recordID() int64           { return r.ID }
func (r AuditEntry) recordID() int64       { return r.ID }
func (r Branch) recordID() int64           { return r.ID }
func (r Build) recordID() int64            { return r.ID }
func (r Channel) recordID() int64          { return r.ID }
func (r Context) recordID() int64          { return r.ID }
func (r Flag) recordID() int64             { return r.ID }
func (r Incident) recordID() int64         { return r.ID }
func (r Project) recordID() int64          { return r.ID }
func (r RolloutExecution) recordID() int64 { return r.ID }
func (r RolloutPolicy) recordID() int64    { return r.ID }
func (r Segment) recordID() int64          { return r.ID }
func (r Update) recordID() int64           { return r.ID }
func (r UserOverride) recordID() int64     { return r.ID }
func (r Webhook) recordID() int64          { return r.ID }
func (r WebhookDelivery) recordID() int64  { return r.ID }
