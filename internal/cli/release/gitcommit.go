package release

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
)

// shownHashDigits is the number of digits of a commit hash that is shown.
const shownHashDigits = 12

// checkout describes the repository that a folder is in. Its fields are empty without git or a repository.
type checkout struct {
	commit
	// branch is "" if a commit is checked out without a branch, as in many CI jobs.
	branch string
	// uncommitted is the number of files that differ from the commit, the folder excluded.
	uncommitted int
}

// commit describes a commit.
type commit struct{ hash, author, subject string }

// readCheckout reads the repository of the folder.
func readCheckout(ctx context.Context, dir string) (at checkout) {
	if !inRepository(dir) {
		return at // without the time that two processes take
	}
	status := make(chan string, 1)
	go func() {
		status <- git(ctx, dir, "status", "--porcelain=v2", "--branch", "--untracked-files=normal", "--", ":/", ":(exclude).")
	}()
	at.commit = readCommit(ctx, dir, "HEAD")
	at.branch, at.uncommitted = readStatus(<-status)
	return at
}

// inRepository reports whether the folder or one above it has a repository, or a variable names one.
func inRepository(dir string) bool {
	at, err := filepath.Abs(dir)
	if err != nil || os.Getenv("GIT_DIR") != "" {
		return true
	}
	for ; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return true
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}

// readStatus parses the output of git status in its second porcelain format.
func readStatus(text string) (branch string, uncommitted int) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if head, ok := strings.CutPrefix(line, "# branch.head "); ok && head != "(detached)" {
			branch = head
		}
		if line != "" && !strings.HasPrefix(line, "#") {
			uncommitted++
		}
	}
	return branch, uncommitted
}

// readCommit returns a commit, whose fields are empty if the folder is not in a repository with it.
func readCommit(ctx context.Context, dir, name string) (c commit) {
	fields := strings.Split(git(ctx, dir, "log", "-1", "--format=%H%x00%an%x00%s", "--end-of-options", name, "--"), "\x00")
	if len(fields) == 3 {
		c = commit{fields[0], fields[1], fields[2]}
	}
	return c
}

// takeFromGit fills in what the flags do not give from the repository that the export's folder is in: the commit, its branch, its
// author, and its subject as the release notes.
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
	at := readCheckout(c.Context(), o.Dir)
	take("git-commit", "commit", &o.Upload.GitCommitHash, at.hash)
	of := at.commit
	switch {
	case at.hash != "" && o.Upload.GitCommitHash == at.hash:
		take("git-branch", "branch", &o.Upload.GitBranch, at.branch)
		o.uncommitted = at.uncommitted
	case o.Upload.GitCommitHash != "":
		of = readCommit(c.Context(), o.Dir, o.Upload.GitCommitHash)
	}
	take("git-author", "author", &o.Upload.GitAuthor, of.author)
	if o.Message == "" {
		o.Message = of.subject
	}
	o.fromGit = strings.Join(taken, ", ")
}

// uncommittedLine warns that the export may differ from the commit that it is published with. It returns "" for a clean working tree.
func (o *publishOptions) uncommittedLine() string {
	if o.uncommitted == 0 {
		return ""
	}
	files := count.Of(o.uncommitted, "file") + count.Choose(o.uncommitted, " has", " have")
	return fmt.Sprintf("%s uncommitted changes, so the build may differ from commit %s; "+
		"commit them, or leave the commit out with --git-commit=\"\"",
		files, o.Upload.GitCommitHash[:min(len(o.Upload.GitCommitHash), shownHashDigits)])
}

// git returns the output of a git command in a folder, or "" if the command fails.
func git(ctx context.Context, dir string, args ...string) string {
	out, err := exec.CommandContext(ctx, "git", append([]string{"-C", dir, "--no-optional-locks"}, args...)...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
