package client_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/lab/fleet/bundle"
	"github.com/waft-ota/waft/models"
)

// receiver is a server that takes files as Waft does.
type receiver struct {
	mu sync.Mutex
	// files have arrived, by their SHA-256; partial ones as far as they have.
	files, partial map[string]string
	sizes          map[string]int64
	// cut breaks the first connection that sends a file after so many of its bytes.
	cut int64
	// form has the fields and documents of the upload, received the bytes of files that were sent.
	form     map[string]string
	received int64
}

func (s *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, isFile := strings.CutPrefix(r.URL.Path, "/v1/ota/builds/files/")
	switch {
	case r.URL.Path == "/v1/ota/builds/check":
		s.check(w, r)
	case isFile && r.Method == http.MethodHead:
		if s.partial[name] == "" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Upload-Offset", strconv.Itoa(len(s.partial[name])))
		w.Header().Set("Upload-Length", strconv.FormatInt(s.sizes[name], 10))
		w.Header().Set("Upload-Complete", "?0")
	case isFile:
		s.put(w, r, name)
	default:
		s.upload(w, r)
	}
}

func (s *receiver) check(w http.ResponseWriter, r *http.Request) {
	var asked client.CheckFilesBody
	_ = json.NewDecoder(r.Body).Decode(&asked) // an empty one fails the test
	missing := []string{}
	for _, f := range asked.Files {
		s.sizes[f.Sha256] = f.SizeBytes
		if _, there := s.files[f.Sha256]; !there {
			missing = append(missing, f.Sha256)
		}
	}
	answerJSON(w, 200, "application/json", map[string]any{"missing": missing})
}

func (s *receiver) put(w http.ResponseWriter, r *http.Request, name string) {
	if s.cut > 0 && r.ContentLength > s.cut {
		begun := make([]byte, s.cut)
		_, _ = io.ReadFull(r.Body, begun)
		s.cut, s.partial[name], s.received = 0, string(begun), s.received+int64(len(begun))
		panic(http.ErrAbortHandler)
	}
	begun := s.partial[name]
	if want := fmt.Sprintf("bytes %d-", len(begun)); begun != "" && !strings.HasPrefix(r.Header.Get("Content-Range"), want) {
		w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		return
	}
	rest, _ := io.ReadAll(r.Body) // a short one fails the comparison
	s.received += int64(len(rest))
	s.files[name] = begun + string(rest)
	answerJSON(w, 201, "application/json", map[string]any{"sha256": name, "complete": true})
}

func (s *receiver) upload(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseMultipartForm(1 << 20); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for name, values := range r.MultipartForm.Value {
		s.form[name] = values[0]
	}
	for name, files := range r.MultipartForm.File {
		f, _ := files[0].Open()
		content, _ := io.ReadAll(f)
		s.form[name] = string(content)
	}
	answerJSON(w, 201, "application/json", map[string]any{"id": 5, "uuid": "5f0cd9c2-0c4f-4f5e-8d0f-9a6f0a1b2c3d"})
}

func newReceiver(t *testing.T) (*receiver, *client.Waft) {
	t.Helper()
	s := &receiver{files: map[string]string{}, partial: map[string]string{}, sizes: map[string]int64{}, form: map[string]string{}}
	return s, newClient(t, s.ServeHTTP)
}

func TestAnExportIsUploadedAsItIs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	made, err := bundle.Write(dir, bundle.Spec{Label: "stable", BundleBytes: 1000, Assets: 2, AssetBytes: 50})
	require.NoError(t, err)
	s, c := newReceiver(t)
	e, err := client.OpenExport(dir, models.IOS)
	require.NoError(t, err)
	var sent client.Transfer
	upload := client.Upload{RuntimeVersion: "1.0.0", Message: "hello", GitAuthor: "Ada", Sent: func(t client.Transfer) { sent = t }}
	build, err := c.UploadExport(t.Context(), e, upload)
	require.NoError(t, err)
	require.Equal(t, int64(5), build.ID)
	require.Equal(t, "ios", s.form["platform"])
	require.Equal(t, "1.0.0", s.form["runtimeVersion"])
	require.Equal(t, "hello", s.form["message"])
	require.Equal(t, "Ada", s.form["gitAuthor"])
	require.NotContains(t, s.form, "gitBranch")
	require.Contains(t, s.form["metadata"], "fileMetadata")
	require.Contains(t, s.form["expoConfig"], "stable")
	var named []client.NamedFile
	require.NoError(t, json.Unmarshal([]byte(s.form["files"]), &named))
	require.Len(t, named, len(e.Files))
	require.Equal(t, made[models.IOS], named[0].Path)
	for _, f := range named {
		content, err := os.ReadFile(filepath.Join(dir, f.Path))
		require.NoError(t, err)
		require.Equal(t, string(content), s.files[f.Sha256])
	}
	require.Equal(t, s.received, sent.SentBytes)

	_, err = c.UploadExport(t.Context(), e, upload)
	require.NoError(t, err)
	require.Zero(t, sent.SentFiles)
	require.Equal(t, len(s.files), sent.Files)
}

func TestAFileGoesOnAfterACutConnection(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	content := strings.Repeat("content ", 1<<17)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "index.hbc"), []byte(content), 0o600))
	s, c := newReceiver(t)
	s.cut = 300_000
	e, err := client.OpenExport(dir, models.IOS)
	require.NoError(t, err)
	_, err = c.UploadExport(t.Context(), e, client.Upload{RuntimeVersion: "1.0.0"})
	require.NoError(t, err)
	sum := sha256.Sum256([]byte(content))
	require.True(t, content == s.files[base64.RawURLEncoding.EncodeToString(sum[:])])
	require.EqualValues(t, len(content), s.received, "no byte twice")
}

func TestAFileThatCannotBeReadEndsTheUpload(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := bundle.Write(dir, bundle.Spec{Label: "stable"})
	require.NoError(t, err)
	s, c := newReceiver(t)
	e, err := client.OpenExport(dir, models.IOS)
	require.NoError(t, err)
	require.NoError(t, os.Remove(filepath.Join(dir, e.Files[len(e.Files)-1])))
	_, err = c.UploadExport(t.Context(), e, client.Upload{RuntimeVersion: "1.0.0"})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.Empty(t, s.files)
	require.Empty(t, s.form)
}
