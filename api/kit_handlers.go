package api

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

	"github.com/waft-ota/waft/models"
)

// Most operations call one method of a service and answer what it returns. The functions
// in this file make their handlers. They take the method as an expression of the
// interface, such as Branches.ListBranches, because the OpenAPI document is made without
// services.

// handler handles an operation. huma reads the request and writes the answer.
type handler[I, O any] = func(context.Context, *I) (*O, error)

// IDPath is the id of a record in a path.
type IDPath struct {
	ID int64 `path:"id" minimum:"1" doc:"Id of the record." example:"17"`
}

type idInput struct{ IDPath }

// NamePath is the name of a record in a path.
type NamePath struct {
	Name string `path:"name" doc:"Name of the record; write a slash in it as %2F." example:"next"`
}

type nameInput struct{ NamePath }

type listInput struct{ PageQuery }

// bodyInput is a request with the body B.
type bodyInput[B any] struct{ Body B }

// idBodyInput is a request with the body B for the record with the id in the path.
type idBodyInput[B any] struct {
	IDPath
	Body B
}

// output is an answer with the body R.
type output[R any] struct{ Body R }

// listing answers a page of a project's records.
func listing[S, M any, R identified](
	service S, list func(S, context.Context, int64, models.Page) ([]M, error), render func(M) R,
) handler[listInput, List[R]] {
	return func(ctx context.Context, in *listInput) (*List[R], error) {
		return listed(ctx, in.PageQuery, render, func(p models.Page) ([]M, error) {
			return list(service, ctx, projectOf(ctx), p)
		})
	}
}

// reading answers a record that a project has one of.
func reading[S, M, R any](
	service S, read func(S, context.Context, int64) (M, error), render func(M) R,
) handler[struct{}, output[R]] {
	return func(ctx context.Context, _ *struct{}) (*output[R], error) {
		m, err := read(service, ctx, projectOf(ctx))
		return &output[R]{render(m)}, err
	}
}

// getting answers the record with the id in the path.
func getting[S, M, R any](
	service S, get func(S, context.Context, int64, int64) (M, error), render func(M) R,
) handler[idInput, output[R]] {
	return func(ctx context.Context, in *idInput) (*output[R], error) {
		m, err := get(service, ctx, projectOf(ctx), in.ID)
		return &output[R]{render(m)}, err
	}
}

// creating creates a record from the body B and answers it.
func creating[B interface{ model() N }, S, N, M, R any](
	service S, create func(S, context.Context, int64, models.Actor, N) (M, error), render func(M) R,
) handler[bodyInput[B], output[R]] {
	return func(ctx context.Context, in *bodyInput[B]) (*output[R], error) {
		m, err := create(service, ctx, projectOf(ctx), actorOf(ctx), in.Body.model())
		return &output[R]{render(m)}, err
	}
}

// patching changes the record with the id in the path and answers it.
func patching[B interface {
	model() (P, models.Problems)
}, S, P, M, R any](
	service S, update func(S, context.Context, int64, models.Actor, int64, P) (M, error), render func(M) R,
) handler[idBodyInput[B], output[R]] {
	return func(ctx context.Context, in *idBodyInput[B]) (*output[R], error) {
		patch, _ := in.Body.model() // Resolve has rejected a body with problems
		m, err := update(service, ctx, projectOf(ctx), actorOf(ctx), in.ID, patch)
		return &output[R]{render(m)}, err
	}
}

// deleting deletes the record with the id in the path.
func deleting[S any](
	service S, remove func(S, context.Context, int64, models.Actor, int64) error,
) handler[idInput, struct{}] {
	return func(ctx context.Context, in *idInput) (*struct{}, error) {
		return nil, remove(service, ctx, projectOf(ctx), actorOf(ctx), in.ID)
	}
}

// deletingNamed deletes the record with the name in the path.
func deletingNamed[S any](
	service S, remove func(S, context.Context, int64, models.Actor, string) error,
) handler[nameInput, struct{}] {
	return func(ctx context.Context, in *nameInput) (*struct{}, error) {
		return nil, remove(service, ctx, projectOf(ctx), actorOf(ctx), in.Name)
	}
}

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
