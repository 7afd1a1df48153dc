package auth

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Members stores a project's members and invitations.
type Members interface {
	ListMembers(ctx context.Context, projectID int64, page models.Page) ([]models.Member, error)
	UpdateMember(ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.MemberPatch) (models.Member, error)
	RemoveMember(ctx context.Context, projectID int64, actor models.Actor, id int64) error
	CreateInvitation(
		ctx context.Context, projectID int64, actor models.Actor, n models.NewInvitation, token models.SecretToken,
	) (models.Invitation, error)
	ListInvitations(ctx context.Context, projectID int64, page models.Page) ([]models.Invitation, error)
	RevokeInvitation(ctx context.Context, projectID int64, actor models.Actor, id int64) error
	// Invitation finds an open invitation, or returns not_found.
	Invitation(ctx context.Context, token models.SecretToken) (models.Invitation, error)
	// JoinAs makes an account a member and invalidates the invitation. login may be nil.
	JoinAs(ctx context.Context, requestID string, token models.SecretToken, u models.User, login *models.NewSession) error
	// JoinAsNew also creates the account.
	JoinAsNew(
		ctx context.Context, requestID string, token models.SecretToken, n models.NewUser, login models.NewSession,
	) (models.User, error)
	// JoinAsClaimant gives an unverified account to the holder of a mailed link. It removes the password and name
	// that were set before.
	JoinAsClaimant(
		ctx context.Context, requestID string, token models.SecretToken, n models.NewUser, login models.NewSession,
	) (models.User, error)
}

var (
	listMembersDoc = rest.Doc(tagMembers, "listMembers", "List members",
		"The members of the project, including the owners of the installation, who are admins.")
	patchMemberDoc = access.Sensitive(rest.Doc(tagMembers, "patchMember", "Change a member's role",
		"You cannot change the role of the last admin or of an owner.", http.StatusConflict))
	removeMemberDoc = access.Sensitive(rest.Doc(tagMembers, "removeMember", "Remove a member",
		"The account is kept. Open invitations to the person, and open invitations that the person created, end. API keys "+
			"that the person created are kept: GET /v1/ota/api-keys?madeBy= lists them. You cannot remove the last admin or "+
			"an owner.", http.StatusConflict))
	listInvitationsDoc = rest.Doc(tagMembers, "listInvitations", "List invitations",
		"Returns the invitations that were neither accepted nor revoked. They can be accepted until expiresAt.")
	createInvitationDoc = access.Sensitive(rest.Doc(tagMembers, "createInvitation", "Invite a person",
		"With WAFT_SMTP_URL, Waft mails the link to the address, and only the recipient sees it. Otherwise, pass the url on "+
			"to the person: only this response contains it. An account created with such a link is not verified and belongs "+
			"to this project alone. The link works once, for 72 hours.",
		http.StatusCreated, http.StatusConflict, http.StatusTooManyRequests))
	revokeInvitationDoc = access.Sensitive(rest.Doc(tagMembers, "revokeInvitation", "Revoke an invitation",
		"The link of the invitation stops working."))
	acceptDoc = rest.Doc(tagSignIn, "acceptInvitation", "Accept an invitation",
		"With a session of the invited account, the account joins the project. Without a session, the request also signs in: "+
			"with a name and a new password if the address does not have an account, otherwise with the account's password. "+
			"If the address has an unverified account, a mailed link gives it to the person, with the new name and password, "+
			"and removes what was set before. A link that was passed on does not.", http.StatusNotFound)
)

// Member is a member of a project.
type Member struct {
	rest.Tagged
	ID        int64               `json:"id"`
	UserID    int64               `json:"userId"`
	Name      string              `json:"name"`
	Email     string              `json:"email"`
	Role      models.Role         `json:"role" enum:"viewer,editor,admin"`
	Source    models.MemberSource `json:"source" enum:"invitation,owner,groups" doc:"Source of the membership: an invitation or an admin's change, ownership of the installation, or groups of an identity provider, which are evaluated at every sign-in."`
	CreatedAt rest.Time           `json:"createdAt"`

	EmailVerified bool `json:"emailVerified" doc:"Whether the person has proved the address, or the operator vouches for it. An unverified account may belong to a stranger."`
}

func memberRecord(m models.Member) Member {
	return Member{
		Tagged: rest.Tagged{ETag: m.ETag(m.ID)},
		ID:     m.ID, UserID: m.UserID, Name: m.Name, Email: m.Email, Role: m.Role, Source: m.Source, CreatedAt: rest.Time{Time: m.CreatedAt},
		EmailVerified: m.EmailVerified,
	}
}

func (r Member) RecordID() int64 { return r.ID }

func (Member) Example() any {
	return Member{
		ID: 51, UserID: 3, Name: "Jo Doe", Email: "jo@example.com", Role: models.RoleEditor, Source: models.MemberInvited,
		CreatedAt: rest.ExampleTime, EmailVerified: true,
	}
}

type patchMemberBody struct {
	Role rest.Patch[models.Role] `json:"role,omitzero" enum:"viewer,editor,admin"`
}

func (b patchMemberBody) Model() (patch models.MemberPatch, p models.Problems) {
	patch.Role = b.Role.NotNull(&p, "role")
	return patch, p
}

func (b patchMemberBody) Resolve(huma.Context) []error {
	patch, p := b.Model()
	return append(rest.BodyErrors(p.Err()), rest.BodyErrors(patch.Validate())...)
}

func (patchMemberBody) Example() any { return patchMemberBody{Role: rest.PatchTo(models.RoleAdmin)} }

// Invitation is an invitation without its token.
type Invitation struct {
	ID        int64       `json:"id"`
	Email     string      `json:"email" doc:"Email address of the invited person."`
	Role      models.Role `json:"role" enum:"viewer,editor,admin" doc:"Role that the person gets."`
	InvitedBy string      `json:"invitedBy" doc:"Name of the person or key that created the invitation."`
	ExpiresAt rest.Time   `json:"expiresAt"`
	CreatedAt rest.Time   `json:"createdAt"`
	ByMail    bool        `json:"byMail" doc:"Whether Waft mails the link to the address."`
	SentAt    *rest.Time  `json:"sentAt" nullable:"true" doc:"Time at which the mail server accepted the mail; null before."`
}

func invitationRecord(i models.Invitation) Invitation {
	return Invitation{
		ID: i.ID, Email: i.Email, Role: i.Role, InvitedBy: i.InvitedBy, ExpiresAt: rest.Time{Time: i.ExpiresAt},
		CreatedAt: rest.Time{Time: i.CreatedAt}, ByMail: i.ByMail, SentAt: rest.TimeOrNull(i.SentAt),
	}
}

func (r Invitation) RecordID() int64 { return r.ID }

func (Invitation) Example() any { return exampleInvitation }

var exampleInvitation = Invitation{
	ID: 61, Email: "sam@example.com", Role: models.RoleEditor, InvitedBy: "jo@example.com",
	ExpiresAt: rest.Time{Time: rest.ExampleTime.Add(models.InvitationLife)}, CreatedAt: rest.ExampleTime,
}

// CreatedInvitation is a new invitation with its link. No other response contains the link.
type CreatedInvitation struct {
	Invitation
	URL string `json:"url,omitempty" doc:"Link with which the person accepts the invitation, shown only once; absent if Waft mails it."`
}

func (CreatedInvitation) Example() any {
	return CreatedInvitation{Invitation: exampleInvitation, URL: "https://ota.example.com/app/invite#" + exampleToken}
}

type createInvitationBody struct {
	Email string      `json:"email" doc:"Email address of the invited person. An account with another address cannot accept the invitation."`
	Role  models.Role `json:"role" enum:"viewer,editor,admin" doc:"Role that the person gets."`
}

func (b createInvitationBody) Resolve(huma.Context) []error {
	return rest.BodyErrors(models.NewInvitation{Email: b.Email, Role: b.Role}.Validate())
}

func (createInvitationBody) Example() any {
	return createInvitationBody{Email: "sam@example.com", Role: models.RoleEditor}
}

func (h *Handlers) createInvitation(
	ctx context.Context, in *rest.BodyInput[createInvitationBody],
) (*rest.Output[CreatedInvitation], error) {
	token := models.NewSecretToken()
	n := models.NewInvitation{Email: in.Body.Email, Role: in.Body.Role, ByMail: h.ByMail}
	i, err := h.Members.CreateInvitation(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), n, token)
	created := CreatedInvitation{Invitation: invitationRecord(i)}
	if !h.ByMail {
		created.URL = h.BaseURL + "/app/invite#" + token.Reveal()
	}
	return &rest.Output[CreatedInvitation]{Body: created}, err
}

type acceptBody struct {
	Token    string `json:"token" doc:"Token: the part of the invitation's link after the #."`
	Name     string `json:"name,omitempty" doc:"Name of a person without an account."`
	Password string `json:"password,omitempty" doc:"New password of at least 12 characters, or the password of the existing account."`
}

func (acceptBody) Example() any {
	return acceptBody{Token: exampleToken, Name: "Sam Roe", Password: "correct horse battery staple"}
}

func (h *Handlers) acceptInvitation(ctx context.Context, in *rest.BodyInput[acceptBody]) (*loginOutput, error) {
	if err := h.Limits.UnknownKeys.Take(access.BrowserOf(rest.CallOf(ctx)).From); err != nil {
		return nil, err
	}
	token, ok := models.ParseSecretToken(in.Body.Token)
	if !ok {
		token = models.NewSecretToken() // a token that does not belong to any invitation
	}
	invitation, err := h.Members.Invitation(ctx, token)
	if err != nil {
		return nil, err
	}
	signedIn, err := h.signedIn(ctx)
	if err != nil {
		return nil, err
	}
	if signedIn != nil && signedIn.EmailKey != invitation.EmailKey {
		return nil, models.Errorf(models.CodeForbidden,
			"the invitation is for a different address than your account's; sign out first")
	}
	account, admission, err := h.admit(ctx, invitation)
	switch {
	case err != nil:
		return nil, err
	case admission == models.AdmitAccount && signedIn != nil:
		return &loginOutput{Body: Login{userRecord(account)}}, h.Members.JoinAs(ctx, rest.CallOf(ctx).ID, token, *signedIn, nil)
	case h.SSOOnly:
		return nil, errNoPasswords
	case admission == models.AdmitAccount:
		return h.acceptWithPassword(ctx, token, invitation, in.Body.Password)
	case admission == models.AdmitClaim:
		return h.acceptAnew(ctx, token, invitation, in.Body, h.Members.JoinAsClaimant)
	default:
		return h.acceptAnew(ctx, token, invitation, in.Body, h.Members.JoinAsNew)
	}
}

// signedIn returns the person of the request's session, or nil without a usable session.
func (h *Handlers) signedIn(ctx context.Context) (*models.User, error) {
	b := access.BrowserOf(rest.CallOf(ctx))
	if !b.SignedIn {
		return nil, nil
	}
	session, u, err := h.Sessions.SessionByToken(ctx, b.Presented.Hash())
	if models.CodeOf(err) == models.CodeNotFound || err == nil && !session.Usable(h.Now()) {
		return nil, nil
	}
	return &u, err
}

// admit returns the account of the invited address, and how it accepts the invitation.
func (h *Handlers) admit(ctx context.Context, i models.Invitation) (models.User, models.Admission, error) {
	u, err := h.People.UserByEmail(ctx, i.Email)
	if models.CodeOf(err) == models.CodeNotFound {
		return u, models.AdmitNew, nil
	}
	if err != nil {
		return u, "", err
	}
	admission, err := u.Admit(i)
	return u, admission, err
}

// acceptAnew joins with a name and a password that the person chooses now.
func (h *Handlers) acceptAnew(
	ctx context.Context, token models.SecretToken, i models.Invitation, body acceptBody,
	join func(context.Context, string, models.SecretToken, models.NewUser, models.NewSession) (models.User, error),
) (*loginOutput, error) {
	n := models.NewUser{Email: i.Email, Name: body.Name}
	err := joinProblems(n, body.Password)
	if err != nil {
		return nil, err
	}
	if n.PasswordHash, err = h.Passwords.Hash(ctx, body.Password); err != nil {
		return nil, err
	}
	c := rest.CallOf(ctx)
	b, session := access.BrowserOf(c), models.NewSecretToken()
	u, err := join(ctx, c.ID, token, n, b.Login(session, models.LoginInvitation))
	return &loginOutput{h.Gate.Cookie(b, session), Login{userRecord(u)}}, err
}

func joinProblems(n models.NewUser, password string) error {
	var p models.Problems
	models.CheckName(&p, "name", n.Name)
	models.CheckPassword(&p, "password", password)
	return p.Err()
}

// acceptWithPassword signs in to the invited account and joins.
func (h *Handlers) acceptWithPassword(
	ctx context.Context, token models.SecretToken, i models.Invitation, password string,
) (*loginOutput, error) {
	u, _, err := h.verify(ctx, i.Email, password)
	if errors.Is(err, errLogin) {
		return nil, models.Errorf(models.CodeUnauthenticated,
			"the invited address has an account: sign in to it first, or send its password")
	}
	if err != nil {
		return nil, err
	}
	c := rest.CallOf(ctx)
	b, session := access.BrowserOf(c), models.NewSecretToken()
	login := b.Login(session, models.LoginInvitation)
	return &loginOutput{h.Gate.Cookie(b, session), Login{userRecord(u)}}, h.Members.JoinAs(ctx, c.ID, token, u, &login)
}
