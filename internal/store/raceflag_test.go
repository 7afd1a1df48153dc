package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/models"
)

func TestASegmentIsDeletedWhileARuleIsMadeOfIt(t *testing.T) {
	t.Parallel()
	ruling := func(f *fixture, flag int64, segment string) change {
		return func(s *store.Store) error {
			_, err := s.CreateRule(f.t.Context(), f.project.ID, alice, flag, models.NewFlagRule{
				RuleType: models.RuleSegment, VariantValue: new("red"), Config: models.RuleConfig{SegmentKey: segment},
			})
			return err
		}
	}
	deleting := func(f *fixture, id int64) change {
		return func(s *store.Store) error { return s.DeleteSegment(f.t.Context(), f.project.ID, alice, id) }
	}
	t.Run("the deletion first", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		g, flag := f.segment("pro"), f.flag("colour")
		deleted, ruled := f.duel(atBump, deleting(f, g.ID), ruling(f, flag.ID, g.Key))
		require.NoError(t, deleted)
		require.Error(t, ruled)
		require.Contains(t, []models.ErrorCode{models.CodeNotFound, models.CodeInvalid}, models.CodeOf(ruled))
		f.requireInvariants()
	})
	t.Run("the rule first", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		g, flag := f.segment("pro"), f.flag("colour")
		ruled, deleted := f.duel(atBump, ruling(f, flag.ID, g.Key), deleting(f, g.ID))
		require.NoError(t, ruled)
		requireCode(t, models.CodeInUse, deleted)
		f.requireInvariants()
	})
}

func TestAFlagIsDeletedWhileAReleaseLinksIt(t *testing.T) {
	t.Parallel()
	linking := func(f *fixture, flag int64) change {
		return f.publishing(func(p *models.Publish) {
			p.LinkedFlags = []models.FlagLink{{FlagID: flag, Enabled: true, Value: new("green")}}
		})
	}
	deleting := func(f *fixture, id int64) change {
		return func(s *store.Store) error { return s.DeleteFlag(f.t.Context(), f.project.ID, alice, id) }
	}
	t.Run("the deletion first", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		flag := f.flag("colour")
		deleted, published := f.duel(atBump, deleting(f, flag.ID), linking(f, flag.ID))
		require.NoError(t, deleted)
		require.Error(t, published)
		require.Contains(t, []models.ErrorCode{models.CodeNotFound, models.CodeInvalid}, models.CodeOf(published))
		f.requireInvariants()
	})
	t.Run("the publication first", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		flag := f.flag("colour")
		published, deleted := f.duel(atBump, linking(f, flag.ID), deleting(f, flag.ID))
		require.NoError(t, published)
		requireCode(t, models.CodeInUse, deleted)
		f.requireInvariants()
	})
}
