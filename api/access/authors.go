package access

import (
	"context"
	"fmt"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// KeyProjects are the projects of the request's key: its own, or those of the root key.
func (g *Gate) KeyProjects(ctx context.Context, page models.Page) ([]models.Project, error) {
	who := rest.CallOf(ctx).Caller
	if who.Root {
		return g.Projects.ListProjects(ctx, page)
	}
	p, err := g.Projects.ProjectByID(ctx, who.Key.ProjectID)
	if err != nil || page.Before > 0 && p.ID >= page.Before {
		return nil, err
	}
	return []models.Project{p}, nil
}

// ApprovedKey is the context key of the approval whose call is being made. Only this process sets it.
type ApprovedKey struct{}

// admitAuthor admits the author of an approved call, if its rights still suffice.
func (g *Gate) admitAuthor(c *gin.Context, a models.Approval, needed rest.Access) error {
	ctx := c.Request.Context()
	who := &rest.CallOf(ctx).Caller
	project, err := g.Projects.Project(ctx, a.ProjectSlug)
	if err != nil {
		return err
	}
	who.Project, who.Actor = project, a.Author()
	if who.Role, err = g.roleOfAuthor(ctx, a); err != nil {
		return err
	}
	if !who.Role.Allows(models.Role(needed)) {
		return models.Errorf(models.CodeForbidden, "this needs the role %s, and the author %s is a %s", needed, a.AuthorName, who.Role)
	}
	return nil
}

// Projects finds the projects of keys.
type Projects interface {
	ListProjects(ctx context.Context, page models.Page) ([]models.Project, error)
	ProjectByID(ctx context.Context, id int64) (models.Project, error)
	// Project finds a project by its slug or UUID, or answers not_found.
	Project(ctx context.Context, slugOrUUID string) (models.Project, error)
}

// AuthorKeys finds the API keys that are authors of stored calls.
type AuthorKeys interface {
	// APIKey returns a key of the project, in any state, or not_found.
	APIKey(ctx context.Context, projectID, id int64) (models.APIKey, error)
}

// roleOfAuthor is what the author of an approved call may do now. A key that has expired since keeps
// its role, and a revoked one has none.
func (g *Gate) roleOfAuthor(ctx context.Context, a models.Approval) (models.Role, error) {
	if a.AuthorID == models.RootKeyID {
		return models.RoleAdmin, nil
	}
	id, err := strconv.ParseInt(a.AuthorID, 10, 64)
	if err != nil {
		return "", fmt.Errorf("author of approval %d: %w", a.ID, err)
	}
	gone := models.Errorf(models.CodeForbidden, "the author %s has no access to the project any more", a.AuthorName)
	if a.AuthorType == models.ActorAPIKey {
		key, err := g.AuthorKeys.APIKey(ctx, a.ProjectID, id)
		if models.CodeOf(err) == models.CodeNotFound || err == nil && key.RevokedAt != nil {
			return "", gone
		}
		return key.Role, err
	}
	user, err := g.Sessions.User(ctx, id)
	var role models.Role
	if err == nil {
		role, err = g.Sessions.Role(ctx, a.ProjectID, user)
	}
	if models.CodeOf(err) == models.CodeNotFound {
		return "", gone
	}
	return role, err
}
