// Package ci contains the commands of waft for the steps of a CI job after `waft publish --json`. They follow the rollout, keep a comment
// on the pull request up to date, and print values for later steps.
package ci

import (
	"bytes"
	"encoding/json"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// CI returns the commands for CI jobs.
func CI(s *command.Settings) *cobra.Command {
	return s.Group("ci", "Steps of a CI job: follow what was published, comment on the pull request", followCommand(s), outputsCommand(s))
}

// readPublished reads what `waft publish --json` printed. A publish that waits for approval prints no record.
func readPublished(name string) (p client.Republished, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return p, command.Usagef("%s cannot be read; it is the output of `waft publish --json`: %w", name, err)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return p, command.Usagef("%s is not the output of `waft publish --json`: %w", name, err)
	}
	return p, nil
}

func outputsCommand(s *command.Settings) *cobra.Command {
	var variables bool
	cmd := &cobra.Command{
		Use: "outputs FILE", Short: "Print what was published as NAME=VALUE lines, for the next steps of a CI job", Args: command.Args("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := readPublished(args[0])
			if err != nil {
				return err
			}
			of := outputsOf(p, s.PageURL)
			if s.JSON {
				return command.PrintRecord(cmd.OutOrStdout(), of)
			}
			lines := of.lines()
			if variables {
				for i, line := range lines {
					name, value, _ := strings.Cut(line, "=")
					lines[i] = variable(name) + "=" + value
				}
			}
			return command.PrintLines(cmd.OutOrStdout(), lines)
		},
	}
	cmd.Long = "FILE is the output of `waft publish --json`. The values are the group, the releases, their update IDs and rollouts,\n" +
		"separated by commas, and the page in the dashboard. They are empty while the publish waits for approval."
	cmd.Example = "  waft publish dist --channel staging --json > published.json\n" +
		"  waft ci outputs published.json >> \"$GITHUB_OUTPUT\""
	cmd.Flags().BoolVar(&variables, "variables", false, "print names of variables, such as WAFT_GROUP_ID, for a dotenv file")
	return cmd
}

// variable returns the name of the variable that has an output.
func variable(output string) string {
	if output == "url" {
		return "WAFT_PAGE_URL" // WAFT_URL is the address of the server
	}
	return "WAFT_" + strings.ToUpper(strings.ReplaceAll(output, "-", "_"))
}

// outputs are the values for later steps.
type outputs struct {
	Group    string `json:"group-id"`
	Releases string `json:"release-ids"`
	Updates  string `json:"update-ids"`
	Rollouts string `json:"rollout-ids"`
	URL      string `json:"url"`
}

func outputsOf(p client.Republished, page func(string) string) (o outputs) {
	if len(p.Updates) == 0 {
		o.URL = page("approvals")
		return o
	}
	var releases, updates, rollouts []string
	for _, u := range p.Updates {
		releases, updates = append(releases, strconv.FormatInt(u.ID, 10)), append(updates, u.UpdateUUID.String())
		if u.RolloutExecutionID != nil {
			rollouts = append(rollouts, strconv.FormatInt(*u.RolloutExecutionID, 10))
		}
	}
	return outputs{
		p.GroupID.String(), strings.Join(releases, ","), strings.Join(updates, ","), strings.Join(rollouts, ","), page(command.PublishedPage(p)),
	}
}

func (o outputs) lines() []string {
	return []string{
		"group-id=" + o.Group, "release-ids=" + o.Releases, "update-ids=" + o.Updates, "rollout-ids=" + o.Rollouts, "url=" + o.URL,
	}
}
