package store

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// PutSigningKey gives the project a signing key, in place of the one that it has.
func (s *Store) PutSigningKey(ctx context.Context, projectID int64, actor models.Actor, n models.NewSigningKey) (k models.SigningKey, err error) {
	credentials, err := n.Credentials(s.clock())
	if err != nil {
		return models.SigningKey{}, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(credentials.PrivateKey)
	if err != nil {
		return models.SigningKey{}, fmt.Errorf("signing key: %w", err)
	}
	err = s.change(ctx, projectID, func(tx *gorm.DB, _ *models.Project) error {
		before, err := signingKeyOf(tx, projectID)
		if err != nil && models.CodeOf(err) != models.CodeNotFound {
			return err
		}
		if k, err = newSigningKey(tx, before, credentials); err != nil {
			return err
		}
		k.ProjectID = projectID
		if k.SealedPrivateKey, err = s.seal(signingKey, k.ID, private); err != nil {
			return err
		}
		if err := tx.Save(&k).Error; err != nil {
			return err
		}
		return audit(tx, projectID, actor, actionSigningUpdated, entitySigning, k.ID, signingDiff(before, k))
	})
	return k, err
}

// newSigningKey is the row for the credentials, which keeps the id and the age of
// the one before it.
func newSigningKey(tx *gorm.DB, before models.SigningKey, c models.SigningCredentials) (models.SigningKey, error) {
	k := models.SigningKey{
		ID: before.ID, KeyID: c.KeyID, CertificatePEM: c.CertificatePEM, Fingerprint: c.Fingerprint(),
		NotBefore: c.Certificate.NotBefore.UTC(), NotAfter: c.Certificate.NotAfter.UTC(),
		CreatedAt: before.CreatedAt, UpdatedAt: tx.NowFunc(),
	}
	if k.ID != 0 {
		return k, nil
	}
	k.CreatedAt = k.UpdatedAt
	id, err := nextID(tx)
	k.ID = id
	return k, err
}

// signingDiff says what changed without the key itself; a certificate names it.
func signingDiff(before, after models.SigningKey) diff {
	d := diff{}
	note(d, "keyId", before.KeyID, after.KeyID)
	note(d, "fingerprint", before.Fingerprint, after.Fingerprint)
	if !before.NotAfter.Equal(after.NotAfter) {
		d["notAfter"] = map[string]any{"before": before.NotAfter, "after": after.NotAfter}
	}
	if before.ID == 0 {
		d = diff{"keyId": after.KeyID, "fingerprint": after.Fingerprint, "notAfter": after.NotAfter}
	}
	return d
}

// SigningKey is the project's signing key without its secret part.
func (s *Store) SigningKey(ctx context.Context, projectID int64) (models.SigningKey, error) {
	return reading(ctx, s, func(tx *gorm.DB) (models.SigningKey, error) {
		return signingKeyOf(tx, projectID)
	})
}

// PrivateSigningKey is the secret part of k.
func (s *Store) PrivateSigningKey(k models.SigningKey) (*rsa.PrivateKey, error) {
	der, err := s.unseal(signingKey, k.ID, k.SealedPrivateKey)
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

// signingCredentials are what the project's manifests are signed with, nil when they
// are not.
func (s *Store) signingCredentials(tx *gorm.DB, projectID int64) (*models.SigningCredentials, error) {
	k, err := signingKeyOf(tx, projectID)
	if models.CodeOf(err) == models.CodeNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	private, err := s.PrivateSigningKey(k)
	if err != nil {
		return nil, err
	}
	return k.Credentials(private)
}

// DeleteSigningKey ends the signing of the project's manifests. Apps that expect a
// signature get no update from then on.
func (s *Store) DeleteSigningKey(ctx context.Context, projectID int64, actor models.Actor) error {
	return s.change(ctx, projectID, func(tx *gorm.DB, _ *models.Project) error {
		k, err := signingKeyOf(tx, projectID)
		if err != nil {
			return err
		}
		if err := tx.Where("id = ?", k.ID).Delete(&models.SigningKey{}).Error; err != nil {
			return err
		}
		details := map[string]any{"keyId": k.KeyID, "fingerprint": k.Fingerprint}
		return audit(tx, projectID, actor, actionSigningDeleted, entitySigning, k.ID, details)
	})
}

func signingKeyOf(tx *gorm.DB, projectID int64) (models.SigningKey, error) {
	return one[models.SigningKey](tx.Where("project_id = ?", projectID), "code signing key")
}
