package auth

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

var (
	meDoc = rest.Doc(tagSignIn, "getMe", "Who am I",
		"The person of the session or the API key, and the projects that it may act in. The root key acts in all of them; "+
			"the answer has the newest 200.")
	patchMeDoc = rest.Doc(tagSignIn, "patchMe", "Change one's name",
		"The e-mail address stays: it is what an account is invited by.")
	listSessionsDoc = rest.Doc(tagSignIn, "listSessions", "List one's sessions", "Every login that has not ended, newest first.")
	endSessionDoc   = rest.Doc(tagSignIn, "endSession", "End a session", "Of one's own. It stops working at once.", http.StatusNotFound)
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

func (Me) Example() any {
	return Me{User: &exampleUser, Projects: []MyProject{{Slug: rest.ExampleSlug, Name: "Demo", Role: models.RoleAdmin}}}
}

func (h *Handlers) me(ctx context.Context, _ *struct{}) (*rest.Output[Me], error) {
	who := rest.CallOf(ctx).Caller
	if p := who.Person; p != nil {
		projects, err := h.People.Memberships(ctx, p.User)
		u := userRecord(p.User)
		return &rest.Output[Me]{Body: Me{User: &u, Projects: rest.Rendered(projects,
			func(m models.Membership) MyProject { return MyProject(m) })}}, err
	}
	projects, err := h.Gate.KeyProjects(ctx, models.Page{Limit: maxPage})
	key := MyKey{Name: who.Actor.Name, Role: who.Role}
	if who.Key != nil {
		key.Prefix, key.Channels = who.Key.Prefix, who.Key.Channels
	}
	return &rest.Output[Me]{Body: Me{APIKey: &key, Projects: rest.Rendered(projects, func(p models.Project) MyProject {
		return MyProject{p.Slug, p.Name, who.Role}
	})}}, err
}

// maxPage is the most records that a list answers.
const maxPage = 200

type patchMeBody struct {
	Name rest.Patch[string] `json:"name,omitzero" doc:"The name that others see."`
}

func (b patchMeBody) Model() (name *string, p models.Problems) {
	name = b.Name.NotNull(&p, "name")
	if name != nil {
		models.CheckName(&p, "name", *name)
	}
	return name, p
}

func (b patchMeBody) Resolve(huma.Context) []error {
	_, p := b.Model()
	return rest.BodyErrors(p.Err())
}

func (patchMeBody) Example() any { return patchMeBody{Name: rest.PatchTo("Jo Doe")} }

func (h *Handlers) patchMe(ctx context.Context, in *rest.BodyInput[patchMeBody]) (*rest.Output[User], error) {
	u := rest.CallOf(ctx).Caller.Person.User
	name, _ := in.Body.Model()
	if name == nil {
		return &rest.Output[User]{Body: userRecord(u)}, nil
	}
	u, err := h.People.UpdateUser(ctx, rest.ActorOf(ctx), u.ID, *name)
	return &rest.Output[User]{Body: userRecord(u)}, err
}

func (User) Example() any { return exampleUser }

// Session is a login of a person.
type Session struct {
	ID         int64              `json:"id"`
	Method     models.LoginMethod `json:"method" enum:"password,oidc,passkey,setup,invitation" doc:"How it began."`
	Address    string             `json:"address" doc:"IP address of the login."`
	UserAgent  string             `json:"userAgent" doc:"Browser of the login, as it names itself."`
	CreatedAt  rest.Time          `json:"createdAt"`
	LastSeenAt rest.Time          `json:"lastSeenAt" doc:"Time of the last request that a person caused, to the minute. Event streams and requests with Waft-Background: 1 do not count."`
	ExpiresAt  rest.Time          `json:"expiresAt" doc:"Time at which the session ends at the latest. It ends after 12 hours without a request that a person caused."`
	IsCurrent  bool               `json:"isCurrent" doc:"It is that of this request."`
}

func (Session) Example() any {
	return Session{
		ID: 41, Method: models.LoginPassword, Address: "203.0.113.7", UserAgent: "Mozilla/5.0", CreatedAt: rest.ExampleTime,
		LastSeenAt: rest.ExampleTime, ExpiresAt: rest.Time{Time: rest.ExampleTime.Add(models.SessionLife)}, IsCurrent: true,
	}
}

func (h *Handlers) listSessions(ctx context.Context, _ *struct{}) (*rest.Output[[]Session], error) {
	p := rest.CallOf(ctx).Caller.Person
	sessions, err := h.People.Sessions(ctx, p.User.ID)
	return &rest.Output[[]Session]{Body: rest.Rendered(sessions, func(s models.Session) Session {
		return Session{
			ID: s.ID, Method: s.Method, Address: s.Address, UserAgent: s.UserAgent, CreatedAt: rest.Time{Time: s.CreatedAt},
			LastSeenAt: rest.Time{Time: s.LastSeenAt}, ExpiresAt: rest.Time{Time: s.ExpiresAt}, IsCurrent: s.ID == p.Session.ID,
		}
	})}, err
}

func (h *Handlers) endSession(ctx context.Context, in *rest.IDInput) (*struct{}, error) {
	return nil, h.People.EndSession(ctx, rest.ActorOf(ctx), rest.CallOf(ctx).Caller.Person.User, in.ID)
}
