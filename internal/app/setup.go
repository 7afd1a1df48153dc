package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/internal/base/tracing"
	"github.com/waft-ota/waft/internal/base/version"
	"github.com/waft-ota/waft/models"
)

// openBucket opens the asset bucket. The worker has its own folder for uploads, since each process
// empties its folder at a start and both may share a data folder.
func (a *App) openBucket(ctx context.Context) (err error) {
	staging := "uploads"
	if !a.role.API {
		staging = "worker"
	}
	if a.bucket, err = assets.Open(ctx, a.cfg.AssetBucketURL, filepath.Join(a.cfg.DataDir, staging)); err != nil {
		return err
	}
	a.closers = append(a.closers, a.bucket.Close)
	if a.role.API && a.cfg.AssetRedirect > 0 {
		if err := a.bucket.CanSign(ctx); err != nil {
			return fmt.Errorf("WAFT_ASSET_REDIRECT: %w", err)
		}
	}
	return nil
}

// rootKeyHash returns the hash of the installation's root key, which is in the settings or was
// made and printed by the first start.
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

// reseal encrypts every stored secret with the current key. A secret that cannot be decrypted
// prevents the start, since its use would fail later.
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

// traceFlushTimeout is how long a stop waits until the last spans are exported.
const traceFlushTimeout = 5 * time.Second

// startTracing makes the process export spans, when the settings name a collector.
func (a *App) startTracing(ctx context.Context) error {
	if a.cfg.OTLPEndpoint == "" {
		return nil
	}
	provider, err := tracing.NewProvider(ctx, a.cfg.OTLPEndpoint, version.String())
	if err != nil {
		return fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	a.tracer = provider.Tracer("waft")
	a.closers = append(a.closers, func() error {
		flush, cancel := context.WithTimeout(context.WithoutCancel(ctx), traceFlushTimeout)
		defer cancel()
		if err := provider.Shutdown(flush); err != nil {
			a.log.Warn("the last spans could not be exported", "error", err)
		}
		return nil
	})
	return nil
}
