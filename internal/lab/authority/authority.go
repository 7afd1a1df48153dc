// Package authority issues TLS certificates in tests.
package authority

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// lifetime is the time for which certificates are valid. `waft doctor` warns of a certificate that ends within two weeks.
const lifetime = 30 * 24 * time.Hour

// Authority signs certificates. Its files are deleted when the test ends.
type Authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	dir         string
}

// New returns an authority that only this test knows.
func New(t testing.TB) Authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(lifetime),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	check(t, err)
	certificate, err := x509.ParseCertificate(der)
	check(t, err)
	return Authority{certificate: certificate, key: key, dir: t.TempDir()}
}

// File returns the path of a PEM file with the authority's certificate.
func (a Authority) File(t testing.TB) string {
	t.Helper()
	return write(t, filepath.Join(a.dir, "ca.pem"), block("CERTIFICATE", a.certificate.Raw))
}

// Pool returns a pool that contains only the authority's certificate.
func (a Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.certificate)
	return pool
}

// Issue returns the paths of PEM files with a certificate for a name and for 127.0.0.1, and its private key. Servers and clients may
// use it.
func (a Authority) Issue(t testing.TB, name string) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, IPAddresses: []net.IP{{127, 0, 0, 1}},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(lifetime),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, &private.PublicKey, a.key)
	check(t, err)
	raw, err := x509.MarshalPKCS8PrivateKey(private)
	check(t, err)
	return write(t, filepath.Join(a.dir, name+".pem"), block("CERTIFICATE", der)),
		write(t, filepath.Join(a.dir, name+".key"), block("PRIVATE KEY", raw))
}

// Pair returns a certificate for a name and for 127.0.0.1, with its private key.
func (a Authority) Pair(t testing.TB, name string) tls.Certificate {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(a.Issue(t, name))
	check(t, err)
	return pair
}

func block(kind string, raw []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: raw})
}

func write(t testing.TB, path string, content []byte) string {
	t.Helper()
	check(t, os.WriteFile(path, content, 0o600))
	return path
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
