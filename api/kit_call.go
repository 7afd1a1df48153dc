package api

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"strings"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// call is what the layers around a handler know of one request. It is the
// request's context, so that carrying it costs devices nothing.
type call struct {
	context.Context
	// id is the X-Request-Id, taken from the caller or made, and idHeader the same as
	// a header has it.
	id       string
	idHeader [1]string
	// traceID is the trace that a W3C traceparent header names, or "".
	traceID string
	// path and query are the request's own, for Link headers and problems.
	path, query string
	caller      caller
	// idempotencyKey is the key that the request is answered under, or "".
	idempotencyKey string
	// carriedOut is the command that the request's rollout has carried out, or "".
	carriedOut models.RolloutCommand
	// failure is the error that was answered, for the log.
	failure error
}

// caller is who makes a request; the zero value is an anonymous one.
type caller struct {
	actor models.Actor
	// role is what the caller may do in project.
	role models.Role
	root bool
	// project is the one that X-Project names, where the route asks for one.
	project models.Project
}

type callKey struct{}

// Value finds the call itself, and what the context around it has.
func (c *call) Value(key any) any {
	if key == (callKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// callOf returns the request's call. Contexts that no middleware has seen, as in
// the making of the OpenAPI document, have an empty one.
func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{Context: ctx}
}

// actorOf is who the audit log names for what the request changes.
func actorOf(ctx context.Context) models.Actor { return callOf(ctx).caller.actor }

// projectOf is the id of the project that the request is about.
func projectOf(ctx context.Context) int64 { return callOf(ctx).caller.project.ID }

// requestID keeps an id that the caller sent when it can stand in a header and a
// log line, and makes one otherwise.
func requestID(sent string) string {
	if sent == "" || len(sent) > 128 {
		return newRequestID()
	}
	for i := range len(sent) {
		if sent[i] < 0x21 || sent[i] > 0x7e {
			return newRequestID()
		}
	}
	return sent
}

// newRequestID is a random UUID. It names a request and protects nothing, so it
// does not need the randomness of the operating system, which takes longer than to
// answer a device.
func newRequestID() string {
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
