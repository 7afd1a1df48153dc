// Package roots supplies certificate authorities where the system has none, as in a container from scratch.
package roots

import (
	"crypto/x509"
	"fmt"
	"os"
	"runtime"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// files are the usual bundles of certificate authorities on Unix. crypto/x509 looks in more places.
var files = []string{
	"/etc/ssl/certs/ca-certificates.crt", // Debian, Alpine, Arch
	"/etc/pki/tls/certs/ca-bundle.crt",   // Fedora
	"/etc/ssl/ca-bundle.pem",             // openSUSE
	"/etc/ssl/cert.pem",                  // BSD
}

// Supply gives crypto/x509 the certificate authorities of Mozilla, unless the system seems to have its own: parsing them takes longer than
// everything else that a short command does. crypto/x509 uses them only if it finds none in the system. Call Supply once, at the start of
// the process. It returns an error if a certificate of the bundle is malformed.
func Supply() error {
	if hasOwn(runtime.GOOS, os.Getenv, files) {
		return nil
	}
	pool := x509.NewCertPool()
	for root := range bundle.Roots() {
		certificate, err := x509.ParseCertificate(root.Certificate)
		if err != nil {
			return fmt.Errorf("certificate authority of the bundle: %w", err)
		}
		if root.Constraint == nil {
			pool.AddCert(certificate)
		} else {
			pool.AddCertWithConstraint(certificate, root.Constraint)
		}
	}
	x509.SetFallbackRoots(pool)
	return nil
}

// hasOwn reports whether the system certainly has certificate authorities that crypto/x509 finds.
func hasOwn(system string, getenv func(string) string, files []string) bool {
	if system == "darwin" || system == "windows" {
		return true // the system verifies certificates itself
	}
	if name := getenv("SSL_CERT_FILE"); name != "" {
		files = []string{name} // crypto/x509 reads it instead of the usual files
	}
	for _, name := range files {
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			return info.Mode().IsRegular() && info.Size() > 0 // crypto/x509 reads only the first file
		}
	}
	return false
}
