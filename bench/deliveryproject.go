package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Sizes of the projects.
const (
	filesOfBuild  = 34
	smallReleases = 10
	largeReleases = 10_000
	largeChannels = 1_000
	manyOverrides = 100_000
)

// deliveryProject makes a project that signs, with ten releases of a build of 34
// files on production.
func (w *waft) deliveryProject(ctx context.Context, slug string) (*subject, error) {
	root := map[string]string{"Authorization": "Bearer " + w.rootKey}
	if _, err := send(ctx, http.MethodPost, w.url+"/v1/ota/projects", "application/json", fmt.Sprintf(`{"name": %q, "slug": %q}`, slug, slug),
		root, http.StatusCreated); err != nil {
		return nil, err
	}
	s := &subject{w: w, header: map[string]string{"Authorization": "Bearer " + w.rootKey, "X-Project": slug}}
	contentType, body, err := fullExport()
	if err != nil {
		return nil, err
	}
	var build struct{ ID int64 }
	if err := s.create(ctx, "/v1/ota/builds", contentType, body, &build); err != nil {
		return nil, err
	}
	s.build = build.ID
	for range smallReleases {
		if err := s.publish(ctx); err != nil {
			return nil, err
		}
	}
	key, err := newSigningKey()
	if err != nil {
		return nil, err
	}
	_, err = send(ctx, http.MethodPut, w.url+"/v1/ota/code-signing", "application/json", key, s.header, http.StatusOK)
	return s, err
}

// fullExport is a build of as many files as a real app has, small ones.
func fullExport() (contentType, body string, err error) {
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	errs := []error{
		form.WriteField("platform", "ios"), form.WriteField("runtimeVersion", "1.0.0"),
		form.WriteField("clientConfig", fmt.Sprintf(`{"name": "Bench", "slug": "bench", "version": "1.0.0", "description": %q}`,
			strings.Repeat("An app of some size. ", 50))),
	}
	for i := range filesOfBuild {
		field, name := "assets", fmt.Sprintf("assets/image-%d.png", i)
		if i == 0 {
			field, name = "bundle", "index.bundle"
		}
		file, err := form.CreateFormFile(field, name)
		if err == nil {
			_, err = fmt.Fprint(file, "content of ", name)
		}
		errs = append(errs, err)
	}
	errs = append(errs, form.Close())
	return form.FormDataContentType(), b.String(), errors.Join(errs...)
}

// newSigningKey is the body of a request that sets a key like those of Expo's tool.
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

// Statements that fill a project; $1 is its slug. They copy a row of the project,
// so that they need not know every column.
var (
	manyChannels = []string{
		`INSERT INTO branches SELECT copy.* FROM branches b JOIN projects p ON p.id = b.project_id, generate_series(1, ` + strconv.Itoa(largeChannels) + `) i,
				jsonb_populate_record(b, jsonb_build_object('id', nextval('waft_ids'), 'name', 'branch-' || i)) copy
			WHERE p.slug = $1 AND b.name = 'production'`,
		`INSERT INTO channels SELECT copy.* FROM channels c JOIN projects p ON p.id = c.project_id JOIN branches b ON b.project_id = p.id,
				jsonb_populate_record(c, jsonb_build_object(
					'id', nextval('waft_ids'), 'name', replace(b.name, 'branch', 'channel'), 'branch_id', b.id)) copy
			WHERE p.slug = $1 AND c.name = 'production' AND b.name LIKE 'branch-%'`,
	}
	// Every other release is on production, the rest on the other branches in turn; all
	// are older than those that are there.
	manyReleases = []string{
		`WITH oldest AS (
				SELECT r.id FROM releases r JOIN projects p ON p.id = r.project_id WHERE p.slug = $1 ORDER BY r.created_at LIMIT 1),
			other AS (
				SELECT b.id, row_number() OVER (ORDER BY b.id) AS n FROM branches b JOIN projects p ON p.id = b.project_id
				WHERE p.slug = $1 AND b.name LIKE 'branch-%')
			INSERT INTO releases SELECT copy.* FROM oldest JOIN releases r ON r.id = oldest.id,
				generate_series(1, ` + strconv.Itoa(largeReleases) + `) i JOIN other ON other.n = i / 2 % ` + strconv.Itoa(largeChannels) + ` + 1,
				jsonb_populate_record(r, jsonb_build_object(
					'id', nextval('waft_ids'), 'update_uuid', gen_random_uuid(), 'group_id', gen_random_uuid(),
					'created_at', r.created_at - i * interval '1 ms',
					'branch_id', CASE WHEN i % 2 = 0 THEN r.branch_id ELSE other.id END)) copy`,
	}
	manyUsers = []string{
		`INSERT INTO user_overrides (project_id, user_id, branch_id, note, created_at)
			SELECT p.id, 'user-' || n, b.id, '', now() FROM projects p JOIN branches b ON b.project_id = p.id AND b.name = 'staging',
				generate_series(1, ` + strconv.Itoa(manyOverrides) + `) n
			WHERE p.slug = $1`,
	}
)

// fill runs statements on the project of that slug.
func (e *engines) fill(ctx context.Context, slug string, statements ...string) error {
	conn, err := pgx.Connect(ctx, e.databaseURL)
	if err != nil {
		return errors.New("DATABASE_URL: Postgres is not reachable")
	}
	defer conn.Close(ctx)
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement, slug); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// share starts a branch rollout on production, and one of a release on each of its
// two branches.
func (s *subject) share(ctx context.Context) error {
	for _, body := range []string{
		`{"channel": "staging"}`, `{"channel": "staging", "rolloutPercentage": 50}`, `{"channel": "production", "rolloutPercentage": 50}`,
	} {
		if _, err := send(ctx, http.MethodPost, s.w.url+s.publishPath(), "application/json", body, s.header, http.StatusCreated); err != nil {
			return err
		}
	}
	_, err := send(ctx, http.MethodPatch, s.w.url+"/v1/ota/channels/production", "application/json",
		`{"rolloutBranchName": "staging", "rolloutPercentage": 50}`, s.header, http.StatusOK)
	return err
}
