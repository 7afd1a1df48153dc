package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// besideServed maps descriptions to operations that do not change what devices are served. Each value prepares the
// operation.
var besideServed = map[string]func(f *storetest.Fixture) storetest.Step{
	"contexts are recorded": func(f *storetest.Fixture) storetest.Step {
		seen := models.EvaluatedContext{ProjectID: f.Demo.ID, SeenAt: time.Now(), Evaluations: 1}
		seen.Kind, seen.TargetingKey = "user", "ann"
		return func(s *store.Store) error {
			return s.RecordContexts(f.T.Context(), f.Demo.ID, []models.EvaluatedContext{seen})
		}
	},
	"a context is saved": func(f *storetest.Fixture) storetest.Step {
		return func(s *store.Store) error {
			_, _, err := s.SaveContext(f.T.Context(), f.Demo.ID, storetest.Alice, models.SeenContext{Kind: "user", TargetingKey: "ann"})
			return err
		}
	},
	"a device without overrides is erased": func(f *storetest.Fixture) storetest.Step {
		return func(s *store.Store) error {
			_, err := s.EraseDevice(f.T.Context(), f.Demo.ID, storetest.Alice, "ann")
			return err
		}
	},
	"a command asks": func(f *storetest.Fixture) storetest.Step {
		_, e := f.MustRollOut()
		return func(s *store.Store) error {
			return s.AskCommand(f.T.Context(), f.Demo.ID, storetest.Alice, e.ID, models.CommandAdvance)
		}
	},
	"a rollback is previewed": func(f *storetest.Fixture) storetest.Step {
		first := f.MustPublish()
		f.MustRollOut()
		back := models.Rollback{Channel: "production", Platform: models.IOS, RuntimeVersion: "1.0.0", ToUpdateID: &first.ID}
		return func(s *store.Store) error {
			_, err := s.Preview(f.T.Context(), f.Demo.ID, func(ctx context.Context) error {
				_, err := s.Rollback(ctx, f.Demo.ID, storetest.Alice, back)
				return err
			}, nil)
			return err
		}
	},
	"a call asks for approval": asksForApproval,
	"an approval is decided": func(f *storetest.Fixture) storetest.Step {
		return endsApproval(f, func(s *store.Store, id int64) error {
			_, err := s.DecideApproval(f.T.Context(), f.Demo.ID, storetest.Alice, id, models.NewDecision{Verdict: models.VerdictReject})
			return err
		})
	},
	"an approval expires": func(f *storetest.Fixture) storetest.Step {
		return endsApproval(f, func(s *store.Store, id int64) error {
			_, err := s.EndApproval(f.T.Context(), f.Demo.ID, id, models.ApprovalPending, models.ApprovalExpired, "")
			return err
		})
	},
	"a policy is made, changed and deleted": func(f *storetest.Fixture) storetest.Step {
		return func(s *store.Store) error {
			p, err := s.CreatePolicy(f.T.Context(), f.Demo.ID, storetest.Alice, storetest.NewPolicy())
			require.NoError(f.T, err)
			_, err = s.UpdatePolicy(f.T.Context(), f.Demo.ID, storetest.Alice, p.ID, models.PolicyPatch{Name: new("another")})
			require.NoError(f.T, err)
			return s.DeletePolicy(f.T.Context(), f.Demo.ID, storetest.Alice, p.ID)
		}
	},
	"an API key is made": func(f *storetest.Fixture) storetest.Step {
		return func(s *store.Store) error {
			_, err := s.CreateAPIKey(f.T.Context(), f.Demo.ID, storetest.Alice, models.NewAPIKey{Name: "late", Role: models.RoleViewer},
				models.NewAPIKeyToken())
			return err
		}
	},
	"trusted publishers are replaced": func(f *storetest.Fixture) storetest.Step {
		return func(s *store.Store) error {
			_, err := s.PutTrustedPublishers(f.T.Context(), f.Demo.ID, storetest.Alice, models.NewTrustedPublishers{storetest.NewPublisher()})
			return err
		}
	},
	"a token is exchanged": func(f *storetest.Fixture) storetest.Step {
		exchange := storetest.NewExchange(storetest.PutPublishers(f, storetest.NewPublisher())[0].ID, "a", time.Now())
		return func(s *store.Store) error {
			_, err := s.ExchangeToken(f.T.Context(), "req-7", f.Demo.ID, exchange, models.NewAPIKeyToken())
			return err
		}
	},
	"a person is invited": func(f *storetest.Fixture) storetest.Step {
		return func(s *store.Store) error { return invites(f, s, models.NewSecretToken()) }
	},
	"a member gets another role and leaves": func(f *storetest.Fixture) storetest.Step {
		token := models.NewSecretToken()
		require.NoError(f.T, invites(f, f.Store, token))
		_, err := f.JoinAsNew(f.T.Context(), "req-1", token, models.NewUser{Name: "Ann"}, models.NewSession{
			TokenHash: models.NewSecretToken().Hash(), Method: models.LoginInvitation, Address: "203.0.113.7",
		})
		require.NoError(f.T, err)
		members, err := f.ListMembers(f.T.Context(), f.Demo.ID, models.Page{})
		require.NoError(f.T, err)
		return func(s *store.Store) error {
			_, err := s.UpdateMember(f.T.Context(), f.Demo.ID, storetest.Alice, members[0].ID, models.MemberPatch{Role: new(models.RoleEditor)})
			require.NoError(f.T, err)
			return s.RemoveMember(f.T.Context(), f.Demo.ID, storetest.Alice, members[0].ID)
		}
	},
	"a webhook is made": func(f *storetest.Fixture) storetest.Step {
		return func(s *store.Store) error {
			_, _, err := s.CreateWebhook(f.T.Context(), f.Demo.ID, storetest.Alice,
				models.NewWebhook{URL: "https://example.com/hook", Events: []string{"*"}, IsActive: true})
			return err
		}
	},
	"files are looked for, held and uploaded": func(f *storetest.Fixture) storetest.Step {
		a := storetest.Asset("x", "alone", 30)
		return func(s *store.Store) error {
			_, err := s.FindFiles(f.T.Context(), f.Demo.ID, []string{a.SHA256})
			require.NoError(f.T, err)
			_, err = s.HoldBlobs(f.T.Context(), f.Demo.ID, []string{a.MD5})
			require.NoError(f.T, err)
			p, err := s.BeginFile(f.T.Context(), f.Demo.ID, a.SHA256, a.SizeBytes)
			require.NoError(f.T, err)
			require.NoError(f.T, s.AddPart(f.T.Context(), &p, models.FilePart{Name: "a", SizeBytes: 10}))
			_, err = s.AddFile(f.T.Context(), f.Demo.ID, models.NewFile{
				StoredFile: models.StoredFile{MD5: a.MD5, SHA256: a.SHA256, SizeBytes: a.SizeBytes, SniffedType: "text/plain"},
			})
			return err
		}
	},
	"a source map is added": func(f *storetest.Fixture) storetest.Step {
		b, a := f.MustBuild("mapped"), storetest.Asset("index.map", "map", 30)
		return func(s *store.Store) error {
			_, err := s.PutSourceMap(f.T.Context(), f.Demo.ID, storetest.Alice, b.ID,
				models.NewSourceMap{MD5: a.MD5, SHA256: a.SHA256, SizeBytes: a.SizeBytes})
			return err
		}
	},
	"files are compressed": func(f *storetest.Fixture) storetest.Step {
		return func(s *store.Store) error {
			_, err := s.PendingFiles(f.T.Context(), f.Demo.ID)
			return err
		}
	},
	"a patch is begun, and not offered": func(f *storetest.Fixture) storetest.Step {
		base, target := storetest.BundleOf(f.MustBuild("base")), storetest.BundleOf(f.MustBuild("target"))
		return func(s *store.Store) error {
			jobs, err := s.BeginPatches(f.T.Context(), f.Demo.ID, target.MD5, []models.PatchBase{{MD5: base.MD5, UpdateUUID: uuid.New()}})
			require.NoError(f.T, err)
			require.Len(f.T, jobs, 1)
			return s.FinishPatch(f.T.Context(), jobs[0], models.PatchOutcome{Status: models.PatchSkipped, Reason: "too large"})
		}
	},
}

func invites(f *storetest.Fixture, s *store.Store, token models.SecretToken) error {
	_, err := s.CreateInvitation(f.T.Context(), f.Demo.ID, storetest.Alice,
		models.NewInvitation{Email: "ann@example.com", Role: models.RoleViewer}, token)
	return err
}

func asksForApproval(f *storetest.Fixture) storetest.Step {
	return func(s *store.Store) error {
		_, err := s.RequestApproval(f.T.Context(), f.Demo.ID, storetest.Alice,
			models.StoredOperation{Action: "channel.update", InputVersion: 1, Input: []byte("{}")},
			&models.ApprovalNeeded{
				Summary: "resume", Basis: make([]byte, 32), Required: 1, Channels: []string{"production"},
			})
		return err
	}
}

// endsApproval returns a step that ends an approval by calling end.
func endsApproval(f *storetest.Fixture, end func(s *store.Store, id int64) error) storetest.Step {
	require.NoError(f.T, asksForApproval(f)(f.Store))
	pending, err := f.ListApprovals(f.T.Context(), f.Demo.ID, models.ApprovalPending, models.Page{})
	require.NoError(f.T, err)
	return func(s *store.Store) error { return end(s, pending[0].ID) }
}

// TestWhatServesNoDeviceWaitsForNoChange locks the project as a rollback does, and checks that operations which do not
// change what devices are served still run.
func TestWhatServesNoDeviceWaitsForNoChange(t *testing.T) {
	t.Parallel()
	for name, prepare := range besideServed {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			step := prepare(f)
			rollback, err := f.Conn().Begin(t.Context())
			require.NoError(t, err)
			_, err = rollback.Exec(t.Context(), "UPDATE projects SET snapshot_version = snapshot_version + 1 WHERE id = $1", f.Demo.ID)
			require.NoError(t, err)
			done := make(chan struct{})
			var stepErr error
			go func() {
				defer close(done)
				stepErr = step(f.Store)
			}()
			storetest.AwaitLockOf(f, rollback.Conn().PgConn().PID(), done)
			select {
			case <-done:
				require.NoError(t, stepErr)
				require.NoError(t, rollback.Commit(t.Context()))
			default:
				require.NoError(t, rollback.Rollback(t.Context()))
				<-done
				require.Fail(t, "it waits for the rollback")
			}
		})
	}
}
