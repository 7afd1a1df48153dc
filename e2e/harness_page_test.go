package e2e

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/site"
)

// pageRun is the run of a page of the documentation.
type pageRun struct {
	path  string
	world pageWorld
	shell *pageShell
	log   func(format string, args ...any)
}

// newPageRun prepares the fixture of a page and starts its shell.
func newPageRun(t *testing.T, page site.Page) pageRun {
	t.Helper()
	world := newPageWorld(t, page.Needs)
	if page.Needs == "server" {
		newNight(t, enginesThatFail(page)...).prepare(&world)
	}
	r := world.start(t, page.Path)
	if page.Needs == "processes" {
		r.startProcesses(t)
	}
	return r
}

// start starts a shell for a page in the world.
func (w pageWorld) start(t *testing.T, path string) pageRun {
	t.Helper()
	var env []string
	for _, name := range slices.Sorted(maps.Keys(w.env)) {
		env = append(env, name+"="+w.env[name])
	}
	return pageRun{path, w, startPageShell(t, path, w.folder, env), t.Logf}
}

// startProcesses starts the processes in the page's shell, and creates the page's project.
func (r *pageRun) startProcesses(t *testing.T) project {
	t.Helper()
	prelude, err := os.ReadFile("testdata/processes.sh")
	require.NoError(t, err)
	_, err = r.must(t.Context(), "run", site.Script{Line: 1, Text: string(prelude)})
	require.NoError(t, err)
	p := newProject(t, r.world.env["WAFT_URL"], r.world.env["WAFT_ROOT_KEY"])
	_, err = r.must(t.Context(), "run", site.Script{Line: 1, Text: fmt.Sprintf("export WAFT_PROJECT=%s WAFT_API_KEY=%s", p.slug, p.key)})
	require.NoError(t, err)
	return p
}

// page runs the commands of a page. Its error names the line and the command that did not do what the page shows.
func (r pageRun) page(ctx context.Context, page site.Page) error {
	if err := r.hidden(ctx, page.Before); err != nil {
		return err
	}
	for _, block := range page.Blocks {
		if !block.Runs() {
			continue
		}
		if err := r.block(ctx, block); err != nil {
			return err
		}
	}
	return nil
}

// problem returns an error about a line of the page.
func (r pageRun) problem(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", r.path, line, fmt.Errorf(format, args...))
}

// must runs a script that must succeed, and returns what it prints.
func (r pageRun) must(ctx context.Context, kind string, script site.Script) (printed string, err error) {
	ctx, cancel := context.WithTimeout(ctx, blockLimit)
	defer cancel()
	printed, err = r.shell.run(ctx, kind, script)
	if f, failed := exitCode(err); failed && f.line > 0 {
		return printed, r.problem(f.line, "%w\nthe commands printed:\n%s", err, printed)
	}
	if err != nil {
		return printed, r.problem(script.Line, "%w\nthe commands:\n%s\nprinted:\n%s", err, script.Text, printed)
	}
	return printed, nil
}

// hidden runs hidden commands.
func (r pageRun) hidden(ctx context.Context, scripts []site.Script) error {
	for _, script := range scripts {
		script.Text = r.addressed(script.Text)
		if _, err := r.must(ctx, "run", script); err != nil {
			return err
		}
	}
	return nil
}

// addressed replaces the address of the documentation's server with the address of the page's server, and other addresses in the same way.
func (r pageRun) addressed(text string) string {
	if r.world.env["WAFT_URL"] == "" {
		return text
	}
	pairs := []string{"https://ota.example.com", r.world.env["WAFT_URL"]}
	for from, to := range r.world.addresses {
		pairs = append(pairs, from, to)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// block runs a block and compares its output with the page.
func (r pageRun) block(ctx context.Context, b site.Block) error {
	if err := r.hidden(ctx, b.Before); err != nil {
		return err
	}
	replaced, err := r.replacements(ctx, b)
	if err != nil {
		return err
	}
	b.Text = replaced(b.Text)
	if b.File != "" {
		file := filepath.Join(r.world.folder, b.File)
		return errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(b.Text), 0o600))
	}
	printed, err := r.output(ctx, b)
	r.log("%s:%d printed:\n%s", r.path, b.Line, printed)
	if err != nil || b.Output == nil {
		return err
	}
	if difference := site.Difference(replaced(b.Output.Text), printed); difference != "" {
		return r.problem(b.Output.Line, "the commands at line %d printed something else:\n%s\n%s", b.Line, b.Text, difference)
	}
	return nil
}

// replacements returns the function that fills in the texts of a block that have other values in each run.
func (r pageRun) replacements(ctx context.Context, b site.Block) (func(string) string, error) {
	replace := []string{}
	for _, with := range b.With {
		printed, err := r.must(ctx, "value", with.Command)
		if err != nil {
			return nil, err
		}
		value := strings.TrimSpace(printed)
		if value == "" {
			return nil, r.problem(with.Command.Line, "the command for %s prints nothing", with.Text)
		}
		replace = append(replace, with.Text, value)
	}
	filled := strings.NewReplacer(replace...)
	return func(text string) string { return filled.Replace(r.addressed(text)) }, nil
}

// output runs the text of a block and returns what it prints.
func (r pageRun) output(ctx context.Context, b site.Block) (printed string, err error) {
	if b.Language == "sql" {
		return r.queries(ctx, b)
	}
	if b.Until == "" && b.Fails == 0 {
		return r.must(ctx, "run", b.Script)
	}
	ctx, cancel := context.WithTimeout(ctx, blockLimit)
	defer cancel()
	if b.Until != "" {
		if printed, err = r.shell.background(ctx, b.Script, b.Until); err != nil {
			return "", r.problem(b.Line, "%w\nthe commands printed:\n%s", err, printed)
		}
		return printed, nil
	}
	printed, err = r.shell.run(ctx, "fails", b.Script)
	f, failed := exitCode(err)
	switch {
	case !failed && err != nil:
		return "", r.problem(b.Line, "%w", err)
	case !failed:
		return "", r.problem(b.Line, "the commands do not fail; they printed:\n%s", printed)
	case f.code != b.Fails:
		return "", r.problem(f.line, "%w, not %d; the commands printed:\n%s", err, b.Fails, printed)
	case !site.FailsLast(b.Text, f.line-b.Line+1):
		return "", r.problem(f.line, "%s fails, and is not the last command of the block; the commands printed:\n%s", f.command, printed)
	}
	return printed, nil
}

// queries runs the statements of a block in ClickHouse as a user who may only read, and returns what ClickHouse prints.
func (r pageRun) queries(ctx context.Context, b site.Block) (string, error) {
	if r.world.clickHouse == "" {
		return "", r.problem(b.Line, "the page's fixture has no ClickHouse")
	}
	var all strings.Builder
	for statement := range strings.SplitSeq(strings.TrimSpace(b.Text), ";\n") {
		result, err := askAsReader(ctx, r.world.clickHouse, strings.TrimSuffix(statement, ";"))
		if err != nil {
			return "", r.problem(b.Line, "%w\nthe query was:\n%s", err, statement)
		}
		all.WriteString(result)
	}
	return all.String(), nil
}

// askAsReader runs a query in the database at the address, in a session that may only read, and returns the result as clickhouse-client
// prints it.
func askAsReader(ctx context.Context, address, query string) (string, error) {
	at, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	values := url.Values{"database": {strings.Trim(at.Path, "/")}, "readonly": {"1"}, "default_format": {"PrettyCompactMonoBlock"}}
	at.Path, at.RawQuery = "/", values.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, at.String(), strings.NewReader(query))
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("ClickHouse: %s", body)
	}
	return string(body), err
}
