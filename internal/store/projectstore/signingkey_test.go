package projectstore_test

import (
	"crypto/x509"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestSigningKey(t *testing.T) {
	t.Parallel()

	t.Run("is stored encrypted only", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		n := storetest.NewSigningKey(t, nil)
		var k models.SigningKey
		f.RequireBumped(true, func() {
			var err error
			k, err = f.PutSigningKey(t.Context(), f.Demo.ID, storetest.Alice, n)
			require.NoError(t, err)
		})
		require.Equal(t, "main", k.KeyID)
		require.Equal(t, n.CertificatePEM, k.CertificatePEM)
		read, err := f.SigningKey(t.Context(), f.Demo.ID)
		require.NoError(t, err)
		require.Equal(t, k, read)
		private, err := f.PrivateSigningKey(read)
		require.NoError(t, err)
		require.True(t, storetest.RSAKey().Equal(private))
		storetest.RequireNoTrace(f, "PRIVATE KEY")
		storetest.RequireNoTrace(f, n.PrivateKeyPEM[200:240])

		entry := f.Audited(1)[0]
		require.Equal(t, "code_signing.updated", entry.Action)
		require.Equal(t, k.Fingerprint, entry.Details["fingerprint"])
		require.Equal(t, "main", entry.Details["keyId"])
	})

	t.Run("is replaced", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		first, err := f.PutSigningKey(t.Context(), f.Demo.ID, storetest.Alice, storetest.NewSigningKey(t, nil))
		require.NoError(t, err)
		n := storetest.NewSigningKey(t, nil)
		n.KeyID = "second"
		second, err := f.PutSigningKey(t.Context(), f.Demo.ID, storetest.Alice, n)
		require.NoError(t, err)
		require.Equal(t, first.ID, second.ID)
		require.Equal(t, first.CreatedAt, second.CreatedAt)
		require.Equal(t, map[string]any{"before": "main", "after": "second"}, f.Audited(1)[0].Details["keyId"])
		_, err = f.PrivateSigningKey(second)
		require.NoError(t, err)
	})

	t.Run("is deleted", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		storetest.RequireCode(t, models.CodeNotFound, f.DeleteSigningKey(t.Context(), f.Demo.ID, storetest.Alice))
		_, err := f.PutSigningKey(t.Context(), f.Demo.ID, storetest.Alice, storetest.NewSigningKey(t, nil))
		require.NoError(t, err)
		f.RequireBumped(true, func() { require.NoError(t, f.DeleteSigningKey(t.Context(), f.Demo.ID, storetest.Alice)) })
		require.Equal(t, "code_signing.deleted", f.Audited(1)[0].Action)
		_, err = f.SigningKey(t.Context(), f.Demo.ID)
		storetest.RequireCode(t, models.CodeNotFound, err)
	})

	t.Run("is what snapshots are signed with", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		signing := func() *models.SigningCredentials {
			s, err := f.Snapshot(t.Context(), f.Demo.ID)
			require.NoError(t, err)
			return s.Signing
		}
		require.Nil(t, signing())
		k, err := f.PutSigningKey(t.Context(), f.Demo.ID, storetest.Alice, storetest.NewSigningKey(t, nil))
		require.NoError(t, err)
		c := signing()
		require.NotNil(t, c)
		require.True(t, storetest.RSAKey().Equal(c.PrivateKey))
		require.Equal(t, []string{k.KeyID, k.CertificatePEM, k.Fingerprint}, []string{c.KeyID, c.CertificatePEM, c.Fingerprint()})
		require.True(t, c.SelfSigned())
		require.NoError(t, f.DeleteSigningKey(t.Context(), f.Demo.ID, storetest.Alice))
		require.Nil(t, signing())
	})

	t.Run("of another project is not found", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, err := f.PutSigningKey(t.Context(), f.Demo.ID, storetest.Alice, storetest.NewSigningKey(t, nil))
		require.NoError(t, err)
		_, err = f.SigningKey(t.Context(), f.NewProject("other").ID)
		storetest.RequireCode(t, models.CodeNotFound, err)
		require.NoError(t, f.DeleteProject(t.Context(), storetest.Alice, "demo"))
	})

	t.Run("is refused when clients would not accept it", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		n := storetest.NewSigningKey(t, func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) })
		f.RequireBumped(false, func() {
			_, err := f.PutSigningKey(t.Context(), f.Demo.ID, storetest.Alice, n)
			storetest.RequireField(t, "certificatePem", err)
		})
	})
}
