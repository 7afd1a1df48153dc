package api

import (
	"context"
	"time"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// fakePeople is a Sessions, a People and a Members. A function that is not set stands for an empty, valid answer.
type fakePeople struct {
	sessions        map[string]rest.SignedIn // by the hash of the token
	roles           map[int64]models.Role    // in demo, by user
	users           map[string]models.User   // by address
	findSession     func() error
	linkError       error
	touchedSessions []int64
	logins          []models.NewSession
	rehashed        string
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

func (f *fakePeople) SetupRequired(context.Context) (bool, error) { return false, nil }

func (f *fakePeople) CheckSetupLink(context.Context, models.SecretToken) error { return f.linkError }

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

func (f *fakePeople) LogIn(_ context.Context, _ string, _ models.User, login models.NewSession, rehashed string) error {
	f.logins, f.rehashed = append(f.logins, login), rehashed
	return nil
}

func (f *fakePeople) LogInWith(
	_ context.Context, _ string, p models.IdentityLogin, _ int64, login models.NewSession,
) (models.User, error) {
	f.logins = append(f.logins, login)
	return p.NewUser().User(now), nil
}

func (f *fakePeople) ChangePassword(_ context.Context, _ models.Actor, _ models.User, hash string, kept int64) error {
	f.passwords, f.ended = append(f.passwords, hash), append(f.ended, kept)
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

func (f *fakePeople) RemovePasskey(context.Context, models.Actor, models.User, int64, string) error {
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

// fakePasswords "hashes" by a prefix, and counts.
type fakePasswords struct{ verified, hashed int }

func (f *fakePasswords) Hash(_ context.Context, password string) (string, error) {
	f.hashed++
	return "$argon2id$" + password, nil
}

func (f *fakePasswords) Verify(_ context.Context, hash, password string) (bool, string, error) {
	f.verified++
	return hash == "$argon2id$"+password, "", nil
}

func (fakeMembers) Member(_ context.Context, _, id int64) (models.Member, error) {
	return models.Member{ID: id}, nil
}
