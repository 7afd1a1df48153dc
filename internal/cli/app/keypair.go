package app

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/waft-ota/waft/internal/cli/command"
)

// keyBits is the size of new keys, as in `npx expo-updates codesigning:generate`.
const keyBits = 2048

// keyPair is an RSA key and its certificate in PEM format.
type keyPair struct{ private, public, certificate []byte }

// newKeyPair returns a key with a certificate that expo-updates accepts. Without a key it makes one.
func newKeyPair(key *rsa.PrivateKey, name string, from time.Time, years int) (*keyPair, error) {
	var err error
	if key == nil {
		if key, err = rsa.GenerateKey(rand.Reader, keyBits); err != nil {
			return nil, err
		}
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	// The certificate is its own issuer, and not an authority, as expo-updates makes it.
	subject := pkix.Name{CommonName: name}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: subject, NotBefore: from, NotAfter: from.AddDate(years, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, &x509.Certificate{Subject: subject}, key.Public(), key)
	if err != nil {
		return nil, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return nil, err
	}
	block := func(kind string, der []byte) []byte { return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}) }
	return &keyPair{block("PRIVATE KEY", private), block("PUBLIC KEY", public), block("CERTIFICATE", der)}, nil
}

// readKey reads an RSA key from a file. Its errors never quote the content.
func readKey(path string) (*rsa.PrivateKey, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	bad := command.Usagef("%s does not contain an RSA key in PEM format without a password", path)
	if block == nil {
		return nil, bad
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, bad
	}
	if key, ok := parsed.(*rsa.PrivateKey); ok {
		return key, nil
	}
	return nil, bad
}

// The files have the names that `npx expo-updates codesigning:generate` uses.
const (
	privateKeyFile  = "private-key.pem"
	publicKeyFile   = "public-key.pem"
	certificateFile = "certificate.pem"
)

// writeKey writes the key into a folder that Git ignores. It never replaces a key. If it fails, it removes the key, so
// that the command can run again.
func (k *keyPair) writeKey(folder string) (err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	path := filepath.Join(folder, privateKeyFile)
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return command.Usagef("%s exists, and would be lost; move it, use it with --private-key, or name another folder with --keys", path)
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(path))
		}
	}()
	_, err = file.Write(k.private)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err = writeFile(filepath.Join(folder, publicKeyFile), k.public); err != nil {
		return err
	}
	return ignoreKey(filepath.Join(folder, ".gitignore"))
}

// ignoreKey adds the private key to a .gitignore in its folder.
func ignoreKey(path string) error {
	const line = "/" + privateKeyFile
	before, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if slices.Contains(strings.Fields(string(before)), line) {
		return nil
	}
	if len(before) > 0 && !bytes.HasSuffix(before, []byte("\n")) {
		before = append(before, '\n')
	}
	return writeFile(path, append(before, line+"\n"...))
}
