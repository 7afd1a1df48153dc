package store_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// rsaKey is made once: it takes a while.
var rsaKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// newSigningKey has a certificate for rsaKey that clients accept; change may alter
// it.
func newSigningKey(t testing.TB, change func(*x509.Certificate)) models.NewSigningKey {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Demo"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning},
	}
	if change != nil {
		change(template)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, rsaKey().Public(), rsaKey())
	require.NoError(t, err)
	return models.NewSigningKey{
		PrivateKeyPEM: string(pem.EncodeToMemory(&pem.Block{
			Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(rsaKey()),
		})),
		CertificatePEM: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
	}
}

func TestSigningKey(t *testing.T) {
	t.Parallel()

	t.Run("is stored encrypted only", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		n := newSigningKey(t, nil)
		var k models.SigningKey
		f.requireBumped(true, func() {
			var err error
			k, err = f.PutSigningKey(t.Context(), f.project.ID, alice, n)
			require.NoError(t, err)
		})
		require.Equal(t, "main", k.KeyID)
		require.Equal(t, n.CertificatePEM, k.CertificatePEM)
		read, err := f.SigningKey(t.Context(), f.project.ID)
		require.NoError(t, err)
		require.Equal(t, k, read)
		private, err := f.PrivateSigningKey(read)
		require.NoError(t, err)
		require.True(t, rsaKey().Equal(private))
		f.requireNoTrace("PRIVATE KEY")
		f.requireNoTrace(n.PrivateKeyPEM[200:240])

		entry := f.audited(1)[0]
		require.Equal(t, "code_signing.updated", entry.Action)
		require.Equal(t, k.Fingerprint, entry.Details["fingerprint"])
		require.Equal(t, "main", entry.Details["keyId"])
	})

	t.Run("is replaced", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		first, err := f.PutSigningKey(t.Context(), f.project.ID, alice, newSigningKey(t, nil))
		require.NoError(t, err)
		n := newSigningKey(t, nil)
		n.KeyID = "second"
		second, err := f.PutSigningKey(t.Context(), f.project.ID, alice, n)
		require.NoError(t, err)
		require.Equal(t, first.ID, second.ID)
		require.Equal(t, first.CreatedAt, second.CreatedAt)
		require.Equal(t, map[string]any{"before": "main", "after": "second"}, f.audited(1)[0].Details["keyId"])
		_, err = f.PrivateSigningKey(second)
		require.NoError(t, err)
	})

	t.Run("is deleted", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		requireCode(t, models.CodeNotFound, f.DeleteSigningKey(t.Context(), f.project.ID, alice))
		_, err := f.PutSigningKey(t.Context(), f.project.ID, alice, newSigningKey(t, nil))
		require.NoError(t, err)
		f.requireBumped(true, func() { require.NoError(t, f.DeleteSigningKey(t.Context(), f.project.ID, alice)) })
		require.Equal(t, "code_signing.deleted", f.audited(1)[0].Action)
		_, err = f.SigningKey(t.Context(), f.project.ID)
		requireCode(t, models.CodeNotFound, err)
	})

	t.Run("is what snapshots are signed with", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		signing := func() *models.SigningCredentials {
			s, err := f.Snapshot(t.Context(), f.project.ID)
			require.NoError(t, err)
			return s.Signing
		}
		require.Nil(t, signing())
		k, err := f.PutSigningKey(t.Context(), f.project.ID, alice, newSigningKey(t, nil))
		require.NoError(t, err)
		c := signing()
		require.NotNil(t, c)
		require.True(t, rsaKey().Equal(c.PrivateKey))
		require.Equal(t, []string{k.KeyID, k.CertificatePEM, k.Fingerprint}, []string{c.KeyID, c.CertificatePEM, c.Fingerprint()})
		require.True(t, c.SelfSigned())
		require.NoError(t, f.DeleteSigningKey(t.Context(), f.project.ID, alice))
		require.Nil(t, signing())
	})

	t.Run("of another project is not found", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, err := f.PutSigningKey(t.Context(), f.project.ID, alice, newSigningKey(t, nil))
		require.NoError(t, err)
		_, err = f.SigningKey(t.Context(), f.newProject("other").ID)
		requireCode(t, models.CodeNotFound, err)
		require.NoError(t, f.DeleteProject(t.Context(), alice, "demo"))
	})

	t.Run("is refused when clients would not accept it", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		n := newSigningKey(t, func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) })
		f.requireBumped(false, func() {
			_, err := f.PutSigningKey(t.Context(), f.project.ID, alice, n)
			requireField(t, "certificatePem", err)
		})
	})
}
