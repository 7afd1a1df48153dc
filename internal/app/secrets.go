package app

import (
	"context"
	"fmt"

	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/secrets"
)

// newBox returns what encrypts stored secrets.
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

// reseal encrypts every stored secret with the current key. A secret that cannot be read
// prevents the start: signing or sending with it would fail later, unnoticed.
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
