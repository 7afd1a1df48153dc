package app

import (
	"errors"
	"fmt"
	"strings"
)

// untrusted is part of every error about a certificate that is not trusted, of type tls.CertificateVerificationError. gRPC keeps only
// the text.
const untrusted = "tls: failed to verify certificate"

// trustFixes contains, for each setting with the address of an engine, the way to trust a private authority.
var trustFixes = map[string]string{
	"DATABASE_URL":          "add sslrootcert=FILE to the URL, or set SSL_CERT_FILE,",
	"CLICKHOUSE_URL":        "set SSL_CERT_FILE",
	"TEMPORAL_ADDRESS":      "set TEMPORAL_TLS_SERVER_CA_CERT_PATH",
	"WAFT_ASSET_BUCKET_URL": "set AWS_CA_BUNDLE or SSL_CERT_FILE",
}

// trustError is the error of a connection to an engine whose certificate is not trusted.
type trustError struct {
	// setting has the address of the engine.
	setting string
	cause   error
}

func (e *trustError) Error() string {
	return fmt.Sprintf("%s: the TLS certificate is not trusted: check that it is for this host and not expired; "+
		"if a private authority signed it, %s to the PEM file of the authority: %v", e.setting, trustFixes[e.setting], e.cause)
}

func (e *trustError) Unwrap() error { return e.cause }

// explained returns an error of a connection to the engine whose address is in the setting. If the certificate of the engine is not
// trusted, the error names the setting and the fix.
func explained(setting string, err error) error {
	var already *trustError
	if err == nil || !strings.Contains(err.Error(), untrusted) || errors.As(err, &already) {
		return err
	}
	return &trustError{setting, err}
}
