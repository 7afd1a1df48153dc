package store_test

import (
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/models"
)

func TestTwoPublishesAtOnce(t *testing.T) {
	t.Parallel()

	t.Run("both come out, one after the other", func(t *testing.T) {
		t.Parallel()
		_, clock := stoppedClock()
		f := setup(t, clock)
		one, two := f.duel(atReleaseInsert, f.publishing(), f.publishing())
		require.NoError(t, one)
		require.NoError(t, two)
		f.requireInvariants()
	})

	t.Run("into one group one is refused", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		group := uuid.New()
		grouped := func(p *models.Publish) { p.GroupID = &group }
		one, two := f.duel(atReleaseInsert, f.publishing(grouped), f.publishing(grouped))
		require.NoError(t, one)
		requireCode(t, models.CodeAlreadyExists, two)
		f.requireInvariants()
	})

	t.Run("of one build count as one publication of it", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		b := f.build("one")
		same := func(p *models.Publish) { p.BuildID = b.ID }
		one, two := f.duel(atReleaseInsert, f.publishing(same), f.publishing(same))
		require.NoError(t, one)
		require.NoError(t, two)
		f.requireInvariants()
	})

	t.Run("tell the rollout before them that it is over, each", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, e := f.rollOut()
		one, two := f.duel(atReleaseInsert, f.publishing(), f.publishing())
		require.NoError(t, one)
		require.NoError(t, two)
		require.Len(t, f.outbox(models.OutboxRolloutSuperseded), 2, "execution %d hears of both", e.ID)
		f.requireInvariants()
	})
}

func TestABranchIsDeletedWhileAChannelIsPointedToIt(t *testing.T) {
	t.Parallel()
	for name, patch := range map[string]models.ChannelPatch{
		"as its branch":         {BranchName: new("next")},
		"as its rollout branch": {RolloutBranchName: to("next"), RolloutPercentage: to(10.0)},
	} {
		t.Run(name+", the deletion first", func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			f.newBranch("next")
			deleted, repointed := f.duel(atBranchDelete, f.deletingBranch("next"), f.repointing("production", patch))
			require.NoError(t, deleted)
			requireCode(t, models.CodeNotFound, repointed)
			f.requireInvariants()
		})
		t.Run(name+", the channel first", func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			f.newBranch("next")
			repointed, deleted := f.duel(atChannelUpdate, f.repointing("production", patch), f.deletingBranch("next"))
			require.NoError(t, repointed)
			requireCode(t, models.CodeInUse, deleted)
			require.ErrorContains(t, deleted, "production", "the referrer is named")
			f.requireInvariants()
		})
	}

	creating := func(f *fixture) change {
		return func(s *store.Store) error {
			_, err := s.CreateChannel(f.t.Context(), f.project.ID, alice, models.NewChannel{Name: "beta", BranchName: "next"})
			return err
		}
	}
	t.Run("as a new channel's, the deletion first", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.newBranch("next")
		deleted, created := f.duel(atBranchDelete, f.deletingBranch("next"), creating(f))
		require.NoError(t, deleted)
		require.NoError(t, created, "the channel makes a branch of that name anew")
		f.requireInvariants()
	})
	t.Run("as a new channel's, the channel first", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.newBranch("next")
		created, deleted := f.duel(atChannelInsert, creating(f), f.deletingBranch("next"))
		require.NoError(t, created)
		requireCode(t, models.CodeInUse, deleted)
		f.requireInvariants()
	})
}

func TestABranchIsDeletedWhileItIsPublishedTo(t *testing.T) {
	t.Parallel()
	direct := func(p *models.Publish) { p.Channel, p.Branch = "", "next" }
	t.Run("the deletion first", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.newBranch("next")
		deleted, published := f.duel(atBranchDelete, f.deletingBranch("next"), f.publishing(direct))
		require.NoError(t, deleted)
		requireCode(t, models.CodeNotFound, published)
		f.requireInvariants()
	})
	t.Run("the publication first", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.newBranch("next")
		published, deleted := f.duel(atReleaseInsert, f.publishing(direct), f.deletingBranch("next"))
		require.NoError(t, published)
		require.NoError(t, deleted, "it goes with what was just published to it")
		f.requireInvariants()
	})
	t.Run("the publication of a rollout first", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.newBranch("next")
		published, deleted := f.duel(atBump, f.publishing(direct, withPolicy(f.policy().ID)), f.deletingBranch("next"))
		require.NoError(t, published)
		requireCode(t, models.CodeRolloutInProgress, deleted)
		f.requireInvariants()
	})
}

func TestABuildIsDeletedWhileItIsPublished(t *testing.T) {
	t.Parallel()
	t.Run("the deletion first", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		b := f.build("one")
		deleted, published := f.duel(atBuildDelete,
			func(s *store.Store) error { return s.DeleteBuild(t.Context(), f.project.ID, alice, b.ID) },
			f.publishing(func(p *models.Publish) { p.BuildID = b.ID }))
		require.NoError(t, deleted)
		requireCode(t, models.CodeNotFound, published)
		f.requireInvariants()
	})
	t.Run("the publication first", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		b := f.build("one")
		published, deleted := f.duel(atReleaseInsert,
			f.publishing(func(p *models.Publish) { p.BuildID = b.ID }),
			func(s *store.Store) error { return s.DeleteBuild(t.Context(), f.project.ID, alice, b.ID) })
		require.NoError(t, published)
		requireCode(t, models.CodeInUse, deleted)
		f.requireInvariants()
	})
}

func TestAReleaseHasOneActiveExecution(t *testing.T) {
	t.Parallel()

	t.Run("of two starts at once", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r, p := f.publish(), f.policy()
		one, two := f.duel(atExecutionInsert, f.starting(p.ID, r.ID), f.starting(p.ID, r.ID))
		require.NoError(t, one)
		requireCode(t, models.CodeRolloutInProgress, two)
		f.requireInvariants()
	})

	t.Run("of sixteen", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r, p := f.publish(), f.policy()
		errs := make([]error, 16)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { errs[i] = f.starting(p.ID, r.ID)(f.Store) })
		}
		all.Wait()
		started := 0
		for _, err := range errs {
			if err == nil {
				started++
				continue
			}
			requireCode(t, models.CodeRolloutInProgress, err)
		}
		require.Equal(t, 1, started)
		f.requireInvariants()
	})

	t.Run("in Postgres as well", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, e := f.rollOut()
		_, err := f.conn().Exec(t.Context(), `INSERT INTO rollout_executions (project_id, policy_name, update_id, update_uuid,
			group_id, platform, runtime_version, status, stage_index, stages, thresholds, percentage, waiting_for, reason,
			started_at, stage_started_at, workflow_id, run_id, version)
			SELECT project_id, policy_name, update_id, update_uuid, group_id, platform, runtime_version, 'paused', stage_index,
			stages, thresholds, percentage, waiting_for, reason, started_at, stage_started_at, 'another', run_id, version
			FROM rollout_executions WHERE id = $1`, e.ID)
		require.ErrorContains(t, err, "rollout_executions_open_key")
	})
}

func TestAReleaseIsDeletedWhileItsRolloutStarts(t *testing.T) {
	t.Parallel()
	deleting := func(f *fixture, id int64) change {
		return func(s *store.Store) error { return s.DeleteRelease(f.t.Context(), f.project.ID, alice, id) }
	}
	t.Run("the deletion first", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r, p := f.publish(), f.policy()
		deleted, started := f.duel(atReleaseUpdate, deleting(f, r.ID), f.starting(p.ID, r.ID))
		require.NoError(t, deleted)
		requireCode(t, models.CodeNotFound, started)
		f.requireInvariants()
	})
	t.Run("the start first", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r, p := f.publish(), f.policy()
		started, deleted := f.duel(atExecutionInsert, f.starting(p.ID, r.ID), deleting(f, r.ID))
		require.NoError(t, started)
		requireCode(t, models.CodeRolloutInProgress, deleted)
		f.requireInvariants()
	})
}

func TestAShareIsPatchedWhileItsRolloutStarts(t *testing.T) {
	t.Parallel()
	patching := func(f *fixture, id int64) change {
		return func(s *store.Store) error {
			_, err := s.UpdateRelease(f.t.Context(), f.project.ID, alice, id, models.ReleasePatch{RolloutPercentage: new(30.0)})
			return err
		}
	}
	t.Run("the start first", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r, p := f.publish(share(10)), f.policy()
		started, patched := f.duel(atExecutionInsert, f.starting(p.ID, r.ID), patching(f, r.ID))
		require.NoError(t, started)
		requireCode(t, models.CodeRolloutInProgress, patched)
		require.InDelta(t, 10, f.release(r.ID).RolloutPercentage, 0)
		f.requireInvariants()
	})
	t.Run("the patch first", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r, p := f.publish(share(10)), f.policy()
		patched, started := f.duel(atReleaseUpdate, patching(f, r.ID), f.starting(p.ID, r.ID))
		require.NoError(t, patched)
		require.NoError(t, started)
		require.InDelta(t, 30, f.release(r.ID).RolloutPercentage, 0)
		require.InDelta(t, 30, f.execution(*f.release(r.ID).RolloutExecutionID).Percentage, 0, "the start saw the patch")
		f.requireInvariants()
	})
}

// A project that goes takes along what is written to it at that moment, or
// refuses it.
func TestAProjectIsDeletedWhileItIsWrittenTo(t *testing.T) {
	t.Parallel()
	deleting := func(f *fixture) change {
		return func(s *store.Store) error { return s.DeleteProject(f.t.Context(), alice, f.project.Slug) }
	}
	writes := map[string]func(f *fixture) (statement string, c change){
		"publish": func(f *fixture) (string, change) { return atReleaseInsert, f.publishing() },
		"upload": func(f *fixture) (string, change) {
			return `INSERT INTO "builds"`, func(s *store.Store) error {
				_, err := s.CreateBuild(f.t.Context(), f.project.ID, alice, newBuild(models.IOS, "late"))
				return err
			}
		},
		"channel": func(f *fixture) (string, change) {
			return atChannelInsert, func(s *store.Store) error {
				_, err := s.CreateChannel(f.t.Context(), f.project.ID, alice, models.NewChannel{Name: "late", BranchName: "late"})
				return err
			}
		},
		"policy": func(f *fixture) (string, change) {
			return `INSERT INTO "rollout_policies"`, func(s *store.Store) error {
				_, err := s.CreatePolicy(f.t.Context(), f.project.ID, alice, newPolicy())
				return err
			}
		},
		"key": func(f *fixture) (string, change) {
			return `INSERT INTO "api_keys"`, func(s *store.Store) error {
				_, err := s.CreateAPIKey(f.t.Context(), f.project.ID, alice,
					models.NewAPIKey{Name: "late", Role: models.RoleViewer}, models.NewAPIKeyToken())
				return err
			}
		},
	}
	for name, write := range writes {
		t.Run(name+", the deletion first", func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			_, c := write(f)
			deleted, written := f.duel("DELETE FROM projects", deleting(f), c)
			require.NoError(t, deleted)
			requireCode(t, models.CodeNotFound, written)
			f.requireInvariants()
		})
		t.Run(name+", the write first", func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			statement, c := write(f)
			written, deleted := f.duel(statement, c, deleting(f))
			require.NoError(t, deleted)
			if written != nil {
				requireCode(t, models.CodeNotFound, written)
			}
			f.requireInvariants()
		})
	}
}

func (f *fixture) overriding(user, branch string) change {
	return func(s *store.Store) error {
		_, err := s.CreateUserOverride(f.t.Context(), f.project.ID, alice, models.NewUserOverride{UserID: user, BranchName: branch})
		return err
	}
}

const (
	atOverrideInsert = `INSERT INTO "user_overrides"`
	atPolicyUpdate   = `UPDATE "rollout_policies"`
	atPolicyDelete   = `DELETE FROM rollout_policies`
)

func TestAUserGetsTwoOverridesAtOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	one, two := f.duel(atOverrideInsert, f.overriding("ann", "production"), f.overriding("ann", "staging"))
	require.NoError(t, one)
	requireCode(t, models.CodeAlreadyExists, two)
	f.requireInvariants()
	require.Equal(t, []int64{1}, query[int64](f, "SELECT count(*) FROM user_overrides"))
}

func TestABranchIsDeletedWhileAUserIsSentToIt(t *testing.T) {
	t.Parallel()
	t.Run("the deletion first", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.newBranch("next")
		deleted, overridden := f.duel(atBranchDelete, f.deletingBranch("next"), f.overriding("ann", "next"))
		require.NoError(t, deleted)
		requireCode(t, models.CodeNotFound, overridden)
		f.requireInvariants()
	})
	t.Run("the override first", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.newBranch("next")
		overridden, deleted := f.duel(atOverrideInsert, f.overriding("ann", "next"), f.deletingBranch("next"))
		require.NoError(t, overridden)
		requireCode(t, models.CodeInUse, deleted)
		require.ErrorContains(t, deleted, "ann", "the referrer is named")
		f.requireInvariants()
	})
}

func TestAPolicyIsChangedWhileItsRolloutStarts(t *testing.T) {
	t.Parallel()
	editing := func(f *fixture, id int64) change {
		return func(s *store.Store) error {
			_, err := s.UpdatePolicy(f.t.Context(), f.project.ID, alice, id, models.PolicyPatch{
				Stages: &[]models.Stage{{Percentage: 42}, {Percentage: 100}},
			})
			return err
		}
	}
	deleting := func(f *fixture, id int64) change {
		return func(s *store.Store) error { return s.DeletePolicy(f.t.Context(), f.project.ID, alice, id) }
	}
	// Both ways to start a rollout.
	for name, starts := range map[string]func(f *fixture, policy int64) change{
		"of a release":       func(f *fixture, policy int64) change { return f.starting(policy, f.publish().ID) },
		"with a publication": func(f *fixture, policy int64) change { return f.publishing(withPolicy(policy)) },
	} {
		t.Run(name+", the edit first", func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			p := f.policy()
			edited, started := f.duel(atPolicyUpdate, editing(f, p.ID), starts(f, p.ID))
			require.NoError(t, edited)
			require.NoError(t, started)
			f.requireInvariants() // the rollout runs by the policy as it is now
		})
		t.Run(name+", the start first", func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			p := f.policy()
			started, edited := f.duel(atExecutionInsert, starts(f, p.ID), editing(f, p.ID))
			require.NoError(t, started)
			requireCode(t, models.CodePolicyLocked, edited)
			f.requireInvariants()
		})
		t.Run(name+", the deletion first", func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			p := f.policy()
			deleted, started := f.duel(atPolicyDelete, deleting(f, p.ID), starts(f, p.ID))
			require.NoError(t, deleted)
			requireCode(t, models.CodeNotFound, started)
			f.requireInvariants()
		})
		t.Run(name+", the start before a deletion", func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			p := f.policy()
			started, deleted := f.duel(atExecutionInsert, starts(f, p.ID), deleting(f, p.ID))
			require.NoError(t, started)
			requireCode(t, models.CodePolicyLocked, deleted)
			f.requireInvariants()
		})
	}
}
