// Package api is Waft's HTTP interface: the management endpoints, which huma
// describes, checks and documents from one set of Go types, and the plain Gin
// handlers of what devices ask for. The table in routes.go says who may call
// what. A handler binds, calls one service and renders; services are the small
// interfaces beside the handlers, so the package knows no database, no Temporal
// and no ClickHouse.
package api
