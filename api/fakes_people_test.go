package api

import (
	"context"
	"sync"
	"time"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/identity/idtoken"
	"github.com/waft-ota/waft/models"
)

// fakePeople is a Sessions, a People and a Members. A function that is not set stands for an empty, valid result.
type fakePeople struct {
	sessions        map[string]rest.SignedIn // by the hash of the token
	roles           map[int64]models.Role    // in demo, by user
	users           map[string]models.User   // by address
	findSession     func() error
	touchedSessions []int64
	logins          []models.NewSession
	ended           []int64
	passwords       []string
	sessionLookups  int
	passkeys        []models.Passkey
	passkeyLookups  int
}

func (f *fakePeople) SessionByToken(_ context.Context, hash []byte) (models.Session, models.User, error) {
	f.sessionLookups++
	if f.findSession != nil {
		return models.Session{}, models.User{}, f.findSession()
	}
	if p, ok := f.sessions[string(hash)]; ok {
		return p.Session, p.User, nil
	}
	return models.Session{}, models.User{}, models.Errorf(models.CodeNotFound, "no such session")
}

func (f *fakePeople) TouchSession(_ context.Context, id int64, _ time.Time) error {
	f.touchedSessions = append(f.touchedSessions, id)
	return nil
}

func (f *fakePeople) StreamPresent(context.Context) (models.StreamPosition, error) {
	return models.PositionAt("7:7:"), nil
}

func (f *fakePeople) User(_ context.Context, id int64) (models.User, error) {
	for _, u := range f.users {
		if u.ID == id {
			return u, nil
		}
	}
	return models.User{}, models.Errorf(models.CodeNotFound, "no such account")
}

func (f *fakePeople) Role(_ context.Context, projectID int64, u models.User) (models.Role, error) {
	if u.IsOwner {
		return models.RoleAdmin, nil
	}
	if role, ok := f.roles[u.ID]; ok && projectID == demo.ID {
		return role, nil
	}
	return "", models.Errorf(models.CodeNotFound, "no such member")
}

func (f *fakePeople) Identities(context.Context, int64) ([]models.UserIdentity, error) {
	return nil, nil
}

func (f *fakePeople) RemoveIdentity(context.Context, models.Actor, models.User, int64, models.LoginWays) error {
	return nil
}

func (f *fakePeople) SetupRequired(context.Context) (bool, error) { return false, nil }

func (f *fakePeople) CheckSetupLink(context.Context, models.SecretToken) error { return nil }

func (f *fakePeople) SetUp(
	_ context.Context, _ string, _ models.SecretToken, n models.NewUser, login models.NewSession,
) (models.User, error) {
	f.logins = append(f.logins, login)
	n.IsOwner = true
	return n.User(now), nil
}

func (f *fakePeople) UserByEmail(_ context.Context, email string) (models.User, error) {
	if u, ok := f.users[models.EmailKey(email)]; ok {
		return u, nil
	}
	return models.User{}, models.Errorf(models.CodeNotFound, "no such account")
}

func (f *fakePeople) LogIn(_ context.Context, _ string, _ models.User, login models.NewSession, _ string) error {
	f.logins = append(f.logins, login)
	return nil
}

func (f *fakePeople) LogInWith(
	_ context.Context, _ string, p models.IdentityLogin, _ *models.Linking, login models.NewSession,
) (models.User, error) {
	f.logins = append(f.logins, login)
	return p.NewUser().User(now), nil
}

func (f *fakePeople) ChangePassword(_ context.Context, _ models.Actor, _ models.User, hash string, kept int64) error {
	f.passwords, f.ended = append(f.passwords, hash), append(f.ended, kept)
	return nil
}

func (f *fakePeople) ForgetPassword(context.Context, string, string) error { return nil }

func (f *fakePeople) CheckResetLink(context.Context, models.SecretToken) error { return nil }

func (f *fakePeople) ResetPasswordByLink(_ context.Context, _ string, _ models.SecretToken, hash string) error {
	f.passwords = append(f.passwords, hash)
	return nil
}

func (f *fakePeople) UpdateUser(_ context.Context, _ models.Actor, id int64, name string) (models.User, error) {
	return models.User{ID: id, Name: name}, nil
}

func (f *fakePeople) Sessions(context.Context, int64) ([]models.Session, error) { return nil, nil }

func (f *fakePeople) EndSession(_ context.Context, _ models.Actor, _ models.User, id int64) error {
	f.ended = append(f.ended, id)
	return nil
}

func (f *fakePeople) Memberships(context.Context, models.User) ([]models.Membership, error) {
	return nil, nil
}

func (f *fakePeople) ListUserProjects(context.Context, int64, models.Page) ([]models.Project, error) {
	return nil, nil
}

func (f *fakePeople) KnownAccounts(context.Context, []models.NetworkHash) ([]string, error) {
	return nil, nil
}

func (f *fakePeople) Passkeys(context.Context, int64) ([]models.Passkey, error) {
	f.passkeyLookups++
	return f.passkeys, nil
}

func (f *fakePeople) PasskeyByCredential(context.Context, []byte) (models.Passkey, models.User, error) {
	f.passkeyLookups++
	return models.Passkey{}, models.User{}, models.Errorf(models.CodeNotFound, "no such passkey")
}

func (f *fakePeople) AddPasskey(
	_ context.Context, _ models.Actor, p models.Passkey, _ models.Challenge,
) (models.Passkey, error) {
	f.passkeys = append(f.passkeys, p)
	return p, nil
}

func (f *fakePeople) RenamePasskey(
	_ context.Context, _ models.Actor, _ models.User, id int64, _ *string,
) (models.Passkey, error) {
	return models.Passkey{ID: id}, nil
}

func (f *fakePeople) RemovePasskey(context.Context, models.Actor, models.User, int64, models.LoginWays) error {
	return nil
}

func (f *fakePeople) LogInWithPasskey(
	_ context.Context, _ string, _ models.User, _ models.PasskeyLogin, login models.NewSession,
) error {
	f.logins = append(f.logins, login)
	return nil
}

// fakeMembers is a Members with one open invitation.
type fakeMembers struct{}

func (fakeMembers) ListMembers(context.Context, int64, models.Page) ([]models.Member, error) {
	return nil, nil
}

func (fakeMembers) UpdateMember(context.Context, int64, models.Actor, int64, models.MemberPatch) (models.Member, error) {
	return models.Member{Role: models.RoleEditor}, nil
}

func (fakeMembers) RemoveMember(context.Context, int64, models.Actor, int64) error { return nil }

func (fakeMembers) CreateInvitation(
	_ context.Context, _ int64, _ models.Actor, n models.NewInvitation, _ models.SecretToken,
) (models.Invitation, error) {
	return models.Invitation{Email: n.Email, Role: n.Role}, nil
}

func (fakeMembers) ListInvitations(context.Context, int64, models.Page) ([]models.Invitation, error) {
	return nil, nil
}

func (fakeMembers) RevokeInvitation(context.Context, int64, models.Actor, int64) error { return nil }

func (fakeMembers) Invitation(context.Context, models.SecretToken) (models.Invitation, error) {
	return models.Invitation{Email: "sam@example.com", EmailKey: "sam@example.com", Role: models.RoleEditor}, nil
}

func (fakeMembers) JoinAs(context.Context, string, models.SecretToken, models.User, *models.NewSession) error {
	return nil
}

func (fakeMembers) JoinAsNew(
	_ context.Context, _ string, _ models.SecretToken, n models.NewUser, _ models.NewSession,
) (models.User, error) {
	return n.User(now), nil
}

func (fakeMembers) JoinAsClaimant(
	_ context.Context, _ string, _ models.SecretToken, n models.NewUser, _ models.NewSession,
) (models.User, error) {
	return n.User(now), nil
}

// fakePasswords "hashes" with a prefix, and counts the passwords that it verified.
type fakePasswords struct {
	verified int
	busy     error // error of each verification, or nil
}

func (f *fakePasswords) Hash(_ context.Context, password string) (string, error) {
	return "$argon2id$" + password, nil
}

func (f *fakePasswords) Verify(_ context.Context, hash, password string, _ bool) (bool, string, error) {
	if f.busy != nil {
		return false, "", f.busy
	}
	f.verified++
	return hash == "$argon2id$"+password, "", nil
}

// fakeKeys is a Keys. A function that is not set stands for an empty, valid result.
type fakeKeys struct {
	findKey func(prefix string) (models.APIKey, error)
	keys    map[string]models.APIKey // by prefix

	mu      sync.Mutex // streams touch their keys while others are opened
	touched []int64
}

func (f *fakeKeys) APIKeyByPrefix(_ context.Context, prefix string) (models.APIKey, error) {
	if f.findKey != nil {
		return f.findKey(prefix)
	}
	if k, ok := f.keys[prefix]; ok {
		return k, nil
	}
	return models.APIKey{}, models.Errorf(models.CodeNotFound, "no such key")
}

func (f *fakeKeys) RecentAPIKey(ctx context.Context, prefix string) (models.APIKey, error) {
	return f.APIKeyByPrefix(ctx, prefix)
}

func (f *fakeKeys) APIKey(_ context.Context, _, id int64) (models.APIKey, error) {
	for _, k := range f.keys {
		if k.ID == id {
			return k, nil
		}
	}
	return models.APIKey{}, models.Errorf(models.CodeNotFound, "no such key")
}

func (f *fakeKeys) TouchAPIKey(_ context.Context, id int64, _ time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.touched = append(f.touched, id)
	return nil
}

// fakeAPIKeys is an APIKeys. A function that is not set stands for an empty, valid result.
type fakeAPIKeys struct {
	createAPIKey func(models.NewAPIKey, models.APIKeyToken) (models.APIKey, error)
}

func (f *fakeAPIKeys) CreateAPIKey(
	_ context.Context, _ int64, _ models.Actor, n models.NewAPIKey, t models.APIKeyToken,
) (models.APIKey, error) {
	if f.createAPIKey != nil {
		return f.createAPIKey(n, t)
	}
	return models.APIKey{}, nil
}

func (f *fakeAPIKeys) ListAPIKeys(context.Context, int64, models.APIKeyFilter, models.Page) ([]models.APIKey, error) {
	return nil, nil
}

func (f *fakeAPIKeys) RevokeAPIKey(context.Context, int64, models.Actor, int64) error { return nil }

func (f *fakeAPIKeys) RevokeAPIKeysOf(context.Context, int64, models.Actor, int64) (int, error) {
	return 0, nil
}

// fakeProjects is a Projects. A function that is not set stands for an empty, valid result.
type fakeProjects struct {
	findProject     func(slug string) (models.Project, error)
	createProject   func(models.Actor, models.NewProject) (models.Project, error)
	deletedProjects []string
}

func (f *fakeProjects) Project(_ context.Context, slug string) (models.Project, error) {
	if f.findProject != nil {
		return f.findProject(slug)
	}
	for _, p := range []models.Project{demo, other} {
		if slug == p.Slug || slug == p.UUID.String() {
			return p, nil
		}
	}
	return models.Project{}, models.Errorf(models.CodeNotFound, "there is no project %q", slug)
}

func (f *fakeProjects) ProjectByID(_ context.Context, id int64) (models.Project, error) {
	for _, p := range []models.Project{demo, other} {
		if p.ID == id {
			return p, nil
		}
	}
	return models.Project{}, models.Errorf(models.CodeNotFound, "there is no project %d", id)
}

func (f *fakeProjects) CreateProject(_ context.Context, actor models.Actor, n models.NewProject) (models.Project, error) {
	if f.createProject != nil {
		return f.createProject(actor, n)
	}
	return demo, nil
}

func (f *fakeProjects) ListProjects(context.Context, models.Page) ([]models.Project, error) {
	return nil, nil
}

func (f *fakeProjects) DeleteProject(_ context.Context, _ models.Actor, slug string) error {
	f.deletedProjects = append(f.deletedProjects, slug)
	return nil
}

var errPrefixTaken = models.Errorf(models.CodeAlreadyExists, "a key with this prefix already exists")

// fakePublishers is a TrustedPublishers and an IDTokens. Its Verify accepts every token.
type fakePublishers struct {
	list      []models.TrustedPublisher
	looked    []string // slugs and issuers
	verified  int
	verifyErr error
	exchanged []models.TokenExchange
	err       error
	// taken is the number of tokens that are refused because another key has their prefix.
	taken int
}

func (f *fakePublishers) TrustedPublishers(context.Context, int64) ([]models.TrustedPublisher, error) {
	return f.list, nil
}

func (f *fakePublishers) PutTrustedPublishers(
	_ context.Context, projectID int64, _ models.Actor, n models.NewTrustedPublishers,
) ([]models.TrustedPublisher, error) {
	f.list = nil
	for i, one := range n {
		f.list = append(f.list, one.Publisher(projectID, i, now))
	}
	return f.list, nil
}

func (f *fakePublishers) PublishersOfIssuer(_ context.Context, slug, issuer string) (list []models.TrustedPublisher, err error) {
	f.looked = append(f.looked, slug+" "+issuer)
	for _, p := range f.list {
		if slug == demo.Slug && p.Issuer == issuer {
			list = append(list, p)
		}
	}
	return list, f.err
}

func (f *fakePublishers) ExchangeToken(
	_ context.Context, _ string, projectID int64, e models.TokenExchange, t models.APIKeyToken,
) (models.APIKey, error) {
	f.exchanged = append(f.exchanged, e)
	if len(f.exchanged) <= f.taken {
		return models.APIKey{}, errPrefixTaken
	}
	return models.APIKey{
		ID: 7, ProjectID: projectID, Role: models.RoleEditor, Prefix: t.Prefix, ExpiresAt: new(now.Add(models.PublisherKeyLife)),
	}, f.err
}

func (f *fakePublishers) Verify(_ context.Context, u idtoken.Unverified) (idtoken.Verified, error) {
	f.verified++
	return idtoken.Verified{Claims: u.Claims, Digest: make([]byte, 32), ExpiresAt: now}, f.verifyErr
}
