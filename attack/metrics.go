package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// publicMetrics asks the public address for what is for operators.
func publicMetrics(ctx context.Context, t *target) (string, error) {
	metrics, err := t.send(ctx, request{path: "/metrics"})
	if err != nil {
		return "", err
	}
	if metrics.status == http.StatusOK {
		return "", broken("/metrics answers anybody")
	}
	ready, err := t.send(ctx, request{path: "/readyz"})
	if err != nil {
		return "", err
	}
	for _, engine := range []string{"postgres", "clickhouse", "temporal"} {
		if strings.Contains(strings.ToLower(string(ready.body)), engine) {
			return "", broken("/readyz tells anybody about " + engine)
		}
	}
	return fmt.Sprintf("/metrics gets %d, /readyz names no engine", metrics.status), nil
}
