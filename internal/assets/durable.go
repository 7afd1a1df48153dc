package assets

import (
	"os"
	"path"
	"path/filepath"
)

// flushFolders makes the names that lead to a local object survive a power cut:
// that of the object in its folder, that of the folder in the one above, and so on.
func (b *Bucket) flushFolders(key string) error {
	for key != "." {
		key = path.Dir(key)
		if err := b.flushFolder(filepath.Join(b.folder, filepath.FromSlash(key))); err != nil {
			return err
		}
	}
	return nil
}

func (b *Bucket) flushFolder(name string) error {
	folder, err := os.Open(name)
	if err != nil {
		return err
	}
	defer folder.Close()
	return b.flush(folder)
}
