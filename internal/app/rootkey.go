package app

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/waft-ota/waft/models"
)

// rootKeyHash returns the hash of the installation's root key: the one in the settings, or
// the one that the first start makes and prints.
func (a *App) rootKeyHash(ctx context.Context) ([]byte, error) {
	if a.cfg.RootKey != "" {
		token, ok := models.ParseAPIKeyToken(a.cfg.RootKey)
		if !ok {
			return nil, errors.New("WAFT_ROOT_KEY must have the form waft_<8 characters>_<64 or more characters>; leave it empty to have one made")
		}
		return token.Hash(), nil
	}
	token := models.NewAPIKeyToken()
	hash, created, err := a.store.RootKeyHash(ctx, token.Hash())
	if err != nil {
		return nil, err
	}
	if created {
		fmt.Fprintf(os.Stderr, "\nThis installation's root key, shown only now:\n\n    %s\n\n", token.Reveal())
	}
	return hash, nil
}
