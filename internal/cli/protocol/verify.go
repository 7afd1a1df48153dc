package protocol

import (
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/dunglas/httpsfv"
)

// ErrUnsigned is the error for a response without a signature.
var ErrUnsigned = errors.New("the response has no signature")

// Verify checks the signature like an app that contains the certificate. If the response has a chain, the certificate is its root.
func (r *Reply) Verify(own *x509.Certificate) error {
	if r.signature == "" {
		return ErrUnsigned
	}
	dictionary, err := httpsfv.UnmarshalDictionary([]string{r.signature})
	if err != nil {
		return fmt.Errorf("the signature is not readable: %w", err)
	}
	item, _ := dictionary.Get("sig")
	value, ok := item.(httpsfv.Item)
	if !ok {
		return errors.New("the signature has no value sig")
	}
	text, _ := value.Value.(string)
	signature, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return fmt.Errorf("the signature is not base64: %w", err)
	}
	signer, err := r.signer(own)
	if err != nil {
		return err
	}
	key, ok := signer.PublicKey.(*rsa.PublicKey)
	if !ok {
		return errors.New("the certificate is not for an RSA key")
	}
	sum := sha256.Sum256(r.signed)
	if rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], signature) != nil {
		return errors.New("the signature is not by the key of the certificate")
	}
	return nil
}

// signer returns the certificate of the key that signed: the app's own, or the first one of a chain that leads to it.
func (r *Reply) signer(own *x509.Certificate) (*x509.Certificate, error) {
	var leaf *x509.Certificate
	roots, between := x509.NewCertPool(), x509.NewCertPool()
	roots.AddCert(own)
	for block, rest := pem.Decode(r.chain); block != nil; block, rest = pem.Decode(rest) {
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("the certificate chain of the response: %w", err)
		}
		if leaf == nil {
			leaf = c
		} else {
			between.AddCert(c)
		}
	}
	if leaf == nil {
		return own, nil
	}
	_, err := leaf.Verify(x509.VerifyOptions{Roots: roots, Intermediates: between, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning}})
	if err != nil {
		return nil, fmt.Errorf("the certificate chain of the response does not lead to the app's certificate: %w", err)
	}
	return leaf, nil
}

// WrongHashError is the error for an asset with other content than the manifest says.
type WrongHashError struct{ URL, Want, Got string }

func (e *WrongHashError) Error() string {
	return fmt.Sprintf("%s has the hash %s, but its manifest says %s", e.URL, e.Got, e.Want)
}

// maxFile is the maximum size of a file in bytes.
const maxFile = 1 << 30

// CopyBody writes the body of a response with a file to out. It fails for a file of more than 1 GiB, because the server may be anyone's.
func CopyBody(out io.Writer, res *http.Response) (int64, error) {
	if res.ContentLength > maxFile {
		return 0, errTooLarge(maxFile)
	}
	return copyUpTo(maxFile, out, res.Body)
}

func copyUpTo(limit int64, out io.Writer, from io.Reader) (int64, error) {
	n, err := io.Copy(out, io.LimitReader(from, limit+1))
	if err == nil && n > limit {
		err = errTooLarge(limit)
	}
	return n, err
}

func errTooLarge(limit int64) error { return fmt.Errorf("the file is larger than %d bytes", limit) }

// Download writes the content of an asset to out, and checks its hash if the manifest has one. It returns the number of bytes.
func Download(ctx context.Context, hc *http.Client, r *Reply, a Asset, out io.Writer) (int64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.URL, nil)
	if err != nil {
		return 0, err
	}
	for name, value := range r.AssetHeaders[a.Key] {
		req.Header.Set(name, value)
	}
	for name, value := range r.asked.Headers { // an app sends them with every request
		req.Header.Set(name, value)
	}
	res, err := hc.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("%s responded with status %d", a.URL, res.StatusCode)
	}
	sum := sha256.New()
	n, err := CopyBody(io.MultiWriter(out, sum), res)
	if err != nil {
		return n, fmt.Errorf("downloading %s: %w", a.URL, err)
	}
	if got := base64.RawURLEncoding.EncodeToString(sum.Sum(nil)); a.Hash != "" && got != a.Hash {
		return n, &WrongHashError{a.URL, a.Hash, got}
	}
	return n, nil
}
