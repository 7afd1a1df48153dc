package models

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFlagValuesAreReadTypedAndAsText(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		of          FlagType
		value, text string // as JSON, as text; text "" is a refusal
	}{
		{FlagBoolean, `true`, "true"}, {FlagBoolean, `"false"`, "false"}, {FlagBoolean, `"TRUE"`, ""}, {FlagBoolean, `1`, ""}, {FlagBoolean, `null`, ""},
		{FlagNumber, `42`, "42"}, {FlagNumber, `"42"`, "42"}, {FlagNumber, ` -0.5e3 `, "-0.5e3"}, {FlagNumber, `0`, "0"},
		{FlagNumber, `"042"`, ""}, {FlagNumber, `"1 "`, ""}, {FlagNumber, `""`, ""}, {FlagNumber, `"1e999"`, ""}, {FlagNumber, `"NaN"`, ""},
		{FlagNumber, `true`, ""}, {FlagNumber, `[1]`, ""},
		{FlagString, `"blue"`, "blue"}, {FlagString, `"42"`, "42"}, {FlagString, `42`, ""}, {FlagString, `true`, ""}, {FlagString, `"a\u0000b"`, ""},
		{FlagString, `null`, ""}, {FlagString, `{}`, ""},
		{FlagJSON, `{"a": 1}`, `{"a":1}`}, {FlagJSON, `"{\"a\": 1}"`, `{"a": 1}`}, {FlagJSON, `[1,2]`, `[1,2]`}, {FlagJSON, `"\"x\""`, `"x"`},
		{FlagJSON, `{"a":"\u0000"}`, ""}, {FlagJSON, `"\"\\ud800\""`, ""}, {FlagJSON, `"\"\\ud83d\\ude00\""`, `"\ud83d\ude00"`},
		{FlagJSON, strings.Repeat("[", 101) + strings.Repeat("]", 101), ""}, {FlagJSON, `[1e999]`, ""}, {FlagJSON, `[1e-999]`, ""},
		{FlagJSON, `"null"`, `null`}, {FlagJSON, `null`, ""}, {FlagJSON, `"x"`, ""}, {FlagJSON, `"{} {}"`, ""}, {FlagJSON, `7`, `7`},
	} {
		text, err := tc.of.TextOf(json.RawMessage(tc.value))
		if tc.text == "" {
			require.Error(t, err, "%s %s", tc.of, tc.value)
			continue
		}
		require.NoError(t, err, "%s %s", tc.of, tc.value)
		require.Equal(t, tc.text, text)
	}
	_, err := FlagString.TextOf(json.RawMessage(`"` + strings.Repeat("x", maxFlagValueBytes+1) + `"`))
	require.ErrorContains(t, err, "must be at most 16384 bytes")
	require.NoError(t, FlagString.Check(""), "an empty string is one")
	require.NotContains(t, flagTypes, FlagType(""))
}

func TestFlagValuesAreShownTyped(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		of         FlagType
		text, want string
	}{
		{FlagBoolean, "true", `true`}, {FlagNumber, "42.50", `42.50`}, {FlagString, `say "hi"`, `"say \"hi\""`},
		{FlagJSON, `{ "a" : [1, 2] }`, `{"a":[1,2]}`}, {FlagNumber, "12345678901234567890", `12345678901234567890`},
	} {
		got, err := tc.of.Typed(tc.text)
		require.NoError(t, err)
		require.Equal(t, tc.want, string(got))
		back, err := tc.of.TextOf(got)
		require.NoError(t, err)
		require.True(t, tc.of.Same(tc.text, back) || tc.of == FlagJSON)
	}
	_, err := FlagNumber.Typed("x")
	require.Error(t, err)
}

func TestOneValueHasManyTexts(t *testing.T) {
	t.Parallel()
	for _, same := range []struct {
		of   FlagType
		a, b string
		want bool
	}{
		{FlagNumber, "10", "1e1", true}, {FlagNumber, "0", "-0.0", true}, {FlagNumber, "1", "2", false}, {FlagNumber, "x", "x", false},
		{FlagJSON, `{"a":1,"b":2}`, `{ "b":2, "a":1 }`, true}, {FlagJSON, `[1,2]`, `[2,1]`, false}, {FlagJSON, `1`, `"1"`, false},
		{FlagJSON, `{"a":[10]}`, `{"a":[1e1]}`, true}, {FlagJSON, `[0.1]`, `[0.10]`, true},
		{FlagString, "a", "a", true}, {FlagString, "a", "A", false}, {FlagString, "1", "1.0", false}, {FlagBoolean, "true", "true", true},
	} {
		require.Equal(t, same.want, same.of.Same(same.a, same.b), "%s %s %s", same.of, same.a, same.b)
	}
}

func TestKeyFrom(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]string{
		"New checkout": "new-checkout", "  A  B  ": "a-b", "v1.2_beta": "v1.2_beta", "_x-": "x", "Größe": "gr-e", "漢字": "", "": "",
		strings.Repeat("a", 127) + " b": strings.Repeat("a", 127),
	} {
		require.Equal(t, key, keyFrom(name), name)
	}
}

func TestNewFlag(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		flag   NewFlag
		fields []string
	}{
		"a name is enough":                  {NewFlag{Name: "Checkout"}, nil},
		"a key is enough":                   {NewFlag{Key: "checkout"}, nil},
		"nothing is not":                    {NewFlag{}, []string{"name"}},
		"a bad key":                         {NewFlag{Key: "Check out"}, []string{"key"}},
		"a name that makes no key":          {NewFlag{Name: "漢字"}, []string{"key"}},
		"a long name":                       {NewFlag{Name: strings.Repeat("a", 201)}, []string{"name"}},
		"an unknown type":                   {NewFlag{Name: "n", FlagType: "float"}, []string{"flagType"}},
		"a string without a default":        {NewFlag{Name: "n", FlagType: FlagString}, []string{"defaultValue"}},
		"a default of another type":         {NewFlag{Name: "n", FlagType: FlagNumber, DefaultValue: json.RawMessage(`"x"`)}, []string{"defaultValue"}},
		"a default that is no variation":    {NewFlag{Name: "n", FlagType: FlagNumber, DefaultValue: json.RawMessage(`1`), Variations: []NewVariation{{Name: "Two", Value: "2"}}}, nil},
		"a variation of another type":       {NewFlag{Name: "n", Variations: []NewVariation{{Name: "On", Value: "yes"}}}, []string{"variations[0].value"}},
		"a variation without a name":        {NewFlag{Name: "n", Variations: []NewVariation{{Value: "true"}}}, []string{"variations[0].name"}},
		"two variations of one value":       {NewFlag{Name: "n", FlagType: FlagNumber, DefaultValue: json.RawMessage(`1`), Variations: []NewVariation{{Name: "a", Value: "10"}, {Name: "b", Value: "1e1"}}}, []string{"variations[1].value"}},
		"two variations of one name":        {NewFlag{Name: "n", Variations: []NewVariation{{Name: "a", Value: "true"}, {Name: "a", Value: "false"}}}, []string{"variations[1].name"}},
		"a variation that chooses its id":   {NewFlag{Name: "n", Variations: []NewVariation{{ID: new(int64), Name: "a", Value: "true"}}}, []string{"variations[0].id"}},
		"too many variations":               {NewFlag{Name: "n", Variations: make([]NewVariation, maxVariations+1)}, []string{"variations"}},
		"every bad field is named together": {NewFlag{Key: "X", Name: "n", Description: "\x00", DefaultValue: json.RawMessage(`3`)}, []string{"key", "description", "defaultValue"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.flag.Normalize()
			require.Equal(t, tc.fields, fieldsOf(tc.flag.Validate()))
		})
	}
}

// fieldsOf returns the names of the fields that err refuses.
func fieldsOf(err error) (names []string) {
	var e *Error
	if errors.As(err, &e) {
		for _, f := range e.Fields {
			names = append(names, f.Field)
		}
	}
	return names
}

func TestPatchedFlag(t *testing.T) {
	t.Parallel()
	flag := Flag{
		ID: 1, FlagType: FlagString, DefaultValue: "red", Enabled: true,
		Variations:   []Variation{{ID: 10, FlagID: 1, Name: "Red", Value: "red"}, {ID: 11, FlagID: 1, Name: "Blue", Value: "blue", Position: 1}},
		Environments: []FlagEnvironment{{ID: 5, ChannelName: "production", DefaultValue: new("blue")}, {ChannelName: "staging"}},
	}
	for name, tc := range map[string]struct {
		listed []NewVariation
		ids    []int64
		want   string // the default
		fields []string
	}{
		"kept by value, renamed":        {[]NewVariation{{Name: "Rouge", Value: "red"}, {Name: "Blue", Value: "blue"}}, []int64{10, 11}, "red", nil},
		"kept by name, the value moves": {[]NewVariation{{Name: "Red", Value: "crimson"}, {Name: "Blue", Value: "blue"}}, []int64{10, 11}, "crimson", nil},
		"kept by id, swapped":           {[]NewVariation{{ID: new(int64(11)), Name: "Red", Value: "red"}, {ID: new(int64(10)), Name: "Blue", Value: "blue"}}, []int64{11, 10}, "blue", nil},
		"a new one, one gone":           {[]NewVariation{{Name: "Red", Value: "red"}, {Name: "Pink", Value: "pink"}}, []int64{10, 0}, "red", nil},
		"the value wins over the name":  {[]NewVariation{{Name: "Blue", Value: "red"}, {Name: "Red", Value: "blue"}}, []int64{10, 11}, "red", nil},
		"an id that is not there":       {[]NewVariation{{ID: new(int64(99)), Name: "Red", Value: "red"}}, nil, "", []string{"variations[0].id"}},
		"an id twice":                   {[]NewVariation{{ID: new(int64(10)), Name: "a", Value: "a"}, {ID: new(int64(10)), Name: "b", Value: "b"}}, nil, "", []string{"variations[1].id"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := flag.Patched(FlagPatch{Variations: &tc.listed})
			require.Equal(t, tc.fields, fieldsOf(err))
			if err != nil {
				return
			}
			var ids []int64
			for _, v := range got.Variations {
				ids = append(ids, v.ID)
			}
			require.Equal(t, tc.ids, ids)
			require.Equal(t, tc.want, got.DefaultValue)
		})
	}
	t.Run("a default that is given is not moved", func(t *testing.T) {
		t.Parallel()
		got, err := flag.Patched(FlagPatch{
			DefaultValue: json.RawMessage(`"blue"`), Variations: &[]NewVariation{{Name: "Red", Value: "crimson"}, {Name: "Blue", Value: "navy"}},
		})
		require.NoError(t, err)
		require.Equal(t, "blue", got.DefaultValue)
		require.Equal(t, "navy", *got.Environments[0].DefaultValue)
		require.Equal(t, "blue", *flag.Environments[0].DefaultValue, "the flag itself is as it was")
	})
	t.Run("one variation", func(t *testing.T) {
		t.Parallel()
		got, v, err := flag.PatchedVariation(10, VariationPatch{Value: new("crimson")})
		require.NoError(t, err)
		require.Equal(t, "crimson", v.Value)
		require.Equal(t, "crimson", got.DefaultValue)
		_, _, err = flag.PatchedVariation(10, VariationPatch{Name: new("Blue"), Value: new("blue")})
		require.Equal(t, []string{"name", "value"}, fieldsOf(err))
		_, _, err = flag.PatchedVariation(99, VariationPatch{})
		require.Equal(t, CodeNotFound, CodeOf(err))
	})
}

func TestAFlagStandsOnAChannelAsItsEnvironmentSays(t *testing.T) {
	t.Parallel()
	flag := Flag{FlagType: FlagNumber, DefaultValue: "1", Enabled: true, Environments: []FlagEnvironment{
		{ChannelName: "a", Enabled: new(false)}, {ChannelName: "b", DefaultValue: new("2")}, {ChannelName: "c"},
	}}
	for channel, want := range map[string]struct {
		enabled bool
		value   string
	}{"a": {false, "1"}, "b": {true, "2"}, "c": {true, "1"}, "unknown": {true, "1"}, "": {true, "1"}} {
		enabled, value := flag.In(channel)
		require.Equal(t, want.enabled, enabled, channel)
		require.Equal(t, want.value, value, channel)
	}
	e, err := FlagEnvironment{Enabled: new(true), DefaultValue: new("2")}.Patched(FlagNumber, FlagEnvironmentPatch{DefaultValue: Nullable[json.RawMessage]{Set: true}})
	require.NoError(t, err)
	require.Nil(t, e.DefaultValue)
	require.True(t, *e.Enabled)
	_, err = e.Patched(FlagNumber, FlagEnvironmentPatch{DefaultValue: Nullable[json.RawMessage]{Set: true, Value: new(json.RawMessage(`"x"`))}})
	require.Equal(t, []string{"defaultValue"}, fieldsOf(err))
}

func TestLinks(t *testing.T) {
	t.Parallel()
	boolean := Flag{ID: 1, Key: "b", FlagType: FlagBoolean, DefaultValue: "false"}
	text := Flag{ID: 2, Key: "s", FlagType: FlagString, DefaultValue: "red", Variations: []Variation{{ID: 20, Value: "red"}, {ID: 21, Value: "blue"}}}
	for name, tc := range map[string]struct {
		flag   Flag
		link   FlagLink
		want   LinkedFlag
		fields []string
	}{
		"a boolean on":           {boolean, FlagLink{Enabled: true}, LinkedFlag{FlagID: 1, FlagKey: "b", Enabled: true, Value: "true"}, nil},
		"a boolean off":          {boolean, FlagLink{}, LinkedFlag{FlagID: 1, FlagKey: "b", Value: "false"}, nil},
		"a boolean said twice":   {boolean, FlagLink{Enabled: true, Value: new("true")}, LinkedFlag{FlagID: 1, FlagKey: "b", Enabled: true, Value: "true"}, nil},
		"a contradiction":        {boolean, FlagLink{Enabled: true, Value: new("false")}, LinkedFlag{}, []string{"linkedFlags[3].value"}},
		"a value":                {text, FlagLink{Enabled: true, Value: new("blue")}, LinkedFlag{FlagID: 2, FlagKey: "s", Enabled: true, Value: "blue", VariationID: new(int64(21))}, nil},
		"off is the default":     {text, FlagLink{}, LinkedFlag{FlagID: 2, FlagKey: "s", Value: "red"}, nil},
		"off, whatever is named": {text, FlagLink{Value: new("blue")}, LinkedFlag{FlagID: 2, FlagKey: "s", Value: "red"}, nil},
		"no value":               {text, FlagLink{Enabled: true}, LinkedFlag{}, []string{"linkedFlags[3].value"}},
		"an unknown value":       {text, FlagLink{Enabled: true, Value: new("pink")}, LinkedFlag{}, []string{"linkedFlags[3].value"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tc.flag.BindLink(3, tc.link)
			require.Equal(t, tc.fields, fieldsOf(err))
			if err == nil {
				require.Equal(t, tc.want, got)
			}
		})
	}
	p := Publish{BuildID: 1, Channel: "production", LinkedFlags: []FlagLink{{FlagID: 1}, {FlagID: 1}, {}}}
	require.Equal(t, []string{"linkedFlags[1].flagId", "linkedFlags[2].flagId"}, fieldsOf(p.Validate()))
	many := make([]FlagLink, maxLinkedFlags+1)
	require.Equal(t, []string{"linkedFlags"}, fieldsOf(ReleasePatch{LinkedFlags: &many}.Validate()))
}

func TestWeightsOfANumberThatIsNone(t *testing.T) {
	t.Parallel()
	config := RuleConfig{Rollout: []RolloutShare{{VariationID: 1, Weight: math.NaN()}}}
	require.Equal(t, []string{"ruleConfig.rollout[0].weight"}, fieldsOf(NewFlagRule{RuleType: RulePercentageRollout, Config: config}.Validate()))
}
