package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/cli/terminal"
	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

// publishOptions are the flags of `waft publish`.
type publishOptions struct {
	client.Publication
	platform   string
	policy     string
	percentage float64
}

func publishCommand(s *settings) *cobra.Command {
	var o publishOptions
	cmd := &cobra.Command{
		Use:   "publish DIR",
		Short: "Upload an Expo export and publish it to a channel",
		Long: "DIR is what `npx expo export` wrote: metadata.json, bundles and assets, and expoConfig.json if it is\n" +
			"there. Both platforms become one group. With --policy the release starts at 0 % and the rollout\n" +
			"raises its share by itself.",
		Example: "  waft publish dist --runtime-version 1.0.0 --channel production --policy careful",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("percentage") {
				o.Percentage = &o.percentage
			}
			o.Dir = args[0]
			api, err := s.client()
			if err != nil {
				return err
			}
			return publish(cmd.Context(), api, o, cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.platform, "platform", "all", "ios, android or all")
	f.StringVar(&o.Upload.RuntimeVersion, "runtime-version", "", "only devices of exactly this runtime version get it; default: that of expoConfig.json")
	f.StringVar(&o.Channel, "channel", "", "channel to publish to")
	f.StringVar(&o.policy, "policy", "", "id or name of the rollout policy that raises its share")
	f.StringVar(&o.Message, "message", "", "release notes; default: the folder's name")
	f.BoolVar(&o.IsCritical, "critical", false, "devices apply it at once and not at their next cold start")
	f.Float64Var(&o.percentage, "percentage", 100, "share of devices that get it; not together with --policy")
	f.StringVar(&o.Upload.GitCommitHash, "git-commit", "", "commit that it was built from")
	f.StringVar(&o.Upload.GitBranch, "git-branch", "", "branch that it was built from")
	cmd.MarkFlagsMutuallyExclusive("policy", "percentage")
	if err := cmd.MarkFlagRequired("channel"); err != nil {
		panic(err) // the flag is a few lines up
	}
	return cmd
}

func publish(ctx context.Context, api *client.Waft, o publishOptions, out io.Writer) error {
	var err error
	if o.Platforms, err = parsePlatforms(o.platform); err != nil {
		return err
	}
	if o.Upload.RuntimeVersion == "" {
		if o.Upload.RuntimeVersion, err = configuredRuntime(o.Dir); err != nil {
			return err
		}
	}
	if o.Message == "" {
		o.Message = folderName(o.Dir)
	}
	o.Upload.Message = o.Message
	if o.policy != "" {
		policy, err := api.FindPolicy(ctx, o.policy)
		if err != nil {
			return err
		}
		if policy == nil {
			return fmt.Errorf("there is no rollout policy %q in this project", o.policy)
		}
		o.PolicyID = policy.ID
	}
	updates, err := api.Publish(ctx, o.Publication)
	printUpdates(out, o.Channel, updates)
	return err
}

// printUpdates says what was published, which may be less than was asked for.
func printUpdates(out io.Writer, channel string, updates []client.Update) {
	if len(updates) == 0 {
		return
	}
	fmt.Fprintf(out, "published to %s, group %s\n", channel, updates[0].GroupID)
	rows := [][]string{}
	for _, u := range updates {
		share := fmt.Sprintf("to %v %% of devices", u.RolloutPercentage)
		if u.RolloutExecutionID != nil {
			share = fmt.Sprintf("rollout %d", *u.RolloutExecutionID)
		}
		rows = append(rows, []string{
			"  " + string(u.Platform), fmt.Sprintf("release %d", u.ID), "update " + u.UpdateUUID.String(),
			fmt.Sprintf("build %d", *u.BuildID), fmt.Sprintf("%d files, %.1f MB", u.AssetCount, float64(u.SizeBytes)/1e6), share,
		})
	}
	for _, line := range terminal.Columns(rows) {
		fmt.Fprintln(out, line)
	}
}

func parsePlatforms(text string) ([]models.Platform, error) {
	if text == "all" {
		return []models.Platform{models.Android, models.IOS}, nil
	}
	if p := models.Platform(text); p.Valid() {
		return []models.Platform{p}, nil
	}
	return nil, fmt.Errorf("--platform must be ios, android or all, not %q", text)
}

// configuredRuntime is the runtime version that the export's app config names. A
// policy such as {"policy": "fingerprint"} names none.
func configuredRuntime(dir string) (string, error) {
	missing := errors.New("which runtime version? Give --runtime-version; the export has no expoConfig.json that says it")
	text, err := os.ReadFile(filepath.Join(dir, "expoConfig.json"))
	if errors.Is(err, os.ErrNotExist) {
		return "", missing
	}
	if err != nil {
		return "", err
	}
	var config struct {
		RuntimeVersion any `json:"runtimeVersion"`
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return "", fmt.Errorf("expoConfig.json: %w", err)
	}
	if version, ok := config.RuntimeVersion.(string); ok && version != "" {
		return version, nil
	}
	return "", missing
}

// folderName is the last part of the folder's absolute path.
func folderName(dir string) string {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return filepath.Base(dir)
	}
	return filepath.Base(absolute)
}
