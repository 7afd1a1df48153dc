package projectstore

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// PutSigningKey sets or replaces the project's signing key.
func (s *Projects) PutSigningKey(ctx context.Context, projectID int64, actor models.Actor, n models.NewSigningKey) (k models.SigningKey, err error) {
	credentials, err := n.Credentials(s.db.Clock())
	if err != nil {
		return models.SigningKey{}, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(credentials.PrivateKey)
	if err != nil {
		return models.SigningKey{}, fmt.Errorf("signing key: %w", err)
	}
	err = s.units.ChangeServed(ctx, projectID, actor, func(c *unit.Change) error {
		before, err := signingKeyOf(c.Tx, projectID)
		if err != nil && models.CodeOf(err) != models.CodeNotFound {
			return err
		}
		k = newSigningKey(c, before, credentials)
		if k.SealedPrivateKey, err = s.units.Seal(unit.SigningKeyColumn, k.ID, private); err != nil {
			return err
		}
		c.Do(func() error { return c.Tx.Save(&k).Error })
		c.ExemptFromApproval(unit.NoChannel) // a signature does not change what devices run
		c.Audit("code_signing.updated", "code_signing", k.ID, signingDiff(before, k))
		return nil
	})
	return k, err
}

// newSigningKey returns the row for the credentials. It keeps the ID and creation time of the previous key.
func newSigningKey(c *unit.Change, before models.SigningKey, n models.SigningCredentials) models.SigningKey {
	k := models.SigningKey{
		ID: before.ID, ProjectID: c.Project.ID, KeyID: n.KeyID, CertificatePEM: n.CertificatePEM, Fingerprint: n.Fingerprint(),
		NotBefore: n.Certificate.NotBefore.UTC(), NotAfter: n.Certificate.NotAfter.UTC(),
		CreatedAt: before.CreatedAt, UpdatedAt: c.Now(),
	}
	if k.ID == 0 {
		k.ID, k.CreatedAt = c.NextID(), k.UpdatedAt
	}
	return k
}

// signingDiff returns the audit log's representation of a new key, without the key itself.
func signingDiff(before, after models.SigningKey) unit.Diff {
	if before.ID == 0 {
		return unit.Diff{"keyId": after.KeyID, "fingerprint": after.Fingerprint, "notAfter": after.NotAfter}
	}
	return unit.MapDiff(map[string]any{"keyId": before.KeyID, "fingerprint": before.Fingerprint, "notAfter": before.NotAfter},
		map[string]any{"keyId": after.KeyID, "fingerprint": after.Fingerprint, "notAfter": after.NotAfter})
}

// SigningKey returns the project's signing key. Its private key is encrypted.
func (s *Projects) SigningKey(ctx context.Context, projectID int64) (models.SigningKey, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.SigningKey, error) {
		return signingKeyOf(tx, projectID)
	})
}

// PrivateSigningKey decrypts the private key of k.
func (s *Projects) PrivateSigningKey(k models.SigningKey) (*rsa.PrivateKey, error) {
	der, err := s.units.Unseal(unit.SigningKeyColumn, k.ID, k.SealedPrivateKey)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, fmt.Errorf("signing key %d: %w", k.ID, err)
	}
	private, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, errors.New("signing key: not an RSA key")
	}
	return private, nil
}

// SigningCredentials returns the credentials that sign the project's manifests, or nil if manifests are not signed.
func (s *Projects) SigningCredentials(tx *gorm.DB, projectID int64) (*models.SigningCredentials, error) {
	k, err := signingKeyOf(tx, projectID)
	if models.CodeOf(err) == models.CodeNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s.Credentials(k)
}

// Credentials returns the credentials that sign manifests with the key.
func (s *Projects) Credentials(k models.SigningKey) (*models.SigningCredentials, error) {
	private, err := s.PrivateSigningKey(k)
	if err != nil {
		return nil, err
	}
	return k.Credentials(private)
}

// DeleteSigningKey ends code signing. From then on, apps that expect a signature do not get updates.
func (s *Projects) DeleteSigningKey(ctx context.Context, projectID int64, actor models.Actor) error {
	return s.units.ChangeServed(ctx, projectID, actor, func(c *unit.Change) error {
		k, err := signingKeyOf(c.Tx, projectID)
		if err != nil {
			return err
		}
		c.Exec("DELETE FROM code_signing_keys WHERE id = ?", k.ID)
		c.ExemptFromApproval(unit.NoChannel) // a signature does not change what devices run
		c.Audit("code_signing.deleted", "code_signing", k.ID, map[string]any{"keyId": k.KeyID, "fingerprint": k.Fingerprint})
		return nil
	})
}

func signingKeyOf(tx *gorm.DB, projectID int64) (models.SigningKey, error) {
	return pg.One[models.SigningKey](tx.Where("project_id = ?", projectID), "code signing key")
}
