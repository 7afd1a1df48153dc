package roots

import (
	"crypto/x509"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSupply does not run in parallel, because crypto/x509 takes certificate authorities once for the whole process.
func TestSupply(t *testing.T) {
	own := filepath.Join(t.TempDir(), "own.pem")
	require.NoError(t, os.WriteFile(own, []byte("certificates"), 0o600))
	t.Setenv("SSL_CERT_DIR", t.TempDir())
	t.Setenv("SSL_CERT_FILE", own)
	require.NoError(t, Supply())

	// Had the first call supplied anything, the second one would panic.
	t.Setenv("SSL_CERT_FILE", filepath.Join(t.TempDir(), "missing.pem"))
	require.NoError(t, Supply())
	found, err := x509.SystemCertPool()
	require.NoError(t, err)
	require.False(t, found.Equal(x509.NewCertPool()), "the bundle is not used where the system has no certificates")
}

func TestASystemHasItsOwn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	full, empty := filepath.Join(dir, "full"), filepath.Join(dir, "empty")
	require.NoError(t, os.WriteFile(full, []byte("certificates"), 0o600))
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	missing := filepath.Join(dir, "missing")
	for name, c := range map[string]struct {
		system, named string
		files         []string
		want          bool
	}{
		"a bundle":              {"linux", "", []string{missing, full}, true},
		"a container":           {"linux", "", []string{missing}, false},
		"an empty bundle":       {"linux", "", []string{empty}, false},
		"an empty bundle first": {"linux", "", []string{missing, empty, full}, false},
		"a folder":              {"linux", "", []string{dir}, false},
		"a bundle after it":     {"linux", "", []string{dir, full}, true},
		"a named file":          {"linux", full, []string{missing}, true},
		"a named file, absent":  {"linux", missing, []string{full}, false},
		"a Mac":                 {"darwin", "", nil, true},
		"Windows":               {"windows", "", nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, hasOwn(c.system, func(string) string { return c.named }, c.files))
		})
	}
}
