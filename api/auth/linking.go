package auth

import (
	"context"
	"net/http"
	"slices"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/identity/sso"
	"github.com/waft-ota/waft/models"
)

var (
	linkDoc = access.Sensitive(rest.Doc(tagSignIn, "linkIdentity", "Begin to link an identity",
		"Returns the page of the provider to which the browser goes. The provider sends it back to the callback, which links the "+
			"identity with the account while the session that began is still in use. Otherwise begin again.", http.StatusNotFound))
	removeIdentityDoc = access.Sensitive(rest.Doc(tagSignIn, "deleteIdentity", "Remove a linked identity",
		"The identity no longer signs you in. You cannot remove the last way in which you can sign in.", http.StatusConflict))
)

// LinkedIdentity is an identity at a provider that signs the person in.
type LinkedIdentity struct {
	ID       int64     `json:"id" doc:"Id of the link, for its removal."`
	Provider *string   `json:"provider" doc:"Id of the provider, or null if it is no longer configured."`
	Name     string    `json:"name" doc:"Name of the provider, or its issuer if it is no longer configured."`
	Issuer   string    `json:"issuer" doc:"Issuer of the provider."`
	Subject  string    `json:"subject" doc:"Identifier of the person at the provider."`
	LinkedAt rest.Time `json:"linkedAt" doc:"Time at which the identity was linked."`
}

var exampleIdentity = LinkedIdentity{
	ID: 12, Provider: new("okta"), Name: "Okta", Issuer: "https://acme.okta.com", Subject: "00u1a2b3", LinkedAt: rest.ExampleTime,
}

func identityRecord(providers []sso.Provider) func(models.UserIdentity) LinkedIdentity {
	return func(i models.UserIdentity) LinkedIdentity {
		record := LinkedIdentity{ID: i.ID, Name: i.Issuer, Issuer: i.Issuer, Subject: i.Subject, LinkedAt: rest.Time{Time: i.CreatedAt}}
		if at := slices.IndexFunc(providers, func(p sso.Provider) bool { return p.Issuer == i.Issuer }); at >= 0 {
			record.Provider, record.Name = &providers[at].ID, providers[at].Name
		}
		return record
	}
}

type linkBody struct {
	ReturnTo string `json:"returnTo,omitempty" doc:"Path under /app/ to which the browser comes in the end."`
}

func (linkBody) Example() any { return linkBody{ReturnTo: "/app/demo/settings/sign-in"} }

type linkInput struct {
	Provider string `path:"provider" doc:"Id of the identity provider." example:"okta"`
	Body     linkBody
}

// LinkBegun says where the browser goes to link an identity.
type LinkBegun struct {
	URL string `json:"url" doc:"Page of the provider, to open in the same browser within 10 minutes."`
}

func (LinkBegun) Example() any {
	return LinkBegun{URL: "https://acme.okta.com/oauth2/v1/authorize?client_id=waft"}
}

// linkOutput sets the cookie by which the browser keeps what it has begun.
type linkOutput struct {
	SetCookie string `header:"Set-Cookie"`
	Body      LinkBegun
}

func (h *Handlers) beginLink(ctx context.Context, in *linkInput) (*linkOutput, error) {
	p := rest.CallOf(ctx).Caller.Person
	begun := begunLogin{
		ReturnTo: localPath(in.Body.ReturnTo), Link: &models.Linking{UserID: p.User.ID, SessionID: p.Session.ID},
	}
	authURL, cookie, err := h.beginFlow(ctx, in.Provider, begun)
	return &linkOutput{cookie, LinkBegun{authURL}}, err
}

func (h *Handlers) removeIdentity(ctx context.Context, in *rest.IDInput) (*struct{}, error) {
	return nil, h.People.RemoveIdentity(ctx, rest.ActorOf(ctx), rest.CallOf(ctx).Caller.Person.User, in.ID, h.loginWays())
}

// loginWays returns the ways in which the installation signs people in.
func (h *Handlers) loginWays() models.LoginWays {
	ways := models.LoginWays{
		SSOOnly: h.SSOOnly, Issuers: rest.Rendered(h.IdentityProviders.Providers(), func(p sso.Provider) string { return p.Issuer }),
	}
	if h.RelyingParty != nil {
		ways.Domain = h.RelyingParty.ID()
	}
	return ways
}
