package config

import (
	"fmt"

	"github.com/waft-ota/waft/internal/base/secrets"
)

// SecretBox returns the Box that encrypts stored secrets. Its error names the variable with an invalid key.
func (c Config) SecretBox() (*secrets.Box, error) {
	current, err := secrets.ParseKey(c.SecretKey)
	if err != nil {
		return nil, fmt.Errorf("WAFT_SECRET_KEY %w", err)
	}
	if c.SecretKeyPrevious == "" {
		return secrets.New(current)
	}
	other, err := secrets.ParseKey(c.SecretKeyPrevious)
	if err != nil {
		return nil, fmt.Errorf("WAFT_SECRET_KEY_PREVIOUS %w", err)
	}
	return secrets.New(current, other)
}
