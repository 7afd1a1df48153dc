package rest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// Call is the state that middlewares and handlers share about one request. As the request's context, it
// saves an allocation per request of a device.
type Call struct {
	context.Context
	// ID is the X-Request-Id, from the caller or generated. idHeader is its header value.
	ID       string
	idHeader [1]string
	// traceID is the trace ID in the traceparent header, or "".
	traceID string
	// Method, Path and Query are copied from the request.
	Method, Path, Query string
	Caller              Caller
	// Needed is the access that the route requires.
	Needed Access
	// Background is set if the request was not caused by a person, so it does not extend a session.
	Background bool
	// Browser is the information that package access has about the client. It is nil outside /v1/auth.
	Browser any
	// IdempotencyKey is the request's Idempotency-Key, or "".
	IdempotencyKey string
	// IfMatch is the request's If-Match. It is nil if that is absent or *.
	IfMatch models.IfMatch
	// CarriedOut is the rollout command that took effect, or "".
	CarriedOut models.RolloutCommand
	// sender is the origin of the request, once SenderOf has read it.
	sender     Sender
	senderRead bool
	// answer has the response headers of an operation.
	answer http.Header
	// Failure is the error in the response, for the log.
	Failure error
}

// Caller identifies the client of a request. The zero value is anonymous.
type Caller struct {
	Actor models.Actor
	Role  models.Role // in project
	Root  bool
	// Person is nil for a key. Key is nil for a person and for the root key.
	Person *SignedIn
	Key    *models.APIKey
	// Project is the project in X-Project, on routes that require one.
	Project models.Project
}

type callKey struct{}

// Value returns the call itself, or a value of the context that it contains.
func (c *Call) Value(key any) any {
	if key == (callKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// left reports whether the client has closed its connection.
func (c *Call) left() bool { return errors.Is(c.Err(), context.Canceled) }

// CallOf returns the request's call. For any other context it returns an empty call.
func CallOf(ctx context.Context) *Call {
	if c, ok := ctx.Value(callKey{}).(*Call); ok {
		return c
	}
	return &Call{Context: ctx}
}

// ActorOf returns the actor for the audit log.
func ActorOf(ctx context.Context) models.Actor {
	call := CallOf(ctx)
	actor := call.Caller.Actor
	actor.Role, actor.IfMatch = call.Caller.Role, call.IfMatch
	return actor
}

// ProjectOf returns the ID of the request's project.
func ProjectOf(ctx context.Context) int64 { return CallOf(ctx).Caller.Project.ID }

// requestID returns the ID that the caller sent, if it is visible ASCII, and otherwise a random UUID. The UUID is not
// a secret, so a fast generator creates it.
func requestID(sent string) string {
	hidden := strings.ContainsFunc(sent, func(r rune) bool { return r < 0x21 || r > 0x7e })
	if sent != "" && len(sent) <= 128 && !hidden {
		return sent
	}
	var id uuid.UUID
	binary.NativeEndian.PutUint64(id[:8], rand.Uint64())
	binary.NativeEndian.PutUint64(id[8:], rand.Uint64())
	id[6] = id[6]&0x0f | 0x40 // version 4
	id[8] = id[8]&0x3f | 0x80 // variant of RFC 9562
	return id.String()
}

// traceID returns the trace ID of a W3C traceparent header (version-traceid-parentid-flags, all lower-case hex), or
// "" for anything else.
func traceID(traceparent string) string {
	const length = 2 + 1 + 32 + 1 + 16 + 1 + 2
	if len(traceparent) < length || traceparent[2] != '-' || traceparent[35] != '-' || traceparent[52] != '-' {
		return ""
	}
	id := traceparent[3:35]
	if strings.Trim(id, "0123456789abcdef") != "" || strings.Trim(id, "0") == "" {
		return ""
	}
	return id
}

// SignedIn is the person of a request with a session.
type SignedIn struct {
	User    models.User
	Session models.Session
	Token   models.SecretToken
}

// Require returns an error if the caller's role is too low.
func (who *Caller) Require(needed Access) error {
	if who.Role.Allows(models.Role(needed)) {
		return nil
	}
	if who.Person != nil {
		return models.Errorf(models.CodeForbidden, "this call requires the role %s, but your role is %s", needed, who.Role)
	}
	return models.Errorf(models.CodeForbidden, "this call requires the role %s, but the key has the role %s", needed, who.Role)
}

// credential returns the secret in the request: the key, or the token of the session.
func credential(c *gin.Context) string {
	if p := CallOf(c.Request.Context()).Caller.Person; p != nil {
		return "Session " + p.Token.Reveal()
	}
	return c.GetHeader("Authorization")
}

// callerName identifies the caller for its idempotency keys. Each session has its own name, because a response stored
// for it can be decrypted only with its token.
func callerName(who Caller) string {
	if who.Person != nil {
		return fmt.Sprintf("session %d", who.Person.Session.ID)
	}
	return who.Actor.ID
}
