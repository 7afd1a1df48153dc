package main

import (
	"crypto/x509"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// withoutRoots is set in the process that has no certificate authorities of a system.
const withoutRoots = "WAFTD_TEST_WITHOUT_ROOTS"

// A container image from scratch has no certificate authorities, and the server connects to buckets, webhooks and identity providers.
func TestTheServerBringsCertificateAuthorities(t *testing.T) {
	t.Parallel()
	if os.Getenv(withoutRoots) != "" {
		pool, err := x509.SystemCertPool()
		require.NoError(t, err)
		require.False(t, pool.Equal(x509.NewCertPool()), "no authority is known")
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTheServerBringsCertificateAuthorities$")
	cmd.Env = append(os.Environ(), withoutRoots+"=1", "SSL_CERT_FILE=/nonexistent", "SSL_CERT_DIR=/nonexistent")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
