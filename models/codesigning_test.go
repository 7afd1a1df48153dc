package models_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

var signingNow = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func newRSAKey(t testing.TB, bits int) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	require.NoError(t, err)
	return key
}

// issued returns a certificate for public, signed by parent's key. If parent is nil, it is
// self-signed.
func issued(t testing.TB, public crypto.PublicKey, parent *x509.Certificate, signer crypto.Signer, change func(*x509.Certificate)) *x509.Certificate {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(7), Subject: pkix.Name{CommonName: "Demo"}, NotBefore: signingNow.Add(-time.Hour),
		NotAfter: signingNow.Add(time.Hour), KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning},
	}
	if change != nil {
		change(template)
	}
	if parent == nil {
		parent = template
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, public, signer)
	require.NoError(t, err)
	certificate, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	return certificate
}

func asCA(c *x509.Certificate) {
	c.IsCA, c.BasicConstraintsValid, c.KeyUsage, c.Subject.CommonName = true, true, x509.KeyUsageCertSign, "CA"
}

func pemOf(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

func chainOf(chain ...*x509.Certificate) string {
	var text strings.Builder
	for _, c := range chain {
		text.WriteString(pemOf("CERTIFICATE", c.Raw))
	}
	return text.String()
}

func pkcs8(t testing.TB, key crypto.PrivateKey) string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	return pemOf("PRIVATE KEY", der)
}

func TestSigningCredentials(t *testing.T) {
	t.Parallel()
	key, another := newRSAKey(t, 2048), newRSAKey(t, 2048)
	good := issued(t, key.Public(), nil, key, nil)
	pkcs1 := pemOf("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key))

	for name, n := range map[string]models.NewSigningKey{
		"PKCS#8":       {PrivateKeyPEM: pkcs8(t, key), CertificatePEM: chainOf(good)},
		"PKCS#1":       {PrivateKeyPEM: pkcs1, CertificatePEM: "text before\n" + chainOf(good) + "\n"},
		"another name": {PrivateKeyPEM: pkcs1, CertificatePEM: chainOf(good), KeyID: "prod-2026"},
	} {
		c, err := n.Credentials(signingNow)
		require.NoError(t, err, name)
		require.True(t, key.Equal(c.PrivateKey))
		require.Equal(t, chainOf(good), c.CertificatePEM)
		require.Regexp(t, "^[0-9a-f]{64}$", c.Fingerprint())
		if n.KeyID == "" {
			n.KeyID = "main"
		}
		require.Equal(t, n.KeyID, c.KeyID)
	}

	elliptic, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	small := newRSAKey(t, 1024)
	leaf := func(change func(*x509.Certificate)) string { return chainOf(issued(t, key.Public(), nil, key, change)) }
	for name, tc := range map[string]struct {
		private, certificate string
		field, text          string
	}{
		"no key":               {"", chainOf(good), "privateKeyPem", "required"},
		"no PEM":               {"hello", chainOf(good), "privateKeyPem", "in PEM"},
		"a huge key":           {pkcs8(t, key) + strings.Repeat("\n", 16<<10), chainOf(good), "privateKeyPem", "in PEM"},
		"a broken key":         {pemOf("PRIVATE KEY", []byte("hello")), chainOf(good), "privateKeyPem", "not a valid private key"},
		"a public key":         {pemOf("PUBLIC KEY", []byte("hello")), chainOf(good), "privateKeyPem", "RSA private key"},
		"a password":           {pemOf("ENCRYPTED PRIVATE KEY", []byte("hello")), chainOf(good), "privateKeyPem", "password"},
		"an old password":      {"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\naGk=\n-----END RSA PRIVATE KEY-----\n", chainOf(good), "privateKeyPem", "password"},
		"another key":          {pkcs8(t, another), chainOf(good), "privateKeyPem", "does not belong to the certificate"},
		"an elliptic key":      {pkcs8(t, elliptic), chainOf(good), "privateKeyPem", "RSA"},
		"a small key":          {pkcs8(t, small), chainOf(good), "privateKeyPem", "2048"},
		"no certificate":       {pkcs1, "", "certificatePem", "required"},
		"another kind of PEM":  {pkcs1, pkcs1, "certificatePem", "certificate in PEM"},
		"a broken certificate": {pkcs1, pemOf("CERTIFICATE", []byte("hello")), "certificatePem", "invalid certificate"},
		"expired":              {pkcs1, leaf(func(c *x509.Certificate) { c.NotAfter = signingNow.Add(-time.Minute) }), "certificatePem", "expired at 2026-03-04"},
		"not yet valid":        {pkcs1, leaf(func(c *x509.Certificate) { c.NotBefore = signingNow.Add(time.Minute) }), "certificatePem", "not valid before"},
		"no digitalSignature":  {pkcs1, leaf(func(c *x509.Certificate) { c.KeyUsage = x509.KeyUsageKeyEncipherment }), "certificatePem", "digitalSignature"},
		"no codeSigning":       {pkcs1, leaf(func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth} }), "certificatePem", "codeSigning"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := models.NewSigningKey{PrivateKeyPEM: tc.private, CertificatePEM: tc.certificate}
			_, err := n.Credentials(signingNow)
			require.Equal(t, []string{tc.field}, fieldsOf(t, err))
			require.ErrorContains(t, err, tc.text)
			require.NotContains(t, err.Error(), "BEGIN")
		})
	}
	_, err = models.NewSigningKey{PrivateKeyPEM: pkcs1, CertificatePEM: chainOf(good), KeyID: `a"b`}.Credentials(signingNow)
	require.Equal(t, []string{"keyId"}, fieldsOf(t, err))
}

func TestSigningChains(t *testing.T) {
	t.Parallel()
	rootKey, middleKey, key := newRSAKey(t, 2048), newRSAKey(t, 2048), newRSAKey(t, 2048)
	root := issued(t, rootKey.Public(), nil, rootKey, asCA)
	middle := issued(t, middleKey.Public(), root, rootKey, func(c *x509.Certificate) {
		asCA(c)
		c.Subject.CommonName = "Middle"
	})
	leaf := issued(t, key.Public(), middle, middleKey, nil)
	check := func(chain ...*x509.Certificate) error {
		c, err := models.NewSigningKey{PrivateKeyPEM: pkcs8(t, key), CertificatePEM: chainOf(chain...)}.Credentials(signingNow)
		if err == nil {
			require.Equal(t, chainOf(chain...), c.CertificatePEM)
		}
		return err
	}
	require.NoError(t, check(leaf))
	require.NoError(t, check(leaf, middle))
	require.ErrorContains(t, check(leaf, middle, root), "is a root")
	require.ErrorContains(t, check(leaf, root), "did not sign")
	notCA := issued(t, middleKey.Public(), root, rootKey, nil)
	require.ErrorContains(t, check(leaf, notCA), "must be a CA")
	old := issued(t, middleKey.Public(), root, rootKey, func(c *x509.Certificate) {
		asCA(c)
		c.Subject.CommonName = "Middle"
		c.NotAfter = signingNow.Add(-time.Minute)
	})
	require.ErrorContains(t, check(leaf, old), "has expired or is not valid yet")
	require.ErrorContains(t, check(leaf, middle, middle, middle, middle, middle), "certificate in PEM")
	require.NotEmpty(t, fieldsOf(t, check(middle)), "a CA is no leaf")
	require.ErrorContains(t, check(issued(t, key.Public(), nil, key, nil), middle), "did not sign", "a self-signed certificate has no chain")

	narrow := func(c *x509.Certificate) {
		asCA(c)
		c.Subject.CommonName, c.MaxPathLenZero = "Narrow", true
	}
	narrowKey := newRSAKey(t, 2048)
	below := issued(t, narrowKey.Public(), root, rootKey, narrow)
	require.NoError(t, check(issued(t, key.Public(), below, narrowKey, nil), below))
	between := issued(t, middleKey.Public(), below, narrowKey, func(c *x509.Certificate) {
		asCA(c)
		c.Subject.CommonName = "Middle"
	})
	require.ErrorContains(t, check(issued(t, key.Public(), between, middleKey, nil), between, below), "allows fewer CAs below it")
}

func TestStoredSigningKeys(t *testing.T) {
	t.Parallel()
	rootKey, key := newRSAKey(t, 2048), newRSAKey(t, 2048)
	root := issued(t, rootKey.Public(), nil, rootKey, asCA)
	for _, c := range []struct {
		leaf       *x509.Certificate
		selfSigned bool
	}{
		{issued(t, key.Public(), nil, key, nil), true},
		{issued(t, key.Public(), root, rootKey, nil), false},
		{issued(t, key.Public(), root, rootKey, func(c *x509.Certificate) { c.Subject = root.Subject }), false}, // in name only
	} {
		stored := models.SigningKey{KeyID: "main", CertificatePEM: chainOf(c.leaf)}
		credentials, err := stored.Credentials(key)
		require.NoError(t, err)
		require.Equal(t, c.selfSigned, credentials.SelfSigned())
		require.Equal(t, "main", credentials.KeyID)
		require.True(t, key.Equal(credentials.PrivateKey))
		require.True(t, c.leaf.Equal(credentials.Certificate))
		require.Equal(t, stored.CertificatePEM, credentials.CertificatePEM)
	}
	_, err := models.SigningKey{CertificatePEM: "broken"}.Credentials(key)
	require.Error(t, err)
}

func FuzzSigningCredentials(f *testing.F) {
	f.Add("-----BEGIN PRIVATE KEY-----\naGk=\n-----END PRIVATE KEY-----\n", "-----BEGIN CERTIFICATE-----\naGk=\n-----END CERTIFICATE-----\n", "main")
	f.Add("", "", "")
	f.Fuzz(func(t *testing.T, private, certificate, id string) {
		_, err := models.NewSigningKey{PrivateKeyPEM: private, CertificatePEM: certificate, KeyID: id}.Credentials(signingNow)
		if err != nil && len(private) > 100 {
			require.False(t, strings.Contains(err.Error(), private))
		}
	})
}
