package release

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"strings"

	"github.com/waft-ota/waft/internal/cli/command"
)

// shownHashDigits is the number of digits of a commit hash that is shown.
const shownHashDigits = 12

// takeFromGit fills in what the flags do not give from the repository that the export's folder is in: the commit, its branch, its
// author, and its subject as the release notes. Without git or a repository they stay empty.
func (o *publishOptions) takeFromGit(c command.Call) {
	var taken []string
	take := func(flag, what string, value *string, found string) {
		if c.Flags().Changed(flag) || *value != "" || found == "" {
			return
		}
		*value = found
		if flag == "git-commit" {
			found = found[:min(len(found), shownHashDigits)]
		}
		taken = append(taken, fmt.Sprintf("%s %s", what, found))
	}
	of := func(field string) string { return ofCommit(c.Context(), o.Dir, o.Upload.GitCommitHash, field) }
	head := ofCommit(c.Context(), o.Dir, "", "%H")
	take("git-commit", "commit", &o.Upload.GitCommitHash, head)
	if head != "" && o.Upload.GitCommitHash == head {
		take("git-branch", "branch", &o.Upload.GitBranch, branchOf(c.Context(), o.Dir))
	}
	take("git-author", "author", &o.Upload.GitAuthor, of("%an"))
	if o.Message == "" {
		o.Message = of("%s")
	}
	o.fromGit = strings.Join(taken, ", ")
}

// ofCommit returns a field of the commit in the format of git log, or "" if dir is not in a repository with the commit.
func ofCommit(ctx context.Context, dir, commit, field string) string {
	commit = cmp.Or(commit, "HEAD")
	return git(ctx, dir, "log", "-1", "--format="+field, "--end-of-options", commit, "--")
}

// branchOf returns the branch that is checked out, or "" if a commit is checked out without one, as in many CI jobs.
func branchOf(ctx context.Context, dir string) string {
	return git(ctx, dir, "symbolic-ref", "--quiet", "--short", "HEAD")
}

// git returns the output of a git command in a folder, or "" if the command fails.
func git(ctx context.Context, dir string, args ...string) string {
	out, err := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
