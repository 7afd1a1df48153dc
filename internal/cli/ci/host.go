package ci

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// discussion has the comments of a pull request or merge request.
type discussion struct {
	// list is the URL of its comments, comment returns the URL of one.
	list    string
	comment func(id int64) string
	change  string // method that changes a comment
	// user is the URL of the token's own user. bots says that any bot may be that user, because the token of a GitHub job cannot ask.
	user   string
	bots   bool
	header http.Header
	// own is the ID of the comment that this process has written.
	own int64
}

// discussionOf returns the discussion that the environment of a CI job names. The error names the variable that is missing.
func discussionOf(env func(string) string) (*discussion, error) {
	switch {
	case env("GITHUB_ACTIONS") == "true":
		return gitHub(env)
	case env("GITLAB_CI") == "true":
		return gitLab(env)
	}
	return nil, fmt.Errorf("this is not a job of GitHub Actions or GitLab CI")
}

func gitHub(env func(string) string) (*discussion, error) {
	number, err := pullRequest(env("GITHUB_EVENT_PATH"))
	switch {
	case err != nil:
		return nil, err
	case number == 0:
		return nil, fmt.Errorf("the job does not run for a pull request")
	case env("GITHUB_TOKEN") == "":
		return nil, fmt.Errorf("GITHUB_TOKEN is missing: the step needs it, and the job the permission pull-requests: write")
	}
	api := strings.TrimRight(env("GITHUB_API_URL"), "/") + "/repos/" + env("GITHUB_REPOSITORY") + "/issues/"
	return &discussion{
		list:    fmt.Sprintf("%s%d/comments", api, number),
		comment: func(id int64) string { return fmt.Sprintf("%scomments/%d", api, id) },
		change:  http.MethodPatch,
		user:    strings.TrimRight(env("GITHUB_API_URL"), "/") + "/user",
		bots:    true,
		header: http.Header{
			"Authorization": {"Bearer " + env("GITHUB_TOKEN")}, "Accept": {"application/vnd.github+json"}, "X-Github-Api-Version": {"2022-11-28"},
		},
	}, nil
}

// pullRequest returns the number of the pull request in the description of a GitHub event, or 0.
func pullRequest(path string) (int64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, fmt.Errorf("the description of the event cannot be read (GITHUB_EVENT_PATH): %w", err)
	}
	var event struct {
		PullRequest struct {
			Number int64 `json:"number"`
		} `json:"pull_request"`
	}
	if err := json.Unmarshal(text, &event); err != nil {
		return 0, fmt.Errorf("the description of the event is not JSON (GITHUB_EVENT_PATH): %w", err)
	}
	return event.PullRequest.Number, nil
}

func gitLab(env func(string) string) (*discussion, error) {
	switch {
	case env("CI_MERGE_REQUEST_IID") == "":
		return nil, fmt.Errorf("the job does not run for a merge request")
	case env("WAFT_GITLAB_TOKEN") == "":
		return nil, fmt.Errorf("WAFT_GITLAB_TOKEN is missing: a project access token with the scope api, as a masked variable")
	}
	list := fmt.Sprintf("%s/projects/%s/merge_requests/%s/notes", strings.TrimRight(env("CI_API_V4_URL"), "/"),
		url.PathEscape(env("CI_PROJECT_ID")), url.PathEscape(env("CI_MERGE_REQUEST_IID")))
	return &discussion{
		list:    list,
		comment: func(id int64) string { return list + "/" + strconv.FormatInt(id, 10) },
		change:  http.MethodPut,
		user:    strings.TrimRight(env("CI_API_V4_URL"), "/") + "/user",
		header:  http.Header{"Private-Token": {env("WAFT_GITLAB_TOKEN")}},
	}, nil
}

const (
	commentTime  = 30 * time.Second
	commentsPage = 100
	commentPages = 30 // the largest number of pages that are searched
)

// author is a user of GitHub or GitLab.
type author struct {
	ID   int64  `json:"id"`
	Type string `json:"type"`
}

// comment is a comment of GitHub, whose author is the user, or of GitLab.
type comment struct {
	ID     int64  `json:"id"`
	Body   string `json:"body"`
	User   author `json:"user"`
	Author author `json:"author"`
}

// put creates the comment with the marker, or changes it if it exists. It does not change comments of others, who may copy the marker.
func (d *discussion) put(ctx context.Context, marker, text string) error {
	ctx, cancel := context.WithTimeout(ctx, commentTime)
	defer cancel()
	body := map[string]string{"body": text}
	if d.own != 0 {
		if err := d.call(ctx, d.change, d.comment(d.own), body, nil); !isRefused(err) {
			return err
		}
		d.own = 0 // somebody has deleted it
	}
	marked, err := d.marked(ctx, marker)
	if err != nil {
		return err
	}
	for _, c := range marked {
		if mine, err := d.wrote(ctx, c); err != nil || !mine {
			if err != nil {
				return err
			}
			continue
		}
		err := d.call(ctx, d.change, d.comment(c.ID), body, nil)
		if err == nil {
			d.own = c.ID
			return nil
		}
		if !isRefused(err) { // the comment of another bot
			return err
		}
	}
	var made comment
	err = d.call(ctx, http.MethodPost, d.list, body, &made)
	d.own = made.ID
	return err
}

// marked returns the comments with the marker.
func (d *discussion) marked(ctx context.Context, marker string) (found []comment, err error) {
	for page := 1; page <= commentPages; page++ {
		var comments []comment
		if err := d.call(ctx, http.MethodGet, fmt.Sprintf("%s?per_page=%d&page=%d", d.list, commentsPage, page), nil, &comments); err != nil {
			return nil, err
		}
		for _, c := range comments {
			if strings.HasPrefix(c.Body, marker) {
				found = append(found, c)
			}
		}
		if len(comments) < commentsPage {
			break
		}
	}
	return found, nil
}

// wrote reports whether the user of the token wrote the comment.
func (d *discussion) wrote(ctx context.Context, c comment) (bool, error) {
	if d.bots && c.User.Type == "Bot" {
		return true, nil
	}
	var me author
	err := d.call(ctx, http.MethodGet, d.user, nil, &me)
	if isRefused(err) {
		return false, nil
	}
	return me.ID != 0 && me.ID == cmp.Or(c.User.ID, c.Author.ID), err
}

// hostError is a response of GitHub or GitLab that is not a success.
type hostError struct {
	call, text string
	status     int
}

func (e *hostError) Error() string { return e.call + " returned " + e.text }

// isRefused reports whether the same call would fail again, because the token may not make it.
func isRefused(err error) bool {
	var e *hostError
	return errors.As(err, &e) &&
		(e.status == http.StatusUnauthorized || e.status == http.StatusForbidden || e.status == http.StatusNotFound)
}

func (d *discussion) call(ctx context.Context, method, address string, body, out any) error {
	var from io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		from = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, from)
	if err != nil {
		return err
	}
	req.Header = d.header.Clone()
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, 8<<20))
	if err != nil {
		return err
	}
	if res.StatusCode >= 300 {
		return &hostError{method + " " + req.URL.Redacted(), res.Status, res.StatusCode}
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(text, out)
}
