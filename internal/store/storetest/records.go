package storetest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// NewIncident returns an incident of a channel. It is not stored.
func NewIncident(f *Fixture, channel string) models.Incident {
	return models.Incident{
		ProjectID: f.Demo.ID, UpdateUUID: uuid.NewString(), Channel: channel, Platform: models.IOS, RuntimeVersion: "1.0.0",
		Devices: 100, ErroredDevices: 40, CrashedDevices: 3, PeakErroredDevices: 40, BaselineDevices: 2400, BaselineErroredDevices: 12,
		OpenedAt: time.Now().UTC().Truncate(time.Millisecond), CheckedAt: time.Now().UTC().Truncate(time.Millisecond),
	}
}

// NewSigningKey returns a signing key whose certificate for RSAKey clients accept. change may alter the certificate.
func NewSigningKey(t testing.TB, change func(*x509.Certificate)) models.NewSigningKey {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Demo"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning},
	}
	if change != nil {
		change(template)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, RSAKey().Public(), RSAKey())
	require.NoError(t, err)
	return models.NewSigningKey{
		PrivateKeyPEM: string(pem.EncodeToMemory(&pem.Block{
			Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(RSAKey()),
		})),
		CertificatePEM: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
	}
}

// AddOverride creates a user override.
func AddOverride(f *Fixture, userID, branch string) models.UserOverride {
	f.T.Helper()
	o, err := f.CreateUserOverride(f.T.Context(), f.Demo.ID, Alice, models.NewUserOverride{
		UserID: userID, BranchName: branch, Note: "tester",
	})
	require.NoError(f.T, err)
	return o
}

// PatchesWorkflow returns the ID of the workflow that makes a release's patches.
func PatchesWorkflow(r models.Release) string { return fmt.Sprintf("patches/demo/%d", r.ID) }

// RequireNoTrace checks that no row of the database contains the secret in plain text.
func RequireNoTrace(f *Fixture, secret string) {
	f.T.Helper()
	for _, table := range Query[string](f, "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'") {
		require.Zero(f.T, Query[int64](f, fmt.Sprintf("SELECT count(*) FROM %q AS r WHERE strpos(r::text, $1) > 0", table), secret)[0], table)
	}
}

// RSAKey returns a key that is generated only once, because that takes a while.
var RSAKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// SeedReleases creates n copies of r, each with a build and files of its own.
func SeedReleases(f *Fixture, r models.Release, n int) {
	f.T.Helper()
	f.MustExec(`CREATE TABLE copies AS SELECT i, nextval('waft_ids') AS build_id FROM generate_series(1, $1::int) i`, n)
	f.MustExec(`INSERT INTO builds SELECT n.* FROM copies c CROSS JOIN builds b CROSS JOIN LATERAL
		jsonb_populate_record(b, jsonb_build_object('id', c.build_id, 'uuid', gen_random_uuid())) n WHERE b.id = $1`, *r.BuildID)
	f.MustExec(`INSERT INTO build_assets SELECT n.* FROM copies c CROSS JOIN build_assets a CROSS JOIN LATERAL
		jsonb_populate_record(a, jsonb_build_object('build_id', c.build_id)) n WHERE a.build_id = $1`, *r.BuildID)
	f.MustExec(`INSERT INTO releases SELECT n.* FROM copies c CROSS JOIN releases r CROSS JOIN LATERAL
		jsonb_populate_record(r, jsonb_build_object('id', nextval('waft_ids'), 'build_id', c.build_id, 'update_uuid', gen_random_uuid(),
			'group_id', gen_random_uuid(), 'created_at', r.created_at + c.i * interval '1 ms')) n
		WHERE r.id = $1 ORDER BY c.i`, r.ID)
}
