package assets

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDescribeAFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, path, ext, sniffed, contentType, extension string }{
		{"extension of the export", "assets/0f", "png", "image/png", "image/png", ".png"},
		{"it may have a dot and capitals", "assets/0f", ".TTF", "font/ttf", "font/ttf", ".ttf"},
		{"it counts before the name's", "assets/a.bin", "png", "image/png", "image/png", ".png"},
		{"the name's extension", "img/Logo.JPG", "", "image/jpeg", "image/jpeg", ".jpg"},
		{"an extension says more than the bytes", "a.json", "", "text/plain", "application/json", ".json"},
		{"an unknown extension stays and the bytes say what it is", "a.lottie", "", "application/zip", "application/zip", ".lottie"},
		{"no extension", "assets/0f", "", "image/webp", "image/webp", ".webp"},
		{"no extension and no idea", "assets/0f", "", "application/octet-stream", "application/octet-stream", ".bin"},
		{"no extension and an odd type", "assets/0f", "", "application/postscript", "application/octet-stream", ".bin"},
		{"an extension that leads elsewhere", "assets/0f", "/../../x", "image/gif", "image/gif", ".gif"},
		{"an extension with odd characters", "photo.p ng", "", "image/png", "image/png", ".png"},
		{"an extension that is too long", "a." + strings.Repeat("x", 40), "", "text/plain", "text/plain", ".txt"},
		{"a dot alone", "file.", "", "text/plain", "text/plain", ".txt"},
		{"a dot in a folder's name", "v1.2/file", "", "text/plain", "text/plain", ".txt"},
		{"javascript that is no bundle", "worker.js", "", "text/plain", "application/javascript", ".js"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			contentType, extension := describe(c.path, c.ext, c.sniffed)
			require.Equal(t, c.contentType, contentType)
			require.Equal(t, c.extension, extension)
		})
	}
}

func TestStageSniffs(t *testing.T) {
	t.Parallel()
	b, _, _ := openLocal(t)
	for content, want := range map[string]string{
		"\x89PNG\r\n\x1a\n":         "image/png",
		"hello":                     "text/plain",
		"<html>":                    "text/html",
		"":                          "text/plain",
		"\x00\x01\x02":              "application/octet-stream",
		strings.Repeat("text", 999): "text/plain",
	} {
		require.Equal(t, want, stage(t, b, content).Sniffed())
	}
}
