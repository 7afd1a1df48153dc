package operations

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

var update = flag.Bool("update", false, "write testdata/inputs.txt")

// TestInputsAreThoseOfTheFile compares the fields of all inputs with testdata/inputs.txt. Approvals store inputs for
// days, so if a field is renamed, removed or given another type, the operation needs a new version.
func TestInputsAreThoseOfTheFile(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	for _, name := range Names() {
		input, version := table[name].input()
		fmt.Fprintln(&lines, name, "version", version)
		for _, field := range fieldsOf(input, "", nil) {
			fmt.Fprintln(&lines, " ", field)
		}
	}
	const name = "testdata/inputs.txt"
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(lines.String()), 0o600))
	}
	file, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(file), lines.String(), "an input has changed: raise the version of its operation, unless the change only adds "+
		"a field that may be absent; then `go test ./activities/operations -run %s -update` writes the file", t.Name())
}

// fieldsOf returns the fields of a type's JSON, with their types.
func fieldsOf(t reflect.Type, path string, within []reflect.Type) (fields []string) {
	switch {
	case t.Kind() == reflect.Pointer:
		return fieldsOf(t.Elem(), path, within)
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		return fieldsOf(t.Elem(), path+"[]", within)
	}
	if strings.HasPrefix(t.Name(), "Nullable[") {
		return fieldsOf(t.Field(1).Type, path, within)
	}
	if t.Kind() != reflect.Struct || slices.Contains(within, t) {
		return []string{path + " " + t.String()}
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported():
		case f.Anonymous:
			fields = append(fields, fieldsOf(f.Type, path, append(within, t))...)
		default:
			fields = append(fields, fieldsOf(f.Type, strings.TrimPrefix(path+"."+name, "."), append(within, t))...)
		}
	}
	return fields
}

// filled returns a value whose every exported field is set.
func filled(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(filled(t.Elem()))
	case reflect.Slice:
		if t == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte(`"x"`))
			break
		}
		v.Set(reflect.Append(v, filled(t.Elem())))
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				v.Field(i).Set(filled(f.Type))
			}
		}
	case reflect.Array: // a UUID
		v.Index(0).SetUint(1)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Float64:
		v.SetFloat(12.5)
	case reflect.String:
		v.SetString("x")
	default:
		panic("an input has a field of kind " + t.Kind().String())
	}
	return v
}

// roundTrip encodes an input as an approval stores it, and decodes it as the worker does. It does not validate the
// values.
func roundTrip(t *testing.T, in reflect.Value) reflect.Value {
	t.Helper()
	text, err := json.Marshal(in.Interface())
	require.NoError(t, err)
	out := reflect.New(in.Type())
	require.NoError(t, json.Unmarshal(text, out.Interface()), "%s", text)
	return out.Elem()
}

// TestNoInputLosesAField stores an input of every operation, once with all fields set and once with none set, and
// compares the result.
func TestNoInputLosesAField(t *testing.T) {
	t.Parallel()
	for name, op := range table {
		input, _ := op.input()
		for _, in := range []reflect.Value{filled(input), reflect.New(input).Elem()} {
			require.Equal(t, in.Interface(), roundTrip(t, in).Interface(), name)
		}
	}
}

// TestAFieldThatIsClearedIsNotLeftAlone stores a patch that clears a field.
func TestAFieldThatIsClearedIsNotLeftAlone(t *testing.T) {
	t.Parallel()
	cleared := ChannelChange{Change: models.ChannelPatch{MinRuntimeVersion: models.Nullable[string]{Set: true}}}
	require.Equal(t, cleared, roundTrip(t, reflect.ValueOf(cleared)).Interface())
}

type approvals struct{ stored models.StoredOperation }

func (a *approvals) RequestApproval(
	_ context.Context, _ int64, _ models.Actor, op models.StoredOperation, _ *models.ApprovalNeeded,
) (models.Approval, error) {
	a.stored = op
	return models.Approval{ID: 61}, nil
}

func TestAChangeThatWaitsIsStored(t *testing.T) {
	t.Parallel()
	w, kept := newWorld(), &approvals{}
	w.update = func(string, models.ChannelPatch) error { return &models.ApprovalNeeded{Summary: "pause it"} }
	on := w.operations()
	on.Approvals = kept
	by := Author{ProjectID: 1, Actor: pausing().Author()}
	by.Actor.Role, by.Actor.Channels = w.key.Role, w.key.Channels
	change := ChannelChange{ChannelNamed: ChannelNamed{"a/b"}, Change: models.ChannelPatch{IsPaused: new(true)}}
	_, err := Do(t.Context(), on, PatchChannel, by, change)
	var pending *Pending
	require.ErrorAs(t, err, &pending)
	require.Equal(t, int64(61), pending.Approval.ID)
	require.Equal(t, "channel.update", kept.stored.Action)
	require.JSONEq(t, `{"channel":"a/b","change":{"isPaused":true}}`, string(kept.stored.Input))
}
