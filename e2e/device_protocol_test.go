package e2e

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto"
	"crypto/md5"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"mime"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/dunglas/httpsfv"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/models"
)

// A client with the strictest reading of the protocol checks it on real exports, on both platforms, in both versions
// and every form. It checks the request, framing, structured headers, manifest, signature, and the hash of every file
// in every encoding.
func TestTheUpdateProtocol(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := newProject(t, serve(t, env), env["WAFT_ROOT_KEY"])
	signer := p.signs(t)
	updates := p.publish(t, realExports(t)["stable"], "first", 0, models.IOS, models.Android)
	for _, u := range updates {
		p.requireServed(t, u)
		for _, form := range []protocolForm{
			{protocol: "1", accept: "multipart/mixed,application/expo+json,application/json", media: "multipart/mixed"},
			{protocol: "0", accept: "multipart/mixed,application/expo+json,application/json", media: "multipart/mixed"},
			{protocol: "1", accept: "application/expo+json,application/json", media: "application/expo+json"},
			{protocol: "0", accept: "application/json", media: "application/json"},
		} {
			t.Run(fmt.Sprintf("%s, protocol %s, %s", u.Platform, form.protocol, form.media), func(t *testing.T) {
				t.Parallel()
				d := protocolDevice{project: p, platform: models.Platform(u.Platform), form: form, signer: signer}
				d.takes(t, u)
			})
		}
	}
}

// Directives are signed like manifests. Older clients do not know directives and get a 404.
func TestDirectivesOfTheUpdateProtocol(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := newProject(t, serveAPI(t, env), env["WAFT_ROOT_KEY"])
	signer := p.signs(t)
	updates := p.publish(t, madeExports(t)["stable"], "first", 0)
	p.requireServed(t, updates[0])
	d := protocolDevice{project: p, platform: models.IOS, signer: signer, form: protocolForm{
		protocol: "1", accept: "multipart/mixed,application/expo+json,application/json", media: "multipart/mixed",
	}}

	none := d.directive(t, http.Header{"Expo-Current-Update-Id": {updates[0].UpdateUUID.String()}})
	require.Equal(t, "noUpdateAvailable", none.Type)

	minimum := "9.0.0"
	channel, err := p.PatchChannelWithResponse(t.Context(), "production", &client.PatchChannelParams{}, client.PatchChannelBody{MinRuntimeVersion: &minimum})
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, channel.StatusCode())
	eventually(t, func() bool {
		return d.ask(t, nil).Header.Get("Waft-Store-Update-Required") == minimum
	})
	store := d.directive(t, nil)
	require.Equal(t, "noUpdateAvailable", store.Type)
	require.True(t, store.Extra.StoreUpdateRequired)
	require.Equal(t, minimum, store.Extra.MinRuntimeVersion)

	minimum = "1.0.0"
	channel, err = p.PatchChannelWithResponse(t.Context(), "production", &client.PatchChannelParams{}, client.PatchChannelBody{MinRuntimeVersion: &minimum})
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, channel.StatusCode())
	rollback, err := p.RollBackWithResponse(t.Context(), &client.RollBackParams{}, client.RollbackBody{
		Channel: "production", Platform: client.RollbackBodyPlatform(models.IOS), RuntimeVersion: "1.0.0",
	})
	require.NoError(t, err)
	require.Equal(t, http.StatusCreated, rollback.StatusCode(), string(rollback.Body))
	eventually(t, func() bool {
		body, err := io.ReadAll(d.ask(t, nil).Body)
		return err == nil && bytes.Contains(body, []byte("rollBackToEmbedded"))
	})
	back := d.directive(t, nil)
	require.Equal(t, "rollBackToEmbedded", back.Type)
	require.Equal(t, rollback.JSON201.CreatedAt.UTC().Format("2006-01-02T15:04:05.000Z"), back.Parameters.CommitTime)
	embedded := uuid.NewString()
	onIt := d.directive(t, http.Header{"Expo-Current-Update-Id": {embedded}, "Expo-Embedded-Update-Id": {embedded}})
	require.Equal(t, "noUpdateAvailable", onIt.Type)
}

// protocolForm is the form of a client's request, with the media type that the response must have.
type protocolForm struct{ protocol, accept, media string }

// protocolDevice is a client that checks every rule of the protocol.
type protocolDevice struct {
	project  project
	platform models.Platform
	form     protocolForm
	signer   *x509.Certificate
}

// signs gives the project a signing key and returns the key's certificate.
func (p project) signs(t *testing.T) *x509.Certificate {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Waft e2e"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning},
	}, &x509.Certificate{Subject: pkix.Name{CommonName: "Waft e2e"}}, key.Public(), key)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	res, err := p.PutCodeSigningWithResponse(t.Context(), &client.PutCodeSigningParams{}, client.PutSigningBody{
		PrivateKeyPem:  string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})),
		CertificatePem: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
	})
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, res.StatusCode(), string(res.Body))
	certificate, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	return certificate
}

// ask sends a manifest request and checks the rules that apply to every response.
func (d protocolDevice) ask(t *testing.T, more http.Header) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.project.url+"/v1/ota/manifest/"+d.project.slug, nil)
	require.NoError(t, err)
	for name, value := range map[string]string{
		"Accept": d.form.accept, "Expo-Protocol-Version": d.form.protocol, "Expo-Platform": string(d.platform),
		"Expo-Runtime-Version": "1.0.0", "Expo-Channel-Name": "production", "Expo-Api-Version": "1",
		"Expo-Updates-Environment": "BARE", "Expo-Json-Error": "true", "Eas-Client-Id": strings.ToUpper(uuid.NewString()),
		"Expo-Expect-Signature": `sig, keyid="main", alg="rsa-v1_5-sha256"`,
	} {
		req.Header.Set(name, value)
	}
	for name, values := range more {
		req.Header[name] = values
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	t.Cleanup(func() { _ = res.Body.Close() }) // the body was only read
	require.Equal(t, d.form.protocol, res.Header.Get("Expo-Protocol-Version"))
	require.Equal(t, "0", res.Header.Get("Expo-Sfv-Version"))
	require.Equal(t, "private, max-age=0", res.Header.Get("Cache-Control"))
	filters, err := httpsfv.UnmarshalDictionary(res.Header.Values("Expo-Manifest-Filters"))
	require.NoError(t, err)
	branch, ok := filters.Get("branchname")
	require.True(t, ok)
	require.Equal(t, "production", branch.(httpsfv.Item).Value)
	return res
}

// takes requests the manifest as a new device, and downloads the whole update.
func (d protocolDevice) takes(t *testing.T, u client.Update) {
	t.Helper()
	res := d.ask(t, nil)
	require.Equal(t, http.StatusOK, res.StatusCode)
	text, signature := d.read(t, res, "manifest")
	d.requireSigned(t, text, signature)
	manifest, err := fleet.ParseManifest(text)
	require.NoError(t, err)
	require.Equal(t, u.UpdateUUID.String(), manifest.ID)
	require.Equal(t, "1.0.0", manifest.RuntimeVersion)
	require.Equal(t, "application/javascript", manifest.Launch.ContentType)
	require.NotContains(t, string(text), ":null")
	for _, a := range append(manifest.Assets, manifest.Launch) {
		awaitVariants(t, []manifestFile{{URL: a.URL}})
		for _, encoding := range []string{"", "gzip", "br", "zstd, br, gzip"} {
			d.requireAsset(t, a, encoding)
		}
	}
}

// directive requests the manifest and reads a signed directive.
func (d protocolDevice) directive(t *testing.T, more http.Header) (out struct {
	Type       string
	Parameters struct{ CommitTime string }
	Extra      struct {
		StoreUpdateRequired bool
		MinRuntimeVersion   string
	}
},
) {
	t.Helper()
	res := d.ask(t, more)
	require.Equal(t, http.StatusOK, res.StatusCode)
	name := "directive"
	text, signature := d.read(t, res, name)
	d.requireSigned(t, text, signature)
	require.NoError(t, json.Unmarshal(text, &out))
	return out
}

// read returns the signed bytes of a response and their signature.
func (d protocolDevice) read(t *testing.T, res *http.Response, part string) (text []byte, signature string) {
	t.Helper()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	media, params, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	require.NoError(t, err)
	require.Equal(t, d.form.media, media)
	if media != "multipart/mixed" {
		return body, res.Header.Get("Expo-Signature")
	}
	require.Empty(t, res.Header.Get("Expo-Signature"))
	for _, p := range strictParts(t, body, params["boundary"]) {
		if name := p.header["content-disposition"]; name == `inline; name="`+part+`"` {
			require.Equal(t, "application/json", strings.TrimSuffix(p.header["content-type"], "; charset=utf-8"))
			return p.body, p.header["expo-signature"]
		}
	}
	require.Failf(t, "a part is missing", "no part %q in %q", part, body)
	return nil, ""
}

// strictPart keeps the names of headers as they were sent, except for headers that clients look up regardless of case.
type strictPart struct {
	header map[string]string
	body   []byte
}

// strictParts splits a body as the stricter client does. The first delimiter starts the body, and only CRLF follows the
// last one.
func strictParts(t *testing.T, body []byte, boundary string) []strictPart {
	t.Helper()
	require.NotEmpty(t, boundary)
	inner, ok := bytes.CutPrefix(body, []byte("--"+boundary+"\r\n"))
	require.True(t, ok, "the body must begin with its delimiter: %q", body)
	inner, ok = bytes.CutSuffix(inner, []byte("\r\n--"+boundary+"--\r\n"))
	require.True(t, ok, "the body must end with its closing delimiter and CRLF: %q", body)
	var parts []strictPart
	for _, raw := range bytes.Split(inner, []byte("\r\n--"+boundary+"\r\n")) {
		head, content, ok := bytes.Cut(raw, []byte("\r\n\r\n"))
		require.True(t, ok)
		p := strictPart{header: map[string]string{}, body: content}
		for line := range strings.SplitSeq(string(head), "\r\n") {
			name, value, ok := strings.Cut(line, ": ")
			require.True(t, ok, "header line %q", line)
			if lower := strings.ToLower(name); lower != "expo-signature" {
				name = lower
			}
			p.header[name] = value
		}
		parts = append(parts, p)
	}
	return parts
}

// requireSigned verifies the signature over exactly these bytes.
func (d protocolDevice) requireSigned(t *testing.T, text []byte, header string) {
	t.Helper()
	require.NotEmpty(t, header, "no signature, or not under the name expo-signature in lower case")
	members, err := httpsfv.UnmarshalDictionary([]string{header})
	require.NoError(t, err)
	values := map[string]string{}
	for _, name := range members.Names() {
		member, _ := members.Get(name)
		value, isText := member.(httpsfv.Item).Value.(string)
		require.True(t, isText, "iOS refuses a signature header with a member that is not a string: %s", header)
		values[name] = value
	}
	require.Equal(t, "main", values["keyid"])
	require.Equal(t, "rsa-v1_5-sha256", values["alg"])
	signature, err := base64.StdEncoding.DecodeString(values["sig"])
	require.NoError(t, err)
	sum := sha256.Sum256(text)
	require.NoError(t, rsa.VerifyPKCS1v15(d.signer.PublicKey.(*rsa.PublicKey), crypto.SHA256, sum[:], signature))
}

// requireAsset downloads a file in an encoding and makes all of a client's checks.
func (d protocolDevice) requireAsset(t *testing.T, a fleet.Asset, encoding string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.URL, nil)
	require.NoError(t, err)
	req.Header.Set("Accept-Encoding", cmp.Or(encoding, "identity")) // if it is set, net/http does not decompress the body
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	require.Equal(t, http.StatusOK, res.StatusCode)
	require.Equal(t, a.ContentType, res.Header.Get("Content-Type"))
	require.Equal(t, "public, max-age=31536000, immutable", res.Header.Get("Cache-Control"))
	var content io.Reader = res.Body
	sent := res.Header.Get("Content-Encoding")
	switch sent {
	case "":
	case "gzip":
		content, err = gzip.NewReader(res.Body)
		require.NoError(t, err)
	case "br":
		content = brotli.NewReader(res.Body)
	default:
		require.Failf(t, "unknown encoding", "%q", sent)
	}
	require.True(t, sent == "" || strings.Contains(encoding, sent), "encoding %q was not requested in %q", sent, encoding)
	sha, sum := sha256.New(), md5.New()
	_, err = io.Copy(io.MultiWriter(sha, sum), content)
	require.NoError(t, err)
	require.Equal(t, a.Hash, base64.RawURLEncoding.EncodeToString(sha.Sum(nil)))
	require.Equal(t, a.Key, hex.EncodeToString(sum.Sum(nil)))
}
