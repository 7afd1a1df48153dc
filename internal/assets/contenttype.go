package assets

import (
	"path"
	"regexp"
	"strings"
)

// The content type and extension of launch assets, including Hermes bytecode.
const (
	launchContentType = "application/javascript"
	launchExtension   = ".bundle"
)

// contentTypes maps extensions to content types. The operating system's table is not used, because it differs between
// machines and a manifest must not.
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

// compressible reports whether files of a content type are not already compressed. A file of unknown type
// (application/octet-stream) is compressed; the result is dropped if it is not smaller.
func compressible(contentType string) bool {
	switch contentType {
	case "application/javascript", "application/json", "application/octet-stream", "application/vnd.sqlite3",
		"application/wasm", "application/xml", "audio/wav", "audio/wave", "font/otf", "font/ttf",
		"image/bmp", "image/svg+xml", "image/vnd.microsoft.icon", "image/x-icon":
		return true
	}
	return strings.HasPrefix(contentType, "text/") || strings.HasPrefix(contentType, "model/")
}

// sniffedExtensions maps results of http.DetectContentType to extensions, for files without an extension.
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

// unknownExtension is the extension of files whose type is unknown. Devices need an extension.
const unknownExtension = ".bin"

// extensionPattern matches extensions that are safe in a file name on a device.
var extensionPattern = regexp.MustCompile(`^\.[a-z0-9]{1,16}$`)

// describe returns the content type and the file extension (with its dot) of an asset. The extension comes from ext,
// which is the export's metadata. If ext is empty, it comes from name, and otherwise from the sniffed content type.
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

// withoutParameters removes the parameters of a media type, such as a charset.
func withoutParameters(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	return strings.TrimSpace(media)
}
