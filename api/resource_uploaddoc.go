package api

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"
)

// BuildForm documents the form of an upload, which uploadForm reads.
type BuildForm struct {
	Platform         string   `json:"platform" enum:"ios,android"`
	RuntimeVersion   string   `json:"runtimeVersion" doc:"Only devices of exactly this runtime version get the build."`
	Message          string   `json:"message,omitempty"`
	ClientConfig     string   `json:"clientConfig,omitempty" doc:"App configuration as a JSON object; also accepted as expoConfig."`
	GitCommitHash    string   `json:"gitCommitHash,omitempty"`
	GitBranch        string   `json:"gitBranch,omitempty"`
	EmbeddedUpdateID string   `json:"embeddedUpdateId,omitempty" format:"uuid" doc:"Id of the update inside a binary, when the files are that update's: then the build is not published, and devices that run it get patches."`
	Assets           []string `json:"assets" format:"binary" doc:"The files; each filename is the path inside the export."`
	Bundle           string   `json:"bundle,omitempty" format:"binary" doc:"The file that the app starts."`
	Metadata         string   `json:"metadata,omitempty" format:"binary" doc:"Expo's metadata.json."`
}

// uploading is plain for the upload of a build.
func uploading(doc huma.Operation, handlers ...gin.HandlerFunc) endpoint {
	return func(m *mux, r route) {
		schemas := m.api.OpenAPI().Components.Schemas
		doc.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"multipart/form-data": {
				Schema: schemas.Schema(reflect.TypeFor[BuildForm](), true, ""),
				Example: map[string]any{
					"platform": "ios", "runtimeVersion": "1.4.0", "message": "Fix the checkout button",
					"assets": []string{"_expo/static/js/ios/entry.hbc", "assets/9e107d9d372bb6826bd81d3542a419d6"},
				},
			},
		}}
		doc.Responses = map[string]*huma.Response{"201": recordResponse("Build", "The build.", Build{}.example())}
		plain(doc, handlers...)(m, r)
	}
}
