package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // the format deb
	"github.com/goreleaser/nfpm/v2/files"
)

// build compiles the binaries of every package for the architectures, and writes the packages into out.
func build(ctx context.Context, root, out, version string, architectures []string) error {
	c, err := readConfig(root)
	if err != nil {
		return err
	}
	if len(c.Packages) == 0 {
		return errors.New(".goreleaser.yaml does not describe a package: add one to nfpms")
	}
	for _, architecture := range architectures {
		for _, p := range c.Packages {
			if err := c.build(ctx, p, root, out, version, architecture); err != nil {
				return fmt.Errorf("%s for %s: %w", p.Name, architecture, err)
			}
		}
	}
	return nil
}

func (c config) build(ctx context.Context, p description, root, out, version, architecture string) error {
	contents := p.contents(root)
	for _, id := range p.Binaries {
		b, err := c.binary(id)
		if err != nil {
			return err
		}
		file, err := b.compile(ctx, root, out, version, architecture)
		if err != nil {
			return err
		}
		contents = append(contents, &files.Content{
			Source: file, Destination: filepath.Join(p.Bindir, b.Binary), FileInfo: &files.ContentFileInfo{Mode: 0o755},
		})
	}
	for _, format := range p.Formats {
		if err := p.write(root, out, version, architecture, format, contents); err != nil {
			return err
		}
	}
	return nil
}

// compile returns the path of the compiled command.
func (b binary) compile(ctx context.Context, root, out, version, architecture string) (string, error) {
	file, err := filepath.Abs(filepath.Join(out, "bin", architecture, b.Binary))
	if err != nil {
		return "", err
	}
	args := append([]string{"build", "-o", file}, b.Flags...)
	if len(b.Tags) > 0 {
		args = append(args, "-tags="+strings.Join(b.Tags, ","))
	}
	for _, text := range b.Ldflags {
		stamped, err := expand(text, version)
		if err != nil {
			return "", err
		}
		args = append(args, "-ldflags="+stamped)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, b.Main)...)
	cmd.Dir = root
	cmd.Env = append(append(os.Environ(), b.Env...), "GOOS=linux", "GOARCH="+architecture)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return file, cmd.Run()
}

// contents returns the package's files except its binaries, with paths below root.
func (p description) contents(root string) (all files.Contents) {
	for _, c := range p.Contents {
		below := *c
		below.Source = filepath.Join(root, c.Source)
		all = append(all, &below)
	}
	return all
}

// write builds the package in the format.
func (p description) write(root, out, version, architecture, format string, contents files.Contents) (err error) {
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	script := func(name string) string {
		if name == "" {
			return ""
		}
		return filepath.Join(root, name)
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: p.Name, Arch: architecture, Version: version, Section: p.Section, Priority: p.Priority, Maintainer: p.Maintainer,
		Description: p.Description, Homepage: p.Homepage, License: p.License,
		Overridables: nfpm.Overridables{
			Depends: p.Depends, Recommends: p.Recommends, Suggests: p.Suggests, Contents: contents, Umask: p.Umask,
			Scripts: nfpm.Scripts{
				PreInstall: script(p.Scripts.Preinstall), PostInstall: script(p.Scripts.Postinstall),
				PreRemove: script(p.Scripts.Preremove), PostRemove: script(p.Scripts.Postremove),
			},
		},
	})
	name := filepath.Join(out, packager.ConventionalFileName(info))
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := packager.Package(info, file); err != nil {
		return err
	}
	fmt.Println(name)
	return nil
}
