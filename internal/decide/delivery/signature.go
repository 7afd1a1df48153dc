package delivery

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"fmt"

	"github.com/dunglas/httpsfv"

	"github.com/waft-ota/waft/models"
)

// signatureAlgorithm is the only algorithm that clients support: RSASSA-PKCS1-v1_5 with SHA-256.
const signatureAlgorithm = "rsa-v1_5-sha256"

// signer signs a project's responses. It is nil for a project without code signing.
type signer struct {
	credentials *models.SigningCredentials
	// expected is the expo-expect-signature header of a stock client with the project's certificate.
	expected string
	// chain is the part with the certificates from the leaf to the root in the app. It is nil if the app contains the
	// signing certificate itself.
	chain []byte
}

// newSigner returns a signer, or nil for nil credentials.
func newSigner(c *models.SigningCredentials) *signer {
	if c == nil {
		return nil
	}
	s := &signer{credentials: c, expected: `sig, keyid="` + c.KeyID + `", alg="` + signatureAlgorithm + `"`}
	if !c.SelfSigned() {
		s.chain = append(partHead(chainPart, "application/x-pem-file", ""), c.CertificatePEM+lineEnd...)
	}
	return s
}

// equal reports whether both signers create the same signatures.
func (s *signer) equal(other *signer) bool {
	if s == nil || other == nil {
		return s == other
	}
	a, b := s.credentials, other.credentials
	return a.KeyID == b.KeyID && a.CertificatePEM == b.CertificatePEM && a.PrivateKey.Equal(b.PrivateKey)
}

// sign returns the signature of text as a structured dictionary of strings. The iOS client rejects members of other
// types.
func (s *signer) sign(text []byte) (string, error) {
	sum := sha256.Sum256(text)
	signature, err := rsa.SignPKCS1v15(nil, s.credentials.PrivateKey, crypto.SHA256, sum[:])
	if err != nil {
		return "", fmt.Errorf("signature: %w", err)
	}
	return `sig="` + base64.StdEncoding.EncodeToString(signature) + `", keyid="` + s.credentials.KeyID +
		`", alg="` + signatureAlgorithm + `"`, nil
}

// wanted reports whether to sign for a client that sent header as its expo-expect-signature. It returns an error if
// the client expects a different signature, because the client would reject the response.
func (s *signer) wanted(header string) (bool, *models.Error) {
	if header == "" {
		return false, nil
	}
	if s != nil && header == s.expected {
		return true, nil
	}
	e := parseExpectation(header)
	switch {
	case !e.signature:
		return false, nil
	case s == nil:
		return false, notAcceptable("expo-expect-signature: the project has no code signing key; set one, or build the app without a certificate")
	case e.algorithm != "" && e.algorithm != signatureAlgorithm:
		return false, notAcceptable("expo-expect-signature: responses are signed with alg %q only", signatureAlgorithm)
	case e.keyID != "" && e.keyID != s.credentials.KeyID && s.chain == nil:
		return false, notAcceptable("expo-expect-signature: the project signs with keyid %q, not %q", s.credentials.KeyID, e.keyID)
	default:
		return true, nil
	}
}

func notAcceptable(format string, args ...any) *models.Error {
	return models.Errorf(models.CodeNotAcceptable, format, args...)
}

// expectation is a parsed expo-expect-signature header. keyID and algorithm may be "".
type expectation struct {
	signature        bool
	keyID, algorithm string
}

// parseExpectation parses a structured dictionary. A client that sends one expects a signature even if the header
// does not parse, unless it contains sig=?0.
func parseExpectation(header string) expectation {
	e := expectation{signature: true}
	members, err := httpsfv.UnmarshalDictionary([]string{header})
	if err != nil {
		return e
	}
	if sig, ok := itemOf(members, "sig").(bool); ok {
		e.signature = sig
	}
	e.keyID, e.algorithm = textOf(members, "keyid"), textOf(members, "alg")
	return e
}
