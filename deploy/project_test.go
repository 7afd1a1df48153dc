package deploy

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/waft-ota/waft/internal/base/version"
)

func readFile(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(content)
}

func readYAML[T any](t *testing.T, name string) (document T) {
	t.Helper()
	require.NoError(t, yaml.Unmarshal([]byte(readFile(t, name)), &document), name)
	return document
}

func TestGoreleaserBuildsBothCommandsStatically(t *testing.T) {
	t.Parallel()
	type build struct {
		ID, Main, Binary  string
		Env, Goos, Goarch []string
		Flags, Ldflags    []string
		Tags              []string
	}
	config := readYAML[struct {
		Version  int
		Builds   []build
		Archives []struct {
			IDs, Files     []string
			DifferentCount bool `yaml:"allow_different_binary_count"`
		}
		Sboms []struct{ Artifacts string }
	}](t, ".goreleaser.yaml")
	require.Equal(t, 2, config.Version)
	require.Len(t, config.Sboms, 1)
	require.Len(t, config.Archives, 1)
	var ids []string
	for _, b := range config.Builds {
		ids = append(ids, b.ID)
		require.FileExists(t, filepath.Join(root, b.Main, "main.go"))
		require.Equal(t, "./cmd/"+b.Binary, b.Main)
		require.Equal(t, []string{"CGO_ENABLED=0"}, b.Env)
		systems := []string{"linux", "darwin"}
		if b.ID == "waft" {
			systems = append(systems, "windows")
		}
		require.Equal(t, systems, b.Goos, b.ID)
		require.Equal(t, []string{"amd64", "arm64"}, b.Goarch)
		require.Equal(t, []string{"clouds"}, b.Tags)
		require.Contains(t, strings.Join(b.Ldflags, " "), "-X "+stamped+"{{ .Version }}")
	}
	require.Equal(t, []string{"waftd", "waft"}, ids)
	require.Equal(t, ids, config.Archives[0].IDs)
	require.True(t, config.Archives[0].DifferentCount, "GoReleaser refuses an archive for Windows without waftd otherwise")
	for _, file := range config.Archives[0].Files {
		require.FileExists(t, filepath.Join(root, file))
	}
}

type workflow struct {
	Permissions map[string]string
	Jobs        map[string]struct {
		Environment string
		Needs       any // a name or a list of names
		Permissions map[string]string
		Steps       []struct {
			Uses, Run string
			With      map[string]string
		}
	}
}

// workflows returns the hosted workflows by the name of their file.
func workflows(t *testing.T) map[string]workflow {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, ".github/workflows/*.yml"))
	require.NoError(t, err)
	found := map[string]workflow{}
	for _, file := range files {
		name := filepath.Base(file)
		found[name] = readYAML[workflow](t, filepath.Join(".github/workflows", name))
	}
	require.Contains(t, found, "ci.yml")
	require.Contains(t, found, "release.yml")
	return found
}

func TestHostedCIRunsWhatAChangeMustPass(t *testing.T) {
	t.Parallel()
	ci := workflows(t)["ci.yml"]
	require.Equal(t, map[string]string{"contents": "read"}, ci.Permissions)
	var commands []string
	for _, job := range ci.Jobs {
		for _, step := range job.Steps {
			commands = append(commands, step.Run)
		}
	}
	require.Contains(t, commands, ".ci/run")
	require.Contains(t, commands, "make vulncheck")
	info, err := os.Stat(filepath.Join(root, ".ci/run"))
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&0o100, "is executable")
}

// Only the job that publishes and the job that signs may ask for an identity token, which proves where a package or an archive was built.
// They may not write to the repository, and they do not run the tools that build.
func TestReleasesPublishPackagesWithProvenance(t *testing.T) {
	t.Parallel()
	release := workflows(t)["release.yml"]
	require.Equal(t, map[string]string{"contents": "read"}, release.Permissions)
	commands := func(job string) (all []string) {
		for _, step := range release.Jobs[job].Steps {
			if step.Run != "" {
				all = append(all, step.Run)
			}
		}
		return all
	}
	downloads := func(job string) (artifacts []string) {
		for _, step := range release.Jobs[job].Steps {
			if strings.HasPrefix(step.Uses, "actions/download-artifact@") {
				artifacts = append(artifacts, step.With["name"])
			}
		}
		return artifacts
	}
	for name, job := range release.Jobs {
		if name != "publish" {
			require.Empty(t, job.Environment, name)
		}
		if name != "publish" && name != "provenance" {
			require.NotContains(t, job.Permissions, "id-token", name)
			require.NotContains(t, job.Permissions, "attestations", name)
		}
	}
	require.Empty(t, commands("provenance"))
	require.Equal(t, map[string]string{"attestations": "write", "id-token": "write"}, release.Jobs["provenance"].Permissions)
	signs := release.Jobs["provenance"].Steps[len(release.Jobs["provenance"].Steps)-1]
	require.Regexp(t, "^actions/attest-build-provenance@", signs.Uses)
	require.Equal(t, map[string]string{"subject-checksums": "checksums.txt"}, signs.With)
	require.Equal(t, []string{"make sdk", "make sdk-installs", "node tools/publish.mjs --pack ../packed"}, commands("packages"))
	require.Equal(t, []string{"node cmd/waft/npm/pack.mjs dist packed-cli"}, commands("cli-packages"), "not with the SDK's tools")
	for _, name := range []string{"packages", "cli-packages"} {
		require.Empty(t, release.Jobs[name].Permissions, "reads")
	}
	require.Equal(t, []any{"packages", "cli-packages"}, release.Jobs["publish"].Needs)
	require.Equal(t, [][]string{{"checksums"}, nil, {"cli"}, {"packed", "packed-cli"}}, [][]string{
		downloads("provenance"), downloads("packages"), downloads("cli-packages"), downloads("publish"),
	})
	require.Equal(t, []string{"node tools/publish.mjs ../packed ../packed-cli"}, commands("publish"))
	require.Equal(t, map[string]string{"contents": "read", "id-token": "write"}, release.Jobs["publish"].Permissions)
	require.Equal(t, "npm", release.Jobs["publish"].Environment)
}

// A tag can be moved to other code; a commit's hash cannot.
func TestWorkflowsPinActionsByHash(t *testing.T) {
	t.Parallel()
	byHash := regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)
	for name, w := range workflows(t) {
		for _, job := range w.Jobs {
			for _, step := range job.Steps {
				if step.Uses != "" {
					require.Regexp(t, byHash, step.Uses, name)
				}
			}
		}
	}
}

func TestWorkflowsCallTargetsThatExist(t *testing.T) {
	t.Parallel()
	makefile := readFile(t, "Makefile")
	for _, w := range workflows(t) {
		for _, job := range w.Jobs {
			for _, step := range job.Steps {
				if target, ok := strings.CutPrefix(step.Run, "make "); ok {
					require.Contains(t, makefile, "\n"+target+": ")
				}
			}
		}
	}
}

// TestDependencyUpdatesReachEveryModule fails when a module or an npm package is added
// and .github/dependabot.yml does not name its directory.
func TestDependencyUpdatesReachEveryModule(t *testing.T) {
	t.Parallel()
	named := map[string][]string{}
	for _, update := range readYAML[struct {
		Updates []struct {
			Ecosystem   string `yaml:"package-ecosystem"`
			Directories []string
		}
	}](t, ".github/dependabot.yml").Updates {
		named[update.Ecosystem] = append(named[update.Ecosystem], update.Directories...)
	}
	require.ElementsMatch(t, directoriesWith(t, "go.sum"), named["gomod"])
	require.ElementsMatch(t, directoriesWith(t, "package-lock.json"), named["npm"])
}

// directoriesWith returns the directories of the repository that hold a file of that
// name, as dependabot.yml writes them.
func directoriesWith(t *testing.T, file string) []string {
	t.Helper()
	var found []string
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "build" || path != root && strings.HasPrefix(entry.Name(), ".")):
			return fs.SkipDir
		case entry.Name() == file:
			found = append(found, strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), root))
		}
		return nil
	}))
	for i, directory := range found {
		found[i] = "/" + strings.TrimPrefix(directory, "/")
	}
	return found
}

func TestDevContainerHasTheGoOfTheImage(t *testing.T) {
	t.Parallel()
	var container struct {
		Features map[string]struct{ Version string }
	}
	require.NoError(t, json.Unmarshal([]byte(readFile(t, ".devcontainer/devcontainer.json")), &container))
	for feature, f := range container.Features {
		if strings.Contains(feature, "/go:") {
			require.Contains(t, stageNamed(t, readStages(t), "build").image, "golang:"+f.Version+"-")
			return
		}
	}
	require.Fail(t, "no Go in the dev container")
}

// stamped is the linker's argument that sets the version of a release.
const stamped = "github.com/waft-ota/waft/internal/base/version.released="

// TestReleasesStampTheVersion fails when the linker's -X names a variable that does not
// exist; the linker ignores that.
func TestReleasesStampTheVersion(t *testing.T) {
	t.Parallel()
	require.Contains(t, readFile(t, dockerfile), "-X "+stamped+"$VERSION")
	require.Contains(t, readFile(t, "Makefile"), "-X="+stamped+"$(VERSION)")
	binary := filepath.Join(t.TempDir(), "waft")
	build := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-X "+stamped+"9.8.7", "-o", binary, "./cmd/waft")
	build.Dir = root
	output, err := build.CombinedOutput()
	require.NoError(t, err, "%s", output)
	output, err = exec.CommandContext(t.Context(), binary, "version").Output()
	require.NoError(t, err)
	require.Equal(t, "waft 9.8.7\n", string(output))
}

// TestChangelogKnowsTheVersion fails when the version is raised without an entry, and
// when the document and the client were not generated since.
func TestChangelogKnowsTheVersion(t *testing.T) {
	t.Parallel()
	heading := regexp.MustCompile(`(?m)^## \[(\d[^\]]*)\]`).FindStringSubmatch(readFile(t, "CHANGELOG.md"))
	require.NotNil(t, heading)
	require.Equal(t, version.Number, heading[1])
	var document struct{ Info struct{ Version string } }
	require.NoError(t, json.Unmarshal([]byte(readFile(t, "client/openapi.json")), &document))
	require.Equal(t, version.Number, document.Info.Version)
}
