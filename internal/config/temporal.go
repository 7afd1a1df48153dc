package config

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
)

// TemporalTLS returns the TLS settings for Temporal, nil for none. It reads the certificate authority once. The settings read the
// client's certificate at every handshake, so that a renewed certificate works without a restart. Errors name the variable of an
// invalid file.
func (c Config) TemporalTLS() (*tls.Config, error) {
	if !c.TemporalTLSEnabled && c.TemporalAPIKey == "" && c.TemporalTLSServerName == "" && c.TemporalTLSCA == "" && c.TemporalTLSCert == "" {
		return nil, nil
	}
	settings := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: c.TemporalTLSServerName}
	if c.TemporalTLSCA != "" {
		pem, err := os.ReadFile(c.TemporalTLSCA)
		if err != nil {
			return nil, fmt.Errorf("TEMPORAL_TLS_SERVER_CA_CERT_PATH: %w", err)
		}
		settings.RootCAs = x509.NewCertPool()
		if !settings.RootCAs.AppendCertsFromPEM(pem) {
			return nil, errors.New("TEMPORAL_TLS_SERVER_CA_CERT_PATH must name a file with certificates in PEM format")
		}
	}
	if c.TemporalTLSCert != "" {
		load := func() (*tls.Certificate, error) {
			pair, err := tls.LoadX509KeyPair(c.TemporalTLSCert, c.TemporalTLSKey)
			if err != nil {
				return nil, fmt.Errorf("TEMPORAL_TLS_CLIENT_CERT_PATH, TEMPORAL_TLS_CLIENT_KEY_PATH: %w", err)
			}
			return &pair, nil
		}
		if _, err := load(); err != nil {
			return nil, err
		}
		settings.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return load() }
	}
	return settings, nil
}
