package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// Changes that do not lock the project still see what others do to the same records at the same moment.

func TestADeviceIsErasedWhileItsContextIsRecorded(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	recorded, erased := storetest.Duel(f, "INSERT INTO contexts", besideServed["contexts are recorded"](f),
		besideServed["a device without overrides is erased"](f))
	require.NoError(t, recorded)
	require.NoError(t, erased)
	require.Empty(t, storetest.Query[int64](f, "SELECT id FROM contexts"))
}

func TestAChannelIsDeletedWhileAPublisherIsLimitedToIt(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	trusted, deleted := storetest.Duel(f, `INSERT INTO "trusted_publishers"`, besideServed["trusted publishers are replaced"](f),
		func(s *store.Store) error { return s.DeleteChannel(t.Context(), f.Demo.ID, storetest.Alice, "staging") })
	require.NoError(t, trusted)
	storetest.RequireCode(t, models.CodeInUse, deleted)
}

func TestAPublisherIsRemovedWhileItsTokenIsExchanged(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	exchanged, removed := storetest.Duel(f, `INSERT INTO "api_keys"`, besideServed["a token is exchanged"](f),
		func(s *store.Store) error {
			_, err := s.PutTrustedPublishers(t.Context(), f.Demo.ID, storetest.Alice, nil)
			return err
		})
	require.NoError(t, exchanged)
	require.NoError(t, removed)
	require.Empty(t, storetest.Query[int64](f, "SELECT id FROM api_keys WHERE revoked_at IS NULL"))
}

func TestIDsAreHashedWhileAPolicyComparesWithControl(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	made, hashed := storetest.Duel(f, `INSERT INTO "rollout_policies"`, func(s *store.Store) error {
		n := storetest.NewPolicy()
		n.Thresholds.Baseline = models.BaselineControl
		_, err := s.CreatePolicy(t.Context(), f.Demo.ID, storetest.Alice, n)
		return err
	}, func(s *store.Store) error {
		_, err := s.UpdateSettings(t.Context(), f.Demo.ID, storetest.Alice, models.SettingsPatch{HashIDs: new(true)})
		return err
	})
	require.NoError(t, made)
	storetest.RequireField(t, "hashIds", hashed)
}

func TestTwoAdminsLeaveAtOnce(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	for _, email := range []string{"ann@example.com", "bob@example.com"} {
		token := models.NewSecretToken()
		_, err := f.CreateInvitation(t.Context(), f.Demo.ID, storetest.Alice, models.NewInvitation{Email: email, Role: models.RoleAdmin}, token)
		require.NoError(t, err)
		_, err = f.JoinAsNew(t.Context(), "req-1", token, models.NewUser{Name: "Ann"}, models.NewSession{
			TokenHash: models.NewSecretToken().Hash(), Method: models.LoginInvitation, Address: "203.0.113.7",
		})
		require.NoError(t, err)
	}
	members, err := f.ListMembers(t.Context(), f.Demo.ID, models.Page{})
	require.NoError(t, err)
	leaving := func(m models.Member) storetest.Step {
		return func(s *store.Store) error { return s.RemoveMember(t.Context(), f.Demo.ID, storetest.Alice, m.ID) }
	}
	one, two := storetest.Duel(f, "DELETE FROM members", leaving(members[0]), leaving(members[1]))
	require.NoError(t, one)
	storetest.RequireCode(t, models.CodeInUse, two)
}

func TestABuildIsDeletedWhileItGetsASourceMap(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	b, a := f.MustBuild("mapped"), storetest.Asset("index.map", "map", 30)
	put, deleted := storetest.Duel(f, `UPDATE builds SET size_bytes`, func(s *store.Store) error {
		_, err := s.PutSourceMap(t.Context(), f.Demo.ID, storetest.Alice, b.ID,
			models.NewSourceMap{MD5: a.MD5, SHA256: a.SHA256, SizeBytes: a.SizeBytes})
		if models.CodeOf(err) == models.CodeNotFound {
			err = nil // the source map was stored, and deleted before it was read again
		}
		return err
	}, func(s *store.Store) error { return s.DeleteBuild(t.Context(), f.Demo.ID, storetest.Alice, b.ID) })
	require.NoError(t, put)
	require.NoError(t, deleted)
	require.Empty(t, storetest.Query[int64](f, "SELECT build_id FROM source_maps"))
}

func TestTwoKeysAreMadeForTheLastPlace(t *testing.T) {
	t.Parallel()
	quotas := store.WithQuotas(models.Quotas{models.QuotaAPIKeys: 1})
	f := storetest.Setup(t, quotas)
	storetest.RequireOneOfMany(t, func(int) error { return besideServed["an API key is made"](f)(f.Store) }, models.CodeQuotaExceeded)
}

func TestAnApprovalIsDecidedWhileItExpires(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	require.NoError(t, asksForApproval(f)(f.Store))
	pending, err := f.ListApprovals(t.Context(), f.Demo.ID, models.ApprovalPending, models.Page{})
	require.NoError(t, err)
	expired, decided := storetest.Duel(f, `UPDATE "approvals"`, func(s *store.Store) error {
		_, err := s.EndApproval(t.Context(), f.Demo.ID, pending[0].ID, models.ApprovalPending, models.ApprovalExpired, "")
		return err
	}, func(s *store.Store) error {
		_, err := s.DecideApproval(t.Context(), f.Demo.ID, storetest.Alice, pending[0].ID, models.NewDecision{Verdict: models.VerdictReject})
		return err
	})
	require.NoError(t, expired)
	storetest.RequireCode(t, models.CodeInvalidTransition, decided)
}
