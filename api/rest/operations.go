package rest

import (
	"context"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/models"
)

// The functions in this file return the handlers of changes that may have to wait for approvals. The functions in
// handlers.go return all other handlers.

// AuthorOf returns the author of the request: its actor, in its project.
func AuthorOf(ctx context.Context) operations.Author {
	return operations.Author{ProjectID: ProjectOf(ctx), Actor: ActorOf(ctx)}
}

// CreatingBy returns a handler that creates a record from the body B through an operation and returns it.
func CreatingBy[B interface{ Model() N }, N, M, R any](
	on *operations.Operations, o operations.Operation[N, M], render func(M) R,
) Handler[BodyInput[B], Output[R]] {
	return func(ctx context.Context, in *BodyInput[B]) (*Output[R], error) {
		m, err := operations.Do(ctx, on, o, AuthorOf(ctx), in.Body.Model())
		return &Output[R]{render(m)}, err
	}
}

// PatchingBy returns a handler that changes the record with the ID in the path through an operation and returns it.
func PatchingBy[B interface {
	Model() (P, models.Problems)
}, P, M, R any](
	on *operations.Operations, o operations.Operation[operations.Of[P], M], render func(M) R,
) Handler[IDBodyInput[B], Output[R]] {
	return func(ctx context.Context, in *IDBodyInput[B]) (*Output[R], error) {
		patch, _ := in.Body.Model() // Resolve has already rejected a body with problems
		m, err := operations.Do(ctx, on, o, AuthorOf(ctx), operations.Of[P]{ID: in.ID, Change: patch})
		return &Output[R]{render(m)}, err
	}
}

// DeletingBy returns a handler that deletes the record with the ID in the path through an operation.
func DeletingBy(
	on *operations.Operations, o operations.Operation[operations.Record, operations.Nothing],
) Handler[IDInput, struct{}] {
	return func(ctx context.Context, in *IDInput) (*struct{}, error) {
		_, err := operations.Do(ctx, on, o, AuthorOf(ctx), operations.Record{ID: in.ID})
		return nil, err
	}
}
