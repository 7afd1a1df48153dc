package assets

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
	"syscall"
)

// link gives a staged file its name in a file:// bucket, so that its bytes are written once. It flushes the content first, as upload does.
// linked is false if the file must be copied, for example because the folders are on two mounts, or their file system has no links.
func (b *Bucket) link(ctx context.Context, o object) (linked bool, err error) {
	if o.flushed == nil || b.folder == "" || b.mustCopy.Load() {
		return false, nil
	}
	if err := errors.Join(o.flushed(), ctx.Err()); err != nil {
		return false, err
	}
	if err := b.makeFolders(path.Dir(o.key)); err != nil {
		return false, err
	}
	switch err := b.linkFile(o.path, b.local(o.key)); {
	case err == nil:
		return true, b.flushNew(o.key)
	case errors.Is(err, fs.ErrExist):
		return false, errKeyExists
	case errors.Is(err, syscall.EXDEV), errors.Is(err, errors.ErrUnsupported), errors.Is(err, fs.ErrPermission):
		b.mustCopy.Store(true) // so it is for every file
	}
	return false, nil
}

// makeFolders makes a folder of objects and the folders above it, unless they exist. If a folder is gone whose path was flushed, somebody
// has deleted a part of the bucket. Then no path counts as flushed, because the folders that makeFolders makes are new.
func (b *Bucket) makeFolders(folder string) error {
	for f := folder; f != "."; f = path.Dir(f) {
		if _, err := os.Stat(b.local(f)); err == nil {
			break
		}
		if b.isDurable(f) {
			b.forgetDurable()
		}
	}
	return os.MkdirAll(b.local(folder), b.folderMode)
}

// local returns the path of an object or folder of a file:// bucket.
func (b *Bucket) local(key string) string { return filepath.Join(b.folder, filepath.FromSlash(key)) }

// Flush makes the content of the file durable, once, if Keep is going to give this file to a file:// bucket. A caller that waits for
// something else before it calls Keep can call Flush at the same time. Keep returns the error.
func (s *Staged) Flush() {
	if s.bucket.folder != "" && !s.bucket.mustCopy.Load() {
		_ = s.flushed()
	}
}

// flushOnce returns a function that flushes a local file on its first call, and then returns the same error.
func (b *Bucket) flushOnce(name string) func() error {
	return sync.OnceValue(func() error {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		return b.flush(f)
	})
}

// knownFolders is the maximum number of folders in each generation of Bucket.durable.
const knownFolders = 10_000

// flushNew makes the path of a new local object durable, like flushFolders. It ends at the first folder whose own path was flushed before,
// because that path cannot be lost any more.
func (b *Bucket) flushNew(key string) error {
	own := path.Dir(key)
	for known := false; !known && key != "."; {
		key = path.Dir(key)
		known = b.isDurable(key)
		if err := b.flushFolder(b.local(key)); err != nil {
			return err
		}
	}
	b.noteDurable(own)
	return nil
}

// isDurable reports whether the path of a folder was flushed since the process started.
func (b *Bucket) isDurable(folder string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, ok := b.durable.Get(folder)
	return ok
}

// noteDurable records that the path of a folder was flushed.
func (b *Bucket) noteDurable(folder string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ; folder != "."; folder = path.Dir(folder) {
		b.durable.Put(folder, struct{}{})
	}
}

// forgetDurable forgets all folders whose path was flushed.
func (b *Bucket) forgetDurable() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.durable.Clear()
}
