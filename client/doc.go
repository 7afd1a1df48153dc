// Package client is the Go client of Waft's management API. The calls and the
// records are generated from the server's OpenAPI document; written by hand are
// only the credentials, the reading of errors, the upload of an export folder
// and the stream of a rollout.
//
// A method of the client answers an error for every answer of status 400 and up,
// as an *Error, so a caller that got no error finds the record in JSON200 or
// JSON201.
package client

//go:generate go tool -modfile=../tools/go.mod oapi-codegen -config codegen.models.yaml openapi.json
//go:generate go tool -modfile=../tools/go.mod oapi-codegen -config codegen.yaml openapi.json
