package accountstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// A network stays known for 90 days after the last sign-in from it, and an account has at most 50.
func TestKnownNetworksAreBounded(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	ann, _ := join(f, "Ann@example.com", models.RoleViewer)
	ben, _ := join(f, "ben@example.com", models.RoleViewer)
	signIn := func(u models.User, network models.NetworkHash) {
		login, _ := newLogin()
		login.Network = network
		require.NoError(t, f.LogIn(t.Context(), "req-1", u, login, ""))
	}
	known := func(networks ...models.NetworkHash) []string {
		keys, err := f.KnownAccounts(t.Context(), networks)
		require.NoError(t, err)
		return keys
	}
	const home, office, highest models.NetworkHash = 1, 2, 1<<64 - 1
	require.Empty(t, known(home, office), "the sign-ins of the invitations do not have a network")
	signIn(ann, home)
	signIn(ann, highest)
	signIn(ben, office)
	require.Equal(t, []string{"ann@example.com"}, known(home))
	require.Equal(t, []string{"ann@example.com"}, known(highest))
	require.ElementsMatch(t, []string{"ann@example.com", "ben@example.com"}, known(home, office))

	f.MustExec("UPDATE known_networks SET signed_in_at = now() - interval '91 days' WHERE network = 1")
	require.Empty(t, known(home), "it is too old")
	signIn(ann, office)
	require.Equal(t, []int64{1}, storetest.Query[int64](f, "SELECT count(*) FROM known_networks WHERE user_id = "+
		"(SELECT id FROM users WHERE email_key = 'ann@example.com') AND network <> -1"), "the next login has deleted it")

	f.MustExec("UPDATE known_networks SET signed_in_at = now() - interval '1 day'")
	for network := range models.NetworkHash(50) {
		signIn(ann, 100+network)
	}
	require.Empty(t, known(highest), "50 others are newer")
	require.Len(t, known(100), 1)
	require.Equal(t, []string{"ben@example.com"}, known(office))

	_, err := f.ResetPassword(t.Context(), "ann@example.com", someHash)
	require.NoError(t, err)
	require.Empty(t, known(100, 149))
	require.Len(t, known(office), 1)
}
