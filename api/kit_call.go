package api

import (
	"bytes"
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

// call is what middlewares and handlers share about one request. It is the request's
// context, which saves an allocation for each request of a device.
type call struct {
	context.Context
	// id is the X-Request-Id, from the caller or generated; idHeader is its header value.
	id       string
	idHeader [1]string
	// traceID is from the traceparent header, or "".
	traceID string
	// method, path and query are those of the request.
	method, path, query string
	// body is what an operation that may have to wait for approvals has read of the body, nil for others.
	body   *bytes.Buffer
	caller caller
	// needed is who may call the route.
	needed access
	// browser is what package access knows about the client, nil outside /v1/auth.
	browser any
	// idempotencyKey is the request's Idempotency-Key, or "".
	idempotencyKey string
	// carriedOut is the rollout command that took effect, or "".
	carriedOut models.RolloutCommand
	// answer are the headers of the answer of an operation.
	answer http.Header
	// failure is the error that was answered, for the log.
	failure error
}

// caller is who makes a request; the zero value is anonymous.
type caller struct {
	actor models.Actor
	role  models.Role // in project
	root  bool
	// person is nil for a key; key is nil for a person and for the root key.
	person *signedIn
	key    *models.APIKey
	// project is that of X-Project, on routes that need one.
	project models.Project
}

type callKey struct{}

// Value returns the call itself, or a value of the context that it contains.
func (c *call) Value(key any) any {
	if key == (callKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// left reports whether the client has closed its connection.
func (c *call) left() bool { return errors.Is(c.Err(), context.Canceled) }

// callOf returns the request's call, and an empty one for any other context.
func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{Context: ctx}
}

// actorOf is the actor for the audit log.
func actorOf(ctx context.Context) models.Actor {
	who := callOf(ctx).caller
	who.actor.Role = who.role
	return who.actor
}

// projectOf is the id of the request's project.
func projectOf(ctx context.Context) int64 { return callOf(ctx).caller.project.ID }

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

// signedIn is the person of a request with a session.
type signedIn struct {
	user    models.User
	session models.Session
	token   models.SecretToken
}

// require refuses a role that is too low.
func (who *caller) require(needed access) error {
	if who.role.Allows(models.Role(needed)) {
		return nil
	}
	if who.person != nil {
		return models.Errorf(models.CodeForbidden, "this needs the role %s, and you are a %s", needed, who.role)
	}
	return models.Errorf(models.CodeForbidden, "this needs the role %s, and the key is a %s", needed, who.role)
}

// credential is the secret that the caller of a request sent: of the key, or of the session.
func credential(c *gin.Context) string {
	if p := callOf(c.Request.Context()).caller.person; p != nil {
		return "Session " + p.token.Reveal()
	}
	return c.GetHeader("Authorization")
}

// callerName identifies the caller for its idempotency keys. A session has its own, since what is stored
// for it can be decrypted with its token only.
func callerName(who caller) string {
	if who.person != nil {
		return fmt.Sprintf("session %d", who.person.session.ID)
	}
	return who.actor.ID
}
