package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"text/template"

	"github.com/goreleaser/nfpm/v2/files"
	"gopkg.in/yaml.v3"
)

// config is the part of .goreleaser.yaml that describes packages and their binaries.
type config struct {
	Builds   []binary
	Packages descriptions `yaml:"nfpms"`
}

// binary describes how to compile a command.
type binary struct {
	ID, Main, Binary string
	Env, Flags, Tags []string
	Ldflags          []string
}

type descriptions []description

// UnmarshalYAML refuses settings of packages that only GoReleaser knows: its packages would differ from ours.
func (d *descriptions) UnmarshalYAML(node *yaml.Node) error {
	content, err := yaml.Marshal(node)
	if err != nil {
		return err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	var known []description
	if err := decoder.Decode(&known); err != nil {
		return fmt.Errorf("nfpms: %w; teach tools/packages the setting", err)
	}
	*d = known
	return nil
}

// description describes a package. The names are GoReleaser's.
type description struct {
	ID          string
	Name        string   `yaml:"package_name"`
	Binaries    []string `yaml:"ids"`
	Formats     []string
	Maintainer  string
	Homepage    string
	License     string
	Section     string
	Priority    string
	Bindir      string
	Umask       fs.FileMode
	Description string
	Depends     []string `yaml:"dependencies"`
	Recommends  []string
	Suggests    []string
	Contents    files.Contents
	Scripts     struct{ Preinstall, Postinstall, Preremove, Postremove string }
	// FileName is always GoReleaser's template for the conventional name, which build uses.
	FileName string `yaml:"file_name_template"`
}

func readConfig(root string) (config, error) {
	content, err := os.ReadFile(filepath.Join(root, ".goreleaser.yaml"))
	if err != nil {
		return config{}, err
	}
	return parseConfig(content)
}

func parseConfig(content []byte) (c config, err error) {
	if err := yaml.Unmarshal(content, &c); err != nil {
		return config{}, fmt.Errorf(".goreleaser.yaml: %w", err)
	}
	return c, nil
}

// binary returns the build with the ID.
func (c config) binary(id string) (binary, error) {
	for _, b := range c.Builds {
		if b.ID == id {
			return b, nil
		}
	}
	return binary{}, fmt.Errorf(".goreleaser.yaml: a package names the build %q, which does not exist", id)
}

// expand replaces GoReleaser's {{ .Version }} in text by the version.
func expand(text, version string) (string, error) {
	t, err := template.New("").Option("missingkey=error").Parse(text)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = t.Execute(&out, map[string]string{"Version": version})
	return out.String(), err
}

var number = regexp.MustCompile(`const Number = "([^"]+)"`)

// sourceVersion returns the version of the source tree, such as 0.1.0.
func sourceVersion(root string) (string, error) {
	const file = "internal/base/version/version.go"
	content, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		return "", err
	}
	found := number.FindSubmatch(content)
	if found == nil {
		return "", fmt.Errorf("%s does not have the constant Number", file)
	}
	return string(found[1]), nil
}
