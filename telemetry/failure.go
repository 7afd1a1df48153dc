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

// partAway are the exceptions with which a node reports that another node or Keeper does
// not answer: TIMEOUT_EXCEEDED, SOCKET_TIMEOUT, NETWORK_ERROR, NO_ZOOKEEPER,
// TABLE_IS_READ_ONLY, ALL_CONNECTION_TRIES_FAILED, UNFINISHED, KEEPER_EXCEPTION.
var partAway = map[int32]bool{159: true, 209: true, 210: true, 225: true, 242: true, 279: true, 341: true, 999: true}

// queryError wraps the error of a query: as models Unavailable after an outage, after
// which a caller may try again, but not when ClickHouse rejected the query or the caller cancelled it.
func queryError(what string, err error) error {
	err = fmt.Errorf("%s: %w", what, withoutURL(err))
	var rejected *clickhouse.Exception
	if errors.As(err, &rejected) && !partAway[rejected.Code] || errors.Is(err, context.Canceled) {
		return err
	}
	return models.Unavailable("ClickHouse", err)
}

// withoutURL returns err with a text that leaves out the URL of the request, which has the user, the database and every
// parameter of the query.
func withoutURL(err error) error {
	var request *url.Error
	if !errors.As(err, &request) {
		return err
	}
	return &shortError{text: strings.Replace(err.Error(), request.Error(), request.Err.Error(), 1), error: err}
}

// shortError is an error with another text.
type shortError struct {
	error
	text string
}

func (e *shortError) Error() string { return e.text }
func (e *shortError) Unwrap() error { return e.error }
