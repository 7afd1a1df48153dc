package flagstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestASegmentIsDeletedWhileARuleIsMadeOfIt(t *testing.T) {
	t.Parallel()
	ruling := func(f *storetest.Fixture, flag int64, segment string) storetest.Step {
		return func(s *store.Store) error {
			_, err := s.CreateRule(f.T.Context(), f.Demo.ID, storetest.Alice, flag, models.NewFlagRule{
				RuleType: models.RuleSegment, VariantValue: new("red"), Config: models.RuleConfig{SegmentKey: segment},
			})
			return err
		}
	}
	deleting := func(f *storetest.Fixture, id int64) storetest.Step {
		return func(s *store.Store) error { return s.DeleteSegment(f.T.Context(), f.Demo.ID, storetest.Alice, id) }
	}
	t.Run("the deletion first", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		g, flag := storetest.AddSegment(f, "pro"), storetest.AddFlag(f, "colour")
		deleted, ruled := storetest.Duel(f, storetest.AtBump, deleting(f, g.ID), ruling(f, flag.ID, g.Key))
		require.NoError(t, deleted)
		require.Error(t, ruled)
		require.Contains(t, []models.ErrorCode{models.CodeNotFound, models.CodeInvalid}, models.CodeOf(ruled))
		storetest.RequireInvariants(f)
	})
	t.Run("the rule first", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		g, flag := storetest.AddSegment(f, "pro"), storetest.AddFlag(f, "colour")
		ruled, deleted := storetest.Duel(f, storetest.AtBump, ruling(f, flag.ID, g.Key), deleting(f, g.ID))
		require.NoError(t, ruled)
		storetest.RequireCode(t, models.CodeInUse, deleted)
		storetest.RequireInvariants(f)
	})
}

func TestAFlagIsDeletedWhileAReleaseLinksIt(t *testing.T) {
	t.Parallel()
	linking := func(f *storetest.Fixture, flag int64) storetest.Step {
		return storetest.Publishing(f, func(p *models.Publish) {
			p.LinkedFlags = []models.FlagLink{{FlagID: flag, Enabled: true, Value: new("green")}}
		})
	}
	deleting := func(f *storetest.Fixture, id int64) storetest.Step {
		return func(s *store.Store) error { return s.DeleteFlag(f.T.Context(), f.Demo.ID, storetest.Alice, id) }
	}
	t.Run("the deletion first", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		flag := storetest.AddFlag(f, "colour")
		deleted, published := storetest.Duel(f, storetest.AtBump, deleting(f, flag.ID), linking(f, flag.ID))
		require.NoError(t, deleted)
		require.Error(t, published)
		require.Contains(t, []models.ErrorCode{models.CodeNotFound, models.CodeInvalid}, models.CodeOf(published))
		storetest.RequireInvariants(f)
	})
	t.Run("the publication first", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		flag := storetest.AddFlag(f, "colour")
		published, deleted := storetest.Duel(f, storetest.AtBump, linking(f, flag.ID), deleting(f, flag.ID))
		require.NoError(t, published)
		storetest.RequireCode(t, models.CodeInUse, deleted)
		storetest.RequireInvariants(f)
	})
}
