package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// publicMetrics requests operators' endpoints from the public address.
func publicMetrics(ctx context.Context, t *target) (string, error) {
	metrics, err := t.send(ctx, request{path: "/metrics"})
	if err != nil {
		return "", err
	}
	if metrics.status == http.StatusOK {
		return "", broken("/metrics is open to anyone")
	}
	ready, err := t.send(ctx, request{path: "/readyz"})
	if err != nil {
		return "", err
	}
	for _, engine := range []string{"postgres", "clickhouse", "temporal"} {
		if strings.Contains(strings.ToLower(string(ready.body)), engine) {
			return "", broken("/readyz reveals to anyone: " + engine)
		}
	}
	return fmt.Sprintf("/metrics gets %d, /readyz does not name an engine", metrics.status), nil
}
