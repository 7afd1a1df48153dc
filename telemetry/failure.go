package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/waft-ota/waft/models"
)

// partAway are the exceptions with which a node reports that another node or Keeper does not respond:
// TIMEOUT_EXCEEDED, SOCKET_TIMEOUT, NETWORK_ERROR, NO_ZOOKEEPER, TABLE_IS_READ_ONLY, ALL_CONNECTION_TRIES_FAILED,
// UNFINISHED, KEEPER_EXCEPTION.
var partAway = map[int32]bool{159: true, 209: true, 210: true, 225: true, 242: true, 279: true, 341: true, 999: true}

// queryError wraps the error of a query. After an outage it returns a models.Unavailable error, which means that the
// caller may retry. It does not do so if ClickHouse rejected the query or the caller cancelled it.
func queryError(what string, err error) error {
	err = fmt.Errorf("%s: %w", what, withoutURL(err))
	var rejected *clickhouse.Exception
	if errors.As(err, &rejected) && !partAway[rejected.Code] || errors.Is(err, context.Canceled) {
		return err
	}
	return models.Unavailable("ClickHouse", err)
}

// withoutURL returns err without the URL of the request in its text. The URL contains the user, the database and
// every parameter of the query.
func withoutURL(err error) error {
	var request *url.Error
	if !errors.As(err, &request) {
		return err
	}
	return &shortError{text: strings.Replace(err.Error(), request.Error(), request.Err.Error(), 1), error: err}
}

// shortError is an error with a different text.
type shortError struct {
	error
	text string
}

func (e *shortError) Error() string { return e.text }
func (e *shortError) Unwrap() error { return e.error }
