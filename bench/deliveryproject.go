package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"embed"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Sizes of the projects. In the short form there are fewer releases and overrides, but as many channels, which the quota bounds.
const (
	filesOfBuild  = 34
	smallReleases = 10
	largeReleases = 10_000
	largeChannels = 1_000 // as many as the quota
	manyOverrides = 100_000
)

// deliveryProject makes a project that signs, with ten releases of a build of 34
// files on production, and a paused channel for settle.
func (w *waft) deliveryProject(ctx context.Context, slug string) (*project, error) {
	p, err := w.newProject(ctx, slug)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for i := range filesOfBuild - 1 {
		name := fmt.Sprintf("assets/image-%d.png", i+1)
		files[name] = []byte("content of " + name)
	}
	clientConfig := fmt.Sprintf(`{"name": "Bench", "slug": "bench", "version": "1.0.0", "description": %q}`,
		strings.Repeat("An app of some size. ", 50))
	if _, err := p.upload(ctx, clientConfig, []byte("content of index.bundle"), files); err != nil {
		return nil, err
	}
	for range smallReleases {
		if err := p.publish(ctx); err != nil {
			return nil, err
		}
	}
	if err := p.send(ctx, http.MethodPost, "/v1/ota/channels", `{"name": "settled", "branchName": "production"}`, http.StatusCreated); err != nil {
		return nil, err
	}
	if err := p.pauseSettled(ctx, true); err != nil {
		return nil, err
	}
	key, err := newSigningKey()
	if err != nil {
		return nil, err
	}
	return p, p.send(ctx, http.MethodPut, "/v1/ota/code-signing", key, http.StatusOK)
}

// newSigningKey returns the body of a request that sets a key like the keys of Expo's tool.
func newSigningKey() (string, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return "", err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Bench"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return "", err
	}
	text := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	body, err := json.Marshal(map[string]string{
		"privateKeyPem": text("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key)), "certificatePem": text("CERTIFICATE", der),
	})
	return string(body), err
}

// seedFiles fill a project, whose slug is $1. They copy rows of the project, and so do not name
// every column.
//
//go:embed seed/*.sql
var seedFiles embed.FS

// fill runs the statements of files on the project of that slug, and notifies the servers.
func (w *waft) fill(ctx context.Context, slug string, files ...string) error {
	conn, err := connect(ctx, w.databaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	sizes := strings.NewReplacer("{channels}", strconv.Itoa(largeChannels), "{releases}", strconv.Itoa(w.size(largeReleases)),
		"{overrides}", strconv.Itoa(w.size(manyOverrides)))
	statements := []string{}
	for _, file := range files {
		text, err := seedFiles.ReadFile("seed/" + file + ".sql")
		if err != nil {
			return err
		}
		statements = append(statements, strings.Split(strings.TrimSpace(sizes.Replace(string(text))), ";\n")...)
	}
	for _, statement := range append(statements, "SELECT pg_notify('waft_snapshot', id::text) FROM projects WHERE slug = $1") {
		if _, err := conn.Exec(ctx, statement, slug); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// share starts a branch rollout on production, and a release's rollout on each of its
// two branches.
func (p *project) share(ctx context.Context) error {
	for _, body := range []string{
		`{"channel": "staging"}`, `{"channel": "staging", "rolloutPercentage": 50}`, `{"channel": "production", "rolloutPercentage": 50}`,
	} {
		if err := p.send(ctx, http.MethodPost, p.publishPath(), body, http.StatusCreated); err != nil {
			return err
		}
	}
	return p.send(ctx, http.MethodPatch, "/v1/ota/channels/production",
		`{"rolloutBranchName": "staging", "rolloutPercentage": 50}`, http.StatusOK)
}
