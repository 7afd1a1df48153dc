package client

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// exportFile is a file of an export by its content.
type exportFile struct {
	name, path, sha256 string
	size               int64
	// modified is the time of the last change before the file was read.
	modified time.Time
}

// preparedExport is an export whose files have been read once.
type preparedExport struct {
	Export
	files            []exportFile
	metadata, config []byte // nil if the file does not exist
}

// prepare hashes the files of the exports and reads their documents. A file that several exports have is read once.
func prepare(ctx context.Context, exports []Export) ([]preparedExport, error) {
	all := make([]preparedExport, len(exports))
	hashed := map[string]*exportFile{}
	reading, ctx := errgroup.WithContext(ctx)
	reading.SetLimit(runtime.GOMAXPROCS(0))
	for i, e := range exports {
		all[i].Export = e
		for _, name := range e.uploaded() {
			path := e.path(name)
			if hashed[path] != nil {
				continue
			}
			f := &exportFile{name: name, path: path}
			hashed[path] = f
			reading.Go(func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				return f.hash()
			})
		}
	}
	if err := reading.Wait(); err != nil {
		return nil, err
	}
	for i := range all {
		e := &all[i]
		for _, name := range e.uploaded() {
			f := *hashed[e.path(name)]
			f.name = name
			e.files = append(e.files, f)
		}
		if err := e.readDocuments(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// uploaded returns the names of the files that a build of the export has.
func (e Export) uploaded() []string { return slices.Concat(e.Files, e.namedMaps()) }

func (e Export) path(name string) string { return filepath.Join(e.Dir, filepath.FromSlash(name)) }

// hash reads the file once.
func (f *exportFile) hash() error {
	from, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return err
	}
	f.modified = info.ModTime()
	sum := sha256.New()
	if f.size, err = io.Copy(sum, from); err != nil {
		return err
	}
	f.sha256 = base64.RawURLEncoding.EncodeToString(sum.Sum(nil))
	return nil
}

// ChangedError says that a file of the export changed after the publish had read it.
type ChangedError struct{ Name string }

func (e *ChangedError) Error() string {
	return fmt.Sprintf("%s changed while it was sent; wait until the export has ended, then publish again", e.Name)
}

// changed returns an error if the file differs from the hashed file.
func (f exportFile) changed() error {
	info, err := os.Stat(f.path)
	if err != nil {
		return err
	}
	if info.Size() != f.size || !info.ModTime().Equal(f.modified) {
		return &ChangedError{f.name}
	}
	return nil
}

// readDocuments reads metadata.json and expoConfig.json.
func (e *preparedExport) readDocuments() (err error) {
	if e.HasMetadata {
		if e.metadata, err = os.ReadFile(e.path(metadataFile)); err != nil {
			return err
		}
	}
	if e.HasConfig {
		e.config, err = os.ReadFile(e.path(configFile))
	}
	return err
}

// Prepared is a publication whose files have been read, so that its content is known.
type Prepared struct {
	Publication
	exports []preparedExport
	// files is nil until the server has been asked for them.
	files *checkedFiles
}

// Prepare reads the files of a publication. It does not call the server.
func (p Publication) Prepare(ctx context.Context) (*Prepared, error) {
	exports := make([]Export, 0, len(p.Platforms))
	for _, platform := range p.Platforms {
		e, err := OpenExport(p.Dir, platform)
		if err != nil {
			return nil, err
		}
		exports = append(exports, e)
	}
	prepared, err := prepare(ctx, exports)
	if err != nil {
		return nil, fmt.Errorf("reading the export in %s: %w", p.Dir, err)
	}
	return &Prepared{Publication: p, exports: prepared}, nil
}

// Fingerprint returns a hash of everything that the publication sends: the same publication has the same fingerprint in another process.
func (p *Prepared) Fingerprint() (string, error) {
	sum := sha256.New()
	to := json.NewEncoder(sum)
	upload := p.Upload
	facts := []any{p.Channel, p.Message, p.IsCritical, p.Percentage, p.PolicyID, p.LinkedFlags,
		upload.RuntimeVersion, upload.Message, upload.GitCommitHash, upload.GitBranch, upload.GitAuthor, upload.EmbeddedUpdateID}
	for _, e := range p.exports {
		facts = append(facts, e.Platform, e.names(), e.metadata, e.config)
	}
	if err := to.Encode(facts); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// names returns the files as an upload names them.
func (e preparedExport) names() []NamedFile {
	list := make([]NamedFile, len(e.files))
	for i, f := range e.files {
		list[i] = NamedFile{Path: f.name, Sha256: f.sha256}
	}
	return list
}
