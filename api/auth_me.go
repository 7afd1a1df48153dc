package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

var (
	meDoc = doc(tagSignIn, "getMe", "Who am I",
		"The person of the session or the API key, and the projects that it may act in. The root key acts in all of them; "+
			"the answer has the newest 200.")
	patchMeDoc      = doc(tagSignIn, "patchMe", "Change one's name", "The e-mail address stays: it is what an account is invited by.")
	listSessionsDoc = doc(tagSignIn, "listSessions", "List one's sessions", "Every login that has not ended, newest first.")
	endSessionDoc   = doc(tagSignIn, "endSession", "End a session", "Of one's own. It stops working at once.", http.StatusNotFound)
)

// Me is who makes a request.
type Me struct {
	User     *User       `json:"user,omitempty" doc:"With a session."`
	APIKey   *MyKey      `json:"apiKey,omitempty" doc:"With an API key."`
	Projects []MyProject `json:"projects" doc:"By slug."`
}

// MyKey is the key of a request.
type MyKey struct {
	Name   string      `json:"name"`
	Role   models.Role `json:"role" enum:"viewer,editor,admin"`
	Prefix string      `json:"prefix" doc:"The part of the key that may be shown."`

	Channels []string `json:"channels,omitempty" doc:"The only channels that the key may change; absent for all."`
}

// MyProject is a project that one may act in.
type MyProject struct {
	Slug string      `json:"slug"`
	Name string      `json:"name"`
	Role models.Role `json:"role" enum:"viewer,editor,admin"`
}

func (Me) example() any {
	return Me{User: &exampleUser, Projects: []MyProject{{Slug: exampleSlug, Name: "Demo", Role: models.RoleAdmin}}}
}

func (h *AuthHandlers) me(ctx context.Context, _ *struct{}) (*output[Me], error) {
	who := callOf(ctx).caller
	if p := who.person; p != nil {
		projects, err := h.People.Memberships(ctx, p.user)
		u := userRecord(p.user)
		return &output[Me]{Me{User: &u, Projects: rendered(projects, func(m models.Membership) MyProject { return MyProject(m) })}}, err
	}
	projects, err := h.Gate.keyProjects(ctx, models.Page{Limit: maxPage})
	key := MyKey{Name: who.actor.Name, Role: who.role}
	if who.key != nil {
		key.Prefix, key.Channels = who.key.Prefix, who.key.Channels
	}
	return &output[Me]{Me{APIKey: &key, Projects: rendered(projects, func(p models.Project) MyProject {
		return MyProject{p.Slug, p.Name, who.role}
	})}}, err
}

// maxPage is the most records that a list answers.
const maxPage = 200

type patchMeBody struct {
	Name Patch[string] `json:"name,omitzero" doc:"The name that others see."`
}

func (b patchMeBody) model() (name *string, p models.Problems) {
	name = b.Name.notNull(&p, "name")
	if name != nil {
		models.CheckName(&p, "name", *name)
	}
	return name, p
}

func (b patchMeBody) Resolve(huma.Context) []error {
	_, p := b.model()
	return bodyErrors(p.Err())
}

func (patchMeBody) example() any { return patchMeBody{Name: patchTo("Jo Doe")} }

func (h *AuthHandlers) patchMe(ctx context.Context, in *bodyInput[patchMeBody]) (*output[User], error) {
	u := callOf(ctx).caller.person.user
	name, _ := in.Body.model()
	if name == nil {
		return &output[User]{userRecord(u)}, nil
	}
	u, err := h.People.UpdateUser(ctx, actorOf(ctx), u.ID, *name)
	return &output[User]{userRecord(u)}, err
}

func (User) example() any { return exampleUser }

// Session is a login of a person.
type Session struct {
	ID         int64              `json:"id"`
	Method     models.LoginMethod `json:"method" enum:"password,oidc,passkey,setup,invitation" doc:"How it began."`
	Address    string             `json:"address" doc:"IP address of the login."`
	UserAgent  string             `json:"userAgent" doc:"Browser of the login, as it names itself."`
	CreatedAt  Time               `json:"createdAt"`
	LastSeenAt Time               `json:"lastSeenAt" doc:"To the minute."`
	ExpiresAt  Time               `json:"expiresAt" doc:"When it ends at the latest; without a request it ends after 12 hours."`
	IsCurrent  bool               `json:"isCurrent" doc:"It is that of this request."`
}

func (Session) example() any {
	return Session{
		ID: 41, Method: models.LoginPassword, Address: "203.0.113.7", UserAgent: "Mozilla/5.0", CreatedAt: exampleTime,
		LastSeenAt: exampleTime, ExpiresAt: Time{exampleTime.Add(models.SessionLife)}, IsCurrent: true,
	}
}

func (h *AuthHandlers) listSessions(ctx context.Context, _ *struct{}) (*output[[]Session], error) {
	p := callOf(ctx).caller.person
	sessions, err := h.People.Sessions(ctx, p.user.ID)
	return &output[[]Session]{rendered(sessions, func(s models.Session) Session {
		return Session{
			ID: s.ID, Method: s.Method, Address: s.Address, UserAgent: s.UserAgent, CreatedAt: Time{s.CreatedAt},
			LastSeenAt: Time{s.LastSeenAt}, ExpiresAt: Time{s.ExpiresAt}, IsCurrent: s.ID == p.session.ID,
		}
	})}, err
}

func (h *AuthHandlers) endSession(ctx context.Context, in *idInput) (*struct{}, error) {
	return nil, h.People.EndSession(ctx, actorOf(ctx), callOf(ctx).caller.person.user, in.ID)
}
