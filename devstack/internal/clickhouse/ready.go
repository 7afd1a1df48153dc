package clickhouse

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/waft-ota/waft/devstack/internal/modules"
)

// Installed returns an error that says what is missing for the engine to run here.
func Installed() error {
	_, err := modules.Find("ClickHouse")
	return err
}

// Ready returns once the server answers a query in the database.
func Ready(ctx context.Context, address, database string) error {
	target := url.URL{Scheme: "http", Host: address, Path: "/", RawQuery: url.Values{
		"query": {"SELECT 1"}, "database": {database},
	}.Encode()}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()

	answer, err := io.ReadAll(io.LimitReader(res.Body, 1024))
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK || strings.TrimSpace(string(answer)) != "1" {
		return fmt.Errorf("ClickHouse answered %s: %s", res.Status, strings.TrimSpace(string(answer)))
	}
	return nil
}
