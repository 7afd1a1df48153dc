package app

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/waft-ota/waft/client"
)

// planCertificate returns the change of the app's certificate file, and notes. If the app needs another certificate than the
// server's, it takes the key out of the target, so that the configuration does not name a file that does not exist.
func planCertificate(app *expoApp, t *target) (files []change, notes []string) {
	own := textAt(app.config, "updates", "codeSigningCertificate")
	path := own
	if path == "" {
		path = certificatePath
	}
	path = filepath.Join(app.dir, filepath.FromSlash(path))
	before, err := os.ReadFile(path)
	if err == nil && signs(before, *t.signing) == nil {
		return nil, nil
	}
	chain, err := parseCertificates([]byte(t.signing.CertificatePem))
	if err != nil {
		return nil, []string{fmt.Sprintf("The server's certificate is not readable (%v).", err)}
	}
	if !selfSigned(chain[0]) {
		if own == "" {
			t.signing = nil
		}
		return nil, []string{"The project signs with a certificate chain. Put its root certificate into the app, " +
			"and name the file in updates.codeSigningCertificate."}
	}
	if time.Now().After(chain[0].NotAfter) {
		notes = append(notes, "The project's certificate has expired. See `waft codesign rotate --help`.")
	}
	switch {
	case len(before) == 0:
	case sameKey(before, *t.signing):
		notes = append(notes, "The project has a new certificate for the same key. "+
			"Builds with the old certificate get updates until it expires.")
	default:
		notes = append(notes, "The app has another certificate than the project signs with. "+
			"Builds with the old certificate refuse the project's updates.")
	}
	return []change{{path, before, []byte(t.signing.CertificatePem)}}, notes
}

// signs returns nil if an app with the certificate accepts what the key of the server signs: the certificate is the server's, or the
// root of its chain.
func signs(appCertificate []byte, signing client.CodeSigning) error {
	own, err := parseCertificates(appCertificate)
	if err != nil {
		return err
	}
	chain, err := parseCertificates([]byte(signing.CertificatePem))
	if err != nil {
		return fmt.Errorf("the server's certificate: %w", err)
	}
	if own[0].Equal(chain[0]) {
		return nil
	}
	roots, between := x509.NewCertPool(), x509.NewCertPool()
	roots.AddCert(own[0])
	for _, c := range chain[1:] {
		between.AddCert(c)
	}
	if selfSigned(chain[0]) {
		return fmt.Errorf("the project signs with another certificate (SHA-256 %s)", signing.Fingerprint)
	}
	_, err = chain[0].Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: between, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning},
	})
	if err != nil {
		return fmt.Errorf("the project's certificate does not lead to the app's: %w", err)
	}
	return nil
}

// sameKey reports whether the app's certificate and the self-signed one of the server are for the same key.
func sameKey(appCertificate []byte, signing client.CodeSigning) bool {
	own, err := parseCertificates(appCertificate)
	if err != nil {
		return false
	}
	chain, err := parseCertificates([]byte(signing.CertificatePem))
	return err == nil && selfSigned(chain[0]) && bytes.Equal(own[0].RawSubjectPublicKeyInfo, chain[0].RawSubjectPublicKeyInfo)
}

func selfSigned(c *x509.Certificate) bool {
	return string(c.RawIssuer) == string(c.RawSubject) && c.CheckSignature(c.SignatureAlgorithm, c.RawTBSCertificate, c.Signature) == nil
}

// parseCertificates parses certificates in PEM format, at least one.
func parseCertificates(text []byte) (chain []*x509.Certificate, err error) {
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			return nil, fmt.Errorf("it contains %s instead of a certificate", block.Type)
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, err
		}
		chain = append(chain, c)
	}
	if len(chain) == 0 {
		return nil, fmt.Errorf("it does not contain a certificate in PEM format")
	}
	return chain, nil
}
