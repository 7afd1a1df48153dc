package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// StoredCalls makes stored calls as their authors, through the handlers of the API: the input is
// checked anew, and so are the rights of the author.
type StoredCalls struct{ routes http.Handler }

// NewStoredCalls makes one. Of the dependencies it needs those of the operations that ask for
// approvals.
func NewStoredCalls(d Deps) (*StoredCalls, error) {
	d.Rates = Rates{} // the call was counted when it came
	routes, err := build(d)
	if err != nil {
		return nil, err
	}
	return &StoredCalls{routes}, nil
}

// CarryOut makes an approved call. A refusal of the call is an outcome; an error is one of the
// server's, after which the call may be made again.
func (s *StoredCalls) CarryOut(ctx context.Context, a models.Approval) (models.CallOutcome, error) {
	ctx = context.WithValue(ctx, approvedKey{}, a)
	r, err := http.NewRequestWithContext(ctx, a.Method, a.Path, bytes.NewReader(a.Body))
	if err != nil {
		return models.CallOutcome{}, fmt.Errorf("the call of approval %d: %w", a.ID, err)
	}
	r.RemoteAddr = "127.0.0.1:0" // as one from this machine
	r.Header.Set("X-Project", a.ProjectSlug)
	r.Header.Set("X-Request-Id", a.RequestID)
	if len(a.Body) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	answer := &recordedAnswer{header: http.Header{}, status: http.StatusOK}
	s.routes.ServeHTTP(answer, r)
	switch {
	case answer.status < http.StatusMultipleChoices:
		return models.CallOutcome{Done: true}, nil
	case answer.status >= http.StatusInternalServerError, answer.status == http.StatusTooManyRequests,
		answer.status == models.StatusClientClosed: // this process stops
		return models.CallOutcome{}, fmt.Errorf("the call of approval %d was answered with %d: %s", a.ID, answer.status, answer.problem())
	default:
		return models.CallOutcome{Refusal: answer.problem()}, nil
	}
}

// recordedAnswer keeps an answer in memory.
type recordedAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *recordedAnswer) Header() http.Header         { return a.header }
func (a *recordedAnswer) WriteHeader(status int)      { a.status = status }
func (a *recordedAnswer) Write(p []byte) (int, error) { return a.body.Write(p) }

// problem is what the answer says went wrong.
func (a *recordedAnswer) problem() string {
	var p Problem
	if json.Unmarshal(a.body.Bytes(), &p) != nil || p.Detail == "" {
		return http.StatusText(a.status)
	}
	text := p.Detail
	for _, f := range p.Errors {
		if line := f.Field + ": " + f.Message; !strings.Contains(text, line) {
			text += "; " + line
		}
	}
	return text
}

// approvedKey is the context key of the approval whose call is being made. Only this process sets it.
type approvedKey struct{}

// admitAuthor admits the author of an approved call, if its rights still suffice.
func (h *handlers) admitAuthor(c *gin.Context, a models.Approval, needed access) error {
	ctx := c.Request.Context()
	who := &callOf(ctx).caller
	project, err := h.Projects.Project(ctx, a.ProjectSlug)
	if err != nil {
		return err
	}
	who.project, who.actor = project, a.Author()
	if who.role, err = h.roleOfAuthor(ctx, a); err != nil {
		return err
	}
	if !who.role.Allows(models.Role(needed)) {
		return models.Errorf(models.CodeForbidden, "this needs the role %s, and the author %s is a %s", needed, a.AuthorName, who.role)
	}
	return nil
}

// AuthorKeys finds the API keys that are authors of stored calls.
type AuthorKeys interface {
	// APIKey returns a key of the project, in any state, or not_found.
	APIKey(ctx context.Context, projectID, id int64) (models.APIKey, error)
}

// roleOfAuthor is what the author of an approved call may do now. A key that has expired since keeps
// its role, and a revoked one has none.
func (h *handlers) roleOfAuthor(ctx context.Context, a models.Approval) (models.Role, error) {
	if a.AuthorID == models.RootKeyID {
		return models.RoleAdmin, nil
	}
	id, err := strconv.ParseInt(a.AuthorID, 10, 64)
	if err != nil {
		return "", fmt.Errorf("author of approval %d: %w", a.ID, err)
	}
	gone := models.Errorf(models.CodeForbidden, "the author %s has no access to the project any more", a.AuthorName)
	if a.AuthorType == models.ActorAPIKey {
		key, err := h.AuthorKeys.APIKey(ctx, a.ProjectID, id)
		if models.CodeOf(err) == models.CodeNotFound || err == nil && key.RevokedAt != nil {
			return "", gone
		}
		return key.Role, err
	}
	user, err := h.Sessions.User(ctx, id)
	var role models.Role
	if err == nil {
		role, err = h.Sessions.Role(ctx, a.ProjectID, user)
	}
	if models.CodeOf(err) == models.CodeNotFound {
		return "", gone
	}
	return role, err
}
