package operations

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/waft-ota/waft/models"
)

// needed is the lowest role that may make an operation.
const needed = models.RoleEditor

// CarryOut applies an approved change as its requester, if the requester may still make it. A refusal or a failure of
// the change is an outcome. An error means that something that the change needs is unavailable, or that ctx has ended;
// then CarryOut must be called again.
func (o *Operations) CarryOut(ctx context.Context, a models.Approval) (outcome models.CallOutcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			outcome.Failure = &models.CallFailure{
				Reason: "a defect in Waft stopped the call; see the log of the worker for details",
				Detail: fmt.Sprintf("panic in %s: %v\n%s", a.Action, p, debug.Stack()), Final: true,
			}
		}
	}()
	err = o.carryOut(ctx, a)
	var refusal *models.Error
	switch {
	case err == nil:
		return models.CallOutcome{Done: true}, nil
	case ctx.Err() != nil || unavailable(models.CodeOf(err)):
		return models.CallOutcome{}, fmt.Errorf("%s of approval %d: %w", a.Action, a.ID, err)
	case errors.As(err, &refusal) && refusal.Code != models.CodeInternal:
		return models.CallOutcome{Refusal: sentence(refusal)}, nil
	default:
		return models.CallOutcome{Failure: &models.CallFailure{
			Reason: "the call failed repeatedly; see the log of the worker for details", Detail: fmt.Sprintf("%s: %v", a.Action, err),
		}}, nil
	}
}

func (o *Operations) carryOut(ctx context.Context, a models.Approval) error {
	op, known := table[a.Action]
	if !known {
		return errOtherVersion
	}
	by, err := o.author(ctx, a)
	if err != nil {
		return err
	}
	return op.carryOut(ctx, o, by, a.InputVersion, a.Input)
}

// unavailable reports whether a change that ended with the code did not fail on its own account and may succeed later.
func unavailable(code models.ErrorCode) bool {
	return code == models.CodeUnavailable || code == models.CodeRateLimited || code == models.CodeExpired
}

// sentence returns the message of a refusal, with the problem of each field.
func sentence(e *models.Error) string {
	text := e.Message
	for _, f := range e.Fields {
		if line := f.Field + ": " + f.Message; !strings.Contains(text, line) {
			text += "; " + line
		}
	}
	return text
}

// author returns the requester of an approved change with its present rights. A key that has expired keeps its rights,
// and a revoked one loses them.
func (o *Operations) author(ctx context.Context, a models.Approval) (Author, error) {
	by := Author{ProjectID: a.ProjectID, Actor: a.Author()}
	var err error
	switch {
	case a.AuthorID == models.RootKeyID:
		by.Actor.Role = models.RoleAdmin
	case a.AuthorType == models.ActorAPIKey:
		err = o.readKey(ctx, a, &by.Actor)
	default:
		err = o.readPerson(ctx, a, &by.Actor)
	}
	if models.CodeOf(err) == models.CodeNotFound {
		return by, models.Errorf(models.CodeForbidden, "the requester %s no longer has access to the project", a.AuthorName)
	}
	if err == nil && !by.Actor.Role.Allows(needed) {
		err = models.Errorf(models.CodeForbidden, "this needs the role %s, but the requester %s is a %s", needed, a.AuthorName, by.Actor.Role)
	}
	return by, err
}

func (o *Operations) readKey(ctx context.Context, a models.Approval, actor *models.Actor) error {
	id, err := strconv.ParseInt(a.AuthorID, 10, 64)
	if err != nil {
		return fmt.Errorf("requester of approval %d: %w", a.ID, err)
	}
	key, err := o.Authors.APIKey(ctx, a.ProjectID, id)
	if err == nil && key.RevokedAt != nil {
		return models.Errorf(models.CodeNotFound, "the key was revoked")
	}
	actor.Role, actor.Channels = key.Role, key.Channels
	return err
}

func (o *Operations) readPerson(ctx context.Context, a models.Approval, actor *models.Actor) error {
	id, err := strconv.ParseInt(a.AuthorID, 10, 64)
	if err != nil {
		return fmt.Errorf("requester of approval %d: %w", a.ID, err)
	}
	user, err := o.Authors.User(ctx, id)
	if err != nil {
		return err
	}
	actor.Role, err = o.Authors.Role(ctx, a.ProjectID, user)
	return err
}
