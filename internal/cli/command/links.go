package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/models"
)

// link returns the URL of a page of the project's dashboard, or "" without a project.
func (s *Settings) link(page string) string {
	return models.DashboardLink(strings.TrimRight(config.PeopleURL(s.URL, ""), "/"), s.Project, page)
}

// PageURL returns the URL of a page of the project's dashboard.
func (s *Settings) PageURL(page string) string { return s.link(page) }

// Linking returns a function that prints a record's lines and a link to the dashboard page of the record.
func Linking[T any](c Call, lines func(T) []string, page func(T) string) func(T) []string {
	return func(record T) []string { return c.WithLink(lines(record), page(record)) }
}

// WithLink appends the link to a dashboard page to lines, if there is a project.
func (s *Settings) WithLink(lines []string, page string) []string {
	if link := s.link(page); link != "" {
		lines = append(lines, link)
	}
	return lines
}

// RolloutPage returns the path of a rollout's page.
func RolloutPage(e client.RolloutExecution) string { return fmt.Sprintf("rollouts/%d", e.ID) }

// ApprovalPage returns the path of an approval's page.
func ApprovalPage(a client.Approval) string { return fmt.Sprintf("approvals/%d", a.ID) }

// ReleasePage returns the page of the release's rollout while it has one, otherwise the page of the release.
func ReleasePage(u client.Update) string {
	if u.RolloutExecutionID != nil {
		return fmt.Sprintf("rollouts/%d", *u.RolloutExecutionID)
	}
	return fmt.Sprintf("releases/%d", u.ID)
}

// PublishedPage returns the page of a single release, or the list of releases if there are several.
func PublishedPage(r client.Republished) string {
	if len(r.Updates) == 1 {
		return ReleasePage(r.Updates[0])
	}
	return "releases"
}

// LinkedError is an error with a link to a dashboard page that shows more.
type LinkedError struct {
	Err  error
	Link string
}

func (e *LinkedError) Error() string { return e.Err.Error() }
func (e *LinkedError) Unwrap() error { return e.Err }

// withPending adds a link to the approval if the error says that a call waits for approval.
func (s *Settings) withPending(err error) error {
	var pending *client.PendingError
	if !errors.As(err, &pending) {
		return err
	}
	if link := s.link(ApprovalPage(pending.Approval)); link != "" {
		return &LinkedError{err, link}
	}
	return err
}
