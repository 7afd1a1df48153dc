package deploy

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli"
)

// named matches the code in which a text names a command, a setting or a route.
var (
	span      = regexp.MustCompile("`([^`\n]+)`")
	shellLine = regexp.MustCompile(`(?m)^(?:\$ |if |exec )?((?:bin/)?waftd? .*|make [a-z].*)$`)
	fence     = regexp.MustCompile("(?ms)^ *```(?:sh|console)?$.*?^ *```$")
	// quotedCommand matches a string that is a command, which only strings.ts has.
	quotedCommand = regexp.MustCompile(`"((?:waftd?|make) [a-z][^"\n]*)"`)
	setting       = regexp.MustCompile(`\bWAFT_[A-Z0-9_]*[A-Z0-9]\b`)
	route         = regexp.MustCompile(`^(?:(GET|POST|PUT|PATCH|DELETE) )?(/v1/[^ ?]*)`)
	parameter     = regexp.MustCompile(`^(?:\{.*\}|:.*|<.*>|[0-9]+|[a-z]?N)$`)
	makeTarget    = regexp.MustCompile(`(?m)^([a-z][a-z-]*):`)
	waftdUse      = regexp.MustCompile(`(?:ommand\(|Use:\s+)"([a-z-]+)`)
	plainWord     = regexp.MustCompile(`^[a-z][a-z-]*$`)
)

// texts returns the documents and the sources of strings by their path.
func texts(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(name string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if slices.Contains([]string{"node_modules", "testdata", "build", "dist", ".git", ".waft", "bin"}, entry.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		isText := strings.HasSuffix(name, ".md") || entry.Name() == "strings.ts" ||
			strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
		if isText && relative != "CHANGELOG.md" {
			found[relative] = readFile(t, relative)
		}
		return nil
	}))
	require.Greater(t, len(found), 100)
	return found
}

// codeIn returns the code spans of a text and the lines of its fenced blocks.
func codeIn(text string) (code []string) {
	for _, block := range fence.FindAllString(text, -1) {
		for _, line := range shellLine.FindAllStringSubmatch(block, -1) {
			code = append(code, line[1])
		}
	}
	for _, found := range span.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		code = append(code, found[1])
	}
	return code
}

func TestTextsNameCommandsThatExist(t *testing.T) {
	t.Parallel()
	var waftd []string
	for _, name := range []string{"cmd/waftd/command.go", "cmd/waftd/accounts.go", "cmd/waftd/backup.go"} {
		for _, use := range waftdUse.FindAllStringSubmatch(readFile(t, name), -1) {
			waftd = append(waftd, use[1])
		}
	}
	targets := makeTarget.FindAllStringSubmatch(readFile(t, "Makefile"), -1)
	checked := 0
	for name, text := range texts(t) {
		codes := codeIn(text)
		if strings.HasSuffix(name, "strings.ts") {
			for _, found := range quotedCommand.FindAllStringSubmatch(text, -1) {
				codes = append(codes, found[1])
			}
		}
		for _, code := range codes {
			command, rest, _ := strings.Cut(strings.TrimPrefix(code, "bin/"), " ")
			words := strings.Fields(quotedValue.ReplaceAllString(rest, "VALUE"))
			switch {
			case command == "waft":
				checked++
				require.Empty(t, unknownIn(cli.NewCommand(), words), "%s names `%s`", name, code)
			case command == "waftd" && len(words) > 0 && plainWord.MatchString(words[0]):
				checked++
				require.Contains(t, waftd, words[0], "%s names `%s`", name, code)
			case command == "make" && len(words) > 0 && plainWord.MatchString(words[0]):
				checked++
				require.True(t, slices.ContainsFunc(targets, func(target []string) bool { return target[1] == words[0] }),
					"%s names `%s`", name, code)
			}
		}
	}
	require.Greater(t, checked, 100)
}

// quotedValue matches a value in quotes, which may contain blanks.
var quotedValue = regexp.MustCompile(`'[^']*'|"[^"]*"`)

// unknownIn returns the first word that is neither a subcommand, an argument nor a flag where it stands, or "".
func unknownIn(command *cobra.Command, words []string) string {
	value := false // whether the word is the value of the flag before it
	for _, word := range words {
		if value {
			value = false
			continue
		}
		switch {
		case slices.Contains([]string{"|", "&&", ";", "#", ">", "\\"}, word):
			return ""
		case strings.HasPrefix(word, "--") && word != "--":
			name, _, given := strings.Cut(strings.TrimLeft(word, "-"), "=")
			if name = strings.TrimRight(name, ",;…."); name == "" || name == "help" {
				continue
			}
			flag := flagOf(command, name)
			if flag == nil {
				return word
			}
			value = !given && flag.NoOptDefVal == ""
		case plainWord.MatchString(word) && command.HasAvailableSubCommands():
			next := slices.IndexFunc(command.Commands(), func(c *cobra.Command) bool { return c.Name() == word || c.HasAlias(word) })
			if next >= 0 {
				command = command.Commands()[next]
			} else if !strings.Contains(command.Use, " ") && word != "help" && word != "completion" {
				return word
			}
		}
	}
	return ""
}

func flagOf(command *cobra.Command, name string) *pflag.Flag {
	if found := command.InheritedFlags().Lookup(name); found != nil {
		return found
	}
	return command.Flags().Lookup(name)
}

func TestUnknownCommandsAndFlagsAreFound(t *testing.T) {
	t.Parallel()
	for line, unknown := range map[string]string{
		"policies create policy.json":            "",
		"ensure-policy --file policy.json":       "ensure-policy",
		"rollouts show 7 --verbos":               "--verbos",
		"rollouts shows":                         "shows",
		"publish --channel=main dist && nothing": "",
	} {
		require.Equal(t, unknown, unknownIn(cli.NewCommand(), strings.Fields(line)), line)
	}
}

func TestTextsNameSettingsThatExist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	require.NoError(t, filepath.WalkDir(root, func(name string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains([]string{"node_modules", "docs", "build", "dist", ".git", ".waft", "bin"}, entry.Name()) {
			return filepath.SkipDir
		}
		isSource := slices.Contains([]string{".go", ".sh", ".cjs", ".mjs", ".mts", ".ts", ".yml", ".yaml", ""}, filepath.Ext(name))
		if entry.IsDir() || !isSource || entry.Name() == "strings.ts" {
			return nil
		}
		content, err := os.ReadFile(name)
		for _, found := range settingsRead.FindAllStringSubmatch(string(content), -1) {
			known[found[1]] = true
		}
		return err
	}))
	for name, text := range texts(t) {
		for _, found := range setting.FindAllStringIndex(text, -1) {
			named, rest := text[found[0]:found[1]], text[found[1]:]
			isFamily := strings.HasPrefix(rest, "_") // such as WAFT_SMTP_…
			require.True(t, known[named] || isFamily, "%s names the setting %s, which nothing reads", name, named)
		}
	}
}

// settingsRead matches a setting where a program, a script or a build reads or sets it.
var settingsRead = regexp.MustCompile(`["'\x60{(,$. \t]\$?(WAFT_[A-Z0-9_]*[A-Z0-9])\b["'\x60})=:, \]\n-]`)

func TestTextsNameRoutesThatExist(t *testing.T) {
	t.Parallel()
	var routes [][]string // method, then the segments of the path
	for line := range strings.Lines(readFile(t, "api/testdata/routes.txt")) {
		method, path, _ := strings.Cut(strings.TrimSpace(line), " ")
		path, _, _ = strings.Cut(path, " ")
		routes = append(routes, append([]string{method}, strings.Split(strings.Trim(path, "/"), "/")...))
	}
	checked := 0
	for name, text := range texts(t) {
		for _, code := range codeIn(text) {
			found := route.FindStringSubmatch(code)
			if found == nil || strings.HasSuffix(name, ".go") && found[1] == "" {
				continue
			}
			checked++
			require.True(t, slices.ContainsFunc(routes, func(known []string) bool { return matches(known, found[1], found[2]) }),
				"%s names the route `%s`", name, code)
		}
	}
	require.Greater(t, checked, 50)
}

// matches reports whether a path, or the beginning of a path if no method is given, names a known route.
func matches(known []string, method, path string) bool {
	open := method == "" || strings.HasSuffix(path, "…") || strings.HasSuffix(path, "*")
	segments := strings.Split(strings.Trim(strings.TrimRight(path, "…*."), "/"), "/")
	if method != "" && known[0] != method || len(segments) > len(known)-1 || !open && len(segments) != len(known)-1 {
		return false
	}
	for i, segment := range segments {
		want := known[i+1]
		if segment != want && !parameter.MatchString(want) {
			return false
		}
	}
	return true
}
