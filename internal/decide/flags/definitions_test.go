package flags

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

var (
	running = uuid.MustParse("aaaaaaaa-2222-4333-8444-555555555555")
	older   = uuid.MustParse("bbbbbbbb-2222-4333-8444-555555555555")
	gone    = uuid.MustParse("cccccccc-2222-4333-8444-555555555555")
)

// project returns a project with one flag of each type, and rules of each kind on the second flag.
func project() models.ProjectSnapshot {
	return models.ProjectSnapshot{
		Branches: []models.Branch{{ID: 5, Name: "main"}},
		Channels: []models.Channel{{ID: 1, Name: "production"}, {ID: 2, Name: "staging"}},
		Segments: []models.Segment{{
			ID: 41, Key: "beta", MatchType: models.MatchAny,
			Conditions: []models.Condition{{ID: 42, Attribute: "plan", Operator: models.OpEq, Values: []string{"pro"}}, {ID: 43, Attribute: "x", Operator: models.OpExists}},
		}},
		Flags: []models.Flag{
			{
				ID: 10, Key: "zoom", FlagType: models.FlagBoolean, DefaultValue: "false", Enabled: true,
				Variations:   []models.Variation{{ID: 11, Name: "On", Value: "true"}, {ID: 12, Name: "Off", Value: "false"}},
				Environments: []models.FlagEnvironment{{ChannelName: "staging", Enabled: new(false), DefaultValue: new("true")}},
			},
			{
				ID: 20, Key: "colour", FlagType: models.FlagNumber, DefaultValue: "1", Enabled: true,
				Variations: []models.Variation{{ID: 21, Name: "one", Value: "1"}, {ID: 22, Name: "two", Value: "42"}},
				Rules: []models.FlagRule{
					{ID: 1, RuleType: models.RuleUserList, VariantValue: new("42"), Config: models.RuleConfig{UserIDs: []string{"a", "b"}, UserIDsAsText: true}},
					{ID: 2, Priority: 1, RuleType: models.RuleUserList, VariantValue: new("42"), ChannelName: new("staging"), Config: models.RuleConfig{UserIDs: []string{"c"}}},
					{ID: 3, Priority: 2, RuleType: models.RulePercentageRollout, Config: models.RuleConfig{
						BucketBy: "team", Rollout: []models.RolloutShare{{VariationID: 22, VariantValue: "42", Weight: 12.5}},
					}},
					{ID: 4, Priority: 3, RuleType: models.RuleAttribute, VariantValue: new("1"), Config: models.RuleConfig{
						Conditions: []models.Condition{{Attribute: "age", Operator: models.OpGt, Values: []string{"17"}}, {Attribute: "y", Operator: models.OpNotExists}},
					}},
					{ID: 5, Priority: 4, RuleType: models.RuleSegment, VariantValue: new("1"), Config: models.RuleConfig{SegmentKey: "beta"}},
					{ID: 6, Priority: 5, RuleType: models.RuleOTAUpdate, VariantValue: new("1"), Config: models.RuleConfig{
						RuntimeVersion: &models.VersionCondition{Operator: models.OpGte, Value: "1.2.0"}, UpdatedWithinDays: new(0.5),
					}},
				},
			},
			{ID: 30, Key: "off", FlagType: models.FlagJSON, DefaultValue: `{ "a": 1 }`},
			{
				ID: 40, Key: "text", FlagType: models.FlagString, DefaultValue: "red", Variations: []models.Variation{{ID: 44, Name: "Blue", Value: "blue"}},
				Rules:        []models.FlagRule{{ID: 9, RuleType: models.RuleUserList, VariantValue: new("blue")}},
				Environments: []models.FlagEnvironment{{ChannelName: "staging", DefaultValue: new("pink")}},
			},
		},
		Releases: []*models.Release{
			{UpdateUUID: running, IsEnabled: true, BranchID: 5, RuntimeVersion: "1.2.0", CreatedAt: noon, LinkedFlags: []models.LinkedFlag{{FlagID: 40, Enabled: true, Value: "blue"}, {FlagID: 10, Enabled: true, Value: "true"}}},
			{UpdateUUID: older, IsEnabled: true, LinkedFlags: []models.LinkedFlag{{FlagID: 40, Value: "red"}}},
			{UpdateUUID: gone, LinkedFlags: []models.LinkedFlag{{FlagID: 20, Enabled: true, Value: "42"}}},
			{UpdateUUID: gone, IsEnabled: true, DeletedAt: &time.Time{}, LinkedFlags: []models.LinkedFlag{{FlagID: 30, Enabled: true, Value: "{}"}}},
		},
	}
}

func document(t *testing.T, d *Definitions, channel string) Document {
	t.Helper()
	got, ok, err := d.Channel(channel, func() {})
	require.NoError(t, err)
	require.True(t, ok)
	return got
}

func TestADocumentIsWhatClientsEvaluate(t *testing.T) {
	t.Parallel()
	d := NewDefinitions(project(), nil)
	got := document(t, d, "production")
	require.JSONEq(t, `{"version":"`+got.Version+`",
		"disabledFlags":[{"key":"off","flagType":"json","defaultValue":{"a":1}},{"key":"text","flagType":"string","defaultValue":"red"}],
		"updates":[
			{"updateUuid":"`+running.String()+`","branch":"main","runtimeVersion":"1.2.0","createdAt":"2026-03-14T12:00:00.000Z"},
			{"updateUuid":"`+older.String()+`","branch":"","runtimeVersion":"","createdAt":"0001-01-01T00:00:00.000Z"}],
		"flags":[
		{"key":"colour","flagType":"number","defaultValue":1,"enabled":true,"releaseOverrides":[],
		 "variations":[{"id":21,"name":"one","value":1},{"id":22,"name":"two","value":42}],
		 "rules":[
			{"priority":0,"ruleType":"user_list","variantValue":42,"ruleConfig":{"userIds":"a,b"}},
			{"priority":2,"ruleType":"percentage_rollout","variantValue":null,"ruleConfig":{"bucketBy":"team","rollout":[{"variationId":22,"variantValue":42,"weight":12.5}]}},
			{"priority":3,"ruleType":"attribute","variantValue":1,"ruleConfig":{"conditions":[
				{"attribute":"age","operator":"gt","values":["17"]},{"attribute":"y","operator":"not_exists","values":[]}]}},
			{"priority":4,"ruleType":"segment","variantValue":1,"ruleConfig":{"segmentKey":"beta","matchType":"any","conditions":[
				{"id":42,"attribute":"plan","operator":"eq","values":["pro"],"valuesJson":["pro"]},
				{"id":43,"attribute":"x","operator":"exists","values":[],"valuesJson":[]}]}},
			{"priority":5,"ruleType":"ota_update","variantValue":1,"ruleConfig":{"runtimeVersion":{"operator":"gte","value":"1.2.0"},"updatedWithinDays":0.5}}]},
		{"key":"text","flagType":"string","defaultValue":"red","enabled":false,"rules":[],
		 "variations":[{"id":44,"name":"Blue","value":"blue"}],
		 "releaseOverrides":[{"updateUuid":"`+running.String()+`","value":"blue"},{"updateUuid":"`+older.String()+`","value":"red"}]},
		{"key":"zoom","flagType":"boolean","defaultValue":false,"enabled":true,"rules":[],
		 "variations":[{"id":11,"name":"On","value":true},{"id":12,"name":"Off","value":false}],
		 "releaseOverrides":[{"updateUuid":"`+running.String()+`","value":true}]}]}`, string(got.Body))
}

func TestAChannelSeesItsOwnSettingsAndRules(t *testing.T) {
	t.Parallel()
	d := NewDefinitions(project(), nil)
	var staging struct {
		Flags []struct {
			Key              string
			Enabled          bool
			DefaultValue     any
			Rules            []struct{ Priority int }
			ReleaseOverrides []struct{ Value any }
		}
		DisabledFlags []struct{ Key, Variant string }
	}
	require.NoError(t, json.Unmarshal(document(t, d, "staging").Body, &staging))
	require.Len(t, staging.Flags, 3)
	colour, text, zoom := staging.Flags[0], staging.Flags[1], staging.Flags[2]
	require.Len(t, colour.Rules, 6)
	require.Equal(t, "pink", text.DefaultValue)
	require.Equal(t, "pink", text.ReleaseOverrides[1].Value, "a linked flag that is off has the channel's default")
	require.False(t, zoom.Enabled)
	require.Equal(t, true, zoom.DefaultValue)
	off := staging.DisabledFlags[len(staging.DisabledFlags)-1]
	require.Equal(t, [2]string{"zoom", "On"}, [2]string{off.Key, off.Variant}, "the value of the disabled flag is a variation")

	none := document(t, d, "")
	require.Equal(t, document(t, d, "production").Version, none.Version, "without a channel: the flag's own settings")
	_, ok, err := d.Channel("nowhere", func() {})
	require.NoError(t, err)
	require.False(t, ok)
}

func TestTheVersionDiffersExactlyWhenTheFlagsDo(t *testing.T) {
	t.Parallel()
	before := document(t, NewDefinitions(project(), nil), "production")
	same := project()
	same.Project.SnapshotVersion = 99
	require.Equal(t, before, document(t, NewDefinitions(same, nil), "production"))
	for name, change := range map[string]func(*models.ProjectSnapshot){
		"a default":   func(p *models.ProjectSnapshot) { p.Flags[1].DefaultValue = "42" },
		"a weight":    func(p *models.ProjectSnapshot) { p.Flags[1].Rules[2].Config.Rollout[0].Weight = 13 },
		"a segment":   func(p *models.ProjectSnapshot) { p.Segments[0].MatchType = models.MatchAll },
		"a link":      func(p *models.ProjectSnapshot) { p.Releases[1].LinkedFlags = nil },
		"a flag off":  func(p *models.ProjectSnapshot) { p.Flags[2].DefaultValue = "{}" },
		"a branch":    func(p *models.ProjectSnapshot) { p.Branches[0].Name = "next" },
		"a release":   func(p *models.ProjectSnapshot) { p.Releases = p.Releases[:1] },
		"a flag more": func(p *models.ProjectSnapshot) { p.Flags[2].Enabled = true },
	} {
		changed := project()
		change(&changed)
		require.NotEqual(t, before.Version, document(t, NewDefinitions(changed, nil), "production").Version, name)
	}
}

func TestAProjectWithoutFlagsHasAnEmptyList(t *testing.T) {
	t.Parallel()
	got := document(t, NewDefinitions(models.ProjectSnapshot{}, nil), "")
	require.JSONEq(t, `{"flags":[],"disabledFlags":[],"updates":[],"version":"`+got.Version+`"}`, string(got.Body))
}

func TestAValueThatIsNotOfItsTypeIsAnError(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*models.Flag){
		"default":   func(f *models.Flag) { f.DefaultValue = "x" },
		"variation": func(f *models.Flag) { f.Variations[0].Value = "x" },
		"rule":      func(f *models.Flag) { f.Rules[0].VariantValue = new("x") },
		"share":     func(f *models.Flag) { f.Rules[2].Config.Rollout[0].VariantValue = "x" },
	} {
		p := project()
		change(&p.Flags[1])
		_, _, err := NewDefinitions(p, nil).Channel("production", func() {})
		require.ErrorContains(t, err, "flag colour", name)
	}
	p := project()
	p.Releases[0].LinkedFlags[1].Value = "x"
	_, _, err := NewDefinitions(p, nil).Channel("production", func() {})
	require.ErrorContains(t, err, "flag zoom")
}

func TestManyMayAskAtOnce(t *testing.T) {
	t.Parallel()
	d := NewDefinitions(project(), nil)
	bodies := make([]Document, 16)
	var all sync.WaitGroup
	for i := range bodies {
		all.Go(func() { bodies[i], _, _ = d.Channel("production", func() {}) })
	}
	all.Wait()
	for _, b := range bodies {
		require.Equal(t, bodies[0], b)
	}
}

// A device runs a release under the update ID that it downloaded.
func TestAReleaseOverridesUnderAllItsNames(t *testing.T) {
	t.Parallel()
	p := project()
	p.Releases[0].ID = 7
	alias := uuid.MustParse("dddddddd-2222-4333-8444-555555555555")
	before := document(t, NewDefinitions(p, nil), "production").Version
	p.Aliases = []models.ReleaseAlias{{ReleaseID: 7, OriginalUUID: running, UpdateUUID: alias}}
	got := document(t, NewDefinitions(p, nil), "production")
	require.NotEqual(t, before, got.Version)
	require.Contains(t, string(got.Body), `{"updateUuid":"`+running.String()+`","value":"blue"},{"updateUuid":"`+alias.String()+`","value":"blue"}`)
	require.Contains(t, string(got.Body), `{"updateUuid":"`+alias.String()+`","value":true}`)
	require.Contains(t, string(got.Body), `{"updateUuid":"`+alias.String()+`","branch":"main","runtimeVersion":"1.2.0","createdAt":"2026-03-14T12:00:00.000Z","aliasOf":"`+running.String()+`"}`)
}

// The size of the documents that a project keeps is limited, however many channels are requested.
func TestRenderedDocumentsAreBounded(t *testing.T) {
	t.Parallel()
	p := one(gives("1", users(strings.Repeat("x", maxRendered/3))))
	for i := range 5 {
		p.Channels = append(p.Channels, models.Channel{Name: fmt.Sprint("c", i)})
	}
	d := NewDefinitions(p, nil)
	for range 2 {
		for _, c := range p.Channels {
			_, ok, err := d.Channel(c.Name, func() {})
			require.NoError(t, err)
			require.True(t, ok)
			require.LessOrEqual(t, d.bytes, maxRendered)
		}
	}
	require.Len(t, d.rendered, 2)
}

// Rendering a large document rests in each part of it, so that other projects do not wait for its hash.
func TestALargeDocumentIsHashedInParts(t *testing.T) {
	t.Parallel()
	const parts = 20
	rests := 0
	_, ok, err := NewDefinitions(one(gives("1", users(strings.Repeat("x", parts*hashedBytes)))), nil).Channel("", func() { rests++ })
	require.NoError(t, err)
	require.True(t, ok)
	require.Greater(t, rests, parts)
}
