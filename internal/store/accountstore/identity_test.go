package accountstore_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// identity returns a sign-in of a person with the name at an identity provider. roles are the roles that the person's
// groups give.
func identity(name string, roles map[string]models.Role) models.IdentityLogin {
	return models.IdentityLogin{
		Issuer: "https://idp.example.com", Subject: name, Email: name + "@example.com", Name: name, EmailVerified: true,
		Grants: models.GroupGrants{Managed: true, OwnerManaged: true, Projects: roles},
	}
}

func logInWith(ctx context.Context, s *store.Store, p models.IdentityLogin) (models.User, error) {
	login, _ := newLogin()
	return s.LogInWith(ctx, "req-sso", p, nil, login)
}

// everyProject creates n more projects like the fixture's and returns a role in each, by slug.
func everyProject(f *storetest.Fixture, n int, role models.Role) map[string]models.Role {
	f.T.Helper()
	roles := map[string]models.Role{f.Demo.Slug: role}
	for _, slug := range storetest.Query[string](f, `INSERT INTO projects SELECT (jsonb_populate_record(p, jsonb_build_object(
			'id', nextval('waft_ids'), 'uuid', gen_random_uuid(), 'slug', 'project-' || i))).*
		FROM projects AS p, generate_series(0, $1 - 1) AS i WHERE p.id = $2 RETURNING slug`, n, f.Demo.ID) {
		roles[slug] = role
	}
	return roles
}

func TestALoginTakesAsManyStatementsForOneProjectAsForMany(t *testing.T) {
	t.Parallel()
	owned := func(p models.IdentityLogin) models.IdentityLogin {
		p.Grants.Owner = true
		return p
	}
	logins := map[string]func(f *storetest.Fixture, roles map[string]models.Role) storetest.Step{
		"a password": func(f *storetest.Fixture, roles map[string]models.Role) storetest.Step {
			u, err := logInWith(f.T.Context(), f.Store, identity("sam", roles))
			require.NoError(f.T, err)
			login, _ := newLogin()
			return func(s *store.Store) error { return s.LogIn(f.T.Context(), "", u, login, "") }
		},
		"a passkey": func(f *storetest.Fixture, roles map[string]models.Role) storetest.Step {
			u, err := logInWith(f.T.Context(), f.Store, identity("sam", roles))
			require.NoError(f.T, err)
			p := addPasskey(f, u, "one")
			login, _ := newLogin()
			return func(s *store.Store) error {
				return s.LogInWithPasskey(f.T.Context(), "", u, models.PasskeyLogin{Passkey: p, Challenge: challenge(soon())}, login)
			}
		},
		"the first login with an identity": func(f *storetest.Fixture, roles map[string]models.Role) storetest.Step {
			return with(f.T, identity("sam", roles))
		},
		"groups that give another role": func(f *storetest.Fixture, roles map[string]models.Role) storetest.Step {
			before := map[string]models.Role{}
			for slug := range roles {
				before[slug] = models.RoleEditor
			}
			require.NoError(f.T, with(f.T, identity("sam", before))(f.Store))
			return with(f.T, identity("sam", roles))
		},
		"groups that give nothing any more": func(f *storetest.Fixture, roles map[string]models.Role) storetest.Step {
			require.NoError(f.T, with(f.T, identity("sam", roles))(f.Store))
			return with(f.T, identity("sam", nil))
		},
		"groups that make an owner": func(f *storetest.Fixture, roles map[string]models.Role) storetest.Step {
			require.NoError(f.T, with(f.T, identity("sam", roles))(f.Store))
			return with(f.T, owned(identity("sam", nil)))
		},
		"groups that made an owner": func(f *storetest.Fixture, _ map[string]models.Role) storetest.Step {
			require.NoError(f.T, with(f.T, owned(identity("kim", nil)))(f.Store))
			require.NoError(f.T, with(f.T, owned(identity("sam", nil)))(f.Store))
			return with(f.T, identity("sam", nil))
		},
		"invitations to the address": func(f *storetest.Fixture, roles map[string]models.Role) storetest.Step {
			for slug := range roles {
				p, err := f.Project(f.T.Context(), slug)
				require.NoError(f.T, err)
				_, err = f.CreateInvitation(f.T.Context(), p.ID, storetest.Alice,
					models.NewInvitation{Email: "sam@example.com", Role: models.RoleViewer}, models.NewSecretToken())
				require.NoError(f.T, err)
			}
			return with(f.T, identity("sam", nil))
		},
	}
	for name, prepare := range logins {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			statements := func(others int) int64 {
				var queries atomic.Int64
				f := storetest.Setup(t)
				logIn := prepare(f, everyProject(f, others, models.RoleViewer))
				s := storetest.Open(t, f.DatabaseURL, storetest.CountQueries(&queries))
				require.NoError(t, logIn(s))
				return queries.Load()
			}
			require.Equal(t, statements(0), statements(49))
		})
	}
}

func with(t testing.TB, p models.IdentityLogin) storetest.Step {
	return func(s *store.Store) error {
		_, err := logInWith(t.Context(), s, p)
		return err
	}
}

// A sign-in waits only for changes of the same person. It does not wait for another person's blocked sign-in, or for a
// sign-in that deletes old challenges.
func TestALoginDoesNotWaitForAnotherPersons(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	roles := everyProject(f, 2, models.RoleEditor)
	sam, err := logInWith(t.Context(), f.Store, identity("sam", roles))
	require.NoError(t, err)
	kim, err := logInWith(t.Context(), f.Store, identity("kim", roles))
	require.NoError(t, err)
	passkey := addPasskey(f, kim, "one")
	f.MustExec("INSERT INTO answered_challenges (challenge_hash, expires_at) SELECT sha256('old'), now() - interval '1 hour'")

	held, err := f.Conn().Begin(t.Context())
	require.NoError(t, err)
	_, err = held.Exec(t.Context(), "SELECT FROM users WHERE id = $1 FOR UPDATE", sam.ID)
	require.NoError(t, err)
	_, err = held.Exec(t.Context(), "DELETE FROM answered_challenges")
	require.NoError(t, err)
	waiting := make(chan error, 1)
	go func() {
		_, err := logInWith(t.Context(), f.Store, identity("sam", roles))
		waiting <- err
	}()
	storetest.AwaitLock(f, nil)

	ctx, cancel := context.WithTimeout(t.Context(), storetest.WakeTimeout)
	defer cancel()
	for name, p := range map[string]models.IdentityLogin{
		"with the same roles": identity("kim", roles), "with none": identity("kim", nil), "for the first time": identity("new", roles),
	} {
		_, err = logInWith(ctx, f.Store, p)
		require.NoError(t, err, name)
	}
	owner := identity("kim", nil)
	owner.Grants.Owner = true
	_, err = logInWith(ctx, f.Store, owner)
	require.NoError(t, err)
	login, _ := newLogin()
	require.NoError(t, f.LogIn(ctx, "", kim, login, ""))
	login, _ = newLogin()
	require.NoError(t, f.LogInWithPasskey(ctx, "", kim, models.PasskeyLogin{Passkey: passkey, Challenge: challenge(soon())}, login))

	require.NoError(t, held.Rollback(t.Context()))
	require.NoError(t, <-waiting)
}

func TestGroupsGiveRolesAndTakeThem(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	everyProject(f, 3, models.RoleViewer)
	invite(f, "sam@example.com", models.RoleEditor)
	grants := func(owner bool, roles map[string]models.Role) models.IdentityLogin {
		p := identity("sam", roles)
		p.Grants.Owner = owner
		return p
	}
	rows := func() []string {
		return storetest.Query[string](f, `SELECT p.slug || ' ' || m.role || ' ' || m.source
			FROM members m JOIN projects p ON p.id = m.project_id JOIN users u ON u.id = m.user_id WHERE u.email = 'sam@example.com' ORDER BY p.slug`)
	}
	told := func() []string {
		return storetest.Query[string](f, `SELECT action || ' ' || coalesce(p.slug, '-') || ' ' || (details ->> 'role') FROM audit_log a
			LEFT JOIN projects p ON p.id = a.project_id WHERE action LIKE 'member.%' AND actor_name = 'sam@example.com' ORDER BY a.id`)
	}
	_, err := logInWith(t.Context(), f.Store, identity("kim", nil))
	storetest.RequireCode(t, models.CodeForbidden, err)
	for _, step := range []struct {
		name    string
		p       models.IdentityLogin
		members []string
		told    []string
	}{
		{
			"an invitation stays, and a project that does not exist is left out",
			grants(false, map[string]models.Role{
				"demo": models.RoleViewer, "project-0": models.RoleViewer, "project-1": models.RoleAdmin, "none": models.RoleAdmin,
			}),
			[]string{"demo editor invitation", "project-0 viewer groups", "project-1 admin groups"},
			[]string{"member.added demo editor", "member.added project-0 viewer", "member.added project-1 admin"},
		},
		{
			"a role changes, one is taken and one is given",
			grants(false, map[string]models.Role{"project-0": models.RoleEditor, "project-2": models.RoleViewer}),
			[]string{"demo editor invitation", "project-0 editor groups", "project-2 viewer groups"},
			[]string{
				`member.updated project-0 {"after": "editor", "before": "viewer"}`, "member.removed project-1 admin", "member.added project-2 viewer",
			},
		},
		{
			"the same again", grants(false, map[string]models.Role{"project-0": models.RoleEditor, "project-2": models.RoleViewer}),
			[]string{"demo editor invitation", "project-0 editor groups", "project-2 viewer groups"}, nil,
		},
		{
			"an owner is an admin everywhere", grants(true, map[string]models.Role{"project-0": models.RoleViewer}),
			[]string{"demo admin owner", "project-0 admin owner", "project-1 admin owner", "project-2 admin owner"},
			[]string{"member.added project-1 admin"},
		},
		{
			"the last owner stays one", grants(false, nil),
			[]string{"demo admin owner", "project-0 admin owner", "project-1 admin owner", "project-2 admin owner"}, nil,
		},
	} {
		before := len(told())
		_, err := logInWith(t.Context(), f.Store, step.p)
		require.NoError(t, err, step.name)
		require.Equal(t, step.members, rows(), step.name)
		require.ElementsMatch(t, step.told, told()[before:], step.name)
	}

	other := identity("lee", nil)
	other.Grants.Owner = true
	_, err = logInWith(t.Context(), f.Store, other)
	require.NoError(t, err)
	before := len(told())
	_, err = logInWith(t.Context(), f.Store, grants(false, map[string]models.Role{"project-1": models.RoleViewer}))
	require.NoError(t, err)
	require.Equal(t, []string{"project-1 viewer groups"}, rows(), "a former owner has the roles that groups give")
	require.ElementsMatch(t, []string{
		"member.removed demo admin", "member.removed project-0 admin", `member.updated project-1 {"after": "viewer", "before": "admin"}`,
		"member.removed project-2 admin",
	}, told()[before:])
}

func TestManyFirstLoginsOfAnIdentityAreOneAccount(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	errs := make(chan error, 8)
	for range cap(errs) {
		go func() {
			errs <- with(t, identity("sam", map[string]models.Role{f.Demo.Slug: models.RoleEditor}))(f.Store)
		}()
	}
	for range cap(errs) {
		require.NoError(t, <-errs)
	}
	require.Equal(t, []int64{1}, storetest.Query[int64](f, "SELECT count(*) FROM users"))
	require.Equal(t, []int64{8}, storetest.Query[int64](f, "SELECT count(*) FROM sessions"))
}
