package api

import (
	"context"

	"github.com/waft-ota/waft/models"
)

// Most operations read a request, call one method of a service and answer what it
// returns. The functions in this file make their handlers. They take the method as an
// expression of the service's interface, such as Branches.ListBranches, because the
// OpenAPI document is made without any services.

// handler is the part of an operation between huma, which reads and checks the
// request, and huma, which writes the answer.
type handler[I, O any] = func(context.Context, *I) (*O, error)

// IDPath is the id of the record that a path names.
type IDPath struct {
	ID int64 `path:"id" minimum:"1" doc:"Id of the record." example:"17"`
}

type idInput struct{ IDPath }

// NamePath is the name of the record that a path names.
type NamePath struct {
	Name string `path:"name" doc:"Name of the record; write a slash in it as %2F." example:"next"`
}

type nameInput struct{ NamePath }

type listInput struct{ PageQuery }

// bodyInput is a request with the body B.
type bodyInput[B any] struct{ Body B }

// idBodyInput is a request with the body B to the record that the path names by its id.
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

// getting answers the record that the path names by its id.
func getting[S, M, R any](
	service S, get func(S, context.Context, int64, int64) (M, error), render func(M) R,
) handler[idInput, output[R]] {
	return func(ctx context.Context, in *idInput) (*output[R], error) {
		m, err := get(service, ctx, projectOf(ctx), in.ID)
		return &output[R]{render(m)}, err
	}
}

// creating makes a record of the body B and answers it.
func creating[B interface{ model() N }, S, N, M, R any](
	service S, create func(S, context.Context, int64, models.Actor, N) (M, error), render func(M) R,
) handler[bodyInput[B], output[R]] {
	return func(ctx context.Context, in *bodyInput[B]) (*output[R], error) {
		m, err := create(service, ctx, projectOf(ctx), actorOf(ctx), in.Body.model())
		return &output[R]{render(m)}, err
	}
}

// patching changes the record that the path names by its id as the body B says, and
// answers the record.
func patching[B interface {
	model() (P, models.Problems)
}, S, P, M, R any](
	service S, update func(S, context.Context, int64, models.Actor, int64, P) (M, error), render func(M) R,
) handler[idBodyInput[B], output[R]] {
	return func(ctx context.Context, in *idBodyInput[B]) (*output[R], error) {
		patch, _ := in.Body.model() // Resolve has refused a body with problems
		m, err := update(service, ctx, projectOf(ctx), actorOf(ctx), in.ID, patch)
		return &output[R]{render(m)}, err
	}
}

// deleting deletes the record that the path names by its id.
func deleting[S any](
	service S, remove func(S, context.Context, int64, models.Actor, int64) error,
) handler[idInput, struct{}] {
	return func(ctx context.Context, in *idInput) (*struct{}, error) {
		return nil, remove(service, ctx, projectOf(ctx), actorOf(ctx), in.ID)
	}
}

// deletingNamed deletes the record that the path names by its name.
func deletingNamed[S any](
	service S, remove func(S, context.Context, int64, models.Actor, string) error,
) handler[nameInput, struct{}] {
	return func(ctx context.Context, in *nameInput) (*struct{}, error) {
		return nil, remove(service, ctx, projectOf(ctx), actorOf(ctx), in.Name)
	}
}
