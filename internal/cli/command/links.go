package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/models"
)

// link is the address of a page of the project's dashboard, "" without a project.
func (s *Settings) link(page string) string {
	return models.DashboardLink(strings.TrimRight(config.PeopleURL(s.URL, ""), "/"), s.Project, page)
}

// Linking are the lines with a link to the page that shows more of the record.
func Linking[T any](c Call, lines func(T) []string, page func(T) string) func(T) []string {
	return func(record T) []string { return c.WithLink(lines(record), page(record)) }
}

// WithLink adds a link to lines, if there is one.
func (s *Settings) WithLink(lines []string, page string) []string {
	if link := s.link(page); link != "" {
		lines = append(lines, link)
	}
	return lines
}

// RolloutPage is the page of a rollout.
func RolloutPage(e client.RolloutExecution) string { return fmt.Sprintf("rollouts/%d", e.ID) }

// ApprovalPage is the page of an approval.
func ApprovalPage(a client.Approval) string { return fmt.Sprintf("approvals/%d", a.ID) }

// ReleasePage is that of the release's rollout while it has one.
func ReleasePage(u client.Update) string {
	if u.RolloutExecutionID != nil {
		return fmt.Sprintf("rollouts/%d", *u.RolloutExecutionID)
	}
	return fmt.Sprintf("releases/%d", u.ID)
}

// PublishedPage is that of a single release, and the list of several.
func PublishedPage(r client.Republished) string {
	if len(r.Updates) == 1 {
		return ReleasePage(r.Updates[0])
	}
	return "releases"
}

// LinkedError is an error with a link to a page that shows more.
type LinkedError struct {
	Err  error
	Link string
}

func (e *LinkedError) Error() string { return e.Err.Error() }
func (e *LinkedError) Unwrap() error { return e.Err }

// withPending adds a link to an error that tells of an approval.
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
