package site

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Documents returns the paths of all pages whose commands are run: the pages below docs, and the documents of the repository's root.
func Documents(root string) ([]string, error) {
	paths, err := Pages(root)
	return append(paths, "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"), err
}

// Read parses the page at a path of Documents.
func Read(root, path string) (Page, error) {
	source, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		return Page{}, err
	}
	return Parse(path, source)
}

// RunElsewhere checks what the pages say about other tests: that each file or folder exists, and names the page.
func RunElsewhere(root string, pages []Page) error {
	var problems []error
	for _, page := range pages {
		for _, test := range page.otherTests() {
			named, err := names(filepath.Join(root, test), page.Path)
			switch {
			case err != nil:
				problems = append(problems, fmt.Errorf("%s: run by %s: %w", page.Path, test, err))
			case !named:
				problems = append(problems, fmt.Errorf("%s: run by %s, which does not name the page", page.Path, test))
			}
		}
	}
	return errors.Join(problems...)
}

// otherTests returns the files and folders that run the page or blocks of it.
func (p Page) otherTests() (tests []string) {
	if p.RunBy != "" {
		tests = append(tests, p.RunBy)
	}
	for _, b := range p.Blocks {
		if b.RunBy != "" {
			tests = append(tests, b.RunBy)
		}
	}
	return tests
}

// names reports whether the file, or a file in the folder, has the text.
func names(path, text string) (found bool, err error) {
	err = filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case found:
			return fs.SkipAll
		case entry.IsDir() && entry.Name() == "node_modules":
			return fs.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		content, err := os.ReadFile(file)
		found = bytes.Contains(content, []byte(text))
		return err
	})
	return found, err
}
