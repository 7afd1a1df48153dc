package stack

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStacksOfEngines parses stacks as engines write them.
func TestStacksOfEngines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []Frame
	}{
		"Hermes bytecode on Android": {
			"TypeError: Cannot read property 'cents' of undefined\n" +
				"    at priceOf (address at index.android.bundle:1:552921)\n" +
				"    at anonymous (address at index.android.bundle:1:551800)\n" +
				"    at map (native)\n" +
				"    at Basket (address at index.android.bundle:1:551702)\n" +
				"    ... skipping 12 frames\n" +
				"    at apply (native)\n" +
				"    at next (address at InternalBytecode.js:1:1170)",
			[]Frame{
				{Function: "priceOf", File: "index.android.bundle", Line: 1, Column: 552921},
				{Function: "anonymous", File: "index.android.bundle", Line: 1, Column: 551800},
				{Function: "map", Native: true},
				{Function: "Basket", File: "index.android.bundle", Line: 1, Column: 551702},
				{Function: "apply", Native: true},
				{Function: "next", Native: true},
			},
		},
		"Hermes bytecode of an update": {
			"Error: x\n    at ?anon_0_fetch (address at /data/user/0/org.example/files/.expo-internal/5f0c.bundle:1:77)",
			[]Frame{{Function: "?anon_0_fetch", File: "/data/user/0/org.example/files/.expo-internal/5f0c.bundle", Line: 1, Column: 77}},
		},
		"Hermes from sources": {
			"Error: x\n    at total (http://10.0.2.2:8081/index.bundle?platform=android&dev=true:110463:23)\n    at global (http://10.0.2.2:8081/index.bundle:1:1)",
			[]Frame{
				{Function: "total", File: "http://10.0.2.2:8081/index.bundle?platform=android&dev=true", Line: 110463, Column: 22},
				{Function: "global", File: "http://10.0.2.2:8081/index.bundle", Line: 1, Column: 0},
			},
		},
		"JavaScriptCore on iOS": {
			"priceOf@/private/var/containers/Bundle/Application/1B2/Demo.app/main.jsbundle:646:374\n" +
				"map@[native code]\n@/private/var/main.jsbundle:12:3\n[native code]\nglobal code@main.jsbundle:1:9",
			[]Frame{
				{Function: "priceOf", File: "/private/var/containers/Bundle/Application/1B2/Demo.app/main.jsbundle", Line: 646, Column: 373},
				{Function: "map", Native: true},
				{File: "/private/var/main.jsbundle", Line: 12, Column: 2},
				{Native: true},
				{Function: "global code", File: "main.jsbundle", Line: 1, Column: 8},
			},
		},
		"JavaScriptCore with an @ in its path": {
			"f@file:///var/@scope/main.jsbundle:1:2\nfile:///var/@scope/main.jsbundle:3:4",
			[]Frame{
				{Function: "f", File: "file:///var/@scope/main.jsbundle", Line: 1, Column: 1},
				{File: "file:///var/@scope/main.jsbundle", Line: 3, Column: 3},
			},
		},
		"V8": {
			"TypeError: Cannot read properties of undefined (reading 'cents')\n" +
				"    at _e.priceOf (index.android.bundle:646:375)\n" +
				"    at new Basket (webpack-internal:///./src/basket.js:7:11)\n" +
				"    at async Promise.all (index 0)\n" +
				"    at async load (index.android.bundle:9:1)\n" +
				"    at Object.foo [as bar] (index.android.bundle:10:2)\n" +
				"    at file:///srv/throw.mjs:19:23\n" +
				"    at eval (eval at run (app.js:1:2), <anonymous>:3:4)\n" +
				"    at Array.map (<anonymous>)\n" +
				"    at ModuleJob.run (node:internal/modules/esm/module_job:325:25)",
			[]Frame{
				{Function: "_e.priceOf", File: "index.android.bundle", Line: 646, Column: 374},
				{Function: "Basket", File: "webpack-internal:///./src/basket.js", Line: 7, Column: 10},
				{Function: "load", File: "index.android.bundle", Line: 9, Column: 0},
				{Function: "Object.foo", File: "index.android.bundle", Line: 10, Column: 1},
				{File: "file:///srv/throw.mjs", Line: 19, Column: 22},
				{Function: "eval", File: "<anonymous>", Line: 3, Column: 3},
				{Function: "ModuleJob.run", File: "node:internal/modules/esm/module_job", Line: 325, Column: 24, Native: true},
			},
		},
		"no stack":   {"Error: it failed at 12:30:15 (see a:1:2)\nsecond line of the message", nil},
		"components": {"\n    at Basket\n    at RCTView", nil},
		"numbers that are none": {
			"at f (a.js:0:1)\nat f (a.js:99999999999:1)\nat f (a.js:-1:2)\nat f (:1:2)\nat f (a.js:1:)\nat f (a.js:1)", nil,
		},
		"nothing": {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, Parse(c.text, 100))
		})
	}
}

func TestAStackIsReadUpToAFrame(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("    at f (address at a.bundle:1:2)\n", 10_000)
	require.Len(t, Parse(deep, 128), 128)
	require.Empty(t, Parse("at "+strings.Repeat("f", longestLine)+" (a.js:1:2)", 1))
}

func FuzzParse(f *testing.F) {
	f.Add("Error: x\n    at f (address at index.android.bundle:1:1234)\n    at map (native)")
	f.Add("f@main.jsbundle:1:2\n[native code]\nat eval (eval at a (b:1:2), <anonymous>:3:4)")
	f.Add("at (((:1:1))) [as \x00 (@@@:1:1")
	f.Fuzz(func(t *testing.T, text string) {
		frames := Parse(text, 64)
		require.LessOrEqual(t, len(frames), 64)
		for _, frame := range frames {
			require.GreaterOrEqual(t, frame.Line, 0)
			require.GreaterOrEqual(t, frame.Column, 0)
			require.Contains(t, text, frame.Function)
		}
	})
}
