// Package client is the Go client of Waft's management API. The calls and the records are generated from the server's OpenAPI
// document. Only the credentials, the parsing of errors, the upload of an export folder and the event stream of a rollout are written
// manually.
//
// Methods return an *Error for every response with status 400 or above. If a method does not return an error, the record is in
// JSON200 or JSON201.
package client

//go:generate go tool -modfile=../tools/go.mod oapi-codegen -config codegen.models.yaml openapi.json
//go:generate go tool -modfile=../tools/go.mod oapi-codegen -config codegen.yaml openapi.json
