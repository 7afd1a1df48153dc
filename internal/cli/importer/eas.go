package importer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/protocol"
	"github.com/waft-ota/waft/models"
)

// easPage is the number of records that eas-cli returns in one call.
const easPage = 25

// eas is a project of EAS Update, read with eas-cli.
type eas struct {
	http         *http.Client
	program, dir string
	releases     *int
}

func importEAS(s *command.Settings) *cobra.Command {
	o := options{}
	e := &eas{http: newHTTPClient(), releases: &o.releases}
	cmd := s.Calling("eas", "Import from a project of EAS Update", func(c command.Call) error {
		if err := command.NotEmpty(c.Command, "eas", "app"); err != nil {
			return err
		}
		return o.run(c, e)
	})
	cmd.Long = "eas runs eas-cli in the app's folder to list channels and updates, and downloads the updates as a device does.\n" +
		"Install it (`npm install -g eas-cli`) and sign in to it first (`eas login`, or EXPO_TOKEN)."
	cmd.Example = "  waft import eas --app apps/mobile --dry-run"
	f := cmd.Flags()
	f.StringVar(&e.program, "eas", "eas", "program of eas-cli")
	f.StringVar(&e.dir, "app", ".", "folder of the app")
	o.register(cmd)
	return cmd
}

func (e *eas) name() string { return "eas" }

// easChannel is a channel in the output of `eas channel:list --json`.
type easChannel struct {
	Name           string `json:"name"`
	IsPaused       bool   `json:"isPaused"`
	BranchMapping  string `json:"branchMapping"`
	UpdateBranches []struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"updateBranches"`
}

// easGroup is a group of updates in the output of `eas update:list --json`.
type easGroup struct {
	Group             string   `json:"group"`
	RuntimeVersion    string   `json:"runtimeVersion"`
	Platforms         string   `json:"platforms"`
	IsRollBack        bool     `json:"isRollBackToEmbedded"`
	RolloutPercentage *float64 `json:"rolloutPercentage"`
}

// easUpdate is an update in the output of `eas update:view --json`.
type easUpdate struct {
	ID                string    `json:"id"`
	CreatedAt         time.Time `json:"createdAt"`
	Group             string    `json:"group"`
	Message           string    `json:"message"`
	RuntimeVersion    string    `json:"runtimeVersion"`
	Platform          string    `json:"platform"`
	ManifestPermalink string    `json:"manifestPermalink"`
	IsRollBack        bool      `json:"isRollBackToEmbedded"`
	GitCommitHash     string    `json:"gitCommitHash"`
}

func (e *eas) read(ctx context.Context) (*inventory, error) {
	inv := &inventory{}
	branches := map[string]bool{}
	for offset := 0; ; offset += easPage {
		var page struct {
			CurrentPage []easChannel `json:"currentPage"`
		}
		err := e.run(ctx, &page, "channel:list", "--non-interactive", "--limit", strconv.Itoa(easPage), "--offset", strconv.Itoa(offset))
		if err != nil {
			return nil, err
		}
		for _, c := range page.CurrentPage {
			made, why := c.channel()
			if why != "" {
				inv.skipped = append(inv.skipped, skipped{"channel " + c.Name, why})
				continue
			}
			if c.IsPaused {
				inv.skipped = append(inv.skipped, skipped{"the pause of channel " + c.Name, "pause it with `waft channels edit`"})
			}
			inv.channels = append(inv.channels, made)
			branches[made.branch] = true
			if made.rolloutBranch != "" {
				branches[made.rolloutBranch] = true
			}
		}
		if len(page.CurrentPage) < easPage {
			break
		}
	}
	for _, branch := range slices.Sorted(maps.Keys(branches)) {
		if err := e.readBranch(ctx, inv, branch); err != nil {
			return nil, err
		}
	}
	return inv, nil
}

// channel returns the channel, or the reason why Waft cannot have it.
func (c easChannel) channel() (channel, string) {
	var mapping struct {
		Data []struct {
			BranchID string          `json:"branchId"`
			Logic    json.RawMessage `json:"branchMappingLogic"`
		} `json:"data"`
	}
	if err := json.Unmarshal([]byte(c.BranchMapping), &mapping); err != nil {
		return channel{}, "its mapping to branches is not readable"
	}
	names := map[string]string{}
	for _, b := range c.UpdateBranches {
		names[b.ID] = b.Name
	}
	data := mapping.Data
	always := func(i int) bool { return string(data[i].Logic) == `"true"` }
	switch {
	case len(data) == 0:
		return channel{}, "it does not lead to a branch"
	case len(data) == 1 && always(0) && names[data[0].BranchID] != "":
		return channel{name: c.Name, branch: names[data[0].BranchID]}, ""
	case len(data) == 2 && always(1) && names[data[0].BranchID] != "" && names[data[1].BranchID] != "":
		if percentage, ok := rolloutPercentage(data[0].Logic); ok {
			return channel{c.Name, names[data[1].BranchID], names[data[0].BranchID], percentage}, ""
		}
	}
	return channel{}, "its mapping to branches has conditions that Waft does not know"
}

// rolloutPercentage returns the percentage of a branch rollout. eas-cli writes it as a share of hashes of the client's ID, together
// with the runtime version.
func rolloutPercentage(logic json.RawMessage) (float64, bool) {
	var node struct {
		ClientKey string  `json:"clientKey"`
		Operator  string  `json:"branchMappingOperator"`
		Operand   float64 `json:"operand"`
	}
	if json.Unmarshal(logic, &node) == nil && node.Operator == "hash_lt" && node.ClientKey == "rolloutToken" {
		return node.Operand * 100, true
	}
	var list []json.RawMessage
	if json.Unmarshal(logic, &list) != nil || len(list) == 0 || string(list[0]) != `"and"` {
		return 0, false
	}
	for _, inner := range list[1:] {
		if percentage, ok := rolloutPercentage(inner); ok {
			return percentage, true
		}
	}
	return 0, false
}

// readBranch reads as many groups of a branch as the plan can need.
func (e *eas) readBranch(ctx context.Context, inv *inventory, branch string) error {
	found := map[target]int{}
	for offset := 0; ; offset += easPage {
		var page struct {
			CurrentPage []easGroup `json:"currentPage"`
		}
		err := e.run(ctx, &page, "update:list", "--branch", branch, "--non-interactive", "--limit", strconv.Itoa(easPage),
			"--offset", strconv.Itoa(offset))
		if err != nil {
			return err
		}
		for _, g := range page.CurrentPage {
			if !e.needs(found, branch, g) {
				continue
			}
			if err := e.readGroup(ctx, inv, branch, g); err != nil {
				return err
			}
		}
		if len(page.CurrentPage) < easPage {
			return nil
		}
	}
}

// needs reports whether a group belongs to the newest ones of a platform. It counts one more than the plan takes, for a release that
// goes to a percentage of the devices.
func (e *eas) needs(found map[target]int, branch string, g easGroup) (needed bool) {
	for platform := range strings.SplitSeq(g.Platforms, ",") {
		t := target{branch, g.RuntimeVersion, models.Platform(strings.TrimSpace(platform))}
		if found[t] <= *e.releases {
			needed = true
		}
		found[t]++
	}
	return needed
}

func (e *eas) readGroup(ctx context.Context, inv *inventory, branch string, g easGroup) error {
	var updates []easUpdate
	if err := e.run(ctx, &updates, "update:view", g.Group); err != nil {
		return err
	}
	for _, u := range updates {
		r := release{
			id: u.ID, branch: branch, runtimeVersion: u.RuntimeVersion, platform: models.Platform(u.Platform), message: u.Message,
			commit: u.GitCommitHash, createdAt: u.CreatedAt, percentage: 100, group: u.Group, toEmbedded: u.IsRollBack || g.IsRollBack,
			location: u.ManifestPermalink,
		}
		if g.RolloutPercentage != nil {
			r.percentage = *g.RolloutPercentage
		}
		inv.releases = append(inv.releases, r)
	}
	return nil
}

// run runs eas-cli and reads the JSON that it prints.
func (e *eas) run(ctx context.Context, into any, args ...string) error {
	words := strings.Fields(e.program)
	args = append(append(words[1:], args...), "--json")
	cmd := exec.CommandContext(ctx, words[0], args...)
	cmd.Dir = e.dir
	var said bytes.Buffer
	cmd.Stderr = &said
	text, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return command.Usagef("%s is not installed; run `npm install -g eas-cli`, or name the program with --eas", words[0])
	}
	if err != nil {
		return fmt.Errorf("`%s %s` failed: %w\n%s", e.program, strings.Join(args, " "), err, strings.TrimSpace(said.String()))
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("`%s %s` did not print JSON: %w", e.program, strings.Join(args, " "), err)
	}
	return nil
}

// fetch downloads an update by the permanent address of its manifest.
func (e *eas) fetch(ctx context.Context, r release, dir string) error {
	reply, err := protocol.Ask(ctx, e.http, protocol.Question{URL: r.location, Platform: r.platform, RuntimeVersion: r.runtimeVersion})
	if err != nil {
		return err
	}
	if reply.Manifest == nil || !strings.EqualFold(reply.Manifest.ID, r.id) {
		return fmt.Errorf("%s is not the manifest of update %s", r.location, r.id)
	}
	return downloadExport(ctx, e.http, reply, r.platform, dir)
}
