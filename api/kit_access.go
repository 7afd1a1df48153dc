package api

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// access says who may call a route.
type access string

const (
	// public routes need no key, but check one that is sent.
	public access = "public"
	// client routes need a key of any role, which names the project. Their errors are OFREP's.
	client access = access(models.RoleClient)
	// projectKey routes need a key of a role that reads, which names its project, or the root key.
	projectKey access = "key"
	// root routes need the installation's root key and no X-Project.
	root access = "root"
	// The others need X-Project and a key of that project with at least this role. The root
	// key has the role admin in every project.
	viewer access = access(models.RoleViewer)
	editor access = access(models.RoleEditor)
	admin  access = access(models.RoleAdmin)
)

// managed reports whether the route is one of management.
func (a access) managed() bool { return a != public && a != client }

// Keys finds API keys.
type Keys interface {
	// APIKeyByPrefix returns the key with the given public prefix, or not_found.
	APIKeyByPrefix(ctx context.Context, prefix string) (models.APIKey, error)
	// TouchAPIKey records when a key was last used.
	TouchAPIKey(ctx context.Context, id int64, at time.Time) error
}

// touchInterval is the precision of lastUsedAt.
const touchInterval = time.Minute

// errUnauthenticated is the same for every reason, because a reason would help to guess
// keys.
var errUnauthenticated = models.Errorf(models.CodeUnauthenticated,
	"a valid API key is required in the header Authorization: Bearer waft_…")

// authorize returns the middleware that checks a route's access.
func (h *handlers) authorize(needed access) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := h.admit(c, needed); err != nil {
			fail(c, err)
		}
	}
}

func (h *handlers) admit(c *gin.Context, needed access) error {
	header := c.GetHeader("Authorization")
	if needed == public && header == "" {
		return nil
	}
	ctx := c.Request.Context()
	who := &callOf(ctx).caller
	key, err := h.identify(ctx, header, who)
	if needed == public && models.CodeOf(err) == models.CodeUnavailable {
		return nil // the key grants nothing here, so devices do not depend on Postgres
	}
	if err != nil || needed == public {
		return err
	}
	if needed == projectKey {
		if !who.role.Allows(models.RoleViewer) {
			return models.Errorf(models.CodeForbidden, "this needs the role viewer, and the key is a %s", who.role)
		}
		return nil
	}
	if needed == root {
		if !who.root {
			return models.Errorf(models.CodeForbidden, "this needs the installation's root key")
		}
		return nil
	}
	if err := h.enterProject(ctx, c.GetHeader("X-Project"), key, who); err != nil {
		return err
	}
	if !who.role.Allows(models.Role(needed)) {
		return models.Errorf(models.CodeForbidden, "this needs the role %s, and the key is a %s", needed, who.role)
	}
	return nil
}

// identify finds the key of an Authorization header and fills in who. It returns the zero
// key for the root key.
func (h *handlers) identify(ctx context.Context, header string, who *caller) (models.APIKey, error) {
	scheme, value, _ := strings.Cut(header, " ")
	token, ok := models.ParseAPIKeyToken(strings.TrimSpace(value))
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return models.APIKey{}, errUnauthenticated
	}
	actor := models.Actor{Type: models.ActorAPIKey, RequestID: callOf(ctx).id}
	if token.Matches(h.RootKeyHash) {
		actor.ID, actor.Name = "root", "root"
		who.actor, who.role, who.root = actor, models.RoleAdmin, true
		return models.APIKey{}, nil
	}
	key, err := h.Keys.APIKeyByPrefix(ctx, token.Prefix)
	if err != nil && models.CodeOf(err) != models.CodeNotFound {
		return models.APIKey{}, err
	}
	now := h.Now()
	if err != nil || !token.Matches(key.SecretHash) || !key.Usable(now) {
		return models.APIKey{}, errUnauthenticated
	}
	if key.LastUsedAt == nil || now.Sub(*key.LastUsedAt) >= touchInterval {
		if err := h.Keys.TouchAPIKey(ctx, key.ID, now); err != nil {
			h.Log.WarnContext(ctx, "the last use of an API key was not recorded", "key", key.ID, "error", err)
		}
	}
	actor.ID, actor.Name = strconv.FormatInt(key.ID, 10), key.Name
	who.actor, who.role, who.keyProject = actor, key.Role, key.ProjectID
	return key, nil
}

// enterProject resolves X-Project and checks that the key belongs to the project.
func (h *handlers) enterProject(ctx context.Context, slug string, key models.APIKey, who *caller) error {
	if slug == "" {
		return invalid("X-Project", "is required: name the project's slug in this header")
	}
	project, err := models.Project{}, error(models.Errorf(models.CodeNotFound, "there is no such project"))
	if models.IsText(slug) {
		project, err = h.Projects.Project(ctx, slug)
	}
	if err != nil && (who.root || models.CodeOf(err) != models.CodeNotFound) {
		return err
	}
	if err != nil || !who.root && project.ID != key.ProjectID {
		// The same answer whether the project exists or not.
		return models.Errorf(models.CodeForbidden, "the key does not belong to the project %q", slug)
	}
	who.project = project
	return nil
}
