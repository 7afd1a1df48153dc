package importer

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBranchesOfEASAreReadInOneOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var channels []string
	names := []string{"f", "b", "d", "a", "c", "e"}
	for _, name := range names {
		channels = append(channels, fmt.Sprintf(`{"name": %q,
			"branchMapping": "{\"data\":[{\"branchId\":\"1\",\"branchMappingLogic\":\"true\"}]}",
			"updateBranches": [{"id": "1", "name": %[1]q}]}`, name))
	}
	page := `{"currentPage": [` + strings.Join(channels, ",") + `]}`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "channels.json"), []byte(page), 0o600))
	const script = "#!/bin/sh\ncase \"$1\" in channel:list) cat channels.json;; update:list) echo \"$3\" >>asked; echo '{}';; esac\n"
	program := filepath.Join(dir, "eas")
	require.NoError(t, os.WriteFile(program, []byte(script), 0o700))
	inv, err := (&eas{program: program, dir: dir, releases: new(1)}).read(t.Context())
	require.NoError(t, err)
	require.Len(t, inv.channels, len(names))
	asked, err := os.ReadFile(filepath.Join(dir, "asked"))
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b", "c", "d", "e", "f"}, strings.Fields(string(asked)))
}
