package accountstore_test

import (
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// challenge returns a challenge that was never used.
func challenge(expires time.Time) models.Challenge {
	return models.Challenge{Hash: models.NewSecretToken().Hash(), Expires: expires}
}

// soon returns an expiry time for challenges in tests that use the real clock.
func soon() time.Time { return time.Now().Add(time.Minute) }

func newPasskey(u models.User, credential string) models.Passkey {
	return models.Passkey{
		UserID: u.ID, Name: credential, RPID: "ota.example.com", CredentialID: []byte(credential), PublicKey: []byte{1}, Flags: 0x45,
	}
}

func addPasskey(f *storetest.Fixture, u models.User, credential string) models.Passkey {
	f.T.Helper()
	p, err := f.AddPasskey(f.T.Context(), models.UserActor(u, "req-add"), newPasskey(u, credential), challenge(soon()))
	require.NoError(f.T, err)
	return p
}

func TestPasskeysOfAnAccountAreBounded(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	u, _ := join(f, "sam@example.com", models.RoleEditor)
	errs := make([]error, models.MaxPasskeys+4)
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() {
			_, errs[i] = f.AddPasskey(t.Context(), storetest.Alice, newPasskey(u, strconv.Itoa(i)), challenge(soon()))
		})
	}
	group.Wait()
	added := 0
	for _, err := range errs {
		if err == nil {
			added++
		} else {
			storetest.RequireCode(t, models.CodeQuotaExceeded, err)
		}
	}
	require.Equal(t, models.MaxPasskeys, added)
	list, err := f.Passkeys(t.Context(), u.ID)
	require.NoError(t, err)
	require.Len(t, list, models.MaxPasskeys)
	require.Greater(t, list[0].ID, list[1].ID, "newest first")
	_, err = f.AddPasskey(t.Context(), storetest.Alice, newPasskey(u, " "), challenge(soon()))
	storetest.RequireField(t, "name", err)
}

func TestAPasskeyIsOfOneAccount(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	sam, _ := join(f, "sam@example.com", models.RoleEditor)
	kim, _ := join(f, "kim@example.com", models.RoleEditor)
	p := addPasskey(f, sam, "one")
	_, err := f.AddPasskey(t.Context(), storetest.Alice, newPasskey(kim, "one"), challenge(soon()))
	storetest.RequireCode(t, models.CodeAlreadyExists, err)
	found, u, err := f.PasskeyByCredential(t.Context(), []byte("one"))
	require.NoError(t, err)
	require.Equal(t, sam.ID, u.ID)
	require.Equal(t, p.ID, found.ID)
	_, _, err = f.PasskeyByCredential(t.Context(), []byte("two"))
	storetest.RequireCode(t, models.CodeNotFound, err)

	_, err = f.RenamePasskey(t.Context(), storetest.Alice, kim, p.ID, new("mine"))
	storetest.RequireCode(t, models.CodeNotFound, err)
	storetest.RequireCode(t, models.CodeNotFound, f.RemovePasskey(t.Context(), storetest.Alice, kim, p.ID, models.LoginWays{Domain: p.RPID}))
	renamed, err := f.RenamePasskey(t.Context(), storetest.Alice, sam, p.ID, new("Laptop"))
	require.NoError(t, err)
	require.Equal(t, "Laptop", renamed.Name)
	same, err := f.RenamePasskey(t.Context(), storetest.Alice, sam, p.ID, nil)
	require.NoError(t, err)
	require.Equal(t, "Laptop", same.Name)
	require.NoError(t, f.RemovePasskey(t.Context(), storetest.Alice, sam, p.ID, models.LoginWays{Domain: p.RPID}))
	require.Equal(t, []string{"user.passkey_added", "user.passkey_updated", "user.passkey_removed"}, installationLog(f)[4:])
}

// A response of an authenticator is accepted once, even if it arrives many times at the same time.
func TestAChallengeIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	var clock sync.Mutex
	f := storetest.Setup(t, store.WithNow(func() time.Time {
		clock.Lock()
		defer clock.Unlock()
		return now
	}))
	u, _ := join(f, "sam@example.com", models.RoleEditor)
	p, err := f.AddPasskey(t.Context(), storetest.Alice, newPasskey(u, "one"), challenge(now.Add(time.Minute)))
	require.NoError(t, err)
	answered := challenge(now.Add(time.Minute))
	logIn := func(answered models.Challenge) error {
		login, _ := newLogin()
		return f.LogInWithPasskey(t.Context(), "req", u, models.PasskeyLogin{Passkey: p, Challenge: answered, Flags: 0x1d}, login)
	}
	storetest.RequireOneOfMany(t, func(int) error { return logIn(answered) }, models.CodeUnauthenticated)
	used, _, err := f.PasskeyByCredential(t.Context(), []byte("one"))
	require.NoError(t, err)
	require.Equal(t, now, used.LastUsedAt.UTC())
	require.EqualValues(t, 0x1d, used.Flags)
	storetest.RequireCode(t, models.CodeUnauthenticated, logIn(challenge(now))) // the challenge has expired

	// Expired challenges are deleted, so they do not pile up.
	clock.Lock()
	now = now.Add(time.Minute)
	clock.Unlock()
	require.NoError(t, logIn(challenge(now.Add(time.Minute))))
	require.Equal(t, []int64{1}, storetest.Query[int64](f, "SELECT count(*) FROM answered_challenges"))
}

// If a passkey and its copy sign in at the same time, both have read the same use counter, and one sign-in is refused.
func TestCountsOfUsesDoNotGoBack(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	u, _ := join(f, "sam@example.com", models.RoleEditor)
	p := addPasskey(f, u, "one")
	logIn := func(verified models.PasskeyLogin) error {
		login, _ := newLogin()
		verified.Passkey, verified.Challenge = p, challenge(soon())
		return f.LogInWithPasskey(t.Context(), "req", u, verified, login)
	}
	require.NoError(t, logIn(models.PasskeyLogin{SignCount: 4_294_967_295}))
	storetest.RequireCode(t, models.CodeUnauthenticated, logIn(models.PasskeyLogin{SignCount: 5}))
	p.SignCount = 4_294_967_295
	storetest.RequireCode(t, models.CodeUnauthenticated, logIn(models.PasskeyLogin{SignCount: 4_294_967_295, Cloned: true}))
	storetest.RequireCode(t, models.CodeUnauthenticated, logIn(models.PasskeyLogin{SignCount: 4_294_967_295, Cloned: true}))
	warned, _, err := f.PasskeyByCredential(t.Context(), []byte("one"))
	require.NoError(t, err)
	require.True(t, warned.CloneWarning)
	log := installationLog(f)
	require.Equal(t, []string{"user.passkey_added", "session.created", "user.passkey_cloned"}, log[len(log)-3:])
	require.NoError(t, f.RemovePasskey(t.Context(), storetest.Alice, u, p.ID, models.LoginWays{Domain: p.RPID}))
	storetest.RequireCode(t, models.CodeUnauthenticated, logIn(models.PasskeyLogin{}))
}

func TestTheLastWayToSignInStays(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	u, _ := join(f, "sam@example.com", models.RoleEditor)
	remove := func(p models.Passkey) error {
		ways := models.LoginWays{Domain: "ota.example.com", Issuers: []string{"https://idp"}}
		return f.RemovePasskey(t.Context(), storetest.Alice, u, p.ID, ways)
	}
	require.NoError(t, remove(addPasskey(f, u, "beside a password")))

	f.MustExec("UPDATE users SET password_hash = ''")
	first, second := addPasskey(f, u, "first"), addPasskey(f, u, "second")
	require.NoError(t, remove(first))
	storetest.RequireCode(t, models.CodeInUse, remove(second))
	elsewhere := newPasskey(u, "elsewhere")
	elsewhere.RPID = "old.example.com"
	elsewhere, err := f.AddPasskey(t.Context(), storetest.Alice, elsewhere, challenge(soon()))
	require.NoError(t, err)
	storetest.RequireCode(t, models.CodeInUse, remove(second)) // a passkey of another domain does not count
	require.NoError(t, remove(elsewhere))
	const link = "INSERT INTO identities (user_id, issuer, subject, created_at) VALUES ($1, $2, 's', now())"
	f.MustExec(link, u.ID, "https://former")
	storetest.RequireCode(t, models.CodeInUse, remove(second)) // an identity at a provider that is not configured does not count
	f.MustExec(link, u.ID, "https://idp")
	require.NoError(t, remove(second))
}

// An attacker who took an account over may have added a passkey.
func TestAResetRemovesPasskeys(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	u, _ := join(f, "sam@example.com", models.RoleEditor)
	addPasskey(f, u, "one")
	_, err := f.ResetPassword(t.Context(), u.Email, someHash)
	require.NoError(t, err)
	list, err := f.Passkeys(t.Context(), u.ID)
	require.NoError(t, err)
	require.Empty(t, list)
	require.Contains(t, installationLog(f), "user.passkey_removed")
}
