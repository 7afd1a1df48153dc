package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// doctorTimeout is the time limit of one request of `waft doctor`.
const doctorTimeout = 30 * time.Second

// The states of a finding.
const (
	statusOK      = "ok"
	statusWarning = "warning"
	statusProblem = "problem"
)

// finding is the result of one check.
type finding struct {
	// Check names the check for scripts.
	Check   string `json:"check"`
	Status  string `json:"status"`
	Message string `json:"message"`
	// Fix describes the next step for a warning or a problem.
	Fix string `json:"fix,omitempty"`
}

// examination collects findings.
type examination struct{ findings []finding }

func (e *examination) ok(check, format string, args ...any) {
	e.findings = append(e.findings, finding{check, statusOK, fmt.Sprintf(format, args...), ""})
}

func (e *examination) warn(check, fix, format string, args ...any) {
	e.findings = append(e.findings, finding{check, statusWarning, fmt.Sprintf(format, args...), fix})
}

func (e *examination) problem(check, fix, format string, args ...any) {
	e.findings = append(e.findings, finding{check, statusProblem, fmt.Sprintf(format, args...), fix})
}

// count returns the number of findings with the status.
func (e *examination) count(status string) (n int) {
	for _, f := range e.findings {
		if f.Status == status {
			n++
		}
	}
	return n
}

// err returns an error if there are problems.
func (e *examination) err() error {
	if n := e.count(statusProblem); n > 0 {
		return fmt.Errorf("problems found: %d", n)
	}
	return nil
}

// doctor is one run of `waft doctor`.
type doctor struct {
	examination
	*command.Settings
	http     *http.Client
	adminURL string
	dir      string
	now      func() time.Time

	// api is nil without a valid key or session.
	api *client.Waft
	// signing is the project's signing key, nil for none; signingKnown is false without a key or session.
	signing      *client.CodeSigning
	signingKnown bool
}

// Doctor returns the command that checks the server and the app, and names the fix for each problem.
func Doctor(s *command.Settings) *cobra.Command {
	d := &doctor{Settings: s, now: time.Now}
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check the server, the key and the app's configuration", Args: command.Args(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := command.NotEmpty(cmd, "app"); err != nil {
				return err
			}
			d.http = &http.Client{Timeout: doctorTimeout}
			d.run(cmd.Context())
			if err := d.print(cmd); err != nil {
				return err
			}
			return d.err()
		},
	}
	cmd.Long = "doctor checks the server (whether it is reachable and ready, its version, TLS certificate and clock), the key or session,\n" +
		"and, in the folder of an Expo app, the app's configuration. It then asks for updates as the app does on each platform, checks the\n" +
		"signature, and downloads a file. Every line is ok, a warning or a problem, with its fix. The exit code is 1 if there is a problem.\n" +
		"With the server's admin address, doctor also reports what the server says about its engines and about proxies in front of it.\n" +
		"This works without a project and a key."
	cmd.Example = "  cd my-app && waft doctor\n  waft doctor --app apps/mobile --json"
	f := cmd.Flags()
	f.StringVar(&d.dir, "app", ".", "folder of the Expo app; without an app, only the server is checked")
	f.StringVar(&d.adminURL, "admin-url", os.Getenv("WAFT_ADMIN_URL"), "admin address of the server, for operators (WAFT_ADMIN_URL)")
	return cmd
}

func (d *doctor) run(ctx context.Context) {
	if !d.checkServer(ctx) {
		return
	}
	d.checkAdmin(ctx)
	if d.Project == "" && d.adminURL != "" {
		d.ok("project", "without a project, only the server was checked; set --project (WAFT_PROJECT) to check a key and an app")
		return
	}
	if err := d.NeedProject(ctx); err != nil {
		d.problem("project", "set --project (WAFT_PROJECT) to the slug of the project, and run this again",
			"%s", strings.ReplaceAll(err.Error(), "\n", "; "))
		return
	}
	d.checkKey(ctx)
	a, err := openApp(ctx, d.dir)
	switch {
	case errors.Is(err, errNoApp):
		d.ok("app", "%s has no Expo app, so only the server was checked", d.dir)
	case err != nil:
		d.problem("app", "correct the file", "%v", err)
	default:
		d.checkApp(ctx, a)
	}
}

// doctorReport is the output of `waft doctor --json`.
type doctorReport struct {
	OK       bool      `json:"ok"`
	Problems int       `json:"problems"`
	Warnings int       `json:"warnings"`
	Findings []finding `json:"findings"`
}

func (d *doctor) print(cmd *cobra.Command) error {
	if d.JSON {
		problems := d.count(statusProblem)
		return command.PrintRecord(cmd.OutOrStdout(), doctorReport{problems == 0, problems, d.count(statusWarning), d.findings})
	}
	var lines []string
	for _, f := range d.findings {
		lines = append(lines, fmt.Sprintf("%-8s %s", f.Status, f.Message))
		if f.Fix != "" {
			lines = append(lines, "         fix: "+f.Fix)
		}
	}
	return command.PrintLines(cmd.OutOrStdout(), lines)
}
