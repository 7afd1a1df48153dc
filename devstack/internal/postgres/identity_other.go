//go:build !linux

package postgres

import (
	"context"
	"errors"
	"os"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// identity returns nil for the caller, who must not be root.
func identity(context.Context, string) (*process.Identity, error) {
	if os.Geteuid() == 0 {
		return nil, errors.New("root is refused by Postgres: run devstack as an ordinary user")
	}
	return nil, nil
}
