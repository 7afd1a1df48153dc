package e2e

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// A cliTask is an everyday task that one command does. Words such as $RELEASE in the command are replaced by what earlier
// commands printed.
type cliTask struct {
	task    string
	command string
	// shows is a regular expression for the output.
	shows string
	// keeps names the word that stands for the first group of shows in later commands.
	keeps string
	// later is true if the output appears a moment after what it is about, as the figures of telemetry do.
	later bool
	input string
	// before does what devices do before the task.
	before func(*cliShop)
}

// cliShop is a project with devices, a webhook receiver and a person, in which the tasks happen.
type cliShop struct {
	*tenant
	binary string
	env    []string
	words  map[string]string
}

func newCLIShop(t *testing.T) *cliShop {
	t.Helper()
	p := hookedInstallation(t).tenant(t)
	r := newReceiver(t, statuses(http.StatusNoContent))
	secret := models.NewWebhookSecret().Reveal()
	r.trust(secret)
	folder := t.TempDir()
	binary, err := buildWaft()
	require.NoError(t, err)
	for name, text := range map[string]string{
		"policy.json": `{"name": "quick", "stages": [{"percentage": 100, "minDurationMinutes": 0}]}`,
		"slow.json":   `{"name": "slow", "stages": [{"percentage": 10, "minDurationMinutes": 600}, {"percentage": 100}]}`,
		"faster.json": `{"stages": [{"percentage": 50, "minDurationMinutes": 600}, {"percentage": 100, "minDurationMinutes": 600}]}`,
		"flag.json":   `{"key": "checkout", "flagType": "boolean", "defaultValue": false}`,
		"bundle.map":  bundleMap("secret"),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	for _, export := range []string{"one", "two", "three"} {
		require.NoError(t, os.Mkdir(filepath.Join(folder, export), 0o750))
		require.NoError(t, os.WriteFile(filepath.Join(folder, export, "index.hbc"), []byte(p.name()), 0o600))
	}
	member, invited := p.person(models.RoleEditor), p.address()
	return &cliShop{
		tenant: p, binary: binary, words: map[string]string{
			"DIR": folder, "HOOK": r.URL + "/hook", "MEMBER": member.email, "INVITED": invited, "SLUG": p.slug, "USER": "ada@example.com",
			"SECRET": secret, "DEVICE": "2f1c9a80-6f0e-4a6d-9a57-0d6f1c6d1b11",
		},
		env: append(os.Environ(), "WAFT_URL="+p.url, "WAFT_PROJECT="+p.slug, "WAFT_API_KEY="+p.keys[models.RoleAdmin],
			"XDG_CONFIG_HOME="+filepath.Join(folder, "config"), "NO_COLOR=1"),
	}
}

// waft runs the command and returns its output and its exit code.
func (s *cliShop) waft(line, input string) (out string, code int) {
	s.t.Helper()
	var args []string
	for _, word := range quotedWords(line) {
		args = append(args, os.Expand(word, func(name string) string { return s.words[name] }))
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.binary, args[1:]...)
	cmd.Env = s.env
	cmd.Stdin = strings.NewReader(input)
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	err := cmd.Run()
	var exited *exec.ExitError
	if errors.As(err, &exited) {
		return text.String(), exited.ExitCode()
	}
	require.NoError(s.t, err, line)
	return text.String(), 0
}

// quotedWords splits a command line at blanks. Single quotes keep blanks.
func quotedWords(line string) (words []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

// run does the task and compares the output.
func (s *cliShop) run(task cliTask) {
	s.t.Helper()
	if task.before != nil {
		task.before(s)
	}
	shows := regexp.MustCompile("(?s)" + os.Expand(task.shows, func(name string) string {
		if word, known := s.words[name]; known {
			return regexp.QuoteMeta(word)
		}
		return "$" + name
	}))
	var out string
	var code int
	try := func() bool {
		out, code = s.waft(task.command, task.input)
		return code == 0 && shows.MatchString(out)
	}
	if task.later {
		eventually(s.t, try, "%s: %s", task.task, task.command)
	} else {
		try()
	}
	require.Equal(s.t, 0, code, "%s: %s\n%s", task.task, task.command, out)
	require.Regexp(s.t, shows, out, "%s: %s", task.task, task.command)
	if task.keeps != "" {
		s.words[task.keeps] = shows.FindStringSubmatch(out)[1]
	}
}

// reports lets the device run the release and report an error of its cart.
func reports(s *cliShop) {
	update, err := uuid.Parse(s.words["UPDATE"])
	require.NoError(s.t, err)
	s.awaitServed([]string{s.words["DEVICE"]}, is(update.String()))
	s.do(request{method: http.MethodPost, path: "/v1/ota/health-metrics", body: object{
		"projectSlug": s.known(), "deviceId": s.words["DEVICE"], "platform": "ios", "runtimeVersion": "1.0.0", "updateUuid": update.String(),
		"channel": "production", "events": []object{
			{"type": "app_launch", "count": 1},
			{
				"type": "js_error", "count": 1, "errorName": "TypeError", "message": "price is undefined",
				"stackTrace": "TypeError: price is undefined\n    at anonymous (address at main.jsbundle:1:10)",
				"flagStates": object{"checkout": "true"},
			},
		},
	}}).requireStatus(http.StatusNoContent)
}

// TestEverydayTasks does the tasks of a project, each with one command. They list, create, change and delete every kind of record,
// publish, promote, roll back, watch, explain a device, and find the line of an error.
func TestEverydayTasks(t *testing.T) {
	t.Parallel()
	shop := newCLIShop(t)
	for _, task := range everydayTasks {
		shop.run(task)
	}
	require.GreaterOrEqual(t, len(everydayTasks), 36)
}
