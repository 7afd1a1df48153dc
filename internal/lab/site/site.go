// Package site reads the pages of the documentation.
package site

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// Pages returns the paths of the pages under docs, relative to root, which is the folder of the repository. It leaves out the decision
// records, which describe the code as it was when a decision was made.
func Pages(root string) ([]string, error) {
	var found []string
	err := fs.WalkDir(os.DirFS(filepath.Clean(root)), "docs", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{"adr", "node_modules", ".vitepress", "public"}, entry.Name()):
			return fs.SkipDir
		case !entry.IsDir() && path.Ext(name) == ".md":
			found = append(found, name)
		}
		return nil
	})
	return found, err
}
