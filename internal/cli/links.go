package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/models"
)

// link is the address of a page of the project's dashboard, "" without a project.
func (s *settings) link(page string) string {
	return models.DashboardLink(strings.TrimRight(config.PeopleURL(s.url, ""), "/"), s.project, page)
}

// linking are the lines with a link to the page that shows more of the record.
func linking[T any](c call, lines func(T) []string, page func(T) string) func(T) []string {
	return func(record T) []string { return c.withLink(lines(record), page(record)) }
}

// withLink adds a link to lines, if there is one.
func (s *settings) withLink(lines []string, page string) []string {
	if link := s.link(page); link != "" {
		lines = append(lines, link)
	}
	return lines
}

func rolloutPage(e client.RolloutExecution) string { return fmt.Sprintf("rollouts/%d", e.ID) }

func approvalPage(a client.Approval) string { return fmt.Sprintf("approvals/%d", a.ID) }

// releasePage is that of the release's rollout while it has one.
func releasePage(u client.Update) string {
	if u.RolloutExecutionID != nil {
		return fmt.Sprintf("rollouts/%d", *u.RolloutExecutionID)
	}
	return fmt.Sprintf("releases/%d", u.ID)
}

// publishedPage is that of a single release, and the list of several.
func publishedPage(r client.Republished) string {
	if len(r.Updates) == 1 {
		return releasePage(r.Updates[0])
	}
	return "releases"
}

// linkedError is an error with a link to a page that shows more.
type linkedError struct {
	err  error
	link string
}

func (e *linkedError) Error() string { return e.err.Error() }
func (e *linkedError) Unwrap() error { return e.err }

// withPending adds a link to an error that tells of an approval.
func (s *settings) withPending(err error) error {
	var pending *client.PendingError
	if !errors.As(err, &pending) {
		return err
	}
	if link := s.link(approvalPage(pending.Approval)); link != "" {
		return &linkedError{err, link}
	}
	return err
}
