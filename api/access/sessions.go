package access

import (
	"context"
	"fmt"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Sessions finds sessions, and the roles of their users.
type Sessions interface {
	// SessionByToken returns the session whose token has that hash, and its user, or not_found.
	SessionByToken(ctx context.Context, hash []byte) (models.Session, models.User, error)
	// TouchSession records the time at which a session was last used.
	TouchSession(ctx context.Context, id int64, at time.Time) error
	// User returns the user with the ID, or not_found.
	User(ctx context.Context, id int64) (models.User, error)
	// Role returns the role of the user in the project, or not_found.
	Role(ctx context.Context, projectID int64, u models.User) (models.Role, error)
}

// admitPerson checks the access of a request without a key, which may have a session.
func (g *Gate) admitPerson(c *gin.Context, needed rest.Access, who *rest.Caller) error {
	ctx := c.Request.Context()
	if err := g.IdentifyPerson(c, who); err != nil {
		return err
	}
	switch needed {
	case rest.Person, rest.Anyone:
		return nil
	case rest.Root:
		if !who.Person.User.IsOwner {
			return models.Errorf(models.CodeForbidden, "this call requires an owner of the installation or its root key")
		}
		return nil
	default:
	}
	if err := g.enterProjectAs(ctx, c.GetHeader("X-Project"), who); err != nil {
		return err
	}
	return who.Require(needed)
}

// IdentifyPerson finds the session of a request's cookie and fills in who. A request that a person caused extends the
// session.
func (g *Gate) IdentifyPerson(c *gin.Context, who *rest.Caller) error {
	token, ok := g.presentedToken(c.Request)
	if !ok {
		return ErrUnauthenticated
	}
	if err := g.sameOrigin(c.Request); err != nil {
		return err
	}
	// A session that has ended stays ended.
	if g.endedSessions.has([32]byte(token.Hash())) {
		return ErrUnauthenticated
	}
	ctx := c.Request.Context()
	session, user, err := g.Sessions.SessionByToken(ctx, token.Hash())
	if err != nil && models.CodeOf(err) != models.CodeNotFound {
		return err
	}
	now := g.Now()
	if err != nil || !session.Usable(now) {
		g.endedSessions.add([32]byte(token.Hash()))
		return ErrUnauthenticated
	}
	if !rest.CallOf(ctx).Background && now.Sub(session.LastSeenAt) >= touchInterval {
		if err := g.Sessions.TouchSession(ctx, session.ID, now); err != nil {
			g.Log.WarnContext(ctx, "the last use of a session was not recorded", "session", session.ID, "error", err)
		}
	}
	who.Actor = models.UserActor(user, rest.CallOf(ctx).ID)
	who.Person = &rest.SignedIn{User: user, Session: session, Token: token}
	return nil
}

// enterProjectAs resolves X-Project and finds the role of the person in it.
func (g *Gate) enterProjectAs(ctx context.Context, slug string, who *rest.Caller) error {
	if slug == "" {
		return errNoProject
	}
	// The response is the same whether or not the project exists.
	stranger := models.Errorf(models.CodeForbidden, "you are not a member of the project %q", slug)
	if !models.IsText(slug) {
		return stranger
	}
	project, err := g.Projects.Project(ctx, slug)
	if err == nil {
		who.Role, err = g.Sessions.Role(ctx, project.ID, who.Person.User)
	}
	if models.CodeOf(err) == models.CodeNotFound {
		return stranger
	}
	who.Project = project
	return err
}

// Sensitive marks an operation that a session may call only shortly after its sign-in.
func Sensitive(doc huma.Operation) huma.Operation {
	doc = rest.Marked(doc, rest.MetaSensitive)
	doc.Description += fmt.Sprintf(" The caller of a session must have signed in within the last %d minutes; otherwise the "+
		"call fails with reauthentication_required.", int(models.RecentLogin.Minutes()))
	return doc
}

// Recently refuses a session whose sign-in is too long ago.
func (g *Gate) Recently(serve gin.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := g.CheckRecent(c.Request.Context()); err != nil {
			rest.Fail(c, err)
			return
		}
		serve(c)
	}
}

// CheckRecent returns an error for a session whose sign-in is too long ago.
func (g *Gate) CheckRecent(ctx context.Context) error {
	if p := rest.CallOf(ctx).Caller.Person; p != nil && !p.Session.Recent(g.Now()) {
		return models.Errorf(models.CodeReauthenticate, "this call requires a sign-in within the last %d minutes; sign in again",
			int(models.RecentLogin.Minutes()))
	}
	return nil
}
