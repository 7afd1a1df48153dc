package deploy

import (
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/base/secrets"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/models"
)

const systemd = "deploy/systemd/"

// directives returns the values of a directive in a unit, in their order.
func directives(t *testing.T, unit, name string) (values []string) {
	t.Helper()
	for _, found := range regexp.MustCompile(`(?m)^`+name+`=(.*)$`).FindAllStringSubmatch(readFile(t, systemd+unit), -1) {
		values = append(values, found[1])
	}
	return values
}

// settingLine matches a setting of an environment file, or a comment that a person turns into one.
var settingLine = regexp.MustCompile(`(?m)^(#?)([A-Z_]+)=(.*)$`)

// settingsOf returns the settings of an environment file. filled includes the settings that are comments.
func settingsOf(text string, filled bool) map[string]string {
	set := map[string]string{}
	for _, line := range settingLine.FindAllStringSubmatch(text, -1) {
		if line[1] == "" || filled {
			set[line[2]] = line[3]
		}
	}
	return set
}

// madeSettings runs the script that makes the settings of an installation, and returns their folder.
func madeSettings(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	makeSettings(t, dir)
	return dir
}

func makeSettings(t *testing.T, dir string) {
	t.Helper()
	script := filepath.Join(root, systemd, "make-env.sh")
	out, err := exec.CommandContext(t.Context(), "sh", script, dir, strconv.Itoa(os.Getgid())).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Empty(t, out)
}

// readMade returns a file of the folder that madeSettings returns.
func readMade(t *testing.T, dir, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(content)
}

// environment returns what systemd gives to the processes of a unit whose environment files are in dir.
func environment(t *testing.T, dir, unit string, filled bool) map[string]string {
	t.Helper()
	given := map[string]string{}
	for _, assignment := range directives(t, unit, "Environment") {
		name, value, _ := strings.Cut(assignment, "=")
		given[name] = value
	}
	for _, file := range directives(t, unit, "EnvironmentFile") {
		maps.Copy(given, settingsOf(readMade(t, dir, filepath.Base(file)), filled))
	}
	return given
}

func TestSettingsOfPackagesStartAServer(t *testing.T) {
	t.Parallel()
	dir := madeSettings(t)
	api, err := config.FromMap(environment(t, dir, "waft-api.service", true))
	require.NoError(t, err)
	worker, err := config.FromMap(environment(t, dir, "waft-worker.service", true))
	require.NoError(t, err)
	_, err = config.MigrationFromMap(environment(t, dir, "waft-migrate.service", true))
	require.NoError(t, err)
	backup, err := config.BackupFromMap(environment(t, dir, "waft-backup.service", true))
	require.NoError(t, err)
	require.Equal(t, api.AdminAddr, backup.AdminAddr, "asks the API whether ClickHouse has all reports")
	require.Equal(t, api.DataDir, backup.DataDir)
	require.Equal(t, directives(t, "waft-api.service", "StateDirectory"), directives(t, "waft-backup.service", "StateDirectory"),
		"a backup writes to WAFT_DATA_DIR, too")

	listeners := map[string]bool{api.ListenAddr: true, api.AdminAddr: true, worker.ListenAddr: true, worker.AdminAddr: true}
	require.Len(t, listeners, 4, "each process has its own addresses")
	require.Equal(t, []string{worker.AdminAddr}, api.OtherAdminAddrs)
	require.Equal(t, []string{api.AdminAddr}, worker.OtherAdminAddrs)
	require.NotEqual(t, api.DataDir, worker.DataDir)
	require.Empty(t, worker.RootKey, "the root key is the API's alone")

	// Waft does not start before a person has named the engines.
	_, err = config.FromMap(environment(t, dir, "waft-api.service", false))
	for _, engine := range []string{"DATABASE_URL", "CLICKHOUSE_URL", "TEMPORAL_ADDRESS"} {
		require.ErrorContains(t, err, engine)
	}
}

func TestSettingsOfPackagesHaveKeysOfTheirOwn(t *testing.T) {
	t.Parallel()
	dir, other := madeSettings(t), madeSettings(t)
	_, ok := models.ParseAPIKeyToken(settingsOf(readMade(t, dir, "api.env"), false)["WAFT_ROOT_KEY"])
	require.True(t, ok, "the root key has another form")
	_, err := secrets.ParseKey(settingsOf(readMade(t, dir, "waft.env"), false)["WAFT_SECRET_KEY"])
	require.NoError(t, err)
	for _, name := range []string{"waft.env", "api.env"} {
		require.NotEqual(t, readMade(t, dir, name), readMade(t, other, name))
	}
	made := map[string]string{}
	for name, mode := range map[string]fs.FileMode{"waft.env": 0o640, "api.env": 0o600, "worker.env": 0o640} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode().Perm(), name)
		made[name] = readMade(t, dir, name)
	}

	// An upgrade runs the script again.
	makeSettings(t, dir)
	for name, content := range made {
		require.Equal(t, content, readMade(t, dir, name))
	}
}

// Passwords in a file of the repository would be the same in every installation.
func TestTemplatesOfSettingsHaveNoSecrets(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"waft.env", "api.env", "worker.env"} {
		for setting, value := range settingsOf(readFile(t, systemd+name), true) {
			if isSecret(setting) {
				require.Equal(t, "@"+setting+"@", value, name)
			}
			if strings.Contains(value, "waft:") {
				require.Contains(t, value, "waft:PASSWORD@", name)
			}
		}
	}
}

// TestCommandsHaveTheSettingsOfTheAPI compares waft-run with the unit of the API.
func TestCommandsHaveTheSettingsOfTheAPI(t *testing.T) {
	t.Parallel()
	script := readFile(t, systemd+"waft-run")
	for _, assignment := range directives(t, "waft-api.service", "Environment") {
		require.Contains(t, script, " --setenv="+assignment+" ", "a backup would not find the reports of a stopped API")
	}
	for _, file := range directives(t, "waft-api.service", "EnvironmentFile") {
		require.Contains(t, script, "--property=EnvironmentFile="+file+" ")
	}
}

func TestUnitsGiveProcessesTimeToStop(t *testing.T) {
	t.Parallel()
	var own time.Duration
	for _, v := range config.Variables() {
		if v.Name == "WAFT_SHUTDOWN_TIMEOUT" {
			var err error
			own, err = time.ParseDuration(v.Default)
			require.NoError(t, err)
		}
	}
	for _, unit := range []string{"waft-api.service", "waft-worker.service"} {
		require.Equal(t, []string{(own + 10*time.Second).String()}, directives(t, unit, "TimeoutStopSec"), unit)
		require.Equal(t, []string{"on-failure"}, directives(t, unit, "Restart"), unit)
	}
}

// Every process of a server is equally confined.
func TestUnitsAreHardenedAlike(t *testing.T) {
	t.Parallel()
	confinement := func(unit string) string {
		_, rest, found := strings.Cut(readFile(t, systemd+unit), "\nUMask=")
		require.True(t, found, unit)
		confined, _, _ := strings.Cut(rest, "\n[Install]")
		return strings.TrimSpace(confined)
	}
	api := confinement("waft-api.service")
	require.Contains(t, api, "ProtectSystem=strict")
	require.Equal(t, api, confinement("waft-worker.service"))
	require.Equal(t, api, confinement("waft-migrate.service"))
	require.Equal(t, api, confinement("waft-backup.service"))
}

// TestPackagesContainTheFilesOfServers fails when a package names a file that does not exist, or leaves a file of deploy/systemd out.
func TestPackagesContainTheFilesOfServers(t *testing.T) {
	t.Parallel()
	type description struct {
		Name     string `yaml:"package_name"`
		IDs      []string
		Contents []struct{ Src, Dst string }
		Scripts  map[string]string
	}
	packages := map[string]description{}
	for _, p := range readYAML[struct {
		Packages []description `yaml:"nfpms"`
	}](t, ".goreleaser.yaml").Packages {
		packages[p.Name] = p
	}
	require.Len(t, packages, 2)
	require.Equal(t, []string{"waft"}, packages["waft"].IDs)
	require.Equal(t, []string{"waftd"}, packages["waft-server"].IDs)
	var contained []string
	for _, p := range packages {
		var sources []string
		for _, c := range p.Contents {
			sources = append(sources, c.Src)
			contained = append(contained, c.Src)
		}
		for _, script := range p.Scripts {
			sources = append(sources, script)
		}
		for _, source := range sources {
			if !strings.HasPrefix(source, "build/package-files/") {
				require.FileExists(t, filepath.Join(root, source), p.Name)
			}
		}
	}
	files, err := fs.Glob(os.DirFS(root), systemd+"*")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	require.Subset(t, contained, files)
}
