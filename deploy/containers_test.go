package deploy

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// The container tests play the file that people run: their override replaces engines, and nothing of Waft's services.
func TestTheOverrideOfContainerTestsReplacesEnginesOnly(t *testing.T) {
	t.Parallel()
	var override struct {
		Services map[string]map[string]any
	}
	require.NoError(t, yaml.Unmarshal([]byte(readFile(t, "deploy/containers/testdata/engines.yml")), &override))
	project := mustLoad(t)
	engines := project.ServiceNames()
	for name := range waftd(t, project) {
		engines = slices.DeleteFunc(engines, func(service string) bool { return service == name })
	}
	require.ElementsMatch(t, engines, slices.Collect(maps.Keys(override.Services)))
	for name, service := range override.Services {
		for key := range service {
			require.Contains(t, []string{"image", "entrypoint", "command", "environment", "volumes", "healthcheck"}, key, name)
		}
	}
}

// CI plays the main job in containers wherever it may.
func TestContainerTestsPlayTheImages(t *testing.T) {
	t.Parallel()
	makefile := readFile(t, "Makefile")
	require.Regexp(t, `(?m)^container-test: .*\n(?:\t.*\n)*\t@\$\(MAKE\) --no-print-directory image-test$`, makefile)
	require.Regexp(t, `(?m)^image-test: .*\n\tdeploy/containers/run\.sh$`, makefile)
}
