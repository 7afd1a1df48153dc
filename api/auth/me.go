package auth

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

var (
	meDoc = rest.Doc(tagSignIn, "getMe", "Show your account or key",
		"Returns the person of the session or the API key, and the projects that it may act in. For the root key, those are "+
			"all projects, and the response has the newest 200.")
	patchMeDoc = rest.Doc(tagSignIn, "patchMe", "Change your name",
		"You cannot change your email address, because invitations refer to it.")
	listSessionsDoc = rest.Doc(tagSignIn, "listSessions", "List your sessions", "Returns your sessions that have not ended, newest first.")
	endSessionDoc   = rest.Doc(tagSignIn, "endSession", "End a session",
		"Ends one of your sessions. It stops working immediately.", http.StatusNotFound)
)

// Me identifies the client of a request.
type Me struct {
	User     *User       `json:"user,omitempty" doc:"User of the session; absent with an API key."`
	APIKey   *MyKey      `json:"apiKey,omitempty" doc:"API key of the request; absent with a session."`
	Projects []MyProject `json:"projects" doc:"Projects that the client may act in, by slug."`
	Position string      `json:"position" doc:"Position in the event streams of all projects, an opaque string. A client that reads data after this response and then sends the position as Last-Event-ID to GET /v1/ota/stream does not miss a change."`
}

// MyKey is the API key of a request.
type MyKey struct {
	Name   string      `json:"name"`
	Role   models.Role `json:"role" enum:"viewer,editor,admin"`
	Prefix string      `json:"prefix" doc:"First part of the key, which is not secret."`

	Channels []string `json:"channels,omitempty" doc:"Names of the only channels that the key may change; absent for all."`
}

// MyProject is a project that the client may act in.
type MyProject struct {
	Slug string      `json:"slug"`
	Name string      `json:"name"`
	Role models.Role `json:"role" enum:"viewer,editor,admin"`

	RepositoryURL string `json:"repositoryUrl,omitempty" doc:"https URL of the app's repository, to which links to commits append /commit/ and the hash; absent for none."`
}

func (Me) Example() any {
	return Me{
		User: &exampleUser, Projects: []MyProject{{Slug: rest.ExampleSlug, Name: "Demo", Role: models.RoleAdmin}}, Position: "815:815:/815:815:/0",
	}
}

// Positions reads the positions of event streams.
type Positions interface {
	// StreamPresent returns the position of a reader that has all changes up to now.
	StreamPresent(ctx context.Context) (models.StreamPosition, error)
}

func (h *Handlers) me(ctx context.Context, _ *struct{}) (*rest.Output[Me], error) {
	// Read before the rest, so that the rest has every change up to the position.
	position, err := h.Positions.StreamPresent(ctx)
	if err != nil {
		return nil, err
	}
	body, err := h.caller(ctx)
	body.Position = position.String()
	return &rest.Output[Me]{Body: body}, err
}

// caller returns the record of the caller, without a position.
func (h *Handlers) caller(ctx context.Context) (Me, error) {
	who := rest.CallOf(ctx).Caller
	if p := who.Person; p != nil {
		projects, err := h.People.Memberships(ctx, p.User)
		u := userRecord(p.User)
		return Me{User: &u, Projects: rest.Rendered(projects, func(m models.Membership) MyProject { return MyProject(m) })}, err
	}
	projects, err := h.Gate.KeyProjects(ctx, models.Page{Limit: maxPage})
	key := MyKey{Name: who.Actor.Name, Role: who.Role}
	if who.Key != nil {
		key.Prefix, key.Channels = who.Key.Prefix, who.Key.Channels
	}
	return Me{APIKey: &key, Projects: rest.Rendered(projects, func(p models.Project) MyProject {
		return MyProject{p.Slug, p.Name, who.Role, p.RepositoryURL}
	})}, err
}

// maxPage is the maximum number of records in a list.
const maxPage = 200

type patchMeBody struct {
	Name rest.Patch[string] `json:"name,omitzero" doc:"Name that others see."`
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

// Session is a session of a person.
type Session struct {
	ID         int64              `json:"id"`
	Method     models.LoginMethod `json:"method" enum:"password,oidc,passkey,setup,invitation,terminal" doc:"Sign-in method of the session."`
	Address    string             `json:"address" doc:"IP address of the sign-in."`
	UserAgent  string             `json:"userAgent" doc:"User-Agent header of the sign-in; waft on NAME for a terminal."`
	CreatedAt  rest.Time          `json:"createdAt"`
	LastSeenAt rest.Time          `json:"lastSeenAt" doc:"Time of the last request that a person caused, to the minute. Event streams and requests with Waft-Background: 1 do not count."`
	ExpiresAt  rest.Time          `json:"expiresAt" doc:"Latest end of the session. It ends earlier after 12 hours without a request that a person caused."`
	IsCurrent  bool               `json:"isCurrent" doc:"Whether this is the session of the request."`
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
