package accountstore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// begins returns the step that begins the sign-in of a terminal in a network.
func begins(t *testing.T, code models.TerminalCode, network models.NetworkHash) storetest.Step {
	t.Helper()
	return func(s *store.Store) error {
		_, err := s.BeginTerminalLogin(t.Context(), models.NewTerminalLogin{
			Token: models.NewSecretToken(), Code: code, Name: "build-7", Address: "203.0.113.7",
			Network: network, Networks: []models.NetworkHash{network},
		})
		return err
	}
}

// Only one of two terminals that begin at the same time may be the last of its network. Another network is not affected.
func TestTheLastTerminalOfANetwork(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	for range models.MaxTerminalLogins - 1 {
		require.NoError(t, begins(t, models.NewTerminalCode(), 7)(f.Store))
	}
	first, second := storetest.Duel(f, "INSERT INTO \"terminal_logins\"",
		begins(t, models.NewTerminalCode(), 7), begins(t, models.NewTerminalCode(), 7))
	require.NoError(t, first)
	require.Equal(t, models.CodeRateLimited, models.CodeOf(second))
	require.NoError(t, begins(t, models.NewTerminalCode(), 8)(f.Store))
}

// A change of the password at the same time ends the confirming session, so that the terminal does not get a session.
func TestConfirmingATerminalWhileThePasswordChanges(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	u, session := join(f, "ada@example.com", models.RoleViewer)
	confirming, _, err := f.SessionByToken(t.Context(), session.Hash())
	require.NoError(t, err)
	code := models.NewTerminalCode()
	require.NoError(t, begins(t, code, 7)(f.Store))
	changed, confirmed := storetest.Duel(f, "UPDATE users SET password_hash",
		func(s *store.Store) error { return s.ChangePassword(t.Context(), storetest.Alice, u, someHash+"x", 0) },
		func(s *store.Store) error {
			return s.ConfirmTerminalLogin(t.Context(), storetest.Alice, u, confirming.ID, code)
		})
	require.NoError(t, changed)
	require.Equal(t, models.CodeUnauthenticated, models.CodeOf(confirmed))
	require.Empty(t, storetest.Query[int64](f, "SELECT id FROM sessions"))
}

// A code is confirmed once, even by two people at the same time.
func TestACodeIsConfirmedOnce(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	code := models.NewTerminalCode()
	require.NoError(t, begins(t, code, 7)(f.Store))
	confirms := func(email string) storetest.Step {
		u, session := join(f, email, models.RoleViewer)
		confirming, _, err := f.SessionByToken(t.Context(), session.Hash())
		require.NoError(t, err)
		return func(s *store.Store) error {
			return s.ConfirmTerminalLogin(t.Context(), storetest.Alice, u, confirming.ID, code)
		}
	}
	first, second := storetest.Duel(f, "UPDATE terminal_logins", confirms("ada@example.com"), confirms("bob@example.com"))
	require.NoError(t, first)
	require.Equal(t, models.CodeNotFound, models.CodeOf(second))
	require.Len(t, storetest.Query[int64](f, "SELECT id FROM sessions WHERE method = 'terminal'"), 1)
}

// The response that gives a terminal its session may be lost. So the terminal may ask again for two minutes, and it has
// two minutes after the person confirmed, even if its ten minutes end before.
func TestATerminalMayAskAgainForItsSession(t *testing.T) {
	t.Parallel()
	for name, confirmedAfter := range map[string]time.Duration{
		"confirmed early": time.Second, "confirmed in the last second": models.TerminalLoginLife - time.Second,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now, _ := storetest.StoppedClock()
			f := storetest.Setup(t, store.WithNow(func() time.Time { return now }))
			u, session := join(f, "ada@example.com", models.RoleViewer)
			confirming, _, err := f.SessionByToken(t.Context(), session.Hash())
			require.NoError(t, err)
			n := models.NewTerminalLogin{Token: models.NewSecretToken(), Code: models.NewTerminalCode(), Name: "build-7"}
			_, err = f.BeginTerminalLogin(t.Context(), n)
			require.NoError(t, err)
			now = now.Add(confirmedAfter)
			require.NoError(t, f.ConfirmTerminalLogin(t.Context(), storetest.Alice, u, confirming.ID, n.Code))
			now = now.Add(4 * time.Second)
			polls := func() error {
				l, who, err := f.PollTerminalLogin(t.Context(), n.Token)
				if err == nil {
					require.Equal(t, models.TerminalConfirmed, l.Status)
					require.Equal(t, u.ID, who.ID)
				}
				return err
			}
			require.NoError(t, polls())
			now = now.Add(models.TerminalRetryLife - 5*time.Second)
			require.NoError(t, polls(), "the response was lost")
			now = now.Add(5 * time.Second)
			require.Equal(t, models.CodeUnauthenticated, models.CodeOf(polls()))
		})
	}
}

// Only sign-ins that wait for a person count for the limit of a network.
func TestADecidedTerminalMakesRoomForAnother(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	refused := models.NewTerminalCode()
	require.NoError(t, begins(t, refused, 7)(f.Store))
	for range models.MaxTerminalLogins - 1 {
		require.NoError(t, begins(t, models.NewTerminalCode(), 7)(f.Store))
	}
	storetest.RequireCode(t, models.CodeRateLimited, begins(t, models.NewTerminalCode(), 7)(f.Store))
	require.NoError(t, f.RefuseTerminalLogin(t.Context(), refused))
	require.NoError(t, begins(t, models.NewTerminalCode(), 7)(f.Store))
	storetest.RequireCode(t, models.CodeRateLimited, begins(t, models.NewTerminalCode(), 7)(f.Store))
}
