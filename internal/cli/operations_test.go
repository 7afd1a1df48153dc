package cli

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// operation is an operation of the API.
type operation struct {
	id, method string
	// path matches the paths of its calls. literal is true if the path has no parameters.
	path    *regexp.Regexp
	literal bool
}

func operations(t *testing.T) (all []operation) {
	t.Helper()
	text, err := os.ReadFile("../../client/openapi.json")
	require.NoError(t, err)
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	require.NoError(t, json.Unmarshal(text, &document))
	parameter := regexp.MustCompile(`\\\{[^}]+\\\}`)
	for path, methods := range document.Paths {
		for method, raw := range methods {
			var of struct {
				OperationID string `json:"operationId"`
			}
			if json.Unmarshal(raw, &of) != nil || of.OperationID == "" {
				continue // parameters of the path
			}
			short := strings.TrimPrefix(path, "/v1/ota")
			all = append(all, operation{
				of.OperationID, strings.ToUpper(method), regexp.MustCompile("^" + parameter.ReplaceAllString(regexp.QuoteMeta(short), "[^/]+") + "$"),
				!strings.Contains(short, "{"),
			})
		}
	}
	return all
}

// commandsOfCalls returns the commands of the golden cases by the calls that they make, such as GET /channels.
func commandsOfCalls(t *testing.T) map[string]map[string]bool {
	t.Helper()
	calls := map[string]map[string]bool{}
	for _, path := range goldenPaths(t) {
		c := readGoldenCase(t, path)
		cmd, _, err := NewCommand().Find(c.args)
		if err != nil {
			continue
		}
		text, _ := c.section("calls")
		for line := range strings.Lines(text) {
			words := strings.Fields(line)
			call, _, _ := strings.Cut(strings.Join(words[:min(2, len(words))], " "), "?")
			if calls[call] == nil {
				calls[call] = map[string]bool{}
			}
			calls[call][cmd.CommandPath()] = true
		}
	}
	return calls
}

// TestEveryOperationHasACommand compares the operations of the API with testdata/operations.txt. Each has a command, whose golden
// cases call it, or the reason why people do not call it from a terminal.
func TestEveryOperationHasACommand(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/operations.txt")
	require.NoError(t, err)
	command := map[string]string{}
	for line := range strings.Lines(string(text)) {
		id, what, _ := strings.Cut(strings.TrimSpace(line), " ")
		command[id] = strings.TrimSpace(what)
	}
	exists := map[string]bool{}
	for _, cmd := range allCommands(NewCommand()) {
		exists[cmd.CommandPath()] = true
	}
	calls := commandsOfCalls(t)
	all := operations(t)
	for _, o := range all {
		path, listed := command[o.id]
		delete(command, o.id)
		if reason, without := strings.CutPrefix(path, "none: "); without {
			require.NotEmpty(t, reason, o.id)
			continue
		}
		require.True(t, listed, "the operation %s has no command: write one, and name it in testdata/operations.txt", o.id)
		require.True(t, exists[path], "%s of the operation %s does not exist", path, o.id)
		_, elsewhere := withoutGoldenCase[path]
		require.True(t, elsewhere || o.calledBy(path, calls, all), "no golden case of `%s` calls the operation %s", path, o.id)
	}
	require.Empty(t, command, "testdata/operations.txt names operations that do not exist")
}

// calledBy reports whether a golden case of the command calls the operation.
func (o operation) calledBy(command string, calls map[string]map[string]bool, all []operation) bool {
	for call, commands := range calls {
		method, path, _ := strings.Cut(call, " ")
		if method == o.method && commands[command] && o.path.MatchString(path) && (o.literal || !isLiteral(method, path, all)) {
			return true
		}
	}
	return false
}

// isLiteral reports whether an operation without parameters has the path.
func isLiteral(method, path string, all []operation) bool {
	for _, o := range all {
		if o.literal && o.method == method && o.path.MatchString(path) {
			return true
		}
	}
	return false
}
