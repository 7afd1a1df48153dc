//go:build containers

package pods

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/lab/fleet/bundle"
	"github.com/waft-ota/waft/models"
)

// slug is the project that the test makes.
const slug = "app"

// rootKey matches the root key in the log of the first start.
var rootKey = regexp.MustCompile(`waft_[0-9a-zA-Z]{8}_\w{64,}`)

// client returns a client of the API's pod.
func (p *runningPod) client(credentials client.Credentials) *client.Waft {
	p.t.Helper()
	through, err := client.New("http://127.0.0.1:8080", credentials, func(http.RoundTripper) http.RoundTripper { return p.network })
	require.NoError(p.t, err)
	return through
}

// project creates a project with the root key, which the API has logged, and returns a client of it.
func (p *runningPod) project() *client.Waft {
	p.t.Helper()
	root := rootKey.FindString(p.logs())
	require.NotEmpty(p.t, root, "the first start prints the root key")
	name := slug
	_, err := p.client(client.Credentials{Key: root}).CreateProjectWithResponse(p.t.Context(), &client.CreateProjectParams{},
		client.CreateProjectBody{Name: "App", Slug: &name})
	require.NoError(p.t, err)
	return p.client(client.Credentials{Key: root, Project: slug})
}

// publish publishes a release to all devices.
func (p *runningPod) publish(project *client.Waft) {
	p.t.Helper()
	export := p.t.TempDir()
	_, err := bundle.Write(export, bundle.Spec{Label: "one"})
	require.NoError(p.t, err)
	_, err = project.Publish(p.t.Context(), client.Publication{
		Dir: export, Platforms: []models.Platform{models.IOS, models.Android}, Channel: "production",
		Upload: client.Upload{RuntimeVersion: "1.0.0"},
	})
	require.NoError(p.t, err)
}

// serves returns the manifest and the JavaScript bundle that a device gets.
func (p *runningPod) serves() (got [2]string) {
	p.t.Helper()
	got[0] = p.getWith(map[string]string{
		"Accept": "application/expo+json", "Expo-Protocol-Version": "1", "Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0",
		"Expo-Channel-Name": "production", "EAS-Client-ID": "0a1b2c3d-0000-4000-8000-00000000000a",
	}, "8080", "/v1/ota/manifest/"+slug)
	var manifest struct{ LaunchAsset struct{ URL string } }
	require.NoError(p.t, json.Unmarshal([]byte(got[0]), &manifest), got[0])
	launch, err := url.Parse(manifest.LaunchAsset.URL)
	require.NoError(p.t, err)
	require.Equal(p.t, "waft.waft.svc", launch.Host)
	got[1] = p.get("8080", launch.RequestURI())
	require.NotEmpty(p.t, got[1])
	return got
}
