package e2e

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

const exampleApp = "../examples/expo-app"

// throwingLine returns the line of the example app's catalogue that throws for an item without a price.
func throwingLine(t *testing.T) (line int, text string) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(exampleApp, "src", "catalogue.js"))
	require.NoError(t, err)
	for n, text := range strings.Split(string(source), "\n") {
		if strings.Contains(text, "item.price.cents / 100") {
			return n + 1, text
		}
	}
	require.Fail(t, "the catalogue no longer throws")
	return 0, ""
}

// oneFile returns the only file that matches the pattern.
func oneFile(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.Len(t, found, 1, "%s: build the example app's exports with `make exports`", pattern)
	return found[0]
}

// hermesStack returns the stack that Hermes writes when priceOf in the export's bundle throws. The test cannot run
// Hermes bytecode, so it computes the address. It takes the instruction that reads "cents" from Hermes' own
// disassembler and adds the address of its function.
func hermesStack(t *testing.T, export string, platform models.Platform) string {
	t.Helper()
	folder := filepath.Join(export, "_expo", "static", "js", string(platform))
	bundle := oneFile(t, filepath.Join(folder, "*.hbc"))
	text, err := os.ReadFile(bundle + ".map")
	require.NoError(t, err)
	var m struct {
		Offsets map[string][]int `json:"x_hermes_function_offsets"`
	}
	require.NoError(t, json.Unmarshal(text, &m))
	hermesc := filepath.Join(exampleApp, "node_modules", "hermes-compiler", "hermesc", "linux64-bin", "hermesc")
	dump, err := exec.CommandContext(t.Context(), hermesc, "-b", "-dump-bytecode", "-pretty-disassemble=0", bundle).Output()
	require.NoError(t, err)
	function := regexp.MustCompile(`^[A-Z]\w*<(.*)>\(\d+ params`)
	instruction := regexp.MustCompile(`^\[@ (\d+)\] GetById `)
	id, inside, reads := -1, false, 0
	lines := bufio.NewScanner(bytes.NewReader(dump))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if head := function.FindStringSubmatch(lines.Text()); head != nil {
			id++
			inside = head[1] == "priceOf"
		}
		// The first property that priceOf reads is price, the second is cents.
		if at := instruction.FindStringSubmatch(lines.Text()); inside && at != nil {
			if reads++; reads == 2 {
				offset, err := strconv.Atoi(at[1])
				require.NoError(t, err)
				return fmt.Sprintf("TypeError: Cannot read property 'cents' of undefined\n    at priceOf (address at index.%s.bundle:1:%d)\n    at map (native)",
					platform, m.Offsets["0"][id]+offset)
			}
		}
	}
	require.NoError(t, lines.Err())
	require.Fail(t, "the bundle has no priceOf")
	return ""
}

// thrownStack returns the stack of an error that the export's plain, minified bundle throws in Node.
func thrownStack(t *testing.T, export string, platform models.Platform) string {
	t.Helper()
	bundle := oneFile(t, filepath.Join(export, "_expo", "static", "js", string(platform), "*.js"))
	stack, err := exec.CommandContext(t.Context(), "node", "testdata/throw.mjs", bundle).Output()
	require.NoError(t, err)
	require.Contains(t, string(stack), "TypeError: Cannot read properties of undefined")
	return string(stack)
}

// client returns an admin's client for the tenant.
func (p *tenant) client() *client.Waft {
	p.t.Helper()
	made, err := client.New(p.url, client.Credentials{Key: p.keys[models.RoleAdmin], Project: p.slug}, checked)
	require.NoError(p.t, err)
	return made
}

// fails reports an error of a device with an update, and returns the event once it is listed.
func (p *tenant) fails(update any, platform models.Platform, errorName, message, stack string, flags object) (event object) {
	p.t.Helper()
	device := "d-" + uuid.NewString()
	p.do(request{method: http.MethodPost, path: "/v1/ota/health-metrics", body: object{
		"projectSlug": p.known(), "deviceId": device, "platform": platform, "runtimeVersion": "1.0.0", "updateUuid": update,
		"channel": "production", "events": []object{{
			"type": "js_error", "count": 1, "errorName": errorName, "message": message, "stackTrace": stack, "flagStates": flags,
		}},
	}}).requireStatus(http.StatusNoContent)
	eventually(p.t, func() bool {
		events := p.do(at("/v1/ota/observe/events?deviceId=%s", device)).list()
		if len(events) > 0 {
			event = events[0]
		}
		return len(events) > 0
	})
	return event
}

// The stacks of real exports, both Hermes bytecode and minified JavaScript, are mapped to the file, line and function
// that threw. They form one group, although the bundles are completely different.
func TestStacksAreReadBySourceMaps(t *testing.T) {
	t.Parallel()
	exports := realExports(t)
	exports["plain"] = filepath.Join(filepath.Dir(exports["stable"]), "plain")
	line, text := throwingLine(t)
	p := install(t).tenant(t)
	publish := func(export string) object {
		updates, err := p.client().Publish(t.Context(), client.Publication{
			Dir: exports[export], Platforms: []models.Platform{models.Android}, Channel: "production",
			Upload: client.Upload{RuntimeVersion: "1.0.0"},
		})
		require.NoError(t, err)
		return p.do(at("/v1/ota/updates/%d", updates[0].ID)).record(http.StatusOK)
	}
	requireFrame := func(frames any) {
		t.Helper()
		list, ok := frames.([]any)
		require.True(t, ok)
		require.NotEmpty(t, list)
		f, _ := list[0].(map[string]any)
		require.Equal(t, "/src/catalogue.js", f["file"])
		require.EqualValues(t, line, f["line"])
		require.Equal(t, "priceOf", f["function"])
		require.Equal(t, true, f["symbolicated"])
		require.Equal(t, true, f["inApp"])
		require.Contains(t, f["context"], text)
		require.InDelta(t, strings.Index(text, ".cents")+1, f["column"], 1, "the column is the dot or the property, depending on the engine")
	}
	hermes := publish("broken")
	one := p.fails(hermes["updateUuid"], models.Android, "TypeError", "Cannot read property 'cents' of undefined",
		hermesStack(t, exports["broken"], models.Android), object{"new-checkout": "true"})
	requireFrame(p.do(at("/v1/ota/observe/events/%s", one["id"])).record(http.StatusOK)["frames"])

	plain := publish("plain")
	two := p.fails(plain["updateUuid"], models.Android, "TypeError", "Cannot read properties of undefined (reading 'cents')",
		thrownStack(t, exports["plain"], models.Android), nil)
	requireFrame(p.do(at("/v1/ota/observe/events/%s", two["id"])).record(http.StatusOK)["frames"])

	require.Equal(t, one["fingerprint"], two["fingerprint"], "the error must have the same fingerprint in both bundles")
	// Views write the data of groups, each a little after the events.
	var groups []object
	var page object
	p.eventually(func() bool {
		groups = p.do(at("/v1/ota/observe/groups?search=PRICEOF")).list()
		if len(groups) != 1 || groups[0]["events"] != 2.0 || groups[0]["lastUpdateUuid"] != plain["updateUuid"] {
			return false
		}
		page = p.do(at("/v1/ota/observe/groups/%s", one["fingerprint"])).record(http.StatusOK)
		return slices.Contains(sampled(page), two["id"]) && size(page["byUpdate"]) == 2 && size(page["byFlag"]) == 1
	})
	require.Equal(t, one["fingerprint"], groups[0]["fingerprint"])
	require.Equal(t, "priceOf (src/catalogue.js)", groups[0]["culprit"])
	require.EqualValues(t, 2, groups[0]["events"])
	require.EqualValues(t, 2, groups[0]["devices"])
	require.Equal(t, hermes["updateUuid"], groups[0]["firstUpdateUuid"])
	require.Equal(t, plain["updateUuid"], groups[0]["lastUpdateUuid"])
	require.Equal(t, "ongoing", groups[0]["state"])
	require.Len(t, groups[0]["trend"], 24)

	requireFrame(page["frames"])
	// Events whose report IDs have the same hash share one slot for samples, which keeps the latest event.
	require.Equal(t, two["id"], sampled(page)[0])
	require.Subset(t, []any{two["id"], one["id"]}, sampled(page))
	require.Len(t, page["byUpdate"], 2)
	require.Equal(t, []any{map[string]any{"platform": "android", "events": 2.0, "devices": 2.0}}, page["byPlatform"])
	require.Equal(t, []any{map[string]any{"flagKey": "new-checkout", "variation": "true", "events": 1.0, "devices": 1.0}}, page["byFlag"])
}

// sampled returns the IDs of the sample events on an error group's page.
func sampled(page object) (ids []any) {
	samples, _ := page["samples"].([]any)
	for _, sample := range samples {
		ids = append(ids, sample.(map[string]any)["id"])
	}
	return ids
}

// size returns the length of a list in a response, and 0 for anything else.
func size(list any) int {
	all, _ := list.([]any)
	return len(all)
}

// putMap returns the request that adds a source map to a build.
func putMap(build object, text string) request {
	r := to(text, "/v1/ota/builds/%d/sourcemap", build.id("id"))
	r.method = http.MethodPut
	return r
}

// bundleMap returns a source map for a bundle of one line. Column 10 of the bundle is line 2 of cart.js.
func bundleMap(marker string) string {
	return fmt.Sprintf(`{"version":3,"sources":["/app/cart.js","/app/index.js"],"sourcesContent":["// %s\nthrow x;\n","\n"],"names":[],"mappings":"AAAA,UACA"}`, marker)
}

// A deleted source map is not used for stacks any more. The build keeps its bundle.
func TestASourceMapIsDeleted(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	build := p.build()
	release := p.create(path("/v1/ota/builds/%d/publish", build.id("id")), object{"channel": "production"})
	p.do(putMap(build, bundleMap("secret"))).requireStatus(http.StatusOK)
	event := p.fails(release["updateUuid"], models.IOS, "Error", "x", "Error: x\n    at anonymous (address at main.jsbundle:1:10)", nil)
	file := func() any {
		list, _ := p.do(at("/v1/ota/observe/events/%s", event["id"])).record(http.StatusOK)["frames"].([]any)
		require.Len(t, list, 1)
		return list[0].(map[string]any)["file"]
	}
	require.Equal(t, "/app/cart.js", file())
	remove := at("/v1/ota/builds/%d/sourcemap", build.id("id")).by(http.MethodDelete)
	p.do(remove).requireStatus(http.StatusNoContent)
	p.eventually(func() bool { return file() == "main.jsbundle" })
	p.do(remove).problem(http.StatusNotFound, models.CodeNotFound)
	stored := p.list("/v1/ota/builds")[0]
	require.Equal(t, [2]any{0.0, build["sizeBytes"]}, [2]any{stored["sourceMapBytes"], stored["sizeBytes"]})
	require.Len(t, p.list("/v1/ota/audit-log?action=build.source_map_deleted"), 1)
}

// A source map that is added later is used immediately, for stored events and new ones. A source map for another
// project's build is refused.
func TestASourceMapIsAddedLater(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	build := p.build()
	release := p.create(path("/v1/ota/builds/%d/publish", build.id("id")), object{"channel": "production"})
	const stack = "Error: x\n    at anonymous (address at main.jsbundle:1:10)"
	before := p.fails(release["updateUuid"], models.IOS, "Error", "x", stack, nil)
	frames := func() map[string]any {
		list, _ := p.do(at("/v1/ota/observe/events/%s", before["id"])).record(http.StatusOK)["frames"].([]any)
		require.Len(t, list, 1)
		return list[0].(map[string]any)
	}
	require.Equal(t, "main.jsbundle", frames()["file"])
	require.EqualValues(t, 11, frames()["column"])
	require.Equal(t, false, frames()["symbolicated"])

	foreign := p.build()
	p.do(putMap(foreign, bundleMap("foreign"))).requireStatus(http.StatusOK)
	require.Equal(t, "main.jsbundle", frames()["file"])

	with := p.do(putMap(build, bundleMap("mine"))).record(http.StatusOK)
	require.EqualValues(t, len(bundleMap("mine")), with["sourceMapBytes"])
	require.Equal(t, "/app/cart.js", frames()["file"])
	require.EqualValues(t, 2, frames()["line"])
	require.Equal(t, []any{"// mine", "throw x;"}, frames()["context"])
	after := p.fails(release["updateUuid"], models.IOS, "Error", "x", stack, nil)
	require.NotEqual(t, before["fingerprint"], after["fingerprint"], "new events are grouped by the source")

	// Another source map replaces the first one.
	with = p.do(putMap(build, bundleMap("another"))).record(http.StatusOK)
	require.EqualValues(t, build.id("sizeBytes")+int64(len(bundleMap("another"))), with["sizeBytes"])
	require.Equal(t, []any{"// another", "throw x;"}, frames()["context"])
	var form bytes.Buffer
	form.WriteString("--b\r\nContent-Disposition: form-data; name=\"sourcemap\"; filename=\"x.map\"\r\n\r\n" + bundleMap("form") + "\r\n--b--\r\n")
	p.do(putMap(build, form.String()).with("Content-Type", "multipart/form-data; boundary=b")).requireStatus(http.StatusOK)
	require.Equal(t, []any{"// form", "throw x;"}, frames()["context"])
}

// formOf returns an upload with parts of the given names and filenames.
func (p *tenant) formOf(parts [][3]string) request {
	var body strings.Builder
	for _, part := range parts {
		fmt.Fprintf(&body, "--b\r\nContent-Disposition: form-data; name=%q; filename=%q\r\n\r\n%s\r\n", part[0], part[1], part[2])
	}
	for name, value := range map[string]string{"platform": "ios", "runtimeVersion": "1.0.0"} {
		fmt.Fprintf(&body, "--b\r\nContent-Disposition: form-data; name=%q\r\n\r\n%s\r\n", name, value)
	}
	body.WriteString("--b--\r\n")
	return request{method: http.MethodPost, path: "/v1/ota/builds", body: body.String()}.with("Content-Type", "multipart/form-data; boundary=b")
}

// A source map counts toward the size of its build, but it is not an asset. It cannot be downloaded by its hash, and is
// deleted with the build.
func TestASourceMapIsKeptFromDevicesAndGoesWithItsBuild(t *testing.T) {
	t.Parallel()
	env := settings(t)
	bucket := strings.TrimPrefix(env["WAFT_ASSET_BUCKET_URL"], "file://")
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	files := func() (names []string) {
		require.NoError(t, filepath.WalkDir(bucket, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() {
				names = append(names, entry.Name())
			}
			return err
		}))
		return names
	}
	for what, parts := range map[string][][3]string{
		"as a part of its own":    {{"assets", "main.jsbundle", "bundle one"}, {"sourcemap", "x.map", bundleMap("one")}},
		"beside the bundle":       {{"assets", "main.jsbundle", "bundle two"}, {"assets", "main.jsbundle.map", bundleMap("two")}},
		"one of several by name":  {{"sourcemap", "ios.js.map", bundleMap("three")}, {"assets", "ios.js", "bundle 3"}, {"sourcemap", "android.js.map", "{}"}},
		"of a file beside assets": {{"assets", "main.jsbundle", "bundle four"}, {"assets", "level.map", "a game's"}, {"sourcemap", "", bundleMap("four")}},
	} {
		build := p.do(p.formOf(parts)).record(http.StatusCreated)
		size := 0
		for _, part := range parts {
			if part[2] != "{}" {
				size += len(part[2])
			}
		}
		require.EqualValues(t, size, build["sizeBytes"], what)
		require.Positive(t, build["sourceMapBytes"], what)
		require.EqualValues(t, size, build["newBytes"], what)
		for _, asset := range build["assets"].([]any) {
			require.NotContains(t, asset.(map[string]any)["path"], "js.map", what)
			require.NotContains(t, asset.(map[string]any)["path"], "jsbundle.map", what)
		}
	}
	build := p.do(p.formOf([][3]string{{"assets", "main.jsbundle", "bundle"}, {"sourcemap", "main.jsbundle.map", bundleMap("hidden")}})).record(http.StatusCreated)
	p.create(path("/v1/ota/builds/%d/publish", build.id("id")), object{"channel": "staging"})
	hidden := fmt.Sprintf("%x", md5.Sum([]byte(bundleMap("hidden"))))
	require.Contains(t, files(), hidden)
	p.known()
	p.do(request{path: "/v1/ota/assets/" + hidden + "?project=" + p.slug, method: http.MethodGet}).problem(http.StatusNotFound, models.CodeNotFound)
	p.do(request{path: "/v1/ota/assets/" + strings.ToUpper(hidden) + "?project=" + p.slug, method: http.MethodGet}).requireStatus(http.StatusNotFound)

	collect := request{method: http.MethodPost, path: "/v1/ota/gc"}
	p.do(collect).requireStatus(http.StatusOK)
	require.Contains(t, files(), hidden, "the source map must stay while its build exists")
	unpublished := p.do(p.formOf([][3]string{{"assets", "main.jsbundle", "another"}, {"sourcemap", "", bundleMap("gone")}})).record(http.StatusCreated)
	gone := fmt.Sprintf("%x", md5.Sum([]byte(bundleMap("gone"))))
	require.Contains(t, files(), gone)
	p.do(putMap(unpublished, bundleMap("next"))).requireStatus(http.StatusOK)
	p.do(collect).requireStatus(http.StatusOK)
	require.NotContains(t, files(), gone, "the replaced source map must be deleted")
	next := fmt.Sprintf("%x", md5.Sum([]byte(bundleMap("next"))))
	require.Contains(t, files(), next)
	p.do(request{method: http.MethodDelete, path: path("/v1/ota/builds/%d", unpublished.id("id"))}).requireStatus(http.StatusNoContent)
	p.do(collect).requireStatus(http.StatusOK)
	require.NotContains(t, files(), next, "the source map must be deleted with its build")
	kept := p.do(p.formOf([][3]string{{"assets", "main.jsbundle", "a third"}, {"sourcemap", "", bundleMap("dropped")}})).record(http.StatusCreated)
	dropped := fmt.Sprintf("%x", md5.Sum([]byte(bundleMap("dropped"))))
	require.Contains(t, files(), dropped)
	p.do(at("/v1/ota/builds/%d/sourcemap", kept.id("id")).by(http.MethodDelete)).requireStatus(http.StatusNoContent)
	p.do(collect).requireStatus(http.StatusOK)
	require.NotContains(t, files(), dropped, "the deleted source map's file must be deleted")

	for why, parts := range map[string][][3]string{
		"one is no source map":              {{"assets", "main.jsbundle", "b"}, {"sourcemap", "", "not one"}},
		"the one beside the bundle is none": {{"assets", "main.jsbundle", "b"}, {"assets", "main.jsbundle.map", "{}"}},
		"none has the bundle's name":        {{"assets", "main.jsbundle", "b"}, {"sourcemap", "x", bundleMap("1")}, {"sourcemap", "y", bundleMap("2")}},
	} {
		problem := p.do(p.formOf(parts)).problem(http.StatusBadRequest, models.CodeInvalid)
		require.Contains(t, fmt.Sprint(problem["errors"]), "sourcemap", why)
	}
}

// A source map of 50 MB is accepted, and stacks are mapped with it.
func TestASourceMapOf50Megabytes(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	build := p.build()
	release := p.create(path("/v1/ota/builds/%d/publish", build.id("id")), object{"channel": "production"})
	line := strings.Repeat("x", 63) + `\n`
	large := fmt.Sprintf(`{"version":3,"sources":["/app/cart.js"],"sourcesContent":["%sthrow x;\n"],"names":[],"mappings":"AAAA"}`, strings.Repeat(line, 50<<20/len(line)))
	require.Greater(t, len(large), 50<<20-100)
	p.do(putMap(build, large)).requireStatus(http.StatusOK)
	event := p.fails(release["updateUuid"], models.IOS, "Error", "x", "Error: x\n    at f (address at main.jsbundle:1:3)", nil)
	shown := p.do(at("/v1/ota/observe/events/%s", event["id"])).record(http.StatusOK)
	require.Equal(t, "/app/cart.js", shown["frames"].([]any)[0].(map[string]any)["file"])
}
