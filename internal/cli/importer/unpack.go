package importer

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/andybalholm/brotli"
)

// maxUnpacked is the maximum size of the files in an archive in bytes.
const maxUnpacked = 1 << 30

// unpack writes the files of an archive into a folder, by its extension: .zip, .gz and .br. It never writes outside of the folder.
func unpack(archive, extension, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // it was only used to open files
	u := &unpacking{root, maxUnpacked}
	if extension == ".zip" {
		return u.zip(archive)
	}
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	switch extension {
	case ".gz":
		reader, err := gzip.NewReader(file)
		if err != nil {
			return err
		}
		return u.tar(reader)
	case ".br":
		return u.tar(brotli.NewReader(file))
	}
	return fmt.Errorf("its format %q is unknown", extension)
}

type unpacking struct {
	root *os.Root
	left int64
}

func (u *unpacking) zip(archive string) error {
	reader, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer func() { _ = reader.Close() }() // it was only read
	for _, f := range reader.File {
		if !f.Mode().IsRegular() {
			continue
		}
		content, err := f.Open()
		if err != nil {
			return err
		}
		if err := errors.Join(u.write(f.Name, content), content.Close()); err != nil {
			return err
		}
	}
	return nil
}

func (u *unpacking) tar(from io.Reader) error {
	reader := tar.NewReader(from)
	for {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		if err := u.write(header.Name, reader); err != nil {
			return err
		}
	}
}

func (u *unpacking) write(name string, content io.Reader) error {
	name = filepath.FromSlash(name)
	if err := u.root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	file, err := u.root.Create(name)
	if err != nil {
		return err
	}
	n, err := io.Copy(file, io.LimitReader(content, u.left+1))
	u.left -= n
	if u.left < 0 {
		err = fmt.Errorf("its files are larger than %d bytes", int64(maxUnpacked))
	}
	return errors.Join(err, file.Close())
}
