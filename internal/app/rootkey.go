package app

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/waft-ota/waft/models"
)

// rootKeyHash is the hash of the installation's root key: the one from the
// settings, else the one made at the first start, which is shown then and never
// again.
func (a *App) rootKeyHash(ctx context.Context) ([]byte, error) {
	if a.cfg.RootKey != "" {
		token, ok := models.ParseAPIKeyToken(a.cfg.RootKey)
		if !ok {
			return nil, errors.New("WAFT_ROOT_KEY must read waft_<8 characters>_<64 or more characters>; leave it out to have one made")
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
