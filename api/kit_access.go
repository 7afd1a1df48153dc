package api

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// access says who may call a route.
type access string

const (
	// public routes take no key; one that is sent is checked all the same.
	public access = "public"
	// root routes take the installation's root key and no X-Project.
	root access = "root"
	// The rest take X-Project and a key of that project with at least this role;
	// the root key is an admin of every project.
	viewer access = access(models.RoleViewer)
	editor access = access(models.RoleEditor)
	admin  access = access(models.RoleAdmin)
)

// Keys finds API keys by what callers show of them.
type Keys interface {
	// APIKeyByPrefix returns the key with the given public prefix, or not_found.
	APIKeyByPrefix(ctx context.Context, prefix string) (models.APIKey, error)
	// TouchAPIKey notes when a key was last used; it may be coarse.
	TouchAPIKey(ctx context.Context, id int64, at time.Time) error
}

// touchInterval is how exact lastUsedAt is.
const touchInterval = time.Minute

// One text for every reason a key is refused: which one it was helps only those
// who guess.
var errUnauthenticated = models.Errorf(models.CodeUnauthenticated,
	"a valid API key is required in the header Authorization: Bearer waft_…")

// gate lets requests pass that may, by their route's access.
type gate struct {
	keys     Keys
	projects Projects
	rootHash []byte
	now      func() time.Time
	log      *slog.Logger
}

// guard returns the middleware that stands before a route's handler.
func (g gate) guard(needed access) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := g.admit(c, needed); err != nil {
			fail(c, err)
		}
	}
}

func (g gate) admit(c *gin.Context, needed access) error {
	ctx := c.Request.Context()
	who := &callOf(ctx).caller
	switch needed {
	case public:
		if c.GetHeader("Authorization") == "" {
			return nil
		}
		_, err := g.identify(ctx, c.GetHeader("Authorization"), who)
		if models.CodeOf(err) == models.CodeUnavailable {
			return nil // a key grants nothing here, so an unreachable store stops no device
		}
		return err
	case root:
		if _, err := g.identify(ctx, c.GetHeader("Authorization"), who); err != nil {
			return err
		}
		if !who.root {
			return models.Errorf(models.CodeForbidden, "this needs the installation's root key")
		}
		return nil
	default:
		key, err := g.identify(ctx, c.GetHeader("Authorization"), who)
		if err != nil {
			return err
		}
		if err := g.enter(ctx, c.GetHeader("X-Project"), key, who); err != nil {
			return err
		}
		if !who.role.Allows(models.Role(needed)) {
			return models.Errorf(models.CodeForbidden, "this needs the role %s, and the key is a %s", needed, who.role)
		}
		return nil
	}
}

// identify finds out whose key an Authorization header holds and notes it in
// who. The key is zero for the root key.
func (g gate) identify(ctx context.Context, header string, who *caller) (models.APIKey, error) {
	scheme, value, _ := strings.Cut(header, " ")
	token, ok := models.ParseAPIKeyToken(strings.TrimSpace(value))
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return models.APIKey{}, errUnauthenticated
	}
	actor := models.Actor{Type: models.ActorAPIKey, RequestID: callOf(ctx).id}
	if token.Matches(g.rootHash) {
		actor.ID, actor.Name = "root", "root"
		who.actor, who.role, who.root = actor, models.RoleAdmin, true
		return models.APIKey{}, nil
	}
	key, err := g.keys.APIKeyByPrefix(ctx, token.Prefix)
	switch {
	case models.CodeOf(err) == models.CodeNotFound:
		return models.APIKey{}, errUnauthenticated
	case err != nil:
		return models.APIKey{}, err
	}
	now := g.now()
	if !token.Matches(key.SecretHash) || !key.Usable(now) {
		return models.APIKey{}, errUnauthenticated
	}
	g.touch(ctx, key, now)
	actor.ID, actor.Name = strconv.FormatInt(key.ID, 10), key.Name
	who.actor, who.role = actor, key.Role
	return key, nil
}

// touch keeps lastUsedAt; a call does not fail for it.
func (g gate) touch(ctx context.Context, key models.APIKey, now time.Time) {
	if key.LastUsedAt != nil && now.Sub(*key.LastUsedAt) < touchInterval {
		return
	}
	if err := g.keys.TouchAPIKey(ctx, key.ID, now); err != nil {
		g.log.WarnContext(ctx, "the last use of an API key was not noted", "key", key.ID, "error", err)
	}
}

// enter resolves X-Project and checks that the key belongs to it.
func (g gate) enter(ctx context.Context, slug string, key models.APIKey, who *caller) error {
	if slug == "" {
		var p models.Problems
		p.Add("X-Project", "is required: name the project's slug in this header")
		return p.Err()
	}
	project, err := models.Project{}, error(models.Errorf(models.CodeNotFound, "there is no such project"))
	if models.IsText(slug) {
		project, err = g.projects.Project(ctx, slug)
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
