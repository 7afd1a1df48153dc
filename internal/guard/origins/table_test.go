package origins

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheLongestNetworkSaysTheOrigin(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "origins.txt")
	require.NoError(t, os.WriteFile(path, []byte(`# a comment
; another one

203.0.113.0/24 64500
203.0.113.128/25	64501
2001:db8::/32,4294967295
198.51.100.7/24 64502
`), 0o600))
	table, err := Open(path)
	require.NoError(t, err)
	for address, number := range map[string]uint32{
		"203.0.113.1": 64500, "203.0.113.129": 64501, "198.51.100.200": 64502, "192.0.2.1": 0,
		"2001:db8:1::1": 4294967295, "2001:db9::1": 0,
		"2002:cb00:7101::1":  64500, // 6to4 of 203.0.113.1
		"::ffff:203.0.113.1": 64500,
	} {
		require.Equal(t, number, table.Of(netip.MustParseAddr(address)), address)
	}
	require.Zero(t, table.Of(netip.Addr{}))
	require.Zero(t, (*Table)(nil).Of(netip.MustParseAddr("203.0.113.1")))
}

func TestATableThatCannotBeReadNamesTheLine(t *testing.T) {
	t.Parallel()
	for text, problem := range map[string]string{
		"203.0.113.0/24 64500\n203.0.113.0 64500": `line 2 must be a network and the number of its origin AS`,
		"203.0.113.0/24":                                         `is "203.0.113.0/24"`,
		"203.0.113.0/24 AS64500":                                 "line 1 must",
		"203.0.113.0/24 0":                                       "line 1 must",
		"203.0.113.0/24 4294967296":                              "line 1 must",
		"203.0.113.0/24 1 2":                                     "line 1 must",
		"::ffff:203.0.113.0/120 1":                               "line 1 must",
		"# one\n" + strings.Repeat("x", 70_000):                  "line 2: bufio.Scanner: token too long",
		"10.0.0.0/8 1\n10.0.0.0/8 2\n11.0.0.0/8 1\n12.0.0.0/8 1": "line 4 is beyond the 2 networks",
	} {
		require.ErrorContains(t, new(Table).read(strings.NewReader(text), 2), problem)
	}
	_, err := Open(filepath.Join(t.TempDir(), "missing.txt"))
	require.ErrorIs(t, err, os.ErrNotExist)
	path := filepath.Join(t.TempDir(), "odd.txt")
	require.NoError(t, os.WriteFile(path, []byte("odd"), 0o600))
	_, err = Open(path)
	require.ErrorContains(t, err, path+": line 1 must")
}
