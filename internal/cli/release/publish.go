package release

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/models"
)

// publishOptions are the flags of `waft publish`.
type publishOptions struct {
	client.Publication
	platform   string
	policy     string
	percentage float64
	links      []string
	// withoutMap are the platforms whose bundle has no source map in the export.
	withoutMap []models.Platform
	// export says that the command exports the app in the folder app first.
	export bool
	app    string
	// fromGit describes what was taken from the git repository of the export; "" for nothing.
	fromGit string
	// compared gets the number of files that differ from HEAD, and is nil if it is not shown. ofHead says that HEAD is the commit of the
	// build.
	compared <-chan int
	ofHead   bool
}

// Publish returns the command that uploads an export and publishes it.
func Publish(s *command.Settings) *cobra.Command {
	var o publishOptions
	cmd := s.Calling("publish [DIR]", "Upload an Expo export and publish it to a channel", func(c command.Call) error {
		// An empty policy must be an error: without a policy, every device would get the release.
		if err := command.NotEmpty(c.Command, "policy", "runtime-version"); err != nil {
			return err
		}
		if c.Flags().Changed("percentage") {
			if o.percentage < 0 || o.percentage > 100 {
				return command.Usagef("--percentage must be from 0 to 100, not %v", o.percentage)
			}
			o.Percentage = &o.percentage
		}
		o.Dir = filepath.Join(o.app, "dist")
		if len(c.Args) > 0 {
			o.Dir = c.Args[0]
		}
		prepared, err := o.prepare(c)
		if err != nil {
			return err
		}
		return o.send(c, prepared)
	})
	cmd.Args = func(cmd *cobra.Command, given []string) error {
		if len(given) == 0 {
			return nil
		}
		return command.Args("DIR")(cmd, given)
	}
	cmd.Long = "DIR is the output of `npx expo export`: metadata.json, bundles, assets, and expoConfig.json if it exists; default: dist.\n" +
		"With --export the command runs the export itself, with the app's package manager, and writes it to DIR.\n" +
		"Source maps, which `expo export --dump-sourcemap` writes, are uploaded too: Waft uses them to read stack traces\n" +
		"and never serves them. Only files that the server does not have are sent. The releases of both platforms form\n" +
		"one group. With --policy the release starts at 0%, and the rollout raises its rollout percentage.\n" +
		"Commit, branch and author are read from the git repository that DIR is in, unless you name a commit. Without git or a\n" +
		"repository they are left out. An empty value, such as --git-commit=\"\", leaves one out.\n" +
		"After an interruption, the same command continues: it does not send files again, and makes each build and release once."
	cmd.Example = "  waft publish --export --channel production --policy careful\n" +
		"  waft publish dist --runtime-version 1.0.0 --channel production --policy careful\n" +
		"  waft publish dist --channel production --policy careful --link-flag new-checkout=on"
	f := cmd.Flags()
	f.BoolVar(&o.export, "export", false, "export the app first, for each --platform, with source maps")
	f.StringVar(&o.app, "app", ".", "folder of the app, for --export and for the default of DIR")
	f.StringVar(&o.platform, "platform", "all", "ios, android or all")
	f.StringVar(&o.Upload.RuntimeVersion, "runtime-version", "", "runtime version of the devices that get the release; "+
		"default: from expoConfig.json")
	f.StringVar(&o.Channel, "channel", "", "channel to publish to")
	f.StringVar(&o.policy, "policy", "", "name or ID of the policy of the rollout")
	f.StringVar(&o.Message, "message", "", "release notes; default: the subject of the git commit, if DIR is in a repository")
	f.BoolVar(&o.IsCritical, "critical", false, "devices apply the release immediately, not at their next cold start")
	f.Float64Var(&o.percentage, "percentage", 100, "percentage of devices that get the release; not together with --policy")
	f.StringVar(&o.Upload.GitCommitHash, "git-commit", "", "git commit of the build; default: HEAD, if DIR is in a repository")
	f.StringVar(&o.Upload.GitBranch, "git-branch", "", "git branch of the build; default: the branch of HEAD, unless --git-commit names another commit")
	f.StringVar(&o.Upload.GitAuthor, "git-author", "", "author of the git commit; default: from the commit, if DIR is in a repository")
	f.StringArrayVar(&o.links, "link-flag", nil, "flag=value for devices that run the release: on, off, or the value "+
		"of a flag that is not boolean; can be repeated")
	cmd.MarkFlagsMutuallyExclusive("policy", "percentage")
	return command.Required(cmd, "channel")
}

// flagLinks parses the values of --link-flag.
func flagLinks(c command.Call, texts []string) ([]client.FlagLink, error) {
	var links []client.FlagLink
	for _, text := range texts {
		key, value, ok := strings.Cut(text, "=")
		if !ok || key == "" || value == "" {
			return nil, command.Usagef("--link-flag: %q must have the form flag=on, flag=off or flag=value", text)
		}
		flag, err := command.FindFlag(c, key)
		if err != nil {
			return nil, command.Usagef("--link-flag: %w", err)
		}
		switch {
		case value == "off":
			links = append(links, client.FlagLink{FlagID: flag.ID})
		case flag.FlagType != client.FlagFlagTypeBoolean:
			links = append(links, client.FlagLink{FlagID: flag.ID, Enabled: true, Value: &value})
		case value == "on":
			links = append(links, client.FlagLink{FlagID: flag.ID, Enabled: true})
		default:
			return nil, command.Usagef("--link-flag: the flag %q is boolean: use %s=on or %s=off", key, key, key)
		}
	}
	return links, nil
}

// published prints the releases and the number of files sent. After an error the list may be incomplete.
func published(c command.Call, o publishOptions, updates []client.Update, sent client.Transfer) error {
	if len(updates) == 0 {
		return nil
	}
	record := client.Republished{GroupID: updates[0].GroupID, Updates: updates}
	body, err := json.Marshal(record)
	if err != nil {
		return err
	}
	lines := func(r client.Republished) []string {
		lines := []string{fmt.Sprintf("sent %d of %s, %.1f of %.1f MB; the server already had the others",
			sent.SentFiles, count.Of(sent.Files, "file"), float64(sent.SentBytes)/1e6, float64(sent.Bytes)/1e6)}
		if o.fromGit != "" {
			lines = append(lines, "from git: "+o.fromGit)
		}
		for _, p := range o.withoutMap {
			lines = append(lines, fmt.Sprintf("%s: the export has no source map, so stacks show positions in the bundle; export it with "+
				"--dump-sourcemap, or add the source map by `waft builds source-map add`", p))
		}
		lines = append(lines, fmt.Sprintf("published to %s, group %s", o.Channel, r.GroupID))
		return append(lines, publishedLines(r.Updates)...)
	}
	return command.Tell(c, command.Linking(c, lines, command.PublishedPage)).Print(body, &record)
}

// publishedLines describes newly published releases.
func publishedLines(updates []client.Update) []string {
	rows := [][]string{}
	for _, u := range updates {
		share := fmt.Sprintf("to %v%% of devices", u.RolloutPercentage)
		if u.RolloutExecutionID != nil {
			share = fmt.Sprintf("rollout %d", *u.RolloutExecutionID)
		}
		rows = append(rows, []string{
			"  " + string(u.Platform), fmt.Sprintf("release %d", u.ID), "update " + u.UpdateUUID.String(),
			"build " + command.OrDash(u.BuildID), fmt.Sprintf("%s, %.1f MB", count.Of(u.AssetCount, "file"), float64(u.SizeBytes)/1e6), share,
		})
	}
	return terminal.Columns(rows)
}

func parsePlatforms(text string) ([]models.Platform, error) {
	if text == "all" {
		return []models.Platform{models.Android, models.IOS}, nil
	}
	if p := models.Platform(text); p.Valid() {
		return []models.Platform{p}, nil
	}
	return nil, command.Usagef("--platform must be ios, android or all, not %q", text)
}

// configuredRuntime returns the runtime version in the export's app config. It returns an error if the config has a
// policy instead, such as {"policy": "fingerprint"}.
func configuredRuntime(dir string) (string, error) {
	missing := func(reason string) error {
		return command.Usagef("the runtime version is missing: %s, or use --runtime-version", reason)
	}
	text, err := os.ReadFile(filepath.Join(dir, "expoConfig.json"))
	if errors.Is(err, os.ErrNotExist) {
		return "", missing("the export has no expoConfig.json; publish with --export, which writes it")
	}
	if err != nil {
		return "", err
	}
	var config struct {
		Version        string `json:"version"`
		RuntimeVersion any    `json:"runtimeVersion"`
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return "", fmt.Errorf("expoConfig.json: %w", err)
	}
	if version, ok := config.RuntimeVersion.(string); ok && version != "" {
		return version, nil
	}
	// The other policies depend on the native projects, which the export does not contain.
	if policy, ok := config.RuntimeVersion.(map[string]any); ok && policy["policy"] == "appVersion" && config.Version != "" {
		return config.Version, nil
	}
	if config.RuntimeVersion == nil {
		return "", missing("the app's configuration has no runtimeVersion; run `waft init` in the app, which adds it")
	}
	return "", missing("the policy of the app's runtimeVersion depends on the native projects; name a version in the configuration")
}
