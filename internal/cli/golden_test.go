package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/waft-ota/waft/internal/lab/site"
)

var update = flag.Bool("update", false, "write the golden files and docs/reference/cli.md instead of comparing them")

// goldenURL stands for the address of the test's server in golden files.
const goldenURL = "http://waft.example"

// A goldenCase is a file of testdata/golden. Its first line is a command. $DIR in it is a folder with the sections
// "file NAME". The section "stdin" is the standard input. A section such as "GET /channels" is the body of the response
// to that call; the status 202 or a media type can follow. Sections with the same name are responses in order, and the
// last one is repeated.
//
// The test writes the other sections. "calls" contains the calls to the API. "stdout" and "stderr" are the output
// without --json, and "json" is the output with --json. "exit" is the exit code, if it is not 0.
type goldenCase struct {
	path    string
	archive *txtar.Archive
	args    []string
}

var writtenSections = []string{"calls", "stdout", "stderr", "json", "exit"}

func readGoldenCase(t *testing.T, path string) goldenCase {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	require.NoError(t, err)
	line, rest, _ := strings.Cut(string(archive.Comment), "\n")
	require.Empty(t, strings.TrimSpace(rest), "a golden case has one command")
	args := splitWords(line)
	require.Equal(t, "waft", args[0])
	return goldenCase{path: path, archive: archive, args: args[1:]}
}

// splitWords splits a command line at blanks. Single quotes keep blanks.
func splitWords(line string) (words []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

func (c goldenCase) section(name string) (string, bool) {
	for _, f := range c.archive.Files {
		if f.Name == name {
			return string(f.Data), true
		}
	}
	return "", false
}

// goldenRun contains the calls, the output and the exit code of one run of a command.
type goldenRun struct {
	calls, stdout, stderr string
	exitCode              int
}

// run runs the case's command with more arguments against its own server.
func (c goldenCase) run(t *testing.T, change func(*testing.T, []byte) []byte, more ...string) goldenRun {
	t.Helper()
	api := newCannedAPI(t, c, change)
	server := httptest.NewServer(api)
	defer server.Close()
	dir := t.TempDir()
	for _, f := range c.archive.Files {
		if name, isFile := strings.CutPrefix(f.Name, "file "); isFile {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), f.Data, 0o600))
		}
	}
	args := []string{"--url", server.URL, "--project", "demo", "--api-key", "waft_12345678_x"}
	for _, arg := range append(slices.Clone(c.args), more...) {
		args = append(args, strings.ReplaceAll(arg, "$DIR", dir))
	}
	input, _ := c.section("stdin")
	cmd := NewCommand()
	var stdout, stderr bytes.Buffer
	cmd.SetIn(strings.NewReader(input))
	cmd.SetOut(&stdout)
	cmd.SetErr(&stderr)
	code := Run(t.Context(), cmd, args, &stderr)
	localhost := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	plain := strings.NewReplacer(server.URL, goldenURL, localhost, goldenURL, dir, "$DIR").Replace
	return goldenRun{plain(strings.Join(api.calls, "\n")), plain(stdout.String()), plain(stderr.String()), code}
}

// asItIs does not change the body of a response.
func asItIs(_ *testing.T, body []byte) []byte { return body }

// outputs returns the sections that the test writes. text is the run of the case without --json.
func (c goldenCase) outputs(t *testing.T, text goldenRun) map[string]string {
	t.Helper()
	out := map[string]string{"calls": text.calls, "stdout": text.stdout, "stderr": text.stderr}
	if text.exitCode != 0 {
		out["exit"] = strconv.Itoa(text.exitCode)
	}
	if c.args[0] != cobra.ShellCompRequestCmd && !slices.Contains(c.args, "--json") {
		asJSON := c.run(t, asItIs, "--json")
		require.Equal(t, text.exitCode, asJSON.exitCode, "the exit code with --json")
		out["json"] = c.describeJSON(t, asJSON)
	}
	return out
}

// describeJSON returns the output with --json. Output that repeats a response is replaced by a line that names the call.
func (c goldenCase) describeJSON(t *testing.T, r goldenRun) string {
	t.Helper()
	if r.exitCode != 0 {
		require.Empty(t, r.stdout, "an error leaves the standard output empty with --json")
		return r.stderr
	}
	for _, f := range c.archive.Files {
		if words := strings.Fields(f.Name); len(words) > 1 && strings.HasPrefix(words[1], "/") && sameJSON(f.Data, []byte(r.stdout)) {
			return "the response to " + words[0] + " " + words[1] + "\n"
		}
	}
	for line := range strings.Lines(r.stdout) {
		if !json.Valid([]byte(line)) {
			require.True(t, json.Valid([]byte(r.stdout)), "the output with --json is neither JSON nor lines of JSON: %s", r.stdout)
		}
	}
	return r.stdout
}

func sameJSON(a, b []byte) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	one, _ := json.Marshal(x) // it came from JSON
	two, _ := json.Marshal(y)
	return bytes.Equal(one, two)
}

// TestMain removes the settings of the person who runs the tests, because help texts show them as defaults.
func TestMain(m *testing.M) {
	flag.Parse()
	for _, name := range []string{"WAFT_URL", "WAFT_PROJECT", "WAFT_API_KEY", "WAFT_PROFILE"} {
		os.Unsetenv(name)
	}
	os.Setenv("XDG_CONFIG_HOME", filepath.Join(os.TempDir(), "waft-without-profiles"))
	os.Exit(m.Run())
}

// TestGolden compares the calls, the output and the exit code of every case in testdata/golden.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, path := range goldenPaths(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			t.Parallel()
			c := readGoldenCase(t, path)
			text := c.run(t, asItIs)
			out := c.outputs(t, text)
			c.requirePlainOutput(t, text)
			if *update {
				c.write(t, out)
				return
			}
			for _, name := range writtenSections {
				want, _ := c.section(name)
				require.Equal(t, strings.TrimRight(want, "\n"), strings.TrimRight(out[name], "\n"), "section %s of %s", name, path)
			}
		})
	}
}

// endsSomething matches the calls with DELETE that are safe to make without a question: the end of an emergency stop, and
// of a change that has not happened yet.
var endsSomething = regexp.MustCompile(`^DELETE /(emergency-stop|flags/\d+/schedule/\d+)`)

// TestWhatDestroysAsks runs every case that has --yes without it: the command asks before its first change. A command
// that deletes has --yes in its case.
func TestWhatDestroysAsks(t *testing.T) {
	t.Parallel()
	if *update {
		t.Skip("TestGolden is writing the files")
	}
	for _, path := range goldenPaths(t) {
		c := readGoldenCase(t, path)
		calls, _ := c.section("calls")
		if _, fails := c.section("exit"); fails {
			continue
		}
		if !slices.Contains(c.args, "--yes") {
			for call := range strings.Lines(calls) {
				deletes := strings.HasPrefix(call, "DELETE ") && !endsSomething.MatchString(call)
				require.False(t, deletes, "%s deletes without --yes", path)
			}
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			c.args = slices.DeleteFunc(slices.Clone(c.args), func(arg string) bool { return arg == "--yes" })
			r := c.run(t, asItIs)
			require.Equal(t, misused.exitCode, r.exitCode)
			require.Contains(t, r.stderr, "--yes")
			for call := range strings.Lines(r.calls) {
				require.Regexp(t, `^GET |/preview`, call, "the command changed something before it asked")
			}
		})
	}
}

// requirePlainOutput runs the case with strings in the responses that make terminals act, and requires that none
// reaches the output. clean is the run without these strings.
func (c goldenCase) requirePlainOutput(t *testing.T, clean goldenRun) {
	t.Helper()
	poisonJSON := func(t *testing.T, body []byte) []byte {
		t.Helper()
		if len(bytes.TrimSpace(body)) == 0 {
			return body
		}
		var value any
		require.NoError(t, json.Unmarshal(body, &value))
		text, err := json.Marshal(poison(value))
		require.NoError(t, err)
		return text
	}
	r := c.run(t, poisonJSON)
	if r.exitCode == clean.exitCode && !slices.Contains(c.args, "--stacks") { // stacks have lines of their own
		require.Equal(t, strings.Count(clean.stdout, "\n"), strings.Count(r.stdout, "\n"), "a string made a line of its own: %q", r.stdout)
	}
	stdout := r.stdout
	if c.args[0] == cobra.ShellCompRequestCmd {
		stdout = strings.ReplaceAll(stdout, "\t", " ") // it separates names from descriptions
	}
	require.NotRegexp(t, commanding, stdout)
	require.NotRegexp(t, commanding, strings.TrimSuffix(r.stderr, "\n"))
}

// write replaces the sections that the test writes.
func (c goldenCase) write(t *testing.T, out map[string]string) {
	t.Helper()
	c.archive.Files = slices.DeleteFunc(c.archive.Files, func(f txtar.File) bool { return slices.Contains(writtenSections, f.Name) })
	for _, name := range writtenSections {
		if out[name] != "" {
			c.archive.Files = append(c.archive.Files, txtar.File{Name: name, Data: []byte(strings.TrimRight(out[name], "\n") + "\n")})
		}
	}
	require.NoError(t, os.WriteFile(c.path, txtar.Format(c.archive), 0o600))
}

func goldenPaths(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/golden/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	return paths
}

// withoutGoldenCase names the commands whose output another test compares, and that test.
var withoutGoldenCase = map[string]string{
	"waft login":               "TestLogin",
	"waft logout":              "TestLogin",
	"waft profiles list":       "package account: TestProfiles",
	"waft profiles use":        "package account: TestProfiles",
	"waft profiles add":        "package account: TestProfiles",
	"waft profiles remove":     "package account: TestProfiles",
	"waft version":             "TestVersion",
	"waft publish":             "package release: TestPublish and others",
	"waft builds add-embedded": "package e2e: TestAddEmbedded and others",
	"waft ci follow":           "package e2e: TestTheActionPublishesAndComments and others",
	"waft ci outputs":          "package e2e: TestTheActionPublishesAndComments and others",
	"waft rollouts watch":      "package rollout: TestTheExitCodeOfAWatchIsHowTheRolloutEnded",
	"waft simulate":            "package simulate",
	"waft mcp":                 "package mcp: TestAToolReadsWithinBounds and others",
	"waft demo":                "package simulate",
	"waft demo-project":        "package simulate: TestDemoProject and others",
	"waft doctor":              "package e2e: TestDoctorFindsWhatIsWrongWithAnApp and others",
	"waft codesign generate":   "package e2e: TestCodesign",
	"waft codesign rotate":     "package e2e: TestCodesign",
	"waft codesign check":      "package e2e: TestCodesign",
	"waft import xprem":        "package e2e: TestImportFromXprem",
	"waft import hot-updater":  "package e2e: TestImportFromHotUpdater",
	"waft import eas":          "package e2e: TestImportFromEAS",
}

// TestEveryCommandHasAGoldenCase requires a case for each command that does something.
func TestEveryCommandHasAGoldenCase(t *testing.T) {
	t.Parallel()
	if *update {
		t.Skip("TestGolden is writing the files")
	}
	covered := map[string]bool{}
	for _, path := range goldenPaths(t) {
		if cmd, _, err := NewCommand().Find(readGoldenCase(t, path).args); err == nil {
			covered[cmd.CommandPath()] = true
		}
	}
	var missing []string
	for _, cmd := range allCommands(NewCommand()) {
		_, elsewhere := withoutGoldenCase[cmd.CommandPath()]
		require.False(t, elsewhere && covered[cmd.CommandPath()], "%s has a golden case: remove it from withoutGoldenCase", cmd.CommandPath())
		if !cmd.HasSubCommands() && !covered[cmd.CommandPath()] && !elsewhere {
			missing = append(missing, cmd.CommandPath())
		}
	}
	require.Empty(t, missing, "these commands have no case in testdata/golden")
}

// allCommands returns the command and all commands below it.
func allCommands(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		all = append(all, allCommands(sub)...)
	}
	return all
}

// TestGoldenHelp compares the help of every command with testdata/help, one file for each command of the first level.
func TestGoldenHelp(t *testing.T) {
	t.Parallel()
	texts := map[string]string{}
	for _, cmd := range allCommands(NewCommand()) {
		words := strings.Fields(cmd.CommandPath())
		file := words[min(1, len(words)-1)]
		var b bytes.Buffer
		cmd.SetOut(&b)
		require.NoError(t, cmd.Help())
		texts[file] += fmt.Sprintf("$ %s --help\n%s\n", cmd.CommandPath(), b.String())
	}
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		path := filepath.Join("testdata", "help", file+".txt")
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(texts[file]), 0o600))
			continue
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err, "write it with: go test ./internal/cli -run Golden -update")
		require.Empty(t, site.FirstDifference(string(want), texts[file]),
			"the help of waft %s; go test ./internal/cli -run Golden -update writes it", file)
	}
	stored, err := filepath.Glob("testdata/help/*.txt")
	require.NoError(t, err)
	require.Len(t, stored, len(texts), cmp.Or("testdata/help has files of commands that do not exist"))
}
