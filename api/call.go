package api

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// call is what the layers around a handler know of one request. It travels in
// the request's context.
type call struct {
	// id is the X-Request-Id, taken from the caller or made.
	id string
	// traceID is the trace that a W3C traceparent header names, or "".
	traceID string
	// path and query are the request's own, for Link headers and problems.
	path, query string
	caller      caller
	// once is the Idempotency-Key that the request is answered under, or "".
	once string
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

func withCall(ctx context.Context, c *call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// callOf returns the request's call. Contexts that no middleware has seen, as in
// the making of the OpenAPI document, have an empty one.
func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{}
}

// actorOf is who the audit log names for what the request changes.
func actorOf(ctx context.Context) models.Actor { return callOf(ctx).caller.actor }

// projectOf is the id of the project that the request is about.
func projectOf(ctx context.Context) int64 { return callOf(ctx).caller.project.ID }

// requestID keeps an id that the caller sent when it can stand in a header and a
// log line, and makes one otherwise.
func requestID(sent string) string {
	if sent == "" || len(sent) > 128 {
		return uuid.NewString()
	}
	for i := range len(sent) {
		if sent[i] < 0x21 || sent[i] > 0x7e {
			return uuid.NewString()
		}
	}
	return sent
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
