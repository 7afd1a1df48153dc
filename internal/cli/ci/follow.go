package ci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/backoff"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/rollout"
	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/models"
)

// Goals of following a rollout.
const (
	untilPublished  = "published"
	untilFirstStage = "first-stage"
	untilEnd        = "end"
)

const stillRun = "the rollouts still run; `waft rollouts list` lists them"

var goals = []string{untilPublished, untilFirstStage, untilEnd}

// followOptions are the flags of `waft ci follow`.
type followOptions struct {
	channel, until string
	comment        bool
	timeout, every time.Duration
}

func followCommand(s *command.Settings) *cobra.Command {
	var o followOptions
	cmd := s.Calling("follow FILE", "Follow the rollouts of what was published, and keep a comment on the pull request up to date",
		func(c command.Call) error {
			if !slices.Contains(goals, o.until) {
				return command.Usagef("--until must be %s, not %q", command.Choice(goals), o.until)
			}
			if o.every <= 0 || o.timeout <= 0 {
				return command.Usagef("--every and --timeout must be above 0")
			}
			published, err := readPublished(c.Args[0])
			if err != nil {
				return err
			}
			f := &follower{Call: c, followOptions: o, report: report{
				project: c.Project, channel: o.channel, published: published, rollouts: map[int64]client.RolloutExecution{}, page: c.PageURL,
			}}
			return f.follow(c.Context())
		})
	cmd.Long = "FILE is the output of `waft publish --json`. The command ends when each rollout has passed its first stage, or earlier\n" +
		"if a rollout was cancelled or rolled back: then its exit code is 3. It does not wait for releases without a rollout.\n" +
		"While the server is unavailable, it warns and tries again, until --timeout.\n" +
		"With --comment, it creates one comment on the pull request of a GitHub Actions job (GITHUB_TOKEN) or on the merge\n" +
		"request of a GitLab job (WAFT_GITLAB_TOKEN), and changes that comment afterwards. It does not change comments of others.\n" +
		"A comment that fails is a warning."
	cmd.Example = "  waft publish dist --channel staging --policy careful --json > published.json\n" +
		"  waft ci follow published.json --channel staging --until end --timeout 2h --comment"
	f := cmd.Flags()
	f.StringVar(&o.channel, "channel", "", "channel of the publish, for the comment")
	f.StringVar(&o.until, "until", untilFirstStage, "when to end: "+command.Choice(goals))
	f.BoolVar(&o.comment, "comment", false, "keep a comment on the pull request up to date")
	f.DurationVar(&o.timeout, "timeout", time.Hour, "end after this time even if the rollouts still run, with exit code 0")
	f.DurationVar(&o.every, "every", 10*time.Second, "time between two looks at the rollouts")
	return command.Required(cmd, "channel")
}

// follower follows the rollouts of one publish.
type follower struct {
	command.Call
	followOptions
	report
	// shown is the text of the comment.
	shown string
	// said are the states that were printed, by rollout.
	said map[int64]string
	// discussion has the comment; it is nil before the first comment.
	discussion *discussion
	// warned is the last warning about the comment.
	warned string
}

func (f *follower) follow(ctx context.Context) error {
	for begun := time.Now(); ; {
		err := f.read(ctx)
		var expired *expiredError
		switch {
		case err == nil:
			f.say(ctx)
			if over, err := f.over(); over {
				return errors.Join(f.print(), err)
			}
		case errors.As(err, &expired) && os.Getenv("GITLAB_CI") == "true": // the job has one ID token
			f.warn(err.Error())
			f.warn(stillRun)
			return f.print()
		case ctx.Err() != nil || !transient(err):
			return err
		default:
			f.warn("the rollouts cannot be read now, trying again: " + err.Error())
		}
		if time.Since(begun) > f.timeout {
			if err != nil && len(f.rollouts) == 0 {
				return err
			}
			f.warn(stillRun)
			return f.print()
		}
		pause := f.every
		var refused *client.Error
		if errors.As(err, &refused) {
			pause = max(pause, refused.RetryAfter)
		}
		if err := backoff.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// transient reports whether the next look at the rollouts may succeed: the server is busy or unavailable, or the connection broke.
func transient(err error) bool {
	var refused *client.Error
	if errors.As(err, &refused) {
		return refused.Status == http.StatusTooManyRequests || refused.Status >= http.StatusInternalServerError
	}
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF)
}

// read reads the rollouts, with a new key if the key of the job has expired.
func (f *follower) read(ctx context.Context) error {
	for _, u := range f.published.Updates {
		if u.RolloutExecutionID == nil {
			continue
		}
		e, err := f.execution(ctx, *u.RolloutExecutionID)
		if client.CodeOf(err) == models.CodeUnauthenticated {
			if err = f.renew(ctx); err == nil {
				e, err = f.execution(ctx, *u.RolloutExecutionID)
			}
		}
		if err != nil {
			return err
		}
		f.rollouts[e.ID] = *e
	}
	return nil
}

func (f *follower) execution(ctx context.Context, id int64) (*client.RolloutExecution, error) {
	res, err := f.API.GetRolloutExecutionWithResponse(ctx, id, &client.GetRolloutExecutionParams{})
	if err != nil {
		return nil, err
	}
	if res.JSON200 == nil {
		return nil, command.ErrNoRecord
	}
	return res.JSON200, nil
}

// renew exchanges another ID token of the job for a key. GitHub issues as many as a job asks for.
func (f *follower) renew(ctx context.Context) error {
	got, err := f.Exchange(ctx, "", "")
	if err != nil {
		return &expiredError{err}
	}
	f.API, err = client.New(f.URL, client.Credentials{Key: got.JSON201.Key, Project: f.Project})
	return err
}

// expiredError says that the key of the job has expired, and why the job does not get another.
type expiredError struct{ cause error }

func (e *expiredError) Error() string { return "the key of the job has expired: " + e.cause.Error() }
func (e *expiredError) Unwrap() error { return e.cause }

// over reports whether the goal is reached. The error is about a rollout that did not complete.
func (f *follower) over() (over bool, err error) {
	over = true
	for _, e := range f.rollouts {
		of := e.Model()
		if err := rollout.Ended(of); err != nil && f.until != untilPublished {
			return true, err
		}
		passed := f.until == untilFirstStage && of.StageIndex > 0
		if f.until != untilPublished && !passed && (of.Status == models.ExecutionRunning || of.Status == models.ExecutionPaused) {
			over = false
		}
	}
	return over, nil
}

// say prints states that have changed, and updates the comment.
func (f *follower) say(ctx context.Context) {
	if f.said == nil {
		f.said = map[int64]string{}
	}
	for _, u := range f.published.Updates {
		if id := u.RolloutExecutionID; id != nil {
			if e := f.rollouts[*id].Model(); f.said[*id] != command.StageText(e)+string(e.Status) {
				f.said[*id] = command.StageText(e) + string(e.Status)
				f.warn(fmt.Sprintf("rollout %d (%s): %s, stage %s, %v%%",
					e.ID, e.Platform, command.Words(string(e.Status)), command.StageText(e), e.Percentage))
			}
		}
	}
	text := f.text()
	if !f.comment || text == f.shown {
		return
	}
	if err := f.put(ctx, text); err != nil {
		if warning := "no comment: " + err.Error(); warning != f.warned {
			f.warned = warning
			f.warn(warning)
		}
		f.comment = f.discussion != nil && !isRefused(err) // otherwise the next try would fail, too
		return
	}
	f.shown = text
}

// put writes the comment.
func (f *follower) put(ctx context.Context, text string) (err error) {
	if f.discussion == nil {
		if f.discussion, err = discussionOf(os.Getenv); err != nil {
			return err
		}
	}
	return f.discussion.put(ctx, f.marker(), text)
}

// warn prints a line for people.
func (f *follower) warn(line string) { fmt.Fprintln(f.ErrOrStderr(), terminal.Plain(line)) }

// print prints the rollouts as they were last read.
func (f *follower) print() error {
	records := []client.RolloutExecution{}
	for _, u := range f.published.Updates {
		if u.RolloutExecutionID == nil {
			continue
		}
		if e, read := f.rollouts[*u.RolloutExecutionID]; read {
			records = append(records, e)
		}
	}
	if f.JSON {
		return command.PrintRecord(f.OutOrStdout(), map[string]any{"rollouts": records})
	}
	rows := [][]string{}
	for _, r := range records {
		e := r.Model()
		rows = append(rows, []string{
			fmt.Sprintf("rollout %d", e.ID), string(e.Platform), command.Words(string(e.Status)), fmt.Sprintf("%v%%", e.Percentage),
		})
	}
	return command.PrintLines(f.OutOrStdout(), terminal.Columns(rows))
}
