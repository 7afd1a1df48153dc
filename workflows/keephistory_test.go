package workflows_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// keepHistory writes a recorded history, unless a history of the same name exists. An existing history was recorded by code that
// rollouts under way began with. A history recorded by the current code would not prove anything.
func keepHistory(t *testing.T, path string, text []byte) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		t.Logf("%s stays as it was recorded once; delete it if no release has it yet", path)
		return
	}
	require.NoError(t, err)
	_, err = file.Write(text)
	require.NoError(t, errors.Join(err, file.Close()))
}

func TestARecordedHistoryIsNeverOverwritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "completed.json")
	for _, text := range []string{"released", "of the branch"} {
		keepHistory(t, path, []byte(text))
		kept, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, "released", string(kept))
	}
}
