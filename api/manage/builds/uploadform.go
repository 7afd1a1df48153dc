package builds

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/models"
)

// Maximum sizes of the form's fields in bytes. The limits in package models are lower.
const (
	maxFormField    = 64 << 10
	maxFormDocument = 4 << 20
)

// uploadForm holds the parts of an upload that have been read.
type uploadForm struct {
	stager Stager
	limits Limits
	fields map[string]string
	parts  []assets.Part
	// maps are the parts named sourcemap. Their paths are file names without directories.
	maps []assets.Part
	// byPath contains every file of parts.
	byPath map[string]uploadFile
	// staged contains every file that came with the upload.
	staged []*assets.Staged
	// chosenMap is the source map of the build, or nil.
	chosenMap uploadFile
	// size is the total size of all files.
	size int64
}

// partSourceMap is the part with the source map of a launch asset. An export for two platforms has two.
const (
	partSourceMap = "sourcemap"
	maxSourceMaps = 16
)

// formFields are the fields and their maximum sizes in bytes. metadata and expoConfig are documents from Expo and may
// come as files.
var formFields = map[string]int64{
	"platform": maxFormField, "runtimeVersion": maxFormField, "runtimeFingerprint": maxFormField, "message": maxFormField,
	"gitCommitHash": maxFormField, "gitBranch": maxFormField, "gitAuthor": maxFormField, "embeddedUpdateId": maxFormField,
	"clientConfig": maxFormDocument, "expoConfig": maxFormDocument, "metadata": assets.MaxMetadataBytes, partFiles: maxFormDocument,
}

// read reads the whole form.
func (u *uploadForm) read(ctx context.Context, parts *formParts) error {
	for {
		part, more, err := parts.next()
		if !more || err != nil {
			return err
		}
		switch limit, isField := formFields[part.name]; {
		case isField:
			err = u.field(parts, part, limit)
		case part.name == "assets" || part.name == "bundle":
			err = u.file(ctx, parts, part)
		case part.name == partSourceMap:
			err = u.sourceMap(ctx, parts, part)
		default:
			err = rest.Invalid(part.name, "is not a known field of an upload")
		}
		if err != nil {
			return err
		}
	}
}

func (u *uploadForm) field(parts *formParts, part formPart, limit int64) error {
	if _, twice := u.fields[part.name]; twice {
		return rest.Invalid(part.name, "is given twice")
	}
	value, err := parts.text(part, limit)
	u.fields[part.name] = value
	return err
}

// file stages one file. Before it reads the file, it checks everything that it can, including the fields if the
// required ones came first.
func (u *uploadForm) file(ctx context.Context, parts *formParts, part formPart) error {
	_, hasPlatform := u.fields["platform"]
	hasRuntime := u.runtimeVersion() != ""
	if len(u.parts) == 0 && hasPlatform && hasRuntime {
		if err := u.described().ValidateFields(); err != nil {
			return err
		}
	}
	field := fmt.Sprintf("assets[%d]", len(u.parts))
	if part.name == "bundle" {
		field = "bundle"
	}
	if len(u.parts) == u.limits.BuildFiles {
		return models.Errorf(models.CodeTooLarge, "a build has at most %d files", u.limits.BuildFiles)
	}
	if err := models.CheckAssetPath(part.filename); err != nil {
		return rest.Invalid(field, "%v", err)
	}
	if !utf8.ValidString(part.filename) {
		return rest.Invalid(field, "the path is not valid UTF-8")
	}
	if u.byPath[part.filename] != nil {
		return rest.Invalid(field, "the path %q is given twice", part.filename)
	}
	staged, err := u.stage(ctx, parts, part, u.limits.FileBytes)
	if err != nil {
		return err
	}
	u.byPath[part.filename] = staged
	u.parts = append(u.parts, assets.Part{Path: part.filename, IsBundle: part.name == "bundle", File: staged})
	return nil
}

// sourceMap stages a source map.
func (u *uploadForm) sourceMap(ctx context.Context, parts *formParts, part formPart) error {
	if len(u.maps) == maxSourceMaps {
		return rest.Invalid(partSourceMap, "is given more than %d times", maxSourceMaps)
	}
	staged, err := u.stage(ctx, parts, part, u.limits.SourceMapBytes)
	if err != nil {
		return err
	}
	u.maps = append(u.maps, assets.Part{Path: part.filename, File: staged})
	return nil
}

// stage stages a file of at most limit bytes.
func (u *uploadForm) stage(ctx context.Context, parts *formParts, part formPart, limit int64) (*assets.Staged, error) {
	staged, err := u.stager.Stage(ctx, part, min(limit, u.limits.BuildBytes-u.size))
	switch {
	case err != nil && (parts.body.err != nil || errors.Is(err, io.ErrUnexpectedEOF)):
		return nil, parts.broken(err)
	case models.CodeOf(err) == models.CodeTooLarge && u.limits.BuildBytes-u.size < limit:
		return nil, models.Errorf(models.CodeTooLarge, "the files of the build are larger than %d bytes in total", u.limits.BuildBytes)
	case models.CodeOf(err) == models.CodeTooLarge:
		return nil, models.Errorf(models.CodeTooLarge, "%s exceeds the maximum file size of %d bytes", cmp.Or(part.filename, part.name), limit)
	case err != nil:
		return nil, err
	}
	u.size += staged.Size()
	u.staged = append(u.staged, staged)
	return staged, nil
}

// runtimeVersion returns the runtime version from either of its two fields.
func (u *uploadForm) runtimeVersion() string {
	return cmp.Or(u.fields["runtimeVersion"], u.fields["runtimeFingerprint"])
}

// described returns the build without its files.
func (u *uploadForm) described() models.NewBuild {
	config := cmp.Or(u.fields["clientConfig"], u.fields["expoConfig"])
	return models.NewBuild{
		Platform: models.Platform(u.fields["platform"]), RuntimeVersion: u.runtimeVersion(),
		Message: u.fields["message"], ClientConfig: json.RawMessage(config),
		GitCommitHash: u.fields["gitCommitHash"], GitBranch: u.fields["gitBranch"], GitAuthor: u.fields["gitAuthor"],
		EmbeddedUpdateID: u.fields["embeddedUpdateId"],
	}
}

// build converts and validates the whole form.
func (u *uploadForm) build() (models.NewBuild, error) {
	n := u.described()
	if err := n.ValidateFields(); err != nil {
		return n, err
	}
	if len(u.parts) == 0 {
		return n, rest.Invalid("assets",
			"is required: send the files of the export as parts with this name, or name stored files in the field files")
	}
	metadata, err := u.metadata()
	if err != nil {
		return n, err
	}
	if n.Assets, err = assets.Describe(n.Platform, u.parts, metadata); err != nil {
		return n, err
	}
	found, ok, err := assets.FindSourceMap(n.Assets, u.parts, u.maps)
	if err != nil {
		return n, err
	}
	if ok {
		u.chosenMap, _ = found.File.(uploadFile) // every file of an upload is an uploadFile
		if u.chosenMap.Size() > u.limits.SourceMapBytes {
			return n, models.Errorf(models.CodeTooLarge, "%s exceeds the maximum source map size of %d bytes", found.Path, u.limits.SourceMapBytes)
		}
		n.SourceMap = &models.NewSourceMap{MD5: u.chosenMap.MD5(), SHA256: u.chosenMap.SHA256(), SizeBytes: u.chosenMap.Size()}
	}
	return n, n.Validate()
}

// metadata returns the export's metadata.json from the field or the files, or nil.
func (u *uploadForm) metadata() ([]byte, error) {
	if field, ok := u.fields["metadata"]; ok {
		return []byte(field), nil
	}
	if file := u.byPath[assets.MetadataFile]; file != nil {
		return readAll(file, assets.MaxMetadataBytes)
	}
	return nil, nil
}

// contents returns, by MD5, the sniffed type of each new file and whether each file is worth compressing.
func (u *uploadForm) contents(n models.NewBuild) map[string]models.NewContent {
	contents := make(map[string]models.NewContent, len(n.Assets))
	for _, s := range u.staged {
		contents[s.MD5()] = models.NewContent{SniffedType: s.Sniffed()}
	}
	// Files that the form only names have their content type stored already.
	for _, a := range n.Assets {
		c := contents[a.MD5]
		c.Compress = c.Compress || assets.WorthCompressing(a.ContentType, a.SizeBytes)
		contents[a.MD5] = c
	}
	return contents
}

// withMD5 returns the staged file with the content, or nil if the form only names it.
func (u *uploadForm) withMD5(md5 string) *assets.Staged {
	i := slices.IndexFunc(u.staged, func(s *assets.Staged) bool { return s.MD5() == md5 })
	if i < 0 {
		return nil
	}
	return u.staged[i]
}

// discard deletes the staged files.
func (u *uploadForm) discard() error {
	var errs []error
	for _, staged := range u.staged {
		errs = append(errs, staged.Discard())
	}
	return errors.Join(errs...)
}

// BuildForm documents the form of an upload, which uploadForm reads.
type BuildForm struct {
	Platform         string   `json:"platform" enum:"ios,android"`
	RuntimeVersion   string   `json:"runtimeVersion" doc:"Runtime version; only devices with exactly this one get the build. The field may also be named runtimeFingerprint."`
	Message          string   `json:"message,omitempty"`
	ClientConfig     string   `json:"clientConfig,omitempty" doc:"App configuration as a JSON object. The field may also be named expoConfig."`
	GitCommitHash    string   `json:"gitCommitHash,omitempty"`
	GitBranch        string   `json:"gitBranch,omitempty"`
	GitAuthor        string   `json:"gitAuthor,omitempty"`
	EmbeddedUpdateID string   `json:"embeddedUpdateId,omitempty" format:"uuid" doc:"ID of the update inside a binary, if these files are that update. The build is then not published; devices that run it get patches."`
	Assets           []string `json:"assets,omitempty" format:"binary" doc:"Files of the export; each filename is the path inside the export."`
	Files            string   `json:"files,omitempty" doc:"JSON list of files that are already stored: [{path, sha256, isLaunchAsset?}]."`
	Bundle           string   `json:"bundle,omitempty" format:"binary" doc:"Bundle that the app starts."`
	SourceMap        string   `json:"sourcemap,omitempty" format:"binary" doc:"Source map of the bundle, which devices never receive. A file with the bundle's name plus .map is also used as its source map."`
	Metadata         string   `json:"metadata,omitempty" format:"binary" doc:"Expo's metadata.json."`
}

// NamedBuild is an upload whose files are all stored already.
type NamedBuild struct {
	Platform         string      `json:"platform" enum:"ios,android"`
	RuntimeVersion   string      `json:"runtimeVersion" doc:"Runtime version; only devices with exactly this one get the build. The field may also be named runtimeFingerprint."`
	Message          string      `json:"message,omitempty"`
	ClientConfig     rest.Object `json:"clientConfig,omitempty" doc:"App configuration. The field may also be named expoConfig."`
	Metadata         rest.Object `json:"metadata,omitempty" doc:"Expo's metadata.json, unless it is among the files."`
	GitCommitHash    string      `json:"gitCommitHash,omitempty"`
	GitBranch        string      `json:"gitBranch,omitempty"`
	GitAuthor        string      `json:"gitAuthor,omitempty"`
	EmbeddedUpdateID string      `json:"embeddedUpdateId,omitempty" format:"uuid" doc:"ID of the update inside a binary, if the build is that update's bundle."`
	Files            []NamedFile `json:"files" nullable:"false" doc:"Files of the export, and the source map of its bundle."`
}

func (NamedBuild) Example() any {
	return NamedBuild{
		Platform: "ios", RuntimeVersion: "1.4.0", Message: "Fix the checkout button",
		Files: []NamedFile{{Path: "_expo/static/js/ios/entry.hbc", SHA256: exampleSHA256}},
	}
}
