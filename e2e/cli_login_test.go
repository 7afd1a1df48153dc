package e2e

import (
	"bufio"
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// waftOn is the program waft with a configuration folder of its own.
type waftOn struct {
	t       *testing.T
	program string
	env     []string
}

func newWaftOn(t *testing.T) *waftOn {
	t.Helper()
	program, err := buildWaft()
	require.NoError(t, err)
	return &waftOn{t, program, append(withoutSettings(), "XDG_CONFIG_HOME="+t.TempDir())}
}

// withoutSettings returns the environment without the settings of waft.
func withoutSettings() (env []string) {
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "WAFT_") && !strings.HasPrefix(variable, "ACTIONS_ID_TOKEN") {
			env = append(env, variable)
		}
	}
	return env
}

func (w *waftOn) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(w.t.Context(), w.program, args...)
	cmd.Env = w.env
	return cmd
}

// run runs a command and returns what it prints.
func (w *waftOn) run(exit int, args ...string) (stdout, stderr string) {
	w.t.Helper()
	var out, errOut bytes.Buffer
	cmd := w.command(args...)
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	require.Equal(w.t, exit, cmd.ProcessState.ExitCode(), "%v: %s%s", err, out.String(), errOut.String())
	return out.String(), errOut.String()
}

var codeShown = regexp.MustCompile(`[B-Z]{4}-[B-Z]{4}`)

// A person runs `waft login`, compares the code in the browser and confirms. Commands of the profile then act as this
// person, who approves a call, until `waft logout`.
func TestLoginOnATerminal(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	w := newWaftOn(t)
	who := p.person(models.RoleEditor)
	login := w.command("login", "--no-browser", "--profile", "here", "--url", p.url, "--json")
	var out bytes.Buffer
	login.Stdout = &out
	errOut, err := login.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, login.Start())
	lines := bufio.NewScanner(errOut)
	code := ""
	for code == "" && lines.Scan() {
		code = codeShown.FindString(lines.Text())
	}
	require.Equal(t, http.StatusNoContent, p.decides(who, object{"code": code}, "confirm").status)
	for lines.Scan() {
		continue
	}
	require.NoError(t, login.Wait())
	require.JSONEq(t, `{"server":"`+p.url+`","email":"`+who.email+`"}`, out.String())

	_, stderr := w.run(2, "--profile", "here", "channels", "list")
	require.Contains(t, stderr, "your projects on "+p.url+": "+p.slug)
	w.run(0, "--profile", "here", "--project", p.slug, "channels", "list")

	p.protect("production", 1)
	approval := p.pending(p.publishCall()).id("id")
	w.run(0, "--profile", "here", "--project", p.slug, "approvals", "approve", strconv.FormatInt(approval, 10))
	p.eventually(func() bool { return p.approval(approval)["status"] == "carried_out" })
	require.Equal(t, who.email, p.verdictBy(approval))

	sessions := p.do(request{method: http.MethodGet, path: "/v1/auth/sessions", session: who.session}).list()
	require.Len(t, sessions, 2)
	name, err := os.Hostname()
	require.NoError(t, err)
	require.Equal(t, "waft on "+name, sessions[0]["userAgent"])
	w.run(0, "--profile", "here", "logout")
	require.Len(t, p.do(request{method: http.MethodGet, path: "/v1/auth/sessions", session: who.session}).list(), 1)
	w.run(5, "--profile", "here", "--project", p.slug, "channels", "list")
}

// verdictBy returns the name of the person who approved a call, which is the address of an account.
func (p *tenant) verdictBy(approval int64) (email string) {
	p.t.Helper()
	p.sqlValue("SELECT actor_name FROM approval_decisions WHERE approval_id = $1", &email, approval)
	return email
}
