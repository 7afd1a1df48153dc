package app

import (
	"context"
	"errors"

	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/identity/password"
	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/models"
)

// SetupLink returns a link to create the first account. It replaces the previous link. The error is already_exists if an account
// exists.
func SetupLink(ctx context.Context, settings config.Accounts) (link string, err error) {
	address, err := settings.URL()
	if err != nil {
		return "", err
	}
	err = withStore(ctx, settings, func(s *store.Store) error {
		token := models.NewSecretToken()
		link = address + "/app/setup#" + token.Reveal()
		return s.PutSetupLink(ctx, token)
	})
	if err != nil {
		return "", err
	}
	return link, nil
}

// ResetPassword gives an account a random password and ends its sessions.
func ResetPassword(ctx context.Context, settings config.Accounts, email string) (secret string, err error) {
	err = withStore(ctx, settings, func(s *store.Store) error {
		secret = models.NewSecretToken().Reveal()
		hash, err := password.New(password.Current).Hash(ctx, secret)
		if err != nil {
			return err
		}
		_, err = s.ResetPassword(ctx, email, hash)
		return err
	})
	if err != nil {
		return "", err
	}
	return secret, nil
}

// VerifyEmail marks the address of an account as verified.
func VerifyEmail(ctx context.Context, settings config.Accounts, email string) error {
	return withStore(ctx, settings, func(s *store.Store) error {
		_, err := s.VerifyEmail(ctx, email)
		return err
	})
}

func withStore(ctx context.Context, settings config.Accounts, do func(s *store.Store) error) (err error) {
	s, err := store.Open(ctx, settings.DatabaseURL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.CheckSchema(ctx); err != nil {
		return err
	}
	return do(s)
}
