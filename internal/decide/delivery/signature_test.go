package delivery

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/http"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/dunglas/httpsfv"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// The keys are generated once, because that takes time.
var leafKey, middleKey, rootKey = onceKey(), onceKey(), onceKey()

func onceKey() func() *rsa.PrivateKey {
	return sync.OnceValue(func() *rsa.PrivateKey {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			panic(err)
		}
		return key
	})
}

// certify creates a certificate for key. With a nil parent the certificate is self-signed.
func certify(t testing.TB, name string, key *rsa.PrivateKey, parent *x509.Certificate, signer crypto.Signer) *x509.Certificate {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(7), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning},
	}
	if name != "leaf" {
		template.IsCA, template.BasicConstraintsValid, template.KeyUsage, template.ExtKeyUsage = true, true, x509.KeyUsageCertSign, nil
	}
	if parent == nil {
		parent = template
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	require.NoError(t, err)
	c, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	return c
}

func credentials(keyID string, key *rsa.PrivateKey, chain ...*x509.Certificate) *models.SigningCredentials {
	var text []byte
	for _, c := range chain {
		text = append(text, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})...)
	}
	return &models.SigningCredentials{KeyID: keyID, PrivateKey: key, Certificate: chain[0], CertificatePEM: string(text)}
}

// selfSigned returns credentials as Expo's tool creates them.
func selfSigned(t testing.TB, keyID string) *models.SigningCredentials {
	t.Helper()
	return credentials(keyID, leafKey(), certify(t, "leaf", leafKey(), nil, leafKey()))
}

// expecting is the header of a stock client that has a certificate.
const expecting = `sig, keyid="main", alg="rsa-v1_5-sha256"`

// verify checks the signature by the rules of the stricter client.
func (a wireAnswer) verify(c *x509.Certificate, keyID string) error {
	members, err := httpsfv.UnmarshalDictionary([]string{a.signature})
	if err != nil {
		return fmt.Errorf("signature %q: %w", a.signature, err)
	}
	texts := map[string]string{}
	for _, name := range members.Names() {
		member, _ := members.Get(name)
		text, ok := member.(httpsfv.Item).Value.(string)
		if !ok {
			return fmt.Errorf("the member %s is no string", name)
		}
		texts[name] = text
	}
	if texts["keyid"] != keyID || texts["alg"] != "rsa-v1_5-sha256" || len(texts) != 3 {
		return fmt.Errorf("signature %q", a.signature)
	}
	signature, err := base64.StdEncoding.Strict().DecodeString(texts["sig"])
	if err != nil {
		return err
	}
	return c.CheckSignature(x509.SHA256WithRSA, a.raw, signature)
}

func TestSignedAnswers(t *testing.T) {
	t.Parallel()
	key := selfSigned(t, "main")
	minimum := "2.0"
	cases := []struct {
		name     string
		arrange  func(tp *testProject)
		accept   string
		protocol int
	}{
		{"a manifest", func(tp *testProject) { tp.publish("production") }, stockAccept, 1},
		{"a manifest in protocol 0", func(tp *testProject) { tp.publish("production") }, stockAccept, 0},
		{"a manifest as JSON", func(tp *testProject) { tp.publish("production") }, "application/expo+json", 1},
		{"a manifest as JSON in protocol 0", func(tp *testProject) { tp.publish("production") }, "application/json", 0},
		{"no update", func(*testProject) {}, stockAccept, 1},
		{"a rollback", func(tp *testProject) { tp.publish("production", toEmbedded) }, stockAccept, 1},
		{"an update through the store", func(tp *testProject) { tp.production().MinRuntimeVersion = &minimum }, stockAccept, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tp := newTestProject()
			tp.state.Signing = key
			c.arrange(tp)
			s, r := tp.snapshot(t), ask("d")
			r.Accept, r.Protocol = ParseAccept(c.accept), c.protocol
			plain, err := readWire(s.Respond(r), c.protocol)
			require.NoError(t, err)
			require.Empty(t, plain.signature, "for a client that does not expect a signature")

			r.ExpectSignature = expecting
			signed, err := readWire(s.Respond(r), c.protocol)
			require.NoError(t, err)
			require.NoError(t, signed.verify(key.Certificate, "main"))
			require.Equal(t, plain.raw, signed.raw)
			require.Nil(t, signed.chain, "the app has the certificate")
			signed.raw = bytes.Replace(signed.raw, []byte("{"), []byte("{ "), 1)
			require.Error(t, signed.verify(key.Certificate, "main"), "the signature covers exactly these bytes")
		})
	}
}

func TestNoUpdateAsJSONNeedsNoSignature(t *testing.T) {
	t.Parallel()
	s, r := newTestProject().snapshot(t), ask("d")
	r.Accept, r.ExpectSignature = ParseAccept("application/json"), expecting
	require.Equal(t, http.StatusNoContent, s.Respond(r).Status)
}

func TestExpectedSignatures(t *testing.T) {
	t.Parallel()
	const signed, unsigned, refused = "signed", "unsigned", "refused"
	cases := []struct {
		header, want string
	}{
		{"", unsigned},
		{expecting, signed},
		{`sig, keyid="main"`, signed},
		{`sig;x=1, alg="rsa-v1_5-sha256", keyid=main, more=7`, signed},
		{`sig`, signed},
		{`sig=?1`, signed},
		{`keyid="main"`, signed},
		{`sig, keyid=7`, signed},
		{`sig=?0`, unsigned},
		{`sig=?0, keyid="other"`, unsigned},
		{`sig, keyid="other", alg="rsa-v1_5-sha256"`, refused},
		{`sig, keyid="Main"`, refused},
		{`sig, keyid="main", keyid="other"`, refused},
		{`sig, keyid="main", alg="rsa-v1_5-sha512"`, refused},
		{`no dictionary, ((`, signed},
		{"sig, keyid=\"\xff\"", signed},
	}
	key := selfSigned(t, "main")
	for _, c := range cases {
		t.Run(c.header, func(t *testing.T) {
			t.Parallel()
			tp := newTestProject()
			tp.publish("production")
			r := ask("d")
			r.ExpectSignature = c.header
			ask := func() (string, Response) {
				s := tp.snapshot(t)
				res := s.Respond(r)
				a, err := readWire(res, 1)
				require.NoError(t, err)
				switch {
				case res.Status == http.StatusNotAcceptable:
					return refused, res
				case a.signature == "":
					return unsigned, res
				default:
					return signed, res
				}
			}
			without, res := ask()
			if c.want == unsigned {
				require.Equal(t, unsigned, without)
			} else {
				require.Equal(t, refused, without, "from a project that does not sign")
				require.Equal(t, models.CodeNotAcceptable, res.Problem.Code)
				require.ErrorContains(t, res.Problem, "expo-expect-signature")
			}
			tp.state.Signing = key
			with, _ := ask()
			require.Equal(t, c.want, with)
		})
	}
}

func TestCertificateChains(t *testing.T) {
	t.Parallel()
	root := certify(t, "root", rootKey(), nil, rootKey())
	middle := certify(t, "middle", middleKey(), root, rootKey())
	for name, chain := range map[string][]*x509.Certificate{
		"through an intermediate": {certify(t, "leaf", leafKey(), middle, middleKey()), middle},
		"straight from the root":  {certify(t, "leaf", leafKey(), root, rootKey())},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tp := newTestProject()
			tp.state.Signing = credentials("main", leafKey(), chain...)
			tp.publish("production")
			s, r := tp.snapshot(t), ask("d")
			// The client names its root certificate, which does not belong to the signing key.
			r.ExpectSignature = `sig, keyid="root", alg="rsa-v1_5-sha256"`
			for _, current := range []string{"", s.Resolve(r).UpdateUUID} { // with an update, and without one
				r.CurrentUpdateUUID = current
				a, err := readWire(s.Respond(r), 1)
				require.NoError(t, err)
				leaf := requireChain(t, a.chain, root, len(chain))
				require.NoError(t, a.verify(leaf, "main"))
			}
			r.ExpectSignature = ""
			a, err := readWire(s.Respond(r), 1)
			require.NoError(t, err)
			require.Nil(t, a.chain, "for a client that does not expect a signature")
		})
	}
}

// requireChain checks that the PEM chain leads from the signing certificate to the root and does not contain the
// root. It returns the signing certificate.
func requireChain(t *testing.T, text []byte, root *x509.Certificate, size int) *x509.Certificate {
	t.Helper()
	var chain []*x509.Certificate
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		c, err := x509.ParseCertificate(block.Bytes)
		require.NoError(t, err)
		chain = append(chain, c)
	}
	require.Len(t, chain, size)
	roots, middles := x509.NewCertPool(), x509.NewCertPool()
	roots.AddCert(root)
	for _, c := range chain[1:] {
		middles.AddCert(c)
	}
	_, err := chain[0].Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: middles, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning},
	})
	require.NoError(t, err)
	return chain[0]
}

func TestAnswersAreSignedOnce(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.state.Signing = selfSigned(t, "main")
	tp.publish("production")
	r := ask("d")
	r.ExpectSignature = expecting
	signatureOf := func(s *Snapshot) *byte { return unsafe.SliceData(s.Respond(r).Body[1]) }
	state := tp.copy()
	s, err := NewSnapshot(state, testBaseURL)
	require.NoError(t, err)
	first := signatureOf(s)
	require.Same(t, first, signatureOf(s))

	next, err := s.Next(state)
	require.NoError(t, err)
	require.Same(t, first, signatureOf(next), "even if something else changes")

	root := certify(t, "root", rootKey(), nil, rootKey())
	state.Signing = credentials("main", leafKey(), certify(t, "leaf", leafKey(), root, rootKey())) // the same key
	next, err = s.Next(state)
	require.NoError(t, err)
	require.NotNil(t, signatureOf(next))
	require.NotSame(t, first, signatureOf(next), "the response now contains the chain")
}

func TestFormsShareTheirJSON(t *testing.T) {
	t.Parallel()
	b, err := newBody(manifestPart, []byte(`{"id":"1"}`), newSigner(selfSigned(t, "main")))
	require.NoError(t, err)
	text := unsafe.SliceData(b.json.body[0])
	require.Same(t, text, unsafe.SliceData(b.signedJSON.body[0]))
	require.Same(t, text, unsafe.SliceData(b.multipart.body[1]))
	require.Same(t, text, unsafe.SliceData(b.signedMultipart.body[2]))
}
