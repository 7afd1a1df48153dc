package rest

import (
	"context"

	"github.com/waft-ota/waft/models"
)

// Most operations call one method of a service and respond with its result. The functions in this file return their
// handlers. They take the method as an expression of the interface, such as Branches.ListBranches, because the
// OpenAPI document is created without services.

// Handler handles an operation. huma reads the request and writes the response.
type Handler[I, O any] = func(context.Context, *I) (*O, error)

// IDPath is the ID of a record in a path.
type IDPath struct {
	ID int64 `path:"id" minimum:"1" doc:"ID of the record." example:"17"`
}

// IDInput is a request for the record with the ID in the path.
type IDInput struct{ IDPath }

// NamePath is the name of a record in a path.
type NamePath struct {
	Name string `path:"name" doc:"Name of the record, with a slash written as %2F." example:"next"`
}

// NameInput is a request for the record with the name in the path.
type NameInput struct{ NamePath }

// ListInput is a request for a page of a list.
type ListInput struct{ ListQuery }

// BodyInput is a request with the body B.
type BodyInput[B any] struct{ Body B }

// IDBodyInput is a request with the body B for the record with the ID in the path.
type IDBodyInput[B any] struct {
	IDPath
	Body B
}

// Output is a response with the body R.
type Output[R any] struct{ Body R }

// Listing returns a handler that returns a page of a project's records.
func Listing[S, M any, R identified](
	service S, list func(S, context.Context, int64, models.Page) ([]M, error), render func(M) R,
) Handler[ListInput, List[R]] {
	return func(ctx context.Context, in *ListInput) (*List[R], error) {
		return Listed(ctx, in.ListQuery, render, func(p models.Page) ([]M, error) {
			return list(service, ctx, ProjectOf(ctx), p)
		})
	}
}

// Reading returns a handler that returns a record that each project has once.
func Reading[S, M, R any](
	service S, read func(S, context.Context, int64) (M, error), render func(M) R,
) Handler[struct{}, Output[R]] {
	return func(ctx context.Context, _ *struct{}) (*Output[R], error) {
		m, err := read(service, ctx, ProjectOf(ctx))
		return &Output[R]{render(m)}, err
	}
}

// Getting returns a handler that returns the record with the ID in the path.
func Getting[S, M, R any](
	service S, get func(S, context.Context, int64, int64) (M, error), render func(M) R,
) Handler[IDInput, Output[R]] {
	return func(ctx context.Context, in *IDInput) (*Output[R], error) {
		m, err := get(service, ctx, ProjectOf(ctx), in.ID)
		return &Output[R]{render(m)}, err
	}
}

// Creating returns a handler that creates a record from the body B and returns it.
func Creating[B interface{ Model() N }, S, N, M, R any](
	service S, create func(S, context.Context, int64, models.Actor, N) (M, error), render func(M) R,
) Handler[BodyInput[B], Output[R]] {
	return func(ctx context.Context, in *BodyInput[B]) (*Output[R], error) {
		m, err := create(service, ctx, ProjectOf(ctx), ActorOf(ctx), in.Body.Model())
		return &Output[R]{render(m)}, err
	}
}

// Patching returns a handler that changes the record with the ID in the path and returns it.
func Patching[B interface {
	Model() (P, models.Problems)
}, S, P, M, R any](
	service S, update func(S, context.Context, int64, models.Actor, int64, P) (M, error), render func(M) R,
) Handler[IDBodyInput[B], Output[R]] {
	return func(ctx context.Context, in *IDBodyInput[B]) (*Output[R], error) {
		patch, _ := in.Body.Model() // Resolve has already rejected a body with problems
		m, err := update(service, ctx, ProjectOf(ctx), ActorOf(ctx), in.ID, patch)
		return &Output[R]{render(m)}, err
	}
}

// Deleting returns a handler that deletes the record with the ID in the path.
func Deleting[S any](
	service S, remove func(S, context.Context, int64, models.Actor, int64) error,
) Handler[IDInput, struct{}] {
	return func(ctx context.Context, in *IDInput) (*struct{}, error) {
		return nil, remove(service, ctx, ProjectOf(ctx), ActorOf(ctx), in.ID)
	}
}

// DeletingNamed returns a handler that deletes the record with the name in the path.
func DeletingNamed[S any](
	service S, remove func(S, context.Context, int64, models.Actor, string) error,
) Handler[NameInput, struct{}] {
	return func(ctx context.Context, in *NameInput) (*struct{}, error) {
		return nil, remove(service, ctx, ProjectOf(ctx), ActorOf(ctx), in.Name)
	}
}

// Rendered converts a list. The result is never nil, because lists in responses are never null.
func Rendered[M, R any](from []M, render func(M) R) []R {
	to := make([]R, len(from))
	for i, m := range from {
		to[i] = render(m)
	}
	return to
}
