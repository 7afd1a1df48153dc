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

// Call is what middlewares and handlers share about one request. It is the request's
// context, which saves an allocation for each request of a device.
type Call struct {
	context.Context
	// ID is the X-Request-Id, from the caller or generated; idHeader is its header value.
	ID       string
	idHeader [1]string
	// traceID is from the traceparent header, or "".
	traceID string
	// Method, path and query are those of the request.
	Method, Path, Query string
	Caller              Caller
	// Needed is who may call the route.
	Needed Access
	// Background says that no person caused the request, so it does not extend a session.
	Background bool
	// Browser is what package access knows about the client, nil outside /v1/auth.
	Browser any
	// IdempotencyKey is the request's Idempotency-Key, or "".
	IdempotencyKey string
	// IfMatch is the request's If-Match, nil without one and for *.
	IfMatch models.IfMatch
	// CarriedOut is the rollout command that took effect, or "".
	CarriedOut models.RolloutCommand
	// sender is where the request comes from, once SenderOf has read it.
	sender     Sender
	senderRead bool
	// answer are the headers of the answer of an operation.
	answer http.Header
	// Failure is the error that was answered, for the log.
	Failure error
}

// Caller is who makes a request; the zero value is anonymous.
type Caller struct {
	Actor models.Actor
	Role  models.Role // in project
	Root  bool
	// Person is nil for a key; key is nil for a person and for the root key.
	Person *SignedIn
	Key    *models.APIKey
	// Project is that of X-Project, on routes that need one.
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

// CallOf returns the request's call, and an empty one for any other context.
func CallOf(ctx context.Context) *Call {
	if c, ok := ctx.Value(callKey{}).(*Call); ok {
		return c
	}
	return &Call{Context: ctx}
}

// ActorOf is the actor for the audit log.
func ActorOf(ctx context.Context) models.Actor {
	call := CallOf(ctx)
	actor := call.Caller.Actor
	actor.Role, actor.IfMatch = call.Caller.Role, call.IfMatch
	return actor
}

// ProjectOf is the id of the request's project.
func ProjectOf(ctx context.Context) int64 { return CallOf(ctx).Caller.Project.ID }

// requestID is the id that the caller sent if it is visible ASCII, and otherwise a random
// UUID. The UUID protects nothing, so a fast generator makes it.
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

// traceID is the trace id of a W3C traceparent header
// (version-traceid-parentid-flags, all lower-case hex), "" for anything else.
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

// Require refuses a role that is too low.
func (who *Caller) Require(needed Access) error {
	if who.Role.Allows(models.Role(needed)) {
		return nil
	}
	if who.Person != nil {
		return models.Errorf(models.CodeForbidden, "this needs the role %s, and you are a %s", needed, who.Role)
	}
	return models.Errorf(models.CodeForbidden, "this needs the role %s, and the key is a %s", needed, who.Role)
}

// credential is the secret that the caller of a request sent: of the key, or of the session.
func credential(c *gin.Context) string {
	if p := CallOf(c.Request.Context()).Caller.Person; p != nil {
		return "Session " + p.Token.Reveal()
	}
	return c.GetHeader("Authorization")
}

// callerName identifies the caller for its idempotency keys. A session has its own, since what is stored
// for it can be decrypted with its token only.
func callerName(who Caller) string {
	if who.Person != nil {
		return fmt.Sprintf("session %d", who.Person.Session.ID)
	}
	return who.Actor.ID
}
