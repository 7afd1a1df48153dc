// Package deploy holds what the files for running Waft in containers promise, on
// machines where no container can run.
package deploy

import (
	"bufio"
	"encoding/json"
	"errors"
	"go/version"
	"io"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
	"gocloud.dev/blob"
	_ "gocloud.dev/blob/s3blob" // the scheme of the bucket in docker-compose.yml

	"github.com/waft-ota/waft/config"
)

const (
	root         = ".."
	composeFile  = "docker-compose.yml"
	dockerfile   = "Dockerfile"
	dockerignore = ".dockerignore"
)

var (
	// pinned is a tag of a release: at least major and minor, so neither
	// "latest" nor "18".
	pinned = regexp.MustCompile(`:v?\d+\.\d+[\w.-]*$`)

	secrets = map[string]string{
		"WAFT_ROOT_KEY":   "waft_0123abcd_" + strings.Repeat("0123456789abcdef", 4),
		"WAFT_SECRET_KEY": "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
	}
)

// load reads docker-compose.yml as Docker Compose does: checked against the
// schema, with the references between its parts, and with nothing of the
// environment but the given variables.
func load(t *testing.T, environment map[string]string) (*types.Project, error) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, composeFile))
	require.NoError(t, err)
	return loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir:  root,
		ConfigFiles: []types.ConfigFile{{Filename: composeFile, Content: content}},
		Environment: maps.Clone(environment), // the loader adds to it
	})
}

func mustLoad(t *testing.T) *types.Project {
	t.Helper()
	project, err := load(t, secrets)
	require.NoError(t, err)
	return project
}

// waftd returns the services that run Waft's own image.
func waftd(t *testing.T, project *types.Project) types.Services {
	t.Helper()
	own := types.Services{}
	for name, service := range project.Services {
		if service.Build != nil {
			own[name] = service
		}
	}
	require.ElementsMatch(t, []string{"api", "worker", "migrate"}, slices.Collect(maps.Keys(own)))
	return own
}

func TestComposeHasEveryPart(t *testing.T) {
	t.Parallel()
	require.Subset(t, mustLoad(t).ServiceNames(), []string{
		"api", "worker", "migrate", "postgres", "temporal", "temporal-ui", "clickhouse", "objects",
	})
}

func TestComposeAsksForTheSecrets(t *testing.T) {
	t.Parallel()
	for secret := range secrets {
		t.Run(secret, func(t *testing.T) {
			t.Parallel()
			rest := maps.Clone(secrets)
			delete(rest, secret)
			_, err := load(t, rest)
			require.ErrorContains(t, err, secret)
		})
	}
}

func TestComposePinsEveryImage(t *testing.T) {
	t.Parallel()
	for name, service := range mustLoad(t).Services {
		if service.Build == nil {
			require.Regexp(t, pinned, service.Image, name)
			continue
		}
		file := filepath.Join(service.Build.Context, service.Build.Dockerfile)
		require.FileExists(t, file, name)
		require.Equal(t, types.PullPolicyBuild, service.PullPolicy, name)
	}
}

func TestComposePublishesOnThisMachineOnly(t *testing.T) {
	t.Parallel()
	taken := map[string]string{}
	for name, service := range mustLoad(t).Services {
		for _, port := range service.Ports {
			require.Equal(t, "127.0.0.1", port.HostIP, name)
			require.NotContains(t, taken, port.Published, name)
			taken[port.Published] = name
		}
	}
}

func TestComposeStartsInOrder(t *testing.T) {
	t.Parallel()
	project := mustLoad(t)
	for name, service := range project.Services {
		for dependency, edge := range service.DependsOn {
			needed, ok := project.Services[dependency]
			require.True(t, ok, "%s depends on %s, which is not there", name, dependency)
			switch edge.Condition {
			case types.ServiceConditionHealthy:
				require.NotNil(t, needed.HealthCheck, "%s waits for the health of %s", name, dependency)
			case types.ServiceConditionCompletedSuccessfully:
				require.Regexp(t, `^(no|on-failure(:\d+)?)$`, needed.Restart, "%s waits for the end of %s", name, dependency)
			default:
				require.Fail(t, "a dependency without a condition", "%s on %s: %s", name, dependency, edge.Condition)
			}
		}
	}
	for name := range waftd(t, project) {
		require.Contains(t, ancestors(project, name), "postgres", name)
		require.Contains(t, ancestors(project, name), "clickhouse", name)
	}
	for _, name := range []string{"api", "worker"} {
		require.Subset(t, ancestors(project, name), []string{"migrate", "temporal", "objects"}, name)
	}
}

// ancestors returns every service that has to be up before the named one.
func ancestors(project *types.Project, name string) []string {
	var found []string
	for dependency := range project.Services[name].DependsOn {
		found = append(found, dependency)
		found = append(found, ancestors(project, dependency)...)
	}
	return found
}

func TestComposeKeepsDataInNamedVolumes(t *testing.T) {
	t.Parallel()
	project := mustLoad(t)
	users := map[string][]string{}
	for name, service := range project.Services {
		for _, volume := range service.Volumes {
			require.Equal(t, types.VolumeTypeVolume, volume.Type, name)
			require.Contains(t, project.Volumes, volume.Source, name)
			users[volume.Source] = append(users[volume.Source], name)
		}
	}
	for volume := range project.Volumes {
		// Two processes with one ingest log would lose reports.
		require.Len(t, users[volume], 1, "users of %s", volume)
	}
}

func TestComposeSetsWhatTheServerKnows(t *testing.T) {
	t.Parallel()
	known := map[string]config.Variable{}
	for _, variable := range config.Variables() {
		known[variable.Name] = variable
	}
	project := mustLoad(t)
	for name, service := range waftd(t, project) {
		settings := map[string]string{}
		for variable, value := range service.Environment {
			require.NotNil(t, value, "%s: %s has no value", name, variable)
			settings[variable] = *value
			if strings.HasPrefix(variable, "AWS_") {
				continue // read by the S3 client
			}
			require.Contains(t, known, variable, name)
		}
		for _, variable := range known {
			if variable.Required {
				require.NotEmpty(t, settings[variable.Name], "%s: %s", name, variable.Name)
			}
		}
		cfg, err := config.FromMap(settings)
		require.NoError(t, err, name)

		requireService(t, project, "DATABASE_URL", hostOf(t, cfg.DatabaseURL))
		requireService(t, project, "CLICKHOUSE_URL", hostOf(t, cfg.ClickHouseURL))
		requireService(t, project, "TEMPORAL_ADDRESS", strings.Split(cfg.TemporalAddress, ":")[0])
		if len(service.Volumes) > 0 {
			require.Equal(t, cfg.DataDir, service.Volumes[0].Target, name)
		}
	}
}

func TestComposeGivesTheEnginesTheSameNamesAsTheServer(t *testing.T) {
	t.Parallel()
	project := mustLoad(t)
	api := func(variable string) string { return *project.Services["api"].Environment[variable] }
	value := func(service, variable string) string {
		set := project.Services[service].Environment[variable]
		require.NotNil(t, set, "%s: %s", service, variable)
		return *set
	}

	for _, engine := range []struct{ service, prefix, setting string }{
		{"postgres", "POSTGRES_", "DATABASE_URL"},
		{"clickhouse", "CLICKHOUSE_", "CLICKHOUSE_URL"},
	} {
		address, err := url.Parse(api(engine.setting))
		require.NoError(t, err)
		password, _ := address.User.Password()
		require.Equal(t, value(engine.service, engine.prefix+"USER"), address.User.Username())
		require.Equal(t, value(engine.service, engine.prefix+"PASSWORD"), password)
		require.Equal(t, value(engine.service, engine.prefix+"DB"), strings.Trim(address.Path, "/"))
	}
	require.Equal(t, value("temporal-namespace", "TEMPORAL_NAMESPACE"), api("TEMPORAL_NAMESPACE"))
	require.Equal(t, value("objects", "ROOT_ACCESS_KEY_ID"), api("AWS_ACCESS_KEY_ID"))
	require.Equal(t, value("objects", "ROOT_SECRET_ACCESS_KEY"), api("AWS_SECRET_ACCESS_KEY"))

	bucket, err := url.Parse(api("WAFT_ASSET_BUCKET_URL"))
	require.NoError(t, err)
	requireService(t, project, "WAFT_ASSET_BUCKET_URL", hostOf(t, bucket.Query().Get("endpoint")))
	require.Equal(t, value("objects", "VGW_REGION"), bucket.Query().Get("region"))
	require.Contains(t, strings.Join(project.Services["objects"].Command, "\n"), "/data/"+bucket.Host)
	// Opening checks the parameters and asks nobody.
	opened, err := blob.OpenBucket(t.Context(), bucket.String())
	require.NoError(t, err)
	require.NoError(t, opened.Close())
}

func requireService(t *testing.T, project *types.Project, setting, host string) {
	t.Helper()
	_, ok := project.Services[host]
	require.True(t, ok, "%s: no service is called %q", setting, host)
}

func hostOf(t *testing.T, raw string) string {
	t.Helper()
	address, err := url.Parse(raw)
	require.NoError(t, err)
	return address.Hostname()
}

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
	require.Len(t, stages, 2)
	return stages
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
	for _, s := range readStages(t) {
		require.Regexp(t, pinned, s.image)
	}
}

func TestDockerfileBuildsWithTheGoOfTheModule(t *testing.T) {
	t.Parallel()
	module, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	image := regexp.MustCompile(`^golang:([\d.]+)-`).FindStringSubmatch(readStages(t)[0].image)
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
		for _, args := range s.all("COPY") {
			sources := args[:len(args)-1]
			if from, ok := strings.CutPrefix(args[0], "--from="); ok {
				require.Equal(t, stages[0].name, from)
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
	targets := buildTargets(stages[0])
	require.Equal(t, []string{"./cmd/waftd", "./cmd/waft"}, targets)
	for _, target := range targets {
		require.FileExists(t, filepath.Join(root, target, "main.go"))
	}
	require.Equal(t, [][]string{{`["waftd"]`}}, stages[1].all("ENTRYPOINT"))
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

func TestDockerfileEndsWithoutRoot(t *testing.T) {
	t.Parallel()
	stages := readStages(t)
	users := stages[len(stages)-1].all("USER")
	require.NotEmpty(t, users)
	last := users[len(users)-1][0]
	// A name would be root in an image whose passwd says so; a number cannot be.
	require.Regexp(t, `^[1-9]\d*:[1-9]\d*$`, last)
}

func TestDockerignoreLeavesWhatTheBuildNeeds(t *testing.T) {
	t.Parallel()
	needed := compiledFiles(t, buildTargets(readStages(t)[0]))
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
	list := exec.CommandContext(t.Context(), "go", append([]string{"list", "-deps", "-json=Dir,Standard,GoFiles,EmbedFiles"}, packages...)...)
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
