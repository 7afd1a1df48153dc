package accountstore_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

const someHash = "$argon2id$v=19$m=64,t=1,p=1$c2FsdA$aGFzaA"

func newLogin() (models.NewSession, models.SecretToken) {
	token := models.NewSecretToken()
	return models.NewSession{TokenHash: token.Hash(), Method: models.LoginPassword, Address: "203.0.113.7", UserAgent: "test"}, token
}

// invite creates an invitation to the fixture's project.
func invite(f *storetest.Fixture, email string, role models.Role) (models.Invitation, models.SecretToken) {
	f.T.Helper()
	token := models.NewSecretToken()
	i, err := f.CreateInvitation(f.T.Context(), f.Demo.ID, storetest.Alice, models.NewInvitation{Email: email, Role: role}, token)
	require.NoError(f.T, err)
	return i, token
}

// join creates an account that is a member of the fixture's project.
func join(f *storetest.Fixture, email string, role models.Role) (models.User, models.SecretToken) {
	f.T.Helper()
	_, token := invite(f, email, role)
	login, session := newLogin()
	u, err := f.JoinAsNew(f.T.Context(), "req-join", token, models.NewUser{Name: "New", PasswordHash: someHash}, login)
	require.NoError(f.T, err)
	return u, session
}

func member(f *storetest.Fixture, u models.User) models.Member {
	f.T.Helper()
	members, err := f.ListMembers(f.T.Context(), f.Demo.ID, models.Page{})
	require.NoError(f.T, err)
	for _, m := range members {
		if m.UserID == u.ID {
			return m
		}
	}
	require.FailNow(f.T, "no member", "%s", u.Email)
	return models.Member{}
}

// installationLog returns the actions in the log of the installation, oldest first.
func installationLog(f *storetest.Fixture) []string {
	f.T.Helper()
	return storetest.Query[string](f, "SELECT action FROM audit_log WHERE project_id = 0 ORDER BY id")
}

// The first owner becomes a member of every project, even if one of the projects is being deleted.
func TestSetUpWaitsForADeletedProject(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	goes := f.NewProject("goes")
	login, _ := newLogin()
	link := models.NewSecretToken()
	require.NoError(t, f.PutSetupLink(t.Context(), link))
	deleted, made := storetest.Duel(f, "DELETE FROM outbox",
		func(s *store.Store) error { return s.DeleteProject(t.Context(), storetest.Alice, goes.Slug) },
		func(s *store.Store) error {
			_, err := s.SetUp(t.Context(), "", link, models.NewUser{Email: "owner@example.com", Name: "Olive", PasswordHash: someHash}, login)
			return err
		})
	require.NoError(t, deleted)
	require.NoError(t, made)
	require.Equal(t, []int64{f.Demo.ID}, storetest.Query[int64](f, "SELECT project_id FROM members"))
}

func TestSetUpMakesOneOwner(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	f := storetest.Setup(t, store.WithNow(func() time.Time { return now }))
	required := func() bool {
		required, err := f.SetupRequired(t.Context())
		require.NoError(t, err)
		return required
	}
	require.True(t, required())
	n := models.NewUser{Email: "owner@example.com", Name: "Olive", PasswordHash: someHash}
	login, session := newLogin()
	setUp := func(link models.SecretToken, n models.NewUser) error {
		_, err := f.SetUp(t.Context(), "req-1", link, n, login)
		return err
	}
	none := models.NewSecretToken()
	storetest.RequireCode(t, models.CodeUnauthenticated, f.CheckSetupLink(t.Context(), none))
	storetest.RequireCode(t, models.CodeUnauthenticated, setUp(none, n))
	old, link := models.NewSecretToken(), models.NewSecretToken()
	require.NoError(t, f.PutSetupLink(t.Context(), old))
	require.NoError(t, f.PutSetupLink(t.Context(), link))
	storetest.RequireCode(t, models.CodeUnauthenticated, setUp(old, n))
	now = now.Add(time.Hour)
	storetest.RequireCode(t, models.CodeUnauthenticated, f.CheckSetupLink(t.Context(), link))
	storetest.RequireCode(t, models.CodeUnauthenticated, setUp(link, n))
	now = now.Add(-time.Minute)
	storetest.RequireField(t, "email", setUp(link, models.NewUser{Email: "nobody", Name: "x"}))
	require.NoError(t, f.CheckSetupLink(t.Context(), link), "a refused attempt does not use the link up")
	require.NoError(t, setUp(link, n))

	require.False(t, required())
	storetest.RequireCode(t, models.CodeAlreadyExists, setUp(link, n))
	storetest.RequireCode(t, models.CodeAlreadyExists, f.CheckSetupLink(t.Context(), link))
	storetest.RequireCode(t, models.CodeAlreadyExists, f.PutSetupLink(t.Context(), models.NewSecretToken()))
	s, u, err := f.SessionByToken(t.Context(), session.Hash())
	require.NoError(t, err)
	require.True(t, u.IsOwner)
	require.True(t, s.Usable(now))
	require.Equal(t, []string{"user.created", "session.created"}, installationLog(f))

	// An owner is an admin of every project and cannot be removed from any of them.
	for _, p := range []models.Project{f.Demo, f.NewProject("later")} {
		f.Demo = p
		m := member(f, u)
		require.Equal(t, models.RoleAdmin, m.Role)
		require.Equal(t, "Olive", m.Name)
		storetest.RequireCode(t, models.CodeInUse, f.RemoveMember(t.Context(), p.ID, storetest.Alice, m.ID))
		_, err := f.UpdateMember(t.Context(), p.ID, storetest.Alice, m.ID, models.MemberPatch{Role: new(models.RoleViewer)})
		storetest.RequireCode(t, models.CodeInUse, err)
	}
}

func TestASetupLinkMakesOneOwnerOfManyAtOnce(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	link := models.NewSecretToken()
	require.NoError(t, f.PutSetupLink(t.Context(), link))
	storetest.RequireOneOfMany(t, func(i int) error {
		login, _ := newLogin()
		_, err := f.SetUp(t.Context(), "", link, models.NewUser{Email: fmt.Sprintf("u%d@example.com", i), Name: "x"}, login)
		return err
	}, models.CodeAlreadyExists, models.CodeUnauthenticated)
	require.Equal(t, []int64{1}, storetest.Query[int64](f, "SELECT count(*) FROM users"))
}

func TestAddressesAreComparedWithoutCaseAndByNFKC(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	u, _ := join(f, "Stra\u00dfe@Example.com", models.RoleAdmin)
	for _, email := range []string{
		"stra\u00dfe@example.com", "STRASSE@EXAMPLE.COM", " stra\u00dfe@\uff45xample.com ", "\u017ftrasse@example.com",
	} {
		found, err := f.UserByEmail(t.Context(), email)
		require.NoError(t, err, email)
		require.Equal(t, u.ID, found.ID)
		_, err = f.CreateInvitation(t.Context(), f.Demo.ID, storetest.Alice,
			models.NewInvitation{Email: email, Role: models.RoleViewer}, models.NewSecretToken())
		require.Error(t, err)
	}
	require.Equal(t, "Stra\u00dfe@Example.com", u.Email, "shown as it was written")
	_, err := f.UserByEmail(t.Context(), "strase@example.com")
	storetest.RequireCode(t, models.CodeNotFound, err)
}

func TestAnInvitationIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	f := storetest.Setup(t, store.WithNow(func() time.Time { return now }))
	i, token := invite(f, "sam@example.com", models.RoleEditor)
	require.Equal(t, now.Add(72*time.Hour), i.ExpiresAt)
	_, err := f.CreateInvitation(t.Context(), f.Demo.ID, storetest.Alice,
		models.NewInvitation{Email: "SAM@example.com", Role: models.RoleAdmin}, models.NewSecretToken())
	storetest.RequireCode(t, models.CodeAlreadyExists, err)

	login, session := newLogin()
	accept := func(token models.SecretToken, name string) error {
		n := models.NewUser{Name: name, Email: "other@example.com", IsOwner: true, PasswordHash: someHash}
		_, err := f.JoinAsNew(t.Context(), "req-2", token, n, login)
		return err
	}
	storetest.RequireCode(t, models.CodeNotFound, accept(models.NewSecretToken(), "Sam"))
	storetest.RequireField(t, "name", accept(token, " "))
	now = now.Add(72 * time.Hour)
	storetest.RequireCode(t, models.CodeNotFound, accept(token, "Sam"))
	now = now.Add(-time.Second)
	require.NoError(t, accept(token, "Sam"))
	_, u, err := f.SessionByToken(t.Context(), session.Hash())
	require.NoError(t, err)
	require.Equal(t, "sam@example.com", u.Email, "the address comes from the invitation")
	require.False(t, u.IsOwner)
	require.Equal(t, models.RoleEditor, member(f, u).Role)
	entries := f.Audited(5)
	actions := []string{}
	for _, e := range entries {
		actions = append(actions, e.Action)
	}
	require.Equal(t, []string{"invitation.created", "invitation.accepted", "member.added", "session.created"}, actions[1:])
	require.Equal(t, models.ActorUser, entries[2].ActorType)
	require.Equal(t, "sam@example.com", entries[2].ActorName)

	storetest.RequireCode(t, models.CodeNotFound, accept(token, "Sam"))
	storetest.RequireCode(t, models.CodeNotFound, f.RevokeInvitation(t.Context(), f.Demo.ID, storetest.Alice, i.ID))
	revoked, dead := invite(f, "kim@example.com", models.RoleAdmin)
	storetest.RequireCode(t, models.CodeNotFound, f.RevokeInvitation(t.Context(), f.NewProject("other").ID, storetest.Alice, revoked.ID))
	require.NoError(t, f.RevokeInvitation(t.Context(), f.Demo.ID, storetest.Alice, revoked.ID))
	storetest.RequireCode(t, models.CodeNotFound, accept(dead, "Kim"))

	// An existing account whose address is verified joins another project with the same account.
	_, err = f.VerifyEmail(t.Context(), u.Email)
	require.NoError(t, err)
	f.Demo = f.NewProject("second")
	_, token = invite(f, "Sam@example.com", models.RoleViewer)
	require.NoError(t, f.JoinAs(t.Context(), "req-3", token, u, nil))
	require.Equal(t, models.RoleViewer, member(f, u).Role)
	memberships, err := f.Memberships(t.Context(), u)
	require.NoError(t, err)
	require.Equal(t, []models.Membership{
		{Slug: "demo", Name: "The demo", Role: models.RoleEditor}, {Slug: "second", Name: "The second", Role: models.RoleViewer},
	}, memberships)
}

func TestAnInvitationIsAcceptedByOneOfManyAtOnce(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	_, token := invite(f, "sam@example.com", models.RoleEditor)
	storetest.RequireOneOfMany(t, func(int) error {
		login, _ := newLogin()
		_, err := f.JoinAsNew(t.Context(), "", token, models.NewUser{Name: "Sam"}, login)
		return err
	}, models.CodeNotFound)
}

func TestTheLastAdminStays(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	first, _ := join(f, "first@example.com", models.RoleAdmin)
	editor, _ := join(f, "editor@example.com", models.RoleEditor)
	remove := func(u models.User) error {
		return f.RemoveMember(t.Context(), f.Demo.ID, storetest.Alice, member(f, u).ID)
	}
	become := func(u models.User, role models.Role) error {
		_, err := f.UpdateMember(t.Context(), f.Demo.ID, storetest.Alice, member(f, u).ID, models.MemberPatch{Role: &role})
		return err
	}
	storetest.RequireCode(t, models.CodeInUse, remove(first))
	storetest.RequireCode(t, models.CodeInUse, become(first, models.RoleEditor))
	require.NoError(t, become(first, models.RoleAdmin))
	require.NoError(t, become(editor, models.RoleAdmin))
	require.Equal(t, "member.updated", f.Audited(1)[0].Action)

	// If two admins remove each other at the same time, one of them remains.
	var group sync.WaitGroup
	errs := make([]error, 2)
	ids := []int64{member(f, first).ID, member(f, editor).ID}
	for i, id := range ids {
		group.Go(func() { errs[i] = f.RemoveMember(t.Context(), f.Demo.ID, storetest.Alice, id) })
	}
	group.Wait()
	require.NotEqual(t, errs[0] == nil, errs[1] == nil, "%v", errs)
	storetest.RequireCode(t, models.CodeNotFound, f.RemoveMember(t.Context(), f.NewProject("other").ID, storetest.Alice, ids[0]))
}

func TestSessionsAreReplacedAndEnded(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	u, first := join(f, "sam@example.com", models.RoleEditor)
	login, second := newLogin()
	login.Replaces = first.Hash()
	require.NoError(t, f.LogIn(t.Context(), "req-4", u, login, ""))
	_, _, err := f.SessionByToken(t.Context(), first.Hash())
	storetest.RequireCode(t, models.CodeNotFound, err)
	s, _, err := f.SessionByToken(t.Context(), second.Hash())
	require.NoError(t, err)

	other, _ := join(f, "kim@example.com", models.RoleEditor)
	storetest.RequireCode(t, models.CodeNotFound, f.EndSession(t.Context(), storetest.Alice, other, s.ID))
	login, third := newLogin()
	require.NoError(t, f.LogIn(t.Context(), "req-5", u, login, ""))
	require.NoError(t, f.EndSession(t.Context(), models.UserActor(u, "req-6"), u, s.ID))
	sessions, err := f.Sessions(t.Context(), u.ID)
	require.NoError(t, err)
	require.Len(t, sessions, 1)
	require.Equal(t, third.Hash(), sessions[0].TokenHash)
	entry := f.Audited(1)[0]
	require.Equal(t, "session.revoked", entry.Action)
	require.Equal(t, "sam@example.com", entry.ActorName)
	require.Contains(t, installationLog(f), "session.revoked")
}

func TestAPasswordEndsOtherSessions(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	u, kept := join(f, "sam@example.com", models.RoleEditor)
	login, other := newLogin()
	require.NoError(t, f.LogIn(t.Context(), "", u, login, ""))
	s, _, err := f.SessionByToken(t.Context(), kept.Hash())
	require.NoError(t, err)
	require.NoError(t, f.ChangePassword(t.Context(), models.UserActor(u, ""), u, someHash+"b", s.ID))
	_, _, err = f.SessionByToken(t.Context(), other.Hash())
	storetest.RequireCode(t, models.CodeNotFound, err)
	_, changed, err := f.SessionByToken(t.Context(), kept.Hash())
	require.NoError(t, err)

	// A sign-in that compared the old password is too late, and so is another change.
	login, _ = newLogin()
	storetest.RequireCode(t, models.CodeUnauthenticated, f.LogIn(t.Context(), "", u, login, ""))
	storetest.RequireCode(t, models.CodeUnauthenticated, f.ChangePassword(t.Context(), models.UserActor(u, ""), u, someHash, s.ID))
	require.NoError(t, f.LogIn(t.Context(), "", changed, login, someHash+"c"))

	reset, err := f.ResetPassword(t.Context(), "SAM@example.com", someHash+"d")
	require.NoError(t, err)
	require.Equal(t, u.ID, reset.ID)
	sessions, err := f.Sessions(t.Context(), u.ID)
	require.NoError(t, err)
	require.Empty(t, sessions)
	require.Equal(t, "user.password_reset", f.Audited(1)[0].Action)
	_, err = f.ResetPassword(t.Context(), "nobody@example.com", someHash)
	storetest.RequireCode(t, models.CodeNotFound, err)
}

func TestSessionsOfAPersonAreBounded(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	u, _ := join(f, "sam@example.com", models.RoleEditor)
	for range 105 {
		login, _ := newLogin()
		require.NoError(t, f.LogIn(t.Context(), "", u, login, ""))
	}
	require.Equal(t, []int64{100}, storetest.Query[int64](f, "SELECT count(*) FROM sessions"))
}
