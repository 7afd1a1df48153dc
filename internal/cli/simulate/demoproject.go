package simulate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/models"
)

// demoProjectSlug is the slug of the project that `make run` creates.
const demoProjectSlug = "demo"

// DemoProject returns the command that sets up the demo's project.
func DemoProject(s *command.Settings) *cobra.Command {
	var envFile string
	var docker bool
	cmd := &cobra.Command{
		Use:   "demo-project",
		Short: "Create the demo project and an API key for it, unless they exist",
		Long: "Requires the installation's root key in WAFT_ROOT_KEY. Creates the project " + demoProjectSlug + " and an admin key,\n" +
			"unless they exist, and writes a file with shell variables for the other commands. Prints WAFT_SETUP_LINK if it is set.",
		Args: command.Args(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			root := os.Getenv("WAFT_ROOT_KEY")
			if root == "" {
				return errors.New("WAFT_ROOT_KEY is not set")
			}
			d := demoProject{url: s.URL, root: root, envFile: envFile, docker: docker, json: s.JSON, env: os.Getenv}
			return d.ensure(cmd.Context(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&envFile, "env-file", filepath.Join(".waft", "demo.env"), "file to write")
	cmd.Flags().BoolVar(&docker, "docker", false, "Docker publishes the server's port, so all devices seem to be in Docker's network; "+
		"the demo project trusts this network")
	return cmd
}

type demoProject struct {
	url     string
	root    string
	envFile string
	// docker reports whether Docker publishes the server's port.
	docker bool
	json   bool
	env    func(string) string
}

// dockerNetworks are the address ranges that Docker uses by default for its networks.
var dockerNetworks = []string{"172.16.0.0/12", "192.168.0.0/16"}

// passedOn are the environment variables that are copied to the file. They give access to the engines and to data
// that the server shows only to operators.
var passedOn = []string{"WAFT_ADMIN_URL", "WAFT_TEMPORAL_UI_URL", "TEMPORAL_ADDRESS", "DATABASE_URL", "CLICKHOUSE_URL"}

func (d demoProject) ensure(ctx context.Context, out io.Writer) error {
	// The setup link uses this host name, and a browser's cookies belong to one host name.
	d.url = config.PeopleURL(d.url, "")
	if err := d.ensureProject(ctx); err != nil {
		return err
	}
	key, err := d.ensureKey(ctx)
	if err != nil {
		return err
	}
	if d.docker {
		if err := d.trustDocker(ctx, key); err != nil {
			return err
		}
	}
	lines := []string{
		shellLine("WAFT_URL", d.url), shellLine("WAFT_PROJECT", demoProjectSlug),
		shellLine("WAFT_API_KEY", key), shellLine("WAFT_ROOT_KEY", d.root),
	}
	for _, name := range passedOn {
		lines = append(lines, shellLine(name, d.env(name)))
	}
	if err := os.MkdirAll(filepath.Dir(d.envFile), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(d.envFile, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		return err
	}
	if d.json {
		return command.PrintRecord(out, map[string]string{
			"url": d.url, "project": demoProjectSlug, "key": key, "envFile": d.envFile, "setupLink": d.env("WAFT_SETUP_LINK"),
		})
	}
	return d.summary(out, key)
}

func (d demoProject) ensureProject(ctx context.Context) error {
	api, err := client.New(d.url, client.Credentials{Key: d.root})
	if err != nil {
		return err
	}
	_, err = api.CreateProjectWithResponse(ctx, &client.CreateProjectParams{}, client.CreateProjectBody{Name: "Demo", Slug: new(demoProjectSlug)})
	if err != nil && client.CodeOf(err) != models.CodeAlreadyExists {
		return fmt.Errorf("creating the project %s: %w", demoProjectSlug, err)
	}
	return nil
}

// trustDocker gives each device that seems to be in one of Docker's networks its own vote on rollouts. Otherwise
// these devices would have one vote together, and every rollout would be held.
func (d demoProject) trustDocker(ctx context.Context, key string) error {
	api, err := client.New(d.url, client.Credentials{Key: key, Project: demoProjectSlug})
	if err != nil {
		return err
	}
	if _, err := api.PatchSettingsWithResponse(ctx, &client.PatchSettingsParams{},
		client.PatchSettingsBody{TrustedNetworks: &dockerNetworks}); err != nil {
		return fmt.Errorf("trusting Docker's networks: %w", err)
	}
	return nil
}

// dockerNote describes the effect of trustDocker.
func dockerNote() string {
	return fmt.Sprintf("The project %s trusts Docker's networks (trustedNetworks: %s), because behind Docker's published port all "+
		"devices seem to be in one of them. Rollouts of other projects are held until you set WAFT_TRUSTED_PROXIES or trustedNetworks.\n",
		demoProjectSlug, strings.Join(dockerNetworks, ", "))
}

// ensureKey returns the key in the file if it works, otherwise a new key.
func (d demoProject) ensureKey(ctx context.Context) (string, error) {
	if key := readShellVariable(d.envFile, "WAFT_API_KEY"); key != "" {
		if works, err := d.works(ctx, key); err != nil || works {
			return key, err
		}
	}
	api, err := client.New(d.url, client.Credentials{Key: d.root, Project: demoProjectSlug})
	if err != nil {
		return "", err
	}
	res, err := api.CreateAPIKeyWithResponse(ctx, &client.CreateAPIKeyParams{},
		client.CreateAPIKeyBody{Name: "demo", Role: client.CreateAPIKeyBodyRole(models.RoleAdmin)})
	if err != nil {
		return "", fmt.Errorf("creating a key: %w", err)
	}
	if res.JSON201 == nil {
		return "", errors.New("creating a key: the response has no key; is this a Waft server? See --url (WAFT_URL)")
	}
	return res.JSON201.Key, nil
}

func (d demoProject) works(ctx context.Context, key string) (bool, error) {
	api, err := client.New(d.url, client.Credentials{Key: key, Project: demoProjectSlug})
	if err != nil {
		return false, err
	}
	_, err = api.ListAPIKeysWithResponse(ctx, &client.ListAPIKeysParams{Limit: new(int64(1))})
	var refusal *client.Error
	if errors.As(err, &refusal) && (refusal.Status == http.StatusUnauthorized || refusal.Status == http.StatusForbidden) {
		return false, nil
	}
	return err == nil, err
}

func (d demoProject) summary(out io.Writer, key string) error {
	if d.docker {
		fmt.Fprint(out, dockerNote())
	}
	rows := [][]string{
		{"dashboard", d.url + "/app/"}, {"API", d.url}, {"docs", d.url + "/docs"}, {"Temporal UI", d.env("WAFT_TEMPORAL_UI_URL")},
		{"metrics", d.env("WAFT_ADMIN_URL") + "/metrics"}, {"project", demoProjectSlug}, {"key", terminal.Plain(key)}, {"variables", d.envFile},
	}
	fmt.Fprintf(out, "\nWaft is running.\n\n")
	for _, line := range terminal.Columns(rows) {
		fmt.Fprintf(out, "  %s\n", line)
	}
	fmt.Fprintf(out, "\nTry:\n\n")
	// The link lets a person without an account create the first account.
	fmt.Fprintf(out, "  %s\n", terminal.Plain(cmp.Or(d.env("WAFT_SETUP_LINK"), d.url+"/app/")))
	_, err := fmt.Fprintf(out, "  curl -sS %s/v1/ota/channels -H 'Authorization: Bearer %s' -H 'X-Project: %s'\n  make demo\n\n",
		d.url, terminal.Plain(key), demoProjectSlug)
	return err
}

// needsNoQuotes matches values that every reader of such files takes literally.
var needsNoQuotes = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,=-]*$`)

// shellLine returns the shell assignment of a value.
func shellLine(name, value string) string {
	if needsNoQuotes.MatchString(value) {
		return name + "=" + value
	}
	return name + "='" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}

// readShellVariable returns the value that a line of shellLine assigns, or "" if the file or the line is missing.
func readShellVariable(path, name string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return "" // writing the file later creates it or fails too
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), name+"="); ok {
			return strings.ReplaceAll(strings.Trim(value, "'"), `'\''`, "'")
		}
	}
	return ""
}
