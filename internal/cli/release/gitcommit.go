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

// commit describes a commit. Its fields are empty without git or a repository.
type commit struct {
	hash, author, subject string
	// branch is the checked out branch if it is at the commit. It is "" if a commit is checked out without a branch, as in many CI jobs.
	branch string
}

// compareFiles begins to count the files of the repository that differ from HEAD, the folder excluded. In a large repository that takes
// longer than a publish without new files.
func compareFiles(ctx context.Context, dir string) <-chan int {
	uncommitted := make(chan int, 1)
	if !inRepository(dir) {
		uncommitted <- 0
		return uncommitted
	}
	go func() {
		lines := git(ctx, dir, "status", "--porcelain", "--untracked-files=normal", "--", ":/", ":(exclude).")
		if lines == "" {
			uncommitted <- 0
			return
		}
		uncommitted <- strings.Count(lines, "\n") + 1
	}()
	return uncommitted
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

// readCommit returns a commit, whose fields are empty if the folder is not in a repository with it.
func readCommit(ctx context.Context, dir, name string) commit {
	if !inRepository(dir) {
		return commit{} // without the time that a process takes
	}
	// git before 2.38 understands --decorate-refs=HEAD as refs/HEAD, so the other refs are excluded instead.
	return commitOf(git(ctx, dir, "log", "-1", "--no-show-signature", "--decorate=full",
		"--decorate-refs-exclude=refs/tags/", "--decorate-refs-exclude=refs/remotes/",
		"--format=%H%x00%an%x00%s%x00%D", "--end-of-options", name, "--"))
}

// commitOf parses the output of git log in readCommit.
func commitOf(text string) (c commit) {
	fields := strings.Split(text, "\x00")
	if len(fields) != 4 {
		return c
	}
	c = commit{hash: fields[0], author: fields[1], subject: fields[2]}
	for ref := range strings.SplitSeq(fields[3], ", ") { // in a shallow clone the first is "grafted"
		if branch, ok := strings.CutPrefix(ref, "HEAD -> refs/heads/"); ok {
			c.branch = branch
		}
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
	of := readCommit(c.Context(), o.Dir, "HEAD")
	take("git-commit", "commit", &o.Upload.GitCommitHash, of.hash)
	switch {
	case of.hash != "" && o.Upload.GitCommitHash == of.hash:
		take("git-branch", "branch", &o.Upload.GitBranch, of.branch)
		o.ofHead = true
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
	if !o.ofHead || o.compared == nil {
		return ""
	}
	uncommitted := <-o.compared
	if uncommitted == 0 {
		return ""
	}
	files := count.Of(uncommitted, "file") + count.Choose(uncommitted, " has", " have")
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
