package importer

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/cli/command"
)

// Import returns the commands that import from other servers.
func Import(s *command.Settings) *cobra.Command {
	cmd := s.Group("import", "Import channels and releases from another server", importXprem(s), importHotUpdater(s), importEAS(s))
	cmd.Long = "import reads channels and releases from another server and publishes the releases in this project.\n" +
		"See the plan first with --dry-run. You can interrupt an import and run it again, because a release is imported only once."
	return cmd
}

// options are the flags that all sources share.
type options struct {
	dryRun   bool
	releases int
}

func (o *options) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.dryRun, "dry-run", false, "show the plan without changing anything")
	f.IntVar(&o.releases, "releases", 1, "number of newest releases for each branch, runtime version and platform")
}

// importReport is the output of an import with --json.
type importReport struct {
	Source   string            `json:"source"`
	DryRun   bool              `json:"dryRun"`
	Channels []importedChannel `json:"channels"`
	Releases []importedRelease `json:"releases"`
	Skipped  []skipped         `json:"skipped"`
	Confirm  []string          `json:"confirm"`
}

type importedChannel struct {
	Name              string  `json:"name"`
	BranchName        string  `json:"branchName"`
	RolloutBranchName string  `json:"rolloutBranchName,omitempty"`
	RolloutPercentage float64 `json:"rolloutPercentage,omitempty"`
}

type importedRelease struct {
	SourceID          string    `json:"sourceId"`
	Platform          string    `json:"platform"`
	RuntimeVersion    string    `json:"runtimeVersion"`
	BranchName        string    `json:"branchName"`
	Channel           string    `json:"channel"`
	Message           string    `json:"message"`
	CreatedAt         time.Time `json:"createdAt"`
	RolloutPercentage float64   `json:"rolloutPercentage"`
	// State is new, uploaded or imported.
	State string `json:"state"`
}

func (p *plan) report(source string, dryRun bool) importReport {
	r := importReport{
		source, dryRun, []importedChannel{}, []importedRelease{}, append([]skipped{}, p.skipped...), append([]string{}, p.questions...),
	}
	begun := slices.DeleteFunc(p.begun(), func(c channel) bool { return slices.Contains(p.moved, c) })
	for _, c := range slices.Concat(p.channels, p.moved, begun) {
		r.Channels = append(r.Channels, importedChannel{c.name, c.branch, c.rolloutBranch, c.rolloutPercentage})
	}
	for _, x := range p.releases {
		r.Releases = append(r.Releases, importedRelease{
			x.id, string(x.platform), x.runtimeVersion, x.branch, x.channel, x.message, x.createdAt.UTC(), x.percentage, x.state,
		})
	}
	return r
}

// lines describes a plan.
func (p *plan) lines() (lines []string) {
	for _, c := range p.channels {
		line := fmt.Sprintf("create channel %s, which leads to branch %s", c.name, c.branch)
		if c.rolloutBranch != "" {
			line += fmt.Sprintf(", and to branch %s for %v%% of devices", c.rolloutBranch, c.rolloutPercentage)
		}
		lines = append(lines, line)
	}
	for _, c := range p.moved {
		lines = append(lines, fmt.Sprintf("lead channel %s, which has no releases, to branch %s", c.name, c.branch))
	}
	for _, c := range p.begun() {
		lines = append(lines, fmt.Sprintf("lead channel %s to branch %s for %v%% of devices", c.name, c.rolloutBranch, c.rolloutPercentage))
	}
	for _, r := range p.releases {
		verb := map[string]string{stateNew: "import", stateUploaded: "publish", stateImported: "keep"}[r.state]
		lines = append(lines, fmt.Sprintf("%s %s %s on branch %s, %v%% of devices, created %s: %s", verb, r.platform, r.runtimeVersion, r.branch,
			r.percentage, r.createdAt.UTC().Format(command.Stamp), shorten(r.message)))
	}
	for _, s := range p.skipped {
		lines = append(lines, fmt.Sprintf("leave out %s: %s", s.What, s.Why))
	}
	if len(lines) == 0 {
		lines = []string{"the source has no channels or releases"}
	}
	return lines
}

// run reads the source and the project, and imports what the project does not have.
func (o options) run(c command.Call, from source) error {
	if o.releases < 1 {
		return command.Usagef("--releases must be 1 or more, not %d", o.releases)
	}
	inv, err := from.read(c.Context())
	if err != nil {
		return fromSource(from, err)
	}
	have, err := readProject(c.Context(), c.API, from.name())
	if err != nil {
		return err
	}
	p := makePlan(inv, have, o.releases)
	if !c.JSON {
		if err := command.PrintLines(c.OutOrStdout(), p.lines()); err != nil {
			return err
		}
	}
	if !o.dryRun {
		for _, q := range p.questions {
			if err := c.Confirm(q + " Continue?"); err != nil {
				return err
			}
		}
		told := func(format string, args ...any) {
			_ = command.PrintLines(c.ErrOrStderr(), []string{fmt.Sprintf(format, args...)}) // progress may get lost
		}
		if err := (importing{c.API, from, told}).apply(c.Context(), &p); err != nil {
			return fmt.Errorf("%w\nRun the command again to continue: it does not repeat what is imported", err)
		}
	}
	if c.JSON {
		return command.PrintRecord(c.OutOrStdout(), p.report(from.name(), o.dryRun))
	}
	return nil
}
