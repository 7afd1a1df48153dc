package api

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// manifestKey is generated once, because that takes a while.
var manifestKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// credentials returns signing credentials that stock clients trust.
func credentials(t testing.TB) *models.SigningCredentials {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Demo"},
		NotBefore: now.AddDate(-1, 0, 0), NotAfter: now.AddDate(1, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, manifestKey().Public(), manifestKey())
	require.NoError(t, err)
	certificate, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	return &models.SigningCredentials{
		KeyID: models.DefaultSigningKeyID, PrivateKey: manifestKey(), Certificate: certificate,
		CertificatePEM: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
	}
}

// signedSnapshots returns newSnapshots, but demo has credentials to sign manifests.
func signedSnapshots(t *testing.T) snapshots {
	t.Helper()
	return newSnapshots(t, func(p *models.ProjectSnapshot) { p.Signing = credentials(t) })
}
