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
		"Returns the page of the provider that the browser opens. The provider sends the browser back to the callback, which "+
			"links the identity with the account. The session that began must still be in use; otherwise begin again. A session of a "+
			"terminal cannot link an identity.", http.StatusNotFound))
	removeIdentityDoc = access.Sensitive(rest.Doc(tagSignIn, "deleteIdentity", "Remove a linked identity",
		"The identity no longer signs you in. You cannot remove your last sign-in method.", http.StatusConflict))
)

// LinkedIdentity is an identity at a provider with which the person can sign in.
type LinkedIdentity struct {
	ID       int64     `json:"id" doc:"ID of the link, used to remove it."`
	Provider *string   `json:"provider" doc:"ID of the provider; null if it is no longer configured."`
	Name     string    `json:"name" doc:"Name of the provider; its issuer if it is no longer configured."`
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
	ReturnTo string `json:"returnTo,omitempty" doc:"Path under /app/ that the browser opens at the end."`
}

func (linkBody) Example() any { return linkBody{ReturnTo: "/app/demo/settings/sign-in"} }

type linkInput struct {
	Provider string `path:"provider" doc:"ID of the identity provider." example:"okta"`
	Body     linkBody
}

// LinkBegun has the page that the browser opens to link an identity.
type LinkBegun struct {
	URL string `json:"url" doc:"Page of the provider, to open in the same browser within 10 minutes."`
}

func (LinkBegun) Example() any {
	return LinkBegun{URL: "https://acme.okta.com/oauth2/v1/authorize?client_id=waft"}
}

// linkOutput sets the cookie in which the browser keeps the state of the linking.
type linkOutput struct {
	SetCookie string `header:"Set-Cookie"`
	Body      LinkBegun
}

func (h *Handlers) beginLink(ctx context.Context, in *linkInput) (*linkOutput, error) {
	p := rest.CallOf(ctx).Caller.Person
	if err := addsInBrowser(p); err != nil {
		return nil, err
	}
	begun := begunLogin{
		ReturnTo: localPath(in.Body.ReturnTo), Link: &models.Linking{UserID: p.User.ID, SessionID: p.Session.ID},
	}
	authURL, cookie, err := h.beginFlow(ctx, in.Provider, begun)
	return &linkOutput{cookie, LinkBegun{authURL}}, err
}

func (h *Handlers) removeIdentity(ctx context.Context, in *rest.IDInput) (*struct{}, error) {
	return nil, h.People.RemoveIdentity(ctx, rest.ActorOf(ctx), rest.CallOf(ctx).Caller.Person.User, in.ID, h.loginWays())
}

// loginWays returns the sign-in methods of the installation.
func (h *Handlers) loginWays() models.LoginWays {
	ways := models.LoginWays{
		SSOOnly: h.SSOOnly, Issuers: rest.Rendered(h.IdentityProviders.Providers(), func(p sso.Provider) string { return p.Issuer }),
	}
	if h.RelyingParty != nil {
		ways.Domain = h.RelyingParty.ID()
	}
	return ways
}
