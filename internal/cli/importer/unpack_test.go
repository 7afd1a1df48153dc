package importer

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"
)

// tarred returns an archive with a link, a folder and a file.
func tarred(t *testing.T, name string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	require.NoError(t, w.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: "link", Linkname: "/etc"}))
	require.NoError(t, w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: "assets", Mode: 0o755}))
	require.NoError(t, w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: 4, Mode: 0o644}))
	_, err := w.Write([]byte("text"))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func TestArchivesStayInTheirFolder(t *testing.T) {
	t.Parallel()
	for _, extension := range []string{".gz", ".br", ".zip"} {
		for name, escapes := range map[string]bool{"assets/a": false, "../a": true, "assets/../../a": true} {
			t.Run(extension+" "+name, func(t *testing.T) {
				t.Parallel()
				archive, dir := filepath.Join(t.TempDir(), "archive"), filepath.Join(t.TempDir(), "dir")
				require.NoError(t, os.Mkdir(dir, 0o700))
				var b bytes.Buffer
				var w io.WriteCloser
				switch extension {
				case ".gz":
					w = gzip.NewWriter(&b)
				case ".br":
					w = brotli.NewWriter(&b)
				}
				content := zipped(t, map[string]string{name: "text"})
				if w != nil {
					_, err := w.Write(tarred(t, name))
					require.NoError(t, err)
					require.NoError(t, w.Close())
					content = b.Bytes()
				}
				require.NoError(t, os.WriteFile(archive, content, 0o600))
				err := unpack(archive, extension, dir)
				require.NoFileExists(t, filepath.Join(dir, "..", "a"))
				require.NoFileExists(t, filepath.Join(dir, "link"))
				if escapes {
					require.ErrorContains(t, err, "escapes")
					return
				}
				require.NoError(t, err)
				text, err := os.ReadFile(filepath.Join(dir, "assets", "a"))
				require.NoError(t, err)
				require.Equal(t, "text", string(text))
			})
		}
	}
}

func TestArchivesHaveALimit(t *testing.T) {
	t.Parallel()
	root, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { _ = root.Close() })
	u := &unpacking{root, 5}
	require.NoError(t, u.write("a", strings.NewReader("123")))
	require.NoError(t, u.write("b", strings.NewReader("45")))
	require.ErrorContains(t, u.write("c", strings.NewReader("6")), "larger than")
	require.ErrorContains(t, unpack(os.DevNull, ".rar", t.TempDir()), "unknown")
}
