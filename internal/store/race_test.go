package store_test

import (
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestTwoPublishesAtOnce(t *testing.T) {
	t.Parallel()

	t.Run("both come out, one after the other", func(t *testing.T) {
		t.Parallel()
		_, clock := storetest.StoppedClock()
		f := storetest.Setup(t, clock)
		one, two := storetest.Duel(f, storetest.AtReleaseInsert, storetest.Publishing(f), storetest.Publishing(f))
		require.NoError(t, one)
		require.NoError(t, two)
		storetest.RequireInvariants(f)
	})

	t.Run("into one group one is refused", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		group := uuid.New()
		grouped := func(p *models.Publish) { p.GroupID = &group }
		one, two := storetest.Duel(f, storetest.AtReleaseInsert, storetest.Publishing(f, grouped), storetest.Publishing(f, grouped))
		require.NoError(t, one)
		storetest.RequireCode(t, models.CodeAlreadyExists, two)
		storetest.RequireInvariants(f)
	})

	t.Run("of one build count as one publication of it", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		b := f.MustBuild("one")
		same := func(p *models.Publish) { p.BuildID = b.ID }
		one, two := storetest.Duel(f, storetest.AtReleaseInsert, storetest.Publishing(f, same), storetest.Publishing(f, same))
		require.NoError(t, one)
		require.NoError(t, two)
		storetest.RequireInvariants(f)
	})

	t.Run("tell the rollout before them that it is over, each", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, e := f.MustRollOut()
		one, two := storetest.Duel(f, storetest.AtReleaseInsert, storetest.Publishing(f), storetest.Publishing(f))
		require.NoError(t, one)
		require.NoError(t, two)
		require.Len(t, f.Outbox(models.OutboxRolloutSuperseded), 2, "rollout %d is informed of both", e.ID)
		storetest.RequireInvariants(f)
	})
}

func TestABranchIsDeletedWhileAChannelIsPointedToIt(t *testing.T) {
	t.Parallel()
	for name, patch := range map[string]models.ChannelPatch{
		"as its branch":         {BranchName: new("next")},
		"as its rollout branch": {RolloutBranchName: storetest.SetTo("next"), RolloutPercentage: storetest.SetTo(10.0)},
	} {
		t.Run(name+", the deletion first", func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			storetest.AddBranch(f, "next")
			deleted, repointed := storetest.Duel(f, storetest.AtBranchDelete, storetest.DeletingBranch(f, "next"),
				storetest.Repointing(f, "production", patch))
			require.NoError(t, deleted)
			storetest.RequireCode(t, models.CodeNotFound, repointed)
			storetest.RequireInvariants(f)
		})
		t.Run(name+", the channel first", func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			storetest.AddBranch(f, "next")
			repointed, deleted := storetest.Duel(f, storetest.AtChannelUpdate, storetest.Repointing(f, "production", patch),
				storetest.DeletingBranch(f, "next"))
			require.NoError(t, repointed)
			storetest.RequireCode(t, models.CodeInUse, deleted)
			require.ErrorContains(t, deleted, "production", "the referrer is named")
			storetest.RequireInvariants(f)
		})
	}

	creating := func(f *storetest.Fixture) storetest.Step {
		return func(s *store.Store) error {
			_, err := s.CreateChannel(f.T.Context(), f.Demo.ID, storetest.Alice, models.NewChannel{Name: "beta", BranchName: "next"})
			return err
		}
	}
	t.Run("as a new channel's, the deletion first", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		storetest.AddBranch(f, "next")
		deleted, created := storetest.Duel(f, storetest.AtBranchDelete, storetest.DeletingBranch(f, "next"), creating(f))
		require.NoError(t, deleted)
		require.NoError(t, created, "the channel creates another branch with that name")
		storetest.RequireInvariants(f)
	})
	t.Run("as a new channel's, the channel first", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		storetest.AddBranch(f, "next")
		created, deleted := storetest.Duel(f, storetest.AtChannelInsert, creating(f), storetest.DeletingBranch(f, "next"))
		require.NoError(t, created)
		storetest.RequireCode(t, models.CodeInUse, deleted)
		storetest.RequireInvariants(f)
	})
}

func TestABranchIsDeletedWhileItIsPublishedTo(t *testing.T) {
	t.Parallel()
	direct := func(p *models.Publish) { p.Channel, p.Branch = "", "next" }
	t.Run("the deletion first", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		storetest.AddBranch(f, "next")
		deleted, published := storetest.Duel(f, storetest.AtBranchDelete, storetest.DeletingBranch(f, "next"), storetest.Publishing(f, direct))
		require.NoError(t, deleted)
		storetest.RequireCode(t, models.CodeNotFound, published)
		storetest.RequireInvariants(f)
	})
	t.Run("the publication first", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		storetest.AddBranch(f, "next")
		published, deleted := storetest.Duel(f, storetest.AtReleaseInsert, storetest.Publishing(f, direct), storetest.DeletingBranch(f, "next"))
		require.NoError(t, published)
		require.NoError(t, deleted, "it is deleted with the release just published to it")
		storetest.RequireInvariants(f)
	})
	t.Run("the publication of a rollout first", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		storetest.AddBranch(f, "next")
		published, deleted := storetest.Duel(f, storetest.AtBump, storetest.Publishing(f, direct, storetest.WithPolicy(f.MustPolicy().ID)),
			storetest.DeletingBranch(f, "next"))
		require.NoError(t, published)
		storetest.RequireCode(t, models.CodeRolloutInProgress, deleted)
		storetest.RequireInvariants(f)
	})
}

func TestABuildIsDeletedWhileItIsPublished(t *testing.T) {
	t.Parallel()
	t.Run("the deletion first", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		b := f.MustBuild("one")
		deleted, published := storetest.Duel(f, storetest.AtBuildDelete,
			func(s *store.Store) error { return s.DeleteBuild(t.Context(), f.Demo.ID, storetest.Alice, b.ID) },
			storetest.Publishing(f, func(p *models.Publish) { p.BuildID = b.ID }))
		require.NoError(t, deleted)
		storetest.RequireCode(t, models.CodeNotFound, published)
		storetest.RequireInvariants(f)
	})
	t.Run("the publication first", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		b := f.MustBuild("one")
		published, deleted := storetest.Duel(f, storetest.AtReleaseInsert,
			storetest.Publishing(f, func(p *models.Publish) { p.BuildID = b.ID }),
			func(s *store.Store) error { return s.DeleteBuild(t.Context(), f.Demo.ID, storetest.Alice, b.ID) })
		require.NoError(t, published)
		storetest.RequireCode(t, models.CodeInUse, deleted)
		storetest.RequireInvariants(f)
	})
}

func TestAReleaseHasOneActiveExecution(t *testing.T) {
	t.Parallel()

	t.Run("of two simultaneous starts", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r, p := f.MustPublish(), f.MustPolicy()
		one, two := storetest.Duel(f, storetest.AtExecutionInsert, storetest.Starting(f, p.ID, r.ID), storetest.Starting(f, p.ID, r.ID))
		require.NoError(t, one)
		storetest.RequireCode(t, models.CodeRolloutInProgress, two)
		storetest.RequireInvariants(f)
	})

	t.Run("of sixteen", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r, p := f.MustPublish(), f.MustPolicy()
		errs := make([]error, 16)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { errs[i] = storetest.Starting(f, p.ID, r.ID)(f.Store) })
		}
		all.Wait()
		started := 0
		for _, err := range errs {
			if err == nil {
				started++
				continue
			}
			storetest.RequireCode(t, models.CodeRolloutInProgress, err)
		}
		require.Equal(t, 1, started)
		storetest.RequireInvariants(f)
	})

	t.Run("in Postgres as well", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, e := f.MustRollOut()
		_, err := f.Conn().Exec(t.Context(), `INSERT INTO rollout_executions (project_id, policy_name, update_id, update_uuid,
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
	deleting := func(f *storetest.Fixture, id int64) storetest.Step {
		return func(s *store.Store) error { return s.DeleteRelease(f.T.Context(), f.Demo.ID, storetest.Alice, id) }
	}
	t.Run("the deletion first", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r, p := f.MustPublish(), f.MustPolicy()
		deleted, started := storetest.Duel(f, storetest.AtReleaseUpdate, deleting(f, r.ID), storetest.Starting(f, p.ID, r.ID))
		require.NoError(t, deleted)
		storetest.RequireCode(t, models.CodeNotFound, started)
		storetest.RequireInvariants(f)
	})
	t.Run("the start first", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r, p := f.MustPublish(), f.MustPolicy()
		started, deleted := storetest.Duel(f, storetest.AtExecutionInsert, storetest.Starting(f, p.ID, r.ID), deleting(f, r.ID))
		require.NoError(t, started)
		storetest.RequireCode(t, models.CodeRolloutInProgress, deleted)
		storetest.RequireInvariants(f)
	})
}

func TestAShareIsPatchedWhileItsRolloutStarts(t *testing.T) {
	t.Parallel()
	patching := func(f *storetest.Fixture, id int64) storetest.Step {
		return func(s *store.Store) error {
			_, err := s.UpdateRelease(f.T.Context(), f.Demo.ID, storetest.Alice, id, models.ReleasePatch{RolloutPercentage: new(30.0)})
			return err
		}
	}
	t.Run("the start first", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r, p := f.MustPublish(storetest.Share(10)), f.MustPolicy()
		started, patched := storetest.Duel(f, storetest.AtExecutionInsert, storetest.Starting(f, p.ID, r.ID), patching(f, r.ID))
		require.NoError(t, started)
		storetest.RequireCode(t, models.CodeRolloutInProgress, patched)
		require.InDelta(t, 10, f.MustRelease(r.ID).RolloutPercentage, 0)
		storetest.RequireInvariants(f)
	})
	t.Run("the patch first", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r, p := f.MustPublish(storetest.Share(10)), f.MustPolicy()
		patched, started := storetest.Duel(f, storetest.AtReleaseUpdate, patching(f, r.ID), storetest.Starting(f, p.ID, r.ID))
		require.NoError(t, patched)
		require.NoError(t, started)
		require.InDelta(t, 30, f.MustRelease(r.ID).RolloutPercentage, 0)
		require.InDelta(t, 30, f.MustExecution(*f.MustRelease(r.ID).RolloutExecutionID).Percentage, 0, "the start saw the patch")
		storetest.RequireInvariants(f)
	})
}

// If a project is deleted while a record is being written, the record is either deleted with it or refused.
func TestAProjectIsDeletedWhileItIsWrittenTo(t *testing.T) {
	t.Parallel()
	deleting := func(f *storetest.Fixture) storetest.Step {
		return func(s *store.Store) error { return s.DeleteProject(f.T.Context(), storetest.Alice, f.Demo.Slug) }
	}
	writes := map[string]func(f *storetest.Fixture) (statement string, c storetest.Step){
		"publish": func(f *storetest.Fixture) (string, storetest.Step) {
			return storetest.AtReleaseInsert, storetest.Publishing(f)
		},
		"upload": func(f *storetest.Fixture) (string, storetest.Step) {
			return `INSERT INTO "builds"`, func(s *store.Store) error {
				_, err := s.CreateBuild(f.T.Context(), f.Demo.ID, storetest.Alice, storetest.NewBuild(models.IOS, "late"))
				return err
			}
		},
		"channel": func(f *storetest.Fixture) (string, storetest.Step) {
			return storetest.AtChannelInsert, func(s *store.Store) error {
				_, err := s.CreateChannel(f.T.Context(), f.Demo.ID, storetest.Alice, models.NewChannel{Name: "late", BranchName: "late"})
				return err
			}
		},
		"policy": func(f *storetest.Fixture) (string, storetest.Step) {
			return `INSERT INTO "rollout_policies"`, func(s *store.Store) error {
				_, err := s.CreatePolicy(f.T.Context(), f.Demo.ID, storetest.Alice, storetest.NewPolicy())
				return err
			}
		},
		"key": func(f *storetest.Fixture) (string, storetest.Step) {
			return `INSERT INTO "api_keys"`, func(s *store.Store) error {
				_, err := s.CreateAPIKey(f.T.Context(), f.Demo.ID, storetest.Alice,
					models.NewAPIKey{Name: "late", Role: models.RoleViewer}, models.NewAPIKeyToken())
				return err
			}
		},
	}
	for name, write := range writes {
		t.Run(name+", the deletion first", func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			_, c := write(f)
			deleted, written := storetest.Duel(f, "DELETE FROM projects", deleting(f), c)
			require.NoError(t, deleted)
			storetest.RequireCode(t, models.CodeNotFound, written)
			storetest.RequireInvariants(f)
		})
		t.Run(name+", the write first", func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			statement, c := write(f)
			written, deleted := storetest.Duel(f, statement, c, deleting(f))
			require.NoError(t, deleted)
			if written != nil {
				storetest.RequireCode(t, models.CodeNotFound, written)
			}
			storetest.RequireInvariants(f)
		})
	}
}

func overriding(f *storetest.Fixture, user, branch string) storetest.Step {
	return func(s *store.Store) error {
		_, err := s.CreateUserOverride(f.T.Context(), f.Demo.ID, storetest.Alice, models.NewUserOverride{UserID: user, BranchName: branch})
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
	f := storetest.Setup(t)
	one, two := storetest.Duel(f, atOverrideInsert, overriding(f, "ann", "production"), overriding(f, "ann", "staging"))
	require.NoError(t, one)
	storetest.RequireCode(t, models.CodeAlreadyExists, two)
	storetest.RequireInvariants(f)
	require.Equal(t, []int64{1}, storetest.Query[int64](f, "SELECT count(*) FROM user_overrides"))
}

func TestABranchIsDeletedWhileAUserIsSentToIt(t *testing.T) {
	t.Parallel()
	t.Run("the deletion first", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		storetest.AddBranch(f, "next")
		deleted, overridden := storetest.Duel(f, storetest.AtBranchDelete, storetest.DeletingBranch(f, "next"), overriding(f, "ann", "next"))
		require.NoError(t, deleted)
		storetest.RequireCode(t, models.CodeNotFound, overridden)
		storetest.RequireInvariants(f)
	})
	t.Run("the override first", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		storetest.AddBranch(f, "next")
		overridden, deleted := storetest.Duel(f, atOverrideInsert, overriding(f, "ann", "next"), storetest.DeletingBranch(f, "next"))
		require.NoError(t, overridden)
		storetest.RequireCode(t, models.CodeInUse, deleted)
		require.ErrorContains(t, deleted, "ann", "the referrer is named")
		storetest.RequireInvariants(f)
	})
}

func TestAPolicyIsChangedWhileItsRolloutStarts(t *testing.T) {
	t.Parallel()
	editing := func(f *storetest.Fixture, id int64) storetest.Step {
		return func(s *store.Store) error {
			_, err := s.UpdatePolicy(f.T.Context(), f.Demo.ID, storetest.Alice, id, models.PolicyPatch{
				Stages: &[]models.Stage{{Percentage: 42}, {Percentage: 100}},
			})
			return err
		}
	}
	deleting := func(f *storetest.Fixture, id int64) storetest.Step {
		return func(s *store.Store) error { return s.DeletePolicy(f.T.Context(), f.Demo.ID, storetest.Alice, id) }
	}
	// There are two ways to start a rollout.
	for name, starts := range map[string]func(f *storetest.Fixture, policy int64) storetest.Step{
		"of a release": func(f *storetest.Fixture, policy int64) storetest.Step {
			return storetest.Starting(f, policy, f.MustPublish().ID)
		},
		"with a publication": func(f *storetest.Fixture, policy int64) storetest.Step {
			return storetest.Publishing(f, storetest.WithPolicy(policy))
		},
	} {
		t.Run(name+", the edit first", func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			p := f.MustPolicy()
			edited, started := storetest.Duel(f, atPolicyUpdate, editing(f, p.ID), starts(f, p.ID))
			require.NoError(t, edited)
			require.NoError(t, started)
			storetest.RequireInvariants(f) // the rollout uses the policy as it is now
		})
		t.Run(name+", the start first", func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			p := f.MustPolicy()
			started, edited := storetest.Duel(f, storetest.AtExecutionInsert, starts(f, p.ID), editing(f, p.ID))
			require.NoError(t, started)
			storetest.RequireCode(t, models.CodePolicyLocked, edited)
			storetest.RequireInvariants(f)
		})
		t.Run(name+", the deletion first", func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			p := f.MustPolicy()
			deleted, started := storetest.Duel(f, atPolicyDelete, deleting(f, p.ID), starts(f, p.ID))
			require.NoError(t, deleted)
			storetest.RequireCode(t, models.CodeNotFound, started)
			storetest.RequireInvariants(f)
		})
		t.Run(name+", the start before a deletion", func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			p := f.MustPolicy()
			started, deleted := storetest.Duel(f, storetest.AtExecutionInsert, starts(f, p.ID), deleting(f, p.ID))
			require.NoError(t, started)
			storetest.RequireCode(t, models.CodePolicyLocked, deleted)
			storetest.RequireInvariants(f)
		})
	}
}
