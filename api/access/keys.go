package access

import (
	"context"
	"crypto/sha256"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Keys finds API keys.
type Keys interface {
	// APIKeyByPrefix returns the key with the given public prefix, or not_found.
	APIKeyByPrefix(ctx context.Context, prefix string) (models.APIKey, error)
	// RecentAPIKey returns the key like APIKeyByPrefix, or the key as it was recently.
	RecentAPIKey(ctx context.Context, prefix string) (models.APIKey, error)
	// TouchAPIKey records the time at which a key was last used.
	TouchAPIKey(ctx context.Context, id int64, at time.Time) error
}

// touchInterval is the precision of lastUsedAt.
const touchInterval = time.Minute

// ErrUnauthenticated is the same for every reason, because a reason would help to guess keys.
var ErrUnauthenticated = models.Errorf(models.CodeUnauthenticated,
	"a valid API key is required in the header Authorization: Bearer waft_…, or a session")

// errNoProject is the error for a request without X-Project.
var errNoProject = rest.Invalid("X-Project", "is required: name the project's slug in this header")

// Authorize returns the middleware that checks a route's access.
func (g *Gate) Authorize(needed rest.Access) gin.HandlerFunc {
	return func(c *gin.Context) {
		rest.CallOf(c.Request.Context()).Needed = needed
		if err := g.admit(c, needed); err != nil {
			rest.Fail(c, err)
		}
	}
}

// admit authenticates the request, and refuses callers without the access that a route requires.
func (g *Gate) admit(c *gin.Context, needed rest.Access) error {
	header := c.GetHeader("Authorization")
	if needed == rest.Public && header == "" {
		return nil
	}
	ctx := c.Request.Context()
	who := &rest.CallOf(ctx).Caller
	if header == "" {
		return g.admitPerson(c, needed, who)
	}
	find := g.Keys.APIKeyByPrefix
	if needed == rest.Public {
		find = g.Keys.RecentAPIKey
	}
	key, err := g.identify(ctx, rest.SenderOf(c), header, who, find)
	if needed == rest.Public && models.CodeOf(err) == models.CodeUnavailable {
		return nil // public routes do not need the key, so devices do not depend on Postgres
	}
	if err != nil || needed == rest.Public {
		return err
	}
	if needed == rest.Person {
		return models.Errorf(models.CodeForbidden, "this call is about a person: it requires a session, not an API key")
	}
	if needed == rest.Anyone {
		if who.Role == models.RoleClient {
			return models.Errorf(models.CodeForbidden, "a key of the role client only evaluates flags over OFREP")
		}
		return nil
	}
	if needed == rest.Root {
		if !who.Root {
			return models.Errorf(models.CodeForbidden, "this call requires the installation's root key")
		}
		return nil
	}
	if err := g.enterProject(ctx, c.GetHeader("X-Project"), key, who); err != nil {
		return err
	}
	return who.Require(needed)
}

// identify finds the key of an Authorization header with find, and fills in who. It returns the zero key for the root
// key. A key that was refused recently is not looked up again. Looking up a key that was not recently valid counts
// against the sender's limits, so that wrong keys do not load Postgres.
func (g *Gate) identify(
	ctx context.Context, from rest.Sender, header string, who *rest.Caller, find func(ctx context.Context, prefix string) (models.APIKey,
		error),
) (models.APIKey, error) {
	scheme, value, _ := strings.Cut(header, " ")
	token, ok := models.ParseAPIKeyToken(strings.TrimSpace(value))
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return models.APIKey{}, ErrUnauthenticated
	}
	actor := models.Actor{Type: models.ActorAPIKey, RequestID: rest.CallOf(ctx).ID}
	if token.Matches(g.RootKeyHash) {
		actor.ID, actor.Name = models.RootKeyID, models.RootKeyID
		who.Actor, who.Role, who.Root = actor, models.RoleAdmin, true
		return models.APIKey{}, nil
	}
	if g.wrongKeys.has(token.Fingerprint()) {
		return models.APIKey{}, ErrUnauthenticated
	}
	if !g.Limits.UnknownKeys.Off() && !g.validKeys.has(token.Fingerprint()) {
		if err := g.Limits.UnknownKeys.Take(from); err != nil {
			return models.APIKey{}, err
		}
	}
	key, err := find(ctx, token.Prefix)
	if err != nil && models.CodeOf(err) != models.CodeNotFound {
		return models.APIKey{}, err
	}
	now := g.Now()
	if err != nil || !token.Matches(key.SecretHash) || !key.Usable(now) {
		g.wrongKeys.add(token.Fingerprint())
		return models.APIKey{}, ErrUnauthenticated
	}
	g.validKeys.add(token.Fingerprint())
	if key.LastUsedAt == nil || now.Sub(*key.LastUsedAt) >= touchInterval {
		if err := g.Keys.TouchAPIKey(ctx, key.ID, now); err != nil {
			g.Log.WarnContext(ctx, "the last use of an API key was not recorded", "key", key.ID, "error", err)
		}
	}
	actor.ID, actor.Name, actor.Channels = strconv.FormatInt(key.ID, 10), key.Name, key.Channels
	who.Actor, who.Role, who.Key = actor, key.Role, &key
	return key, nil
}

// RecentKey returns the key with the public prefix as it was recently, or ErrUnauthenticated if it was revoked or has
// expired. A key that was refused recently is not looked up again.
func (g *Gate) RecentKey(ctx context.Context, prefix string) (models.APIKey, error) {
	fingerprint := sha256.Sum256([]byte("prefix " + prefix))
	if g.wrongKeys.has(fingerprint) {
		return models.APIKey{}, ErrUnauthenticated
	}
	key, err := g.Keys.RecentAPIKey(ctx, prefix)
	if err != nil && models.CodeOf(err) != models.CodeNotFound {
		return models.APIKey{}, err
	}
	if err != nil || !key.Usable(g.Now()) {
		g.wrongKeys.add(fingerprint)
		return models.APIKey{}, ErrUnauthenticated
	}
	return key, nil
}

// enterProject resolves X-Project and checks that the key belongs to the project.
func (g *Gate) enterProject(ctx context.Context, slug string, key models.APIKey, who *rest.Caller) error {
	if slug == "" {
		return errNoProject
	}
	project, err := models.Project{}, error(models.Errorf(models.CodeNotFound, "the project does not exist"))
	if models.IsText(slug) {
		project, err = g.Projects.Project(ctx, slug)
	}
	if err != nil && (who.Root || models.CodeOf(err) != models.CodeNotFound) {
		return err
	}
	if err != nil || !who.Root && project.ID != key.ProjectID {
		// The response is the same whether or not the project exists.
		return models.Errorf(models.CodeForbidden, "the key does not belong to the project %q", slug)
	}
	who.Project = project
	return nil
}
