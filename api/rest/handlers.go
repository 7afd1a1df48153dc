package rest

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

// Handler handles an operation. huma reads the request and writes the answer.
type Handler[I, O any] = func(context.Context, *I) (*O, error)

// IDPath is the id of a record in a path.
type IDPath struct {
	ID int64 `path:"id" minimum:"1" doc:"Id of the record." example:"17"`
}

// IDInput is a request for the record with the id in the path.
type IDInput struct{ IDPath }

// NamePath is the name of a record in a path.
type NamePath struct {
	Name string `path:"name" doc:"Name of the record; write a slash in it as %2F." example:"next"`
}

// NameInput is a request for the record with the name in the path.
type NameInput struct{ NamePath }

// ListInput is a request for a page of a list.
type ListInput struct{ PageQuery }

// BodyInput is a request with the body B.
type BodyInput[B any] struct{ Body B }

// IDBodyInput is a request with the body B for the record with the id in the path.
type IDBodyInput[B any] struct {
	IDPath
	Body B
}

// Output is an answer with the body R.
type Output[R any] struct{ Body R }

// Listing answers a page of a project's records.
func Listing[S, M any, R identified](
	service S, list func(S, context.Context, int64, models.Page) ([]M, error), render func(M) R,
) Handler[ListInput, List[R]] {
	return func(ctx context.Context, in *ListInput) (*List[R], error) {
		return Listed(ctx, in.PageQuery, render, func(p models.Page) ([]M, error) {
			return list(service, ctx, ProjectOf(ctx), p)
		})
	}
}

// Reading answers a record that a project has one of.
func Reading[S, M, R any](
	service S, read func(S, context.Context, int64) (M, error), render func(M) R,
) Handler[struct{}, Output[R]] {
	return func(ctx context.Context, _ *struct{}) (*Output[R], error) {
		m, err := read(service, ctx, ProjectOf(ctx))
		return &Output[R]{render(m)}, err
	}
}

// Getting answers the record with the id in the path.
func Getting[S, M, R any](
	service S, get func(S, context.Context, int64, int64) (M, error), render func(M) R,
) Handler[IDInput, Output[R]] {
	return func(ctx context.Context, in *IDInput) (*Output[R], error) {
		m, err := get(service, ctx, ProjectOf(ctx), in.ID)
		return &Output[R]{render(m)}, err
	}
}

// Creating creates a record from the body B and answers it.
func Creating[B interface{ Model() N }, S, N, M, R any](
	service S, create func(S, context.Context, int64, models.Actor, N) (M, error), render func(M) R,
) Handler[BodyInput[B], Output[R]] {
	return func(ctx context.Context, in *BodyInput[B]) (*Output[R], error) {
		m, err := create(service, ctx, ProjectOf(ctx), ActorOf(ctx), in.Body.Model())
		return &Output[R]{render(m)}, err
	}
}

// Patching changes the record with the id in the path and answers it.
func Patching[B interface {
	Model() (P, models.Problems)
}, S, P, M, R any](
	service S, update func(S, context.Context, int64, models.Actor, int64, P) (M, error), render func(M) R,
) Handler[IDBodyInput[B], Output[R]] {
	return func(ctx context.Context, in *IDBodyInput[B]) (*Output[R], error) {
		patch, _ := in.Body.Model() // Resolve has rejected a body with problems
		m, err := update(service, ctx, ProjectOf(ctx), ActorOf(ctx), in.ID, patch)
		return &Output[R]{render(m)}, err
	}
}

// Deleting deletes the record with the id in the path.
func Deleting[S any](
	service S, remove func(S, context.Context, int64, models.Actor, int64) error,
) Handler[IDInput, struct{}] {
	return func(ctx context.Context, in *IDInput) (*struct{}, error) {
		return nil, remove(service, ctx, ProjectOf(ctx), ActorOf(ctx), in.ID)
	}
}

// DeletingNamed deletes the record with the name in the path.
func DeletingNamed[S any](
	service S, remove func(S, context.Context, int64, models.Actor, string) error,
) Handler[NameInput, struct{}] {
	return func(ctx context.Context, in *NameInput) (*struct{}, error) {
		return nil, remove(service, ctx, ProjectOf(ctx), ActorOf(ctx), in.Name)
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
type identified interface{ RecordID() int64 }

// Listed answers a page of records that fetch returns newest first.
func Listed[M any, R identified](
	ctx context.Context, page PageQuery, render func(M) R, fetch func(models.Page) ([]M, error),
) (*List[R], error) {
	found, err := fetch(models.Page{Limit: page.Limit + 1, Before: page.Before})
	return PageOf(ctx, found, page.Limit, render, func(last M) (cursor, value string) {
		return "before", strconv.FormatInt(render(last).RecordID(), 10)
	}), err
}

// PageOf answers the first limit records of found. A record after them means that there
// is a next page, whose Link has the cursor of the last record and keeps the filters.
func PageOf[M, R any](
	ctx context.Context, found []M, limit int, render func(M) R, after func(last M) (cursor, value string),
) *List[R] {
	out := &List[R]{Body: Rendered(found[:min(len(found), limit)], render)}
	if len(found) > limit {
		c := CallOf(ctx)
		query, _ := url.ParseQuery(c.Query) // checkText has rejected a malformed one
		cursor, value := after(found[limit-1])
		query.Set(cursor, value)
		query.Del("page") // it counts from the cursor
		out.Link = fmt.Sprintf(`<%s?%s>; rel="next"`, c.Path, query.Encode())
	}
	return out
}

// Rendered converts a list. The result is never nil, because lists are never null.
func Rendered[M, R any](from []M, render func(M) R) []R {
	to := make([]R, len(from))
	for i, m := range from {
		to[i] = render(m)
	}
	return to
}
