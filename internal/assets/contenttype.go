package assets

import (
	"path"
	"regexp"
	"strings"
)

// What a launch asset is served as, Hermes bytecode included.
const (
	launchContentType = "application/javascript"
	launchExtension   = ".bundle"
)

// contentTypes says what files are, by extension. The table is ours because the
// system's differs from machine to machine, and a manifest must not.
var contentTypes = map[string]string{
	".aac":   "audio/aac",
	".avif":  "image/avif",
	".bin":   "application/octet-stream",
	".bmp":   "image/bmp",
	".css":   "text/css",
	".csv":   "text/csv",
	".db":    "application/vnd.sqlite3",
	".gif":   "image/gif",
	".glb":   "model/gltf-binary",
	".gltf":  "model/gltf+json",
	".heic":  "image/heic",
	".html":  "text/html",
	".ico":   "image/vnd.microsoft.icon",
	".jpeg":  "image/jpeg",
	".jpg":   "image/jpeg",
	".js":    "application/javascript",
	".json":  "application/json",
	".m4a":   "audio/mp4",
	".m4v":   "video/mp4",
	".md":    "text/markdown",
	".mov":   "video/quicktime",
	".mp3":   "audio/mpeg",
	".mp4":   "video/mp4",
	".obj":   "model/obj",
	".ogg":   "audio/ogg",
	".otf":   "font/otf",
	".pdf":   "application/pdf",
	".png":   "image/png",
	".svg":   "image/svg+xml",
	".ttf":   "font/ttf",
	".txt":   "text/plain",
	".wasm":  "application/wasm",
	".wav":   "audio/wav",
	".webm":  "video/webm",
	".webp":  "image/webp",
	".woff":  "font/woff",
	".woff2": "font/woff2",
	".xml":   "application/xml",
	".zip":   "application/zip",
}

// compressible are the content types of files that are not compressed in themselves.
// What is unknown is worth a try; what does not get smaller is not kept.
var compressible = map[string]bool{
	"application/javascript":   true,
	"application/json":         true,
	"application/octet-stream": true,
	"application/vnd.sqlite3":  true,
	"application/wasm":         true,
	"application/xml":          true,
	"audio/wav":                true,
	"audio/wave":               true,
	"font/otf":                 true,
	"font/ttf":                 true,
	"image/bmp":                true,
	"image/svg+xml":            true,
	"image/vnd.microsoft.icon": true,
	"image/x-icon":             true,
	"model/gltf+json":          true,
	"model/gltf-binary":        true,
	"model/obj":                true,
	"text/css":                 true,
	"text/csv":                 true,
	"text/html":                true,
	"text/markdown":            true,
	"text/plain":               true,
	"text/xml":                 true,
}

// sniffedExtensions are for files without an extension, by what
// http.DetectContentType says of their first bytes.
var sniffedExtensions = map[string]string{
	"application/json":   ".json",
	"application/ogg":    ".ogg",
	"application/pdf":    ".pdf",
	"application/wasm":   ".wasm",
	"application/x-gzip": ".gz",
	"application/zip":    ".zip",
	"audio/aiff":         ".aiff",
	"audio/mpeg":         ".mp3",
	"audio/wave":         ".wav",
	"font/otf":           ".otf",
	"font/ttf":           ".ttf",
	"font/woff":          ".woff",
	"font/woff2":         ".woff2",
	"image/bmp":          ".bmp",
	"image/gif":          ".gif",
	"image/jpeg":         ".jpg",
	"image/png":          ".png",
	"image/webp":         ".webp",
	"image/x-icon":       ".ico",
	"text/html":          ".html",
	"text/plain":         ".txt",
	"text/xml":           ".xml",
	"video/avi":          ".avi",
	"video/mp4":          ".mp4",
	"video/webm":         ".webm",
}

// unknownExtension is for bytes that tell nothing. Devices need some extension.
const unknownExtension = ".bin"

// extensionPattern is what may become the end of a file name on a device.
var extensionPattern = regexp.MustCompile(`^\.[a-z0-9]{1,16}$`)

// describe is the content type and file extension, with its dot, of an asset. ext
// is what the export says, "" when it says nothing; then name's own counts, and at
// last what the first bytes suggest.
func describe(name, ext, sniffed string) (contentType, extension string) {
	if ext != "" {
		ext = "." + strings.TrimPrefix(ext, ".")
	} else {
		ext = path.Ext(name)
	}
	ext = strings.ToLower(ext)
	if !extensionPattern.MatchString(ext) {
		var known bool
		if ext, known = sniffedExtensions[sniffed]; !known {
			ext = unknownExtension
		}
	}
	if contentType, ok := contentTypes[ext]; ok {
		return contentType, ext
	}
	return sniffed, ext
}

// withoutParameters drops what follows the media type, such as a charset.
func withoutParameters(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	return strings.TrimSpace(media)
}
