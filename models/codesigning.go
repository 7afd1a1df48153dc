package models

import (
	"bytes"
	"cmp"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"time"
)

// DefaultSigningKeyID is the key ID that Expo's tools use.
const DefaultSigningKeyID = "main"

// SigningKey is the key that signs a project's manifests, with its certificate.
type SigningKey struct {
	ID, ProjectID int64
	KeyID         string
	// CertificatePEM is the leaf, followed by its intermediates.
	CertificatePEM string `gorm:"column:certificate_pem"`
	// Fingerprint is the SHA-256 of the leaf in hex.
	Fingerprint         string
	NotBefore, NotAfter time.Time
	// SealedPrivateKey is the encrypted key, as PKCS#8 in DER.
	SealedPrivateKey     string
	CreatedAt, UpdatedAt time.Time
}

func (SigningKey) TableName() string { return "code_signing_keys" }

type NewSigningKey struct {
	PrivateKeyPEM, CertificatePEM string
	// KeyID is DefaultSigningKeyID if empty.
	KeyID string
}

// SigningCredentials are a private key and its certificate, in a form that clients accept.
type SigningCredentials struct {
	KeyID       string
	PrivateKey  *rsa.PrivateKey
	Certificate *x509.Certificate
	// CertificatePEM is the chain, leaf first, and nothing else.
	CertificatePEM string
}

// Fingerprint returns the SHA-256 of the certificate in hex.
func (c SigningCredentials) Fingerprint() string {
	sum := sha256.Sum256(c.Certificate.Raw)
	return hex.EncodeToString(sum[:])
}

// SelfSigned reports whether the certificate is its own issuer. If it is, the app contains the certificate. If not, the app contains
// the root, and responses contain the chain.
func (c SigningCredentials) SelfSigned() bool { return issuedBy(c.Certificate, c.Certificate) }

// issuedBy reports whether c names issuer and is signed with its key, even if issuer is not allowed to sign certificates.
func issuedBy(c, issuer *x509.Certificate) bool {
	return bytes.Equal(c.RawIssuer, issuer.RawSubject) &&
		issuer.CheckSignature(c.SignatureAlgorithm, c.RawTBSCertificate, c.Signature) == nil
}

// Credentials returns the credentials with the decrypted private key. The certificate may have expired since it was stored.
func (k SigningKey) Credentials(private *rsa.PrivateKey) (*SigningCredentials, error) {
	chain, err := parseChain(k.CertificatePEM)
	if err != nil {
		return nil, fmt.Errorf("certificate of signing key %d: %w", k.ID, err)
	}
	return &SigningCredentials{k.KeyID, private, chain[0], k.CertificatePEM}, nil
}

const (
	minRSABits      = 2048
	maxRSABits      = 8192
	maxPrivateBytes = 16 << 10 // twice the size of a key of maxRSABits; larger keys take long to check
	maxPEMBytes     = 64 << 10
	maxChainSize    = 5
)

// A key ID is quoted in a structured header.
var signingKeyIDPattern = compiled(`^[A-Za-z0-9][A-Za-z0-9._:/+=-]{0,127}$`)

// Credentials returns the credentials, or an error that lists every invalid field. The certificate must be valid at now.
func (n NewSigningKey) Credentials(now time.Time) (SigningCredentials, error) {
	var p Problems
	c := SigningCredentials{KeyID: cmp.Or(n.KeyID, DefaultSigningKeyID)}
	if !signingKeyIDPattern().MatchString(c.KeyID) {
		p.Add("keyId", "must be 1 to 128 letters, digits or . _ : / + = - and begin with a letter or digit")
	}
	var err error
	if c.PrivateKey, err = parsePrivateKey(n.PrivateKeyPEM); err != nil {
		p.Add("privateKeyPem", "%v", err)
	}
	chain, err := parseChain(n.CertificatePEM)
	if err != nil {
		p.Add("certificatePem", "%v", err)
		return SigningCredentials{}, p.Err()
	}
	for _, certificate := range chain {
		c.CertificatePEM += string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw}))
	}
	c.Certificate = chain[0]
	checkLeaf(&p, c.Certificate, now)
	checkIntermediates(&p, chain, now)
	if c.PrivateKey != nil && !c.PrivateKey.PublicKey.Equal(c.Certificate.PublicKey) {
		p.Add("privateKeyPem", "does not belong to the certificate")
	}
	if err := p.Err(); err != nil {
		return SigningCredentials{}, err
	}
	return c, nil
}

// parsePrivateKey parses an RSA key. Its errors never quote the input.
func parsePrivateKey(text string) (*rsa.PrivateKey, error) {
	if text == "" {
		return nil, errors.New("is required")
	}
	block, _ := pem.Decode([]byte(text))
	switch {
	case len(text) > maxPrivateBytes || block == nil:
		return nil, errors.New("must be one private key in PEM format, such as `npx expo-updates codesigning:generate` writes")
	case block.Type == "ENCRYPTED PRIVATE KEY" || block.Headers["DEK-Info"] != "":
		return nil, errors.New("must not be encrypted with a password; Waft encrypts the key before it stores it")
	}
	var parsed any
	var err error
	switch block.Type {
	case "PRIVATE KEY":
		parsed, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	case "RSA PRIVATE KEY":
		parsed, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	default:
		return nil, errors.New("must be an RSA private key: PRIVATE KEY or RSA PRIVATE KEY in PEM format")
	}
	key, ok := parsed.(*rsa.PrivateKey)
	switch {
	case err != nil:
		return nil, errors.New("is not a valid private key")
	case !ok:
		return nil, errors.New("must be an RSA key, because clients support only RSA signatures")
	case key.N.BitLen() < minRSABits || key.N.BitLen() > maxRSABits:
		return nil, errors.New("must have 2048 to 8192 bits")
	}
	return key, nil
}

// parseChain parses certificates, leaf first.
func parseChain(text string) (chain []*x509.Certificate, err error) {
	bad := errors.New("must contain a certificate in PEM format, followed by its intermediates if it has any, and nothing else")
	if text == "" {
		return nil, errors.New("is required")
	}
	if len(text) > maxPEMBytes {
		return nil, bad
	}
	for block, rest := pem.Decode([]byte(text)); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" || len(chain) == maxChainSize {
			return nil, bad
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, errors.New("contains an invalid certificate")
		}
		chain = append(chain, certificate)
	}
	if len(chain) == 0 {
		return nil, bad
	}
	return chain, nil
}

func checkLeaf(p *Problems, c *x509.Certificate, now time.Time) {
	const field = "certificatePem"
	if c.Version != 3 {
		p.Add(field, "must be an X.509 certificate of version 3")
	}
	switch {
	case now.Before(c.NotBefore):
		p.Add(field, "is not valid before %s", c.NotBefore.UTC().Format(time.RFC3339))
	case now.After(c.NotAfter):
		p.Add(field, "expired at %s", c.NotAfter.UTC().Format(time.RFC3339))
	}
	if c.KeyUsage&x509.KeyUsageDigitalSignature == 0 {
		p.Add(field, "must have the key usage digitalSignature")
	}
	if !slices.Contains(c.ExtKeyUsage, x509.ExtKeyUsageCodeSigning) {
		p.Add(field, "must have the extended key usage codeSigning")
	}
	if _, ok := c.PublicKey.(*rsa.PublicKey); !ok {
		p.Add(field, "must be for an RSA key")
	}
}

// checkIntermediates checks the chain above the leaf. The chain does not contain the root, which is in the app.
func checkIntermediates(p *Problems, chain []*x509.Certificate, now time.Time) {
	const field = "certificatePem"
	for i, c := range chain[1:] { // there are i intermediates below c
		switch {
		case !c.IsCA || c.KeyUsage&x509.KeyUsageCertSign == 0:
			p.Add(field, "certificate %d of the chain must be a CA with the key usage keyCertSign", i+2)
		case chain[i].CheckSignatureFrom(c) != nil || !issuedBy(chain[i], c):
			p.Add(field, "certificate %d of the chain did not sign the previous certificate", i+2)
		case c.MaxPathLen >= 0 && (c.MaxPathLen > 0 || c.MaxPathLenZero) && c.MaxPathLen < i:
			p.Add(field, "certificate %d of the chain allows fewer CAs below it than the chain contains; raise its path length", i+2)
		case now.Before(c.NotBefore) || now.After(c.NotAfter):
			p.Add(field, "certificate %d of the chain has expired or is not valid yet", i+2)
		case issuedBy(c, c):
			p.Add(field, "certificate %d of the chain is a root; remove it, because the app contains the root", i+2)
		}
	}
}
