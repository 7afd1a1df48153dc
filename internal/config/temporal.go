package config

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/waft-ota/waft/internal/secrets"
)

// validateTemporal checks how Temporal is connected to.
func (c Config) validateTemporal(bad func(name, format string, args ...any)) {
	if c.TemporalTLSCert != "" && c.TemporalTLSKey == "" {
		bad("TEMPORAL_TLS_CLIENT_KEY_PATH", "is missing: set it to the private key of TEMPORAL_TLS_CLIENT_CERT_PATH")
	}
	if c.TemporalTLSKey != "" && c.TemporalTLSCert == "" {
		bad("TEMPORAL_TLS_CLIENT_CERT_PATH", "is missing: set it to the certificate of TEMPORAL_TLS_CLIENT_KEY_PATH")
	}
	for i, text := range c.TemporalPayloadKeys {
		if _, err := secrets.ParseKey(text); err != nil {
			bad("WAFT_TEMPORAL_PAYLOAD_KEYS", "has a bad key at position %d: each %v", i+1, err)
		}
	}
	if strings.ContainsAny(c.WorkerDeployment, ".:") {
		bad("WAFT_WORKER_DEPLOYMENT", "must not contain a dot or a colon, which Temporal uses to separate it from the build id")
	}
	if c.WorkerBuildID != "" && c.WorkerDeployment == "" {
		bad("WAFT_WORKER_DEPLOYMENT", "is missing: set it to the name of the worker deployment that WAFT_WORKER_BUILD_ID is a version of")
	}
}

// TemporalTLS returns how to encrypt the connection to Temporal, nil for not at all. It
// reads the certificate authority once. It reads the client's certificate at every
// handshake, so that a renewed one needs no restart; the first read tells of a file that
// is missing or wrong. Its errors name the variable.
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
