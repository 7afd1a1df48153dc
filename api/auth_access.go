package api

import (
	"context"
	"fmt"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// Sessions finds sessions and what their users may do.
type Sessions interface {
	// SessionByToken returns the session with that hash of its token, and its user, or not_found.
	SessionByToken(ctx context.Context, hash []byte) (models.Session, models.User, error)
	// TouchSession records when a session was last used.
	TouchSession(ctx context.Context, id int64, at time.Time) error
	// User returns the user with the id, or not_found.
	User(ctx context.Context, id int64) (models.User, error)
	// Role returns what the user is in the project, or not_found.
	Role(ctx context.Context, projectID int64, u models.User) (models.Role, error)
}

// admitPerson checks the access of a request without a key, which may have a session.
func (g *Gate) admitPerson(c *gin.Context, needed access, who *caller) error {
	ctx := c.Request.Context()
	if err := g.identifyPerson(c, who); err != nil {
		return err
	}
	switch needed {
	case person, anyone:
		return nil
	case root:
		if !who.person.user.IsOwner {
			return models.Errorf(models.CodeForbidden, "this needs an owner of the installation or its root key")
		}
		return nil
	default:
	}
	if err := g.enterProjectAs(ctx, c.GetHeader("X-Project"), who); err != nil {
		return err
	}
	return who.require(needed)
}

// identifyPerson finds the session of a request's cookie and fills in who.
func (g *Gate) identifyPerson(c *gin.Context, who *caller) error {
	token, ok := g.presentedToken(c.Request)
	if !ok {
		return errUnauthenticated
	}
	if err := g.sameOrigin(c.Request); err != nil {
		return err
	}
	// A session that has ended does not begin again.
	if g.endedSessions.has([32]byte(token.Hash())) {
		return errUnauthenticated
	}
	ctx := c.Request.Context()
	session, user, err := g.Sessions.SessionByToken(ctx, token.Hash())
	if err != nil && models.CodeOf(err) != models.CodeNotFound {
		return err
	}
	now := g.Now()
	if err != nil || !session.Usable(now) {
		g.endedSessions.add([32]byte(token.Hash()))
		return errUnauthenticated
	}
	if now.Sub(session.LastSeenAt) >= touchInterval {
		if err := g.Sessions.TouchSession(ctx, session.ID, now); err != nil {
			g.Log.WarnContext(ctx, "the last use of a session was not recorded", "session", session.ID, "error", err)
		}
	}
	who.actor = models.UserActor(user, callOf(ctx).id)
	who.person = &signedIn{user, session, token}
	return nil
}

// enterProjectAs resolves X-Project and finds what the person is in it.
func (g *Gate) enterProjectAs(ctx context.Context, slug string, who *caller) error {
	if slug == "" {
		return errNoProject
	}
	// The same answer whether the project exists or not.
	stranger := models.Errorf(models.CodeForbidden, "you are not a member of the project %q", slug)
	if !models.IsText(slug) {
		return stranger
	}
	project, err := g.Projects.Project(ctx, slug)
	if err == nil {
		who.role, err = g.Sessions.Role(ctx, project.ID, who.person.user)
	}
	if models.CodeOf(err) == models.CodeNotFound {
		return stranger
	}
	who.project = project
	return err
}

// sensitive marks an operation that a session may call only shortly after its login.
func sensitive(doc huma.Operation) huma.Operation {
	doc = marked(doc, metaSensitive)
	doc.Description += fmt.Sprintf(" A session must be of a login of the last %d minutes, else the answer is "+
		"reauthentication_required.", int(models.RecentLogin.Minutes()))
	return doc
}

// recently refuses a session whose login is too long ago.
func (g *Gate) recently(serve gin.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := g.checkRecent(c.Request.Context()); err != nil {
			fail(c, err)
			return
		}
		serve(c)
	}
}

func (g *Gate) checkRecent(ctx context.Context) error {
	if p := callOf(ctx).caller.person; p != nil && !p.session.Recent(g.Now()) {
		return models.Errorf(models.CodeReauthenticate, "this needs a login of the last %d minutes; sign in again",
			int(models.RecentLogin.Minutes()))
	}
	return nil
}
