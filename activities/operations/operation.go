// Package operations defines the changes that may have to wait for approvals. The API makes these changes for its
// callers, and the worker applies the approved ones.
package operations

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"

	"github.com/waft-ota/waft/models"
)

// Operation is a change of what devices get. The change's transaction finds the affected channels and requires
// approval: see package unit. The operation defines the data that an approval stores, and how the change is made.
type Operation[I, O any] struct {
	// name is the action of the operation's approvals.
	name string
	// version is the version of the input's JSON format. A change that makes stored inputs unreadable must raise it.
	version int
	// change makes the change.
	change func(ctx context.Context, on *Operations, by Author, in I) (O, error)
}

// Author identifies the actor who makes a change, and the project of the change.
type Author struct {
	ProjectID int64
	Actor     models.Actor
}

// Name returns the action of the operation's approvals, such as "update.publish".
func (o Operation[I, O]) Name() string { return o.name }

// row is an operation in the table, with any type of input.
type row interface {
	// carryOut decodes the input, validates it and makes the change.
	carryOut(ctx context.Context, on *Operations, by Author, version int, input []byte) error
	// input returns the type of the input and its version.
	input() (reflect.Type, int)
}

// table contains every operation by its name.
var table = map[string]row{}

// Names returns the names of all operations, sorted.
func Names() []string { return slices.Sorted(maps.Keys(table)) }

// operation adds an operation to the table.
func operation[I, O any](
	name string, version int, change func(ctx context.Context, on *Operations, by Author, in I) (O, error),
) Operation[I, O] {
	o := Operation[I, O]{name, version, change}
	if table[name] != nil {
		panic("operations: two operations are called " + name)
	}
	table[name] = o
	return o
}

// Pending is the error of a change that waits for approvals. The change has not been made.
type Pending struct {
	Approval models.Approval
	cause    error
}

func (p *Pending) Error() string { return p.cause.Error() }

// Unwrap returns the reason why the change waits.
func (p *Pending) Unwrap() error { return p.cause }

// Do makes a change for a caller. If people must approve the change first, Do stores the operation with its input and
// returns *Pending.
func Do[I, O any](ctx context.Context, on *Operations, o Operation[I, O], by Author, in I) (O, error) {
	out, err := o.change(ctx, on, by, in)
	var needed *models.ApprovalNeeded
	if !errors.As(err, &needed) {
		return out, err
	}
	input, err := json.Marshal(in)
	if err != nil {
		return out, fmt.Errorf("the input of %s: %w", o.name, err)
	}
	stored := models.StoredOperation{Action: o.name, InputVersion: o.version, Input: input}
	a, err := on.Approvals.RequestApproval(ctx, by.ProjectID, by.Actor, stored, needed)
	if err != nil {
		return out, err
	}
	return out, &Pending{a, needed}
}

func (o Operation[I, O]) input() (reflect.Type, int) { return reflect.TypeFor[I](), o.version }

func (o Operation[I, O]) carryOut(ctx context.Context, on *Operations, by Author, version int, input []byte) error {
	if version != o.version {
		return errOtherVersion
	}
	in, err := decoded[I](input)
	if err != nil {
		return err
	}
	_, err = o.change(ctx, on, by, in)
	return err
}

// errOtherVersion refuses an input that another version of Waft has stored in a different format.
var errOtherVersion = models.Errorf(models.CodeInvalid, "this call was stored by another version of Waft and cannot be read; "+
	"make the call again")

// decoded decodes an input as strictly as the API decodes a body, and validates it.
func decoded[I any](input []byte) (in I, err error) {
	read := json.NewDecoder(bytes.NewReader(input))
	read.DisallowUnknownFields()
	if err := read.Decode(&in); err != nil {
		return in, models.Errorf(models.CodeInvalid, "the stored input cannot be read: %v", err)
	}
	if _, err := read.Token(); !errors.Is(err, io.EOF) {
		return in, models.Errorf(models.CodeInvalid, "the stored input has trailing data")
	}
	if checked, ok := any(in).(interface{ Validate() error }); ok {
		return in, checked.Validate()
	}
	return in, nil
}
