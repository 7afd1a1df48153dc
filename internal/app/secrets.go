package app

import (
	"context"
	"fmt"

	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/secrets"
)

// newBox makes what encrypts stored secrets out of the settings.
func newBox(cfg config.Config) (*secrets.Box, error) {
	current, err := secrets.ParseKey(cfg.SecretKey)
	if err != nil {
		return nil, fmt.Errorf("WAFT_SECRET_KEY %w", err)
	}
	if cfg.SecretKeyPrevious == "" {
		return secrets.New(current)
	}
	other, err := secrets.ParseKey(cfg.SecretKeyPrevious)
	if err != nil {
		return nil, fmt.Errorf("WAFT_SECRET_KEY_PREVIOUS %w", err)
	}
	return secrets.New(current, other)
}

// reseal puts every stored secret under the current key. A process that could not
// read one of them does not start: what it signs or sends would fail later, where
// nobody looks.
func (a *App) reseal(ctx context.Context) error {
	resealed, err := a.store.ResealSecrets(ctx)
	if err != nil {
		return fmt.Errorf("stored secrets: %w", err)
	}
	if resealed > 0 {
		a.log.Info("stored secrets are encrypted with WAFT_SECRET_KEY now", "secrets", resealed)
	}
	return nil
}
