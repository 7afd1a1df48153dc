package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/models"
)

const someHash = "$argon2id$v=19$m=64,t=1,p=1$c2FsdA$aGFzaA"

func newLogin() (models.NewSession, models.SecretToken) {
	token := models.NewSecretToken()
	return models.NewSession{TokenHash: token.Hash(), Method: models.LoginPassword, Address: "203.0.113.7", UserAgent: "test"}, token
}

// invite makes an invitation to the fixture's project.
func (f *fixture) invite(email string, role models.Role) (models.Invitation, models.SecretToken) {
	f.t.Helper()
	token := models.NewSecretToken()
	i, err := f.CreateInvitation(f.t.Context(), f.project.ID, alice, models.NewInvitation{Email: email, Role: role}, token)
	require.NoError(f.t, err)
	return i, token
}

// join makes an account that is a member of the fixture's project.
func (f *fixture) join(email string, role models.Role) (models.User, models.SecretToken) {
	f.t.Helper()
	_, token := f.invite(email, role)
	login, session := newLogin()
	u, err := f.JoinAsNew(f.t.Context(), "req-join", token, models.NewUser{Name: "New", PasswordHash: someHash}, login)
	require.NoError(f.t, err)
	return u, session
}

func (f *fixture) member(u models.User) models.Member {
	f.t.Helper()
	members, err := f.ListMembers(f.t.Context(), f.project.ID, models.Page{})
	require.NoError(f.t, err)
	for _, m := range members {
		if m.UserID == u.ID {
			return m
		}
	}
	require.FailNow(f.t, "no member", "%s", u.Email)
	return models.Member{}
}

// installationLog are the actions in the log of the installation, oldest first.
func (f *fixture) installationLog() []string {
	f.t.Helper()
	return query[string](f, "SELECT action FROM audit_log WHERE project_id = 0 ORDER BY id")
}

// The first owner is a member of every project, also when one of them is being deleted.
func TestSetUpWaitsForADeletedProject(t *testing.T) {
	t.Parallel()
	f := setup(t)
	goes := f.newProject("goes")
	login, _ := newLogin()
	link := models.NewSecretToken()
	require.NoError(t, f.PutSetupLink(t.Context(), link))
	deleted, made := f.duel("DELETE FROM outbox",
		func(s *store.Store) error { return s.DeleteProject(t.Context(), alice, goes.Slug) },
		func(s *store.Store) error {
			_, err := s.SetUp(t.Context(), "", link, models.NewUser{Email: "owner@example.com", Name: "Olive", PasswordHash: someHash}, login)
			return err
		})
	require.NoError(t, deleted)
	require.NoError(t, made)
	require.Equal(t, []int64{f.project.ID}, query[int64](f, "SELECT project_id FROM members"))
}

func TestSetUpMakesOneOwner(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	f := setup(t, store.WithNow(func() time.Time { return now }))
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
	requireCode(t, models.CodeUnauthenticated, f.CheckSetupLink(t.Context(), none))
	requireCode(t, models.CodeUnauthenticated, setUp(none, n))
	old, link := models.NewSecretToken(), models.NewSecretToken()
	require.NoError(t, f.PutSetupLink(t.Context(), old))
	require.NoError(t, f.PutSetupLink(t.Context(), link))
	requireCode(t, models.CodeUnauthenticated, setUp(old, n))
	now = now.Add(time.Hour)
	requireCode(t, models.CodeUnauthenticated, f.CheckSetupLink(t.Context(), link))
	requireCode(t, models.CodeUnauthenticated, setUp(link, n))
	now = now.Add(-time.Minute)
	requireField(t, "email", setUp(link, models.NewUser{Email: "nobody", Name: "x"}))
	require.NoError(t, f.CheckSetupLink(t.Context(), link), "a refused attempt does not use it up")
	require.NoError(t, setUp(link, n))

	require.False(t, required())
	requireCode(t, models.CodeAlreadyExists, setUp(link, n))
	requireCode(t, models.CodeAlreadyExists, f.CheckSetupLink(t.Context(), link))
	requireCode(t, models.CodeAlreadyExists, f.PutSetupLink(t.Context(), models.NewSecretToken()))
	s, u, err := f.SessionByToken(t.Context(), session.Hash())
	require.NoError(t, err)
	require.True(t, u.IsOwner)
	require.True(t, s.Usable(now))
	require.Equal(t, []string{"user.created", "session.created"}, f.installationLog())

	// An owner is an admin of every project, and cannot be removed from any.
	for _, p := range []models.Project{f.project, f.newProject("later")} {
		f.project = p
		m := f.member(u)
		require.Equal(t, models.RoleAdmin, m.Role)
		require.Equal(t, "Olive", m.Name)
		requireCode(t, models.CodeInUse, f.RemoveMember(t.Context(), p.ID, alice, m.ID))
		_, err := f.UpdateMember(t.Context(), p.ID, alice, m.ID, models.MemberPatch{Role: new(models.RoleViewer)})
		requireCode(t, models.CodeInUse, err)
	}
}

func TestASetupLinkMakesOneOwnerOfManyAtOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	link := models.NewSecretToken()
	require.NoError(t, f.PutSetupLink(t.Context(), link))
	requireOneOfMany(t, func(i int) error {
		login, _ := newLogin()
		_, err := f.SetUp(t.Context(), "", link, models.NewUser{Email: fmt.Sprintf("u%d@example.com", i), Name: "x"}, login)
		return err
	}, models.CodeAlreadyExists, models.CodeUnauthenticated)
	require.Equal(t, []int64{1}, query[int64](f, "SELECT count(*) FROM users"))
}

func TestAddressesAreComparedWithoutCaseAndByNFKC(t *testing.T) {
	t.Parallel()
	f := setup(t)
	u, _ := f.join("Stra\u00dfe@Example.com", models.RoleAdmin)
	for _, email := range []string{
		"stra\u00dfe@example.com", "STRASSE@EXAMPLE.COM", " stra\u00dfe@\uff45xample.com ", "\u017ftrasse@example.com",
	} {
		found, err := f.UserByEmail(t.Context(), email)
		require.NoError(t, err, email)
		require.Equal(t, u.ID, found.ID)
		_, err = f.CreateInvitation(t.Context(), f.project.ID, alice,
			models.NewInvitation{Email: email, Role: models.RoleViewer}, models.NewSecretToken())
		require.Error(t, err)
	}
	require.Equal(t, "Stra\u00dfe@Example.com", u.Email, "shown as it was written")
	_, err := f.UserByEmail(t.Context(), "strase@example.com")
	requireCode(t, models.CodeNotFound, err)
}

func TestAnInvitationIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	f := setup(t, store.WithNow(func() time.Time { return now }))
	i, token := f.invite("sam@example.com", models.RoleEditor)
	require.Equal(t, now.Add(72*time.Hour), i.ExpiresAt)
	_, err := f.CreateInvitation(t.Context(), f.project.ID, alice,
		models.NewInvitation{Email: "SAM@example.com", Role: models.RoleAdmin}, models.NewSecretToken())
	requireCode(t, models.CodeAlreadyExists, err)

	login, session := newLogin()
	accept := func(token models.SecretToken, name string) error {
		n := models.NewUser{Name: name, Email: "other@example.com", IsOwner: true, PasswordHash: someHash}
		_, err := f.JoinAsNew(t.Context(), "req-2", token, n, login)
		return err
	}
	requireCode(t, models.CodeNotFound, accept(models.NewSecretToken(), "Sam"))
	requireField(t, "name", accept(token, " "))
	now = now.Add(72 * time.Hour)
	requireCode(t, models.CodeNotFound, accept(token, "Sam"))
	now = now.Add(-time.Second)
	require.NoError(t, accept(token, "Sam"))
	_, u, err := f.SessionByToken(t.Context(), session.Hash())
	require.NoError(t, err)
	require.Equal(t, "sam@example.com", u.Email, "the address is the invitation's")
	require.False(t, u.IsOwner)
	require.Equal(t, models.RoleEditor, f.member(u).Role)
	entries := f.audited(5)
	actions := []string{}
	for _, e := range entries {
		actions = append(actions, e.Action)
	}
	require.Equal(t, []string{"invitation.created", "invitation.accepted", "member.added", "session.created"}, actions[1:])
	require.Equal(t, models.ActorUser, entries[2].ActorType)
	require.Equal(t, "sam@example.com", entries[2].ActorName)

	requireCode(t, models.CodeNotFound, accept(token, "Sam"))
	requireCode(t, models.CodeNotFound, f.RevokeInvitation(t.Context(), f.project.ID, alice, i.ID))
	revoked, dead := f.invite("kim@example.com", models.RoleAdmin)
	requireCode(t, models.CodeNotFound, f.RevokeInvitation(t.Context(), f.newProject("other").ID, alice, revoked.ID))
	require.NoError(t, f.RevokeInvitation(t.Context(), f.project.ID, alice, revoked.ID))
	requireCode(t, models.CodeNotFound, accept(dead, "Kim"))

	// An account that exists joins another project as itself.
	f.project = f.newProject("second")
	_, token = f.invite("Sam@example.com", models.RoleViewer)
	require.NoError(t, f.JoinAs(t.Context(), "req-3", token, u, nil))
	require.Equal(t, models.RoleViewer, f.member(u).Role)
	memberships, err := f.Memberships(t.Context(), u)
	require.NoError(t, err)
	require.Equal(t, []models.Membership{
		{Slug: "demo", Name: "The demo", Role: models.RoleEditor}, {Slug: "second", Name: "The second", Role: models.RoleViewer},
	}, memberships)
}

func TestAnInvitationIsAcceptedByOneOfManyAtOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	_, token := f.invite("sam@example.com", models.RoleEditor)
	requireOneOfMany(t, func(int) error {
		login, _ := newLogin()
		_, err := f.JoinAsNew(t.Context(), "", token, models.NewUser{Name: "Sam"}, login)
		return err
	}, models.CodeNotFound)
}

func TestTheLastAdminStays(t *testing.T) {
	t.Parallel()
	f := setup(t)
	first, _ := f.join("first@example.com", models.RoleAdmin)
	editor, _ := f.join("editor@example.com", models.RoleEditor)
	remove := func(u models.User) error { return f.RemoveMember(t.Context(), f.project.ID, alice, f.member(u).ID) }
	become := func(u models.User, role models.Role) error {
		_, err := f.UpdateMember(t.Context(), f.project.ID, alice, f.member(u).ID, models.MemberPatch{Role: &role})
		return err
	}
	requireCode(t, models.CodeInUse, remove(first))
	requireCode(t, models.CodeInUse, become(first, models.RoleEditor))
	require.NoError(t, become(first, models.RoleAdmin))
	require.NoError(t, become(editor, models.RoleAdmin))
	require.Equal(t, "member.updated", f.audited(1)[0].Action)

	// Two admins who remove each other at once: one stays.
	var group sync.WaitGroup
	errs := make([]error, 2)
	ids := []int64{f.member(first).ID, f.member(editor).ID}
	for i, id := range ids {
		group.Go(func() { errs[i] = f.RemoveMember(t.Context(), f.project.ID, alice, id) })
	}
	group.Wait()
	require.NotEqual(t, errs[0] == nil, errs[1] == nil, "%v", errs)
	requireCode(t, models.CodeNotFound, f.RemoveMember(t.Context(), f.newProject("other").ID, alice, ids[0]))
}

func TestSessionsAreReplacedAndEnded(t *testing.T) {
	t.Parallel()
	f := setup(t)
	u, first := f.join("sam@example.com", models.RoleEditor)
	login, second := newLogin()
	login.Replaces = first.Hash()
	require.NoError(t, f.LogIn(t.Context(), "req-4", u, login, ""))
	_, _, err := f.SessionByToken(t.Context(), first.Hash())
	requireCode(t, models.CodeNotFound, err)
	s, _, err := f.SessionByToken(t.Context(), second.Hash())
	require.NoError(t, err)

	other, _ := f.join("kim@example.com", models.RoleEditor)
	requireCode(t, models.CodeNotFound, f.EndSession(t.Context(), alice, other, s.ID))
	login, third := newLogin()
	require.NoError(t, f.LogIn(t.Context(), "req-5", u, login, ""))
	require.NoError(t, f.EndSession(t.Context(), models.UserActor(u, "req-6"), u, s.ID))
	sessions, err := f.Sessions(t.Context(), u.ID)
	require.NoError(t, err)
	require.Len(t, sessions, 1)
	require.Equal(t, third.Hash(), sessions[0].TokenHash)
	entry := f.audited(1)[0]
	require.Equal(t, "session.revoked", entry.Action)
	require.Equal(t, "sam@example.com", entry.ActorName)
	require.Contains(t, f.installationLog(), "session.revoked")
}

func TestAPasswordEndsOtherSessions(t *testing.T) {
	t.Parallel()
	f := setup(t)
	u, kept := f.join("sam@example.com", models.RoleEditor)
	login, other := newLogin()
	require.NoError(t, f.LogIn(t.Context(), "", u, login, ""))
	s, _, err := f.SessionByToken(t.Context(), kept.Hash())
	require.NoError(t, err)
	require.NoError(t, f.ChangePassword(t.Context(), models.UserActor(u, ""), u, someHash+"b", s.ID))
	_, _, err = f.SessionByToken(t.Context(), other.Hash())
	requireCode(t, models.CodeNotFound, err)
	_, changed, err := f.SessionByToken(t.Context(), kept.Hash())
	require.NoError(t, err)

	// A login that compared the old password comes too late, as does another change.
	login, _ = newLogin()
	requireCode(t, models.CodeUnauthenticated, f.LogIn(t.Context(), "", u, login, ""))
	requireCode(t, models.CodeUnauthenticated, f.ChangePassword(t.Context(), models.UserActor(u, ""), u, someHash, s.ID))
	require.NoError(t, f.LogIn(t.Context(), "", changed, login, someHash+"c"))

	reset, err := f.ResetPassword(t.Context(), "SAM@example.com", someHash+"d")
	require.NoError(t, err)
	require.Equal(t, u.ID, reset.ID)
	sessions, err := f.Sessions(t.Context(), u.ID)
	require.NoError(t, err)
	require.Empty(t, sessions)
	require.Equal(t, "user.password_reset", f.audited(1)[0].Action)
	_, err = f.ResetPassword(t.Context(), "nobody@example.com", someHash)
	requireCode(t, models.CodeNotFound, err)
}

func TestSessionsOfAPersonAreBounded(t *testing.T) {
	t.Parallel()
	f := setup(t)
	u, _ := f.join("sam@example.com", models.RoleEditor)
	for range 105 {
		login, _ := newLogin()
		require.NoError(t, f.LogIn(t.Context(), "", u, login, ""))
	}
	require.Equal(t, []int64{100}, query[int64](f, "SELECT count(*) FROM sessions"))
}
