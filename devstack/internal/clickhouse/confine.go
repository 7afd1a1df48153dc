package clickhouse

import (
	_ "embed"
	"encoding/xml"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// confinement is the engine's configuration. It grants its user the tables of its data
// folder and nothing outside: no files, no programs, no other servers.
//
//go:embed confinement.xml
var confinement string

// configure writes the engine's configuration to the folder and returns its path. extra is
// the path of a configuration file that is merged into it, or "".
func configure(folder, extra string) (string, error) {
	path := filepath.Join(folder, "engine.xml")
	var escaped strings.Builder
	if err := xml.EscapeText(&escaped, []byte(folder)); err != nil {
		return "", err
	}
	text := strings.ReplaceAll(confinement, "FOLDER", escaped.String())
	// The engine merges the files of this folder.
	merged := filepath.Join(folder, "engine.d", "extra.xml")
	if extra == "" {
		if err := os.Remove(merged); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		return path, os.WriteFile(path, []byte(text), 0o600)
	}
	content, err := os.ReadFile(extra)
	if err != nil {
		return "", err
	}
	return path, errors.Join(
		os.MkdirAll(filepath.Dir(merged), 0o700),
		os.WriteFile(merged, content, 0o600),
		os.WriteFile(path, []byte(text), 0o600),
	)
}

// The engine as a library behaves like a program of the user who types the statements. Such a
// program may use files without a grant, by clauses, functions and some kinds of tables. These
// expressions find them everywhere, even in a string: a parser that splits the text differently
// from the engine could miss them.
var (
	clause = regexp.MustCompile(`(?i)\b(?:INFILE|OUTFILE)\b`)
	// reaches is a call of file, disk or sqlite, which opens its file before it looks for the grant, or of a function whose quoted name has escaped
	// characters. A comment may stand before the parenthesis.
	reaches = regexp.MustCompile("(?:\\b(?i:file|disk|sqlite)[\"`]?|\\\\[^\"`']*[\"`\u201d])" + blanks + `(?:\(|/\*|--|#)`)

	defines = regexp.MustCompile(`(?i)\b(?:CREATE|ATTACH|REPLACE)\b`)
	engine  = regexp.MustCompile(`(?i)\bENGINE\b`)
	// inside follows ENGINE: the databases and tables that lie in the data folder or in memory.
	inside = regexp.MustCompile(`^` + blanks + `=?` + blanks +
		`(?:Atomic|Memory|Null|Distributed|(?:Replicated)?(?:Replacing|Summing|Aggregating|Collapsing)?MergeTree)(?:[^\w.]|$)`)
)

// blanks are all characters that the engine may skip between two words, and more.
const blanks = `[^!-~]*`

// leaves reports whether a statement may reach files outside of the data folder without a
// grant.
func leaves(sql string) bool {
	if clause.MatchString(sql) || reaches.MatchString(sql) {
		return true
	}
	if !defines.MatchString(sql) {
		return false
	}
	for _, at := range engine.FindAllStringIndex(sql, -1) {
		if !inside.MatchString(sql[at[1]:]) {
			return true
		}
	}
	return false
}

func confined(sql string) *Failure {
	if !leaves(sql) {
		return nil
	}
	return serverFailure(codeAccessDenied, "ACCESS_DENIED",
		"The embedded server has no INFILE, OUTFILE, file(), disk(), sqlite() and no tables outside of its folder. "+
			"Text that only looks so can be a parameter, as in {text:String}")
}
