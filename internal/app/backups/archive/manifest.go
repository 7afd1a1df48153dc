// Package archive keeps backups in a folder: each in a folder of its own, and the files of all of them, by their content, in
// files/. It knows hashes and sizes, but not the engines that the data comes from.
package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// FormatVersion is the version of the layout that this binary writes. It reads this version and earlier ones.
const FormatVersion = 1

// Manifest describes one backup. It never contains secrets.
type Manifest struct {
	FormatVersion int    `json:"formatVersion"`
	WaftVersion   string `json:"waftVersion"`
	// Name is the name of the backup's folder, its begin in UTC.
	Name string `json:"name"`
	// TakenAt is the moment whose state the backup has, by the clock of Postgres.
	TakenAt time.Time `json:"takenAt"`
	// PostgresVersion and ClickHouseVersion are the versions of the schemas. ClickHouseVersion is 0 if the backup was taken without
	// telemetry.
	PostgresVersion   int64 `json:"postgresVersion"`
	ClickHouseVersion int64 `json:"clickHouseVersion,omitempty"`
	// KeyCheck is a known text, sealed under WAFT_SECRET_KEY. Only the key of the backup opens it.
	KeyCheck string `json:"keyCheck"`
	// Postgres and ClickHouse are the parts with the rows of tables, and Files is the part with the list of the bucket's files.
	Postgres   []Part     `json:"postgres"`
	Sequences  []Sequence `json:"sequences"`
	ClickHouse []Part     `json:"clickHouse,omitempty"`
	Files      Part       `json:"files"`
	// FilesListed is true if files/ does not have the content of the files, because the bucket has versions of its own.
	FilesListed bool `json:"filesListed,omitempty"`
	// FileCount and FileBytes describe the bucket's files of this backup, which may share content with other backups.
	FileCount int64 `json:"fileCount"`
	FileBytes int64 `json:"fileBytes"`
	// Warnings are sentences for the operator about what the backup does not have.
	Warnings []string `json:"warnings,omitempty"`
}

// Part is one compressed file of a backup.
type Part struct {
	// Path is the file's path in the backup's folder, with slashes.
	Path  string `json:"path"`
	Table string `json:"table,omitempty"`
	// Columns are the columns of the rows, in their order.
	Columns []string `json:"columns,omitempty"`
	Rows    int64    `json:"rows"`
	// Bytes and SHA256 describe the compressed file. RawBytes is the size of its content.
	Bytes    int64  `json:"bytes"`
	RawBytes int64  `json:"rawBytes"`
	SHA256   string `json:"sha256"`
}

// Sequence is the state of a sequence in Postgres.
type Sequence struct {
	Name   string `json:"name"`
	Last   int64  `json:"last"`
	Called bool   `json:"called"`
}

// Parts returns every part of the backup.
func (m Manifest) Parts() []Part {
	all := make([]Part, 0, len(m.Postgres)+len(m.ClickHouse)+1)
	all = append(append(all, m.Postgres...), m.ClickHouse...)
	return append(all, m.Files)
}

// Bytes returns the size of the backup without the content of the bucket's files, in bytes.
func (m Manifest) Bytes() (n int64) {
	for _, p := range m.Parts() {
		n += p.Bytes
	}
	return n
}

// checksumFile has the SHA-256 of the manifest in hex.
const manifestFile, checksumFile = "manifest.json", "manifest.json.sha256"

func readManifest(dir string) (m Manifest, err error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if err != nil {
		return m, fmt.Errorf("read the manifest of %s: %w", dir, err)
	}
	sum, err := os.ReadFile(filepath.Join(dir, checksumFile))
	if err != nil {
		return m, fmt.Errorf("read the manifest of %s: %w", dir, err)
	}
	if string(sum) != checksum(text) {
		return m, fmt.Errorf("the manifest of %s is damaged: its SHA-256 is not the one in %s; move the backup away, or use another copy of it",
			dir, checksumFile)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("read the manifest of %s: %w", dir, err)
	}
	if m.FormatVersion > FormatVersion {
		return m, fmt.Errorf("the backup %s has format %d, and this waftd reads up to %d; use the waftd %s that wrote it, or a newer one",
			dir, m.FormatVersion, FormatVersion, m.WaftVersion)
	}
	return m, m.check(dir)
}

// check returns an error for a manifest that names files outside of its folder, or does not belong to the folder.
func (m Manifest) check(dir string) error {
	if m.Name != filepath.Base(dir) {
		return fmt.Errorf("the folder %s has the manifest of the backup %q; rename the folder to the name of its backup, or move it away",
			dir, m.Name)
	}
	for _, p := range m.Parts() {
		if !filepath.IsLocal(filepath.FromSlash(p.Path)) {
			return fmt.Errorf("the manifest of %s is damaged: it names the file %q outside of the folder", dir, p.Path)
		}
	}
	return nil
}

func checksum(manifest []byte) string {
	sum := sha256.Sum256(manifest)
	return hex.EncodeToString(sum[:]) + "\n"
}
