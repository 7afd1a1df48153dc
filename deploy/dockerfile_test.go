package deploy

import (
	"bufio"
	"encoding/json"
	"errors"
	"go/version"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
)

// stage is one FROM of the Dockerfile with the instructions that follow it.
type stage struct {
	image, name  string
	instructions []instruction
}

type instruction struct {
	name string
	args []string
}

// readStages splits the Dockerfile. It knows as much of the format as ours uses:
// comments, continued lines and shell forms.
func readStages(t *testing.T) []stage {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, dockerfile))
	require.NoError(t, err)
	text := regexp.MustCompile(`(?m)^\s*#.*\n`).ReplaceAllString(string(content), "")
	text = strings.ReplaceAll(text, "\\\n", " ")
	var stages []stage
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		var args []string
		for _, word := range words[1:] {
			if !strings.HasPrefix(word, "--") || strings.HasPrefix(word, "--from=") {
				args = append(args, word)
			}
		}
		if words[0] == "FROM" {
			next := stage{image: args[0]}
			if len(args) == 3 {
				next.name = args[2]
			}
			stages = append(stages, next)
			continue
		}
		require.NotEmpty(t, stages, "%s before FROM", words[0])
		last := &stages[len(stages)-1]
		last.instructions = append(last.instructions, instruction{words[0], args})
	}
	require.Len(t, stages, 5)
	return stages
}

// stageNamed returns the stage of that name.
func stageNamed(t *testing.T, stages []stage, name string) stage {
	t.Helper()
	i := slices.IndexFunc(stages, func(s stage) bool { return s.name == name })
	require.NotEqual(t, -1, i, "no stage %s", name)
	return stages[i]
}

// inherited returns a stage with the instructions of the stages that it is built on.
func (s stage) inherited(stages []stage) stage {
	i := slices.IndexFunc(stages, func(below stage) bool { return below.name != "" && below.name == s.image })
	if i >= 0 {
		s.instructions = slices.Concat(stages[i].inherited(stages).instructions, s.instructions)
	}
	return s
}

// ownStage reports whether an image is not of a registry: it is empty or a stage of the file.
func ownStage(stages []stage, image string) bool {
	return image == "scratch" || slices.ContainsFunc(stages, func(s stage) bool { return s.name == image })
}

// all returns the arguments of every instruction of that name.
func (s stage) all(name string) [][]string {
	var found [][]string
	for _, i := range s.instructions {
		if i.name == name {
			found = append(found, i.args)
		}
	}
	return found
}

func TestDockerfilePinsItsImages(t *testing.T) {
	t.Parallel()
	stages := readStages(t)
	for _, s := range stages {
		if !ownStage(stages, s.image) {
			require.Regexp(t, pinned, s.image)
		}
	}
}

func TestDockerfileBuildsWithTheGoOfTheModule(t *testing.T) {
	t.Parallel()
	module, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	image := regexp.MustCompile(`^golang:([\d.]+)-`).FindStringSubmatch(stageNamed(t, readStages(t), "build").image)
	require.NotNil(t, image)
	got := "go" + image[1]
	for _, line := range regexp.MustCompile(`(?m)^(?:go |toolchain go)([\d.]+)$`).FindAllStringSubmatch(string(module), -1) {
		want := "go" + line[1]
		require.Equal(t, version.Lang(want), version.Lang(got), "go.mod says %s", line[0])
		// The image does not fetch a newer toolchain.
		require.GreaterOrEqual(t, version.Compare(got, want), 0, "go.mod says %s, the image has %s", line[0], got)
	}
}

func TestDockerfileCopiesWhatExists(t *testing.T) {
	t.Parallel()
	stages := readStages(t)
	ignored := ignoredFiles(t)
	for _, s := range stages {
		if s.name == "compiled" {
			continue // its context is not this folder
		}
		for _, args := range s.all("COPY") {
			sources := args[:len(args)-1]
			if from, ok := strings.CutPrefix(args[0], "--from="); ok {
				stageNamed(t, stages, from)
				continue
			}
			for _, source := range sources {
				_, err := os.Stat(filepath.Join(root, source))
				require.NoError(t, err)
				require.False(t, ignored(source), "%s names %s", dockerignore, source)
			}
		}
	}
}

func TestDockerfileBuildsBothCommands(t *testing.T) {
	t.Parallel()
	stages := readStages(t)
	targets := buildTargets(stageNamed(t, stages, "build"))
	require.Equal(t, []string{"./cmd/waftd", "./cmd/waft"}, targets)
	for _, target := range targets {
		require.FileExists(t, filepath.Join(root, target, "main.go"))
	}
	require.Equal(t, [][]string{{`["waftd"]`}}, stages[len(stages)-1].inherited(stages).all("ENTRYPOINT"))
}

// buildTargets returns the packages that a stage's `go build` names.
func buildTargets(s stage) []string {
	var targets []string
	for _, run := range s.all("RUN") {
		if !strings.Contains(strings.Join(run, " "), "go build") {
			continue
		}
		for _, word := range run {
			if strings.HasPrefix(word, "./") {
				targets = append(targets, word)
			}
		}
	}
	return targets
}

// TestDockerfileBuildsEveryBucketDriver keeps gs:// and azblob:// in the image; a
// plain `go build` leaves them out.
func TestDockerfileBuildsEveryBucketDriver(t *testing.T) {
	t.Parallel()
	for _, run := range stageNamed(t, readStages(t), "build").all("RUN") {
		if line := strings.Join(run, " "); strings.Contains(line, "go build") {
			require.Contains(t, line, "clouds")
		}
	}
}

func TestDockerfileEndsWithoutRoot(t *testing.T) {
	t.Parallel()
	stages := readStages(t)
	users := stages[len(stages)-1].inherited(stages).all("USER")
	require.NotEmpty(t, users)
	last := users[len(users)-1][0]
	// A name would be root in an image whose passwd says so; a number cannot be.
	require.Regexp(t, `^[1-9]\d*:[1-9]\d*$`, last)
}

// The image without a registry is the same: its stage differs from the last one in where its files come from only.
func TestDockerfileEndsAsItDoesWithoutARegistry(t *testing.T) {
	t.Parallel()
	stages := readStages(t)
	last, compiled := stages[len(stages)-1], stageNamed(t, stages, "compiled")
	require.Equal(t, last.image, compiled.image)
	for i, args := range last.all("COPY") {
		require.Equal(t, "--from=build", args[0])
		require.Equal(t, "/out/"+compiled.all("COPY")[i][0], args[1])
		require.Equal(t, compiled.all("COPY")[i][1:], args[2:])
	}
	require.Len(t, compiled.all("COPY"), len(last.all("COPY")))
	require.Equal(t, last.all("VOLUME"), compiled.all("VOLUME"))
	// The classic builder runs every stage above its target.
	at := slices.IndexFunc(stages, func(s stage) bool { return s.name == "compiled" })
	for _, s := range stages[:at+1] {
		require.True(t, ownStage(stages, s.image), "%s is above the stage compiled", s.image)
	}
}

// The image has no other program that could ask.
func TestDockerfileAndComposeAskTheServerItself(t *testing.T) {
	t.Parallel()
	stages := readStages(t)
	checks := stages[len(stages)-1].inherited(stages).all("HEALTHCHECK")
	require.Equal(t, [][]string{{"CMD", `["waftd",`, `"healthcheck"]`}}, checks)
	for name, service := range waftd(t, mustLoad(t)) {
		require.NotNil(t, service.HealthCheck, name)
		if name == "migrate" {
			require.True(t, service.HealthCheck.Disable, "it ends, and serves nothing")
			continue
		}
		require.Equal(t, types.HealthCheckTest{"CMD", "waftd", "healthcheck"}, service.HealthCheck.Test, name)
	}
}

func TestDockerignoreLeavesWhatTheBuildNeeds(t *testing.T) {
	t.Parallel()
	needed := compiledFiles(t, buildTargets(stageNamed(t, readStages(t), "build")))
	ignored := ignoredFiles(t)
	for _, file := range needed {
		require.False(t, ignored(file), "%s keeps %s from the build", dockerignore, file)
	}
	require.True(t, ignored("examples/expo-app/node_modules/expo/index.js"))
	require.True(t, ignored(".env"))
}

// compiledFiles returns every file of this module that a build of the packages
// reads, embedded ones included.
func compiledFiles(t *testing.T, packages []string) []string {
	t.Helper()
	here, err := filepath.Abs(root)
	require.NoError(t, err)
	list := exec.CommandContext(t.Context(), "go", append([]string{"list", "-deps", "-tags=clouds", "-json=Dir,Standard,GoFiles,EmbedFiles"}, packages...)...)
	list.Dir = here
	list.Env = append(os.Environ(), "CGO_ENABLED=0")
	list.Stderr = os.Stderr
	output, err := list.Output()
	require.NoError(t, err)

	var files []string
	decoder := json.NewDecoder(strings.NewReader(string(output)))
	for {
		var p struct {
			Dir                 string
			Standard            bool
			GoFiles, EmbedFiles []string
		}
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		folder, err := filepath.Rel(here, p.Dir)
		require.NoError(t, err)
		if p.Standard || !filepath.IsLocal(folder) {
			continue
		}
		for _, file := range slices.Concat(p.GoFiles, p.EmbedFiles) {
			files = append(files, filepath.ToSlash(filepath.Join(folder, file)))
		}
	}
	require.NotEmpty(t, files)
	return files
}

// ignoredFiles returns the meaning of .dockerignore: whether a path, or a folder
// above it, matches one of its patterns.
func ignoredFiles(t *testing.T) func(string) bool {
	t.Helper()
	file, err := os.Open(filepath.Join(root, dockerignore))
	require.NoError(t, err)
	defer file.Close()
	var patterns []*regexp.Regexp
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		require.NotContains(t, line, "!", "this test knows no exceptions")
		text := regexp.QuoteMeta(line)
		text = strings.ReplaceAll(text, `\*\*/`, `(.*/)?`)
		text = strings.ReplaceAll(text, `\*`, `[^/]*`)
		patterns = append(patterns, regexp.MustCompile("^"+text+"$"))
	}
	return func(name string) bool {
		for ; name != "." && name != "/"; name = path.Dir(name) {
			if slices.ContainsFunc(patterns, func(p *regexp.Regexp) bool { return p.MatchString(name) }) {
				return true
			}
		}
		return false
	}
}
