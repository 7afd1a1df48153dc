// Package dashboard serves the web pages for people at /app/. They are built from this folder into dist by
// `make build` and embedded; a build without Node has a placeholder instead.
package dashboard

import (
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/waft-ota/waft/internal/base/qvalue"
)

//go:embed dist
var built embed.FS

const (
	base   = "/app/"
	assets = base + "assets/"

	app         = "index.html"
	signIn      = "sign-in.html"
	reference   = "reference.html"
	placeholder = "placeholder.html"
)

// emptyStyle is the source of a style element without text.
const emptyStyle = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"

// signInPage matches the addresses of the page of its own that people sign in with.
var signInPage = regexp.MustCompile(`^/app/(login|setup|invite|forgot|reset)/?$`)

// hostname matches what may stand in a Host header. The policy quotes it.
var hostname = regexp.MustCompile(`^[a-zA-Z0-9.:\[\]_-]+$`)

// mediaTypes has the media types of the files that Vite builds, by their extension.
var mediaTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml", ".woff2": "font/woff2", ".png": "image/png",
}

// Handler serves the dashboard, and everything else by the API that Before names.
type Handler struct {
	files map[string]file
	api   http.Handler
	// origin is the public origin of the dashboard, such as https://waft.example.com.
	origin string
}

// file is a built file with its compressed variants, which may be nil.
type file struct {
	media               string
	plain, gzip, brotli []byte
}

// New returns the handler of the dashboard. origin is the scheme and host that people reach it at.
func New(origin string) (*Handler, error) {
	files, err := read(built)
	if err != nil {
		return nil, fmt.Errorf("dashboard: %w", err)
	}
	return &Handler{files: files, origin: origin}, nil
}

// Before puts the dashboard in front of the API's handler. The API needs ServeReference, so it comes later.
func (h *Handler) Before(api http.Handler) { h.api = api }

// read loads the files of dist by their path below /app/.
func read(source fs.FS) (map[string]file, error) {
	contents := map[string][]byte{}
	err := fs.WalkDir(source, "dist", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		contents[strings.TrimPrefix(name, "dist/")], err = fs.ReadFile(source, name)
		return err
	})
	files := map[string]file{}
	for name, content := range contents {
		if media, ok := mediaTypes[path.Ext(name)]; ok {
			files[name] = file{media: media, plain: content, gzip: contents[name+".gz"], brotli: contents[name+".br"]}
		}
	}
	return files, err
}

// ServeHTTP redirects / to the dashboard, serves the dashboard's files below /app/, and passes on all other requests.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch address := r.URL.Path; {
	case address != "/" && address != "/app" && !strings.HasPrefix(address, base):
		h.api.ServeHTTP(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "the dashboard is only read", http.StatusMethodNotAllowed)
	case address == "/" || address == "/app":
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, base, http.StatusFound)
	case strings.HasPrefix(address, assets):
		h.serveAsset(w, r, strings.TrimPrefix(address, base))
	default:
		h.servePage(w, r)
	}
}

// serveAsset serves a file whose name has a hash of its content.
func (h *Handler) serveAsset(w http.ResponseWriter, r *http.Request, name string) {
	found, ok := h.files[name]
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	if !ok {
		header.Set("Cache-Control", "no-store")
		http.Error(w, "the dashboard has no such file; reload the page", http.StatusNotFound)
		return
	}
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	// An SVG opened by its own address is a document.
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	found.write(w, r, http.StatusOK)
}

// servePage serves the page whose script shows the view of the address.
func (h *Handler) servePage(w http.ResponseWriter, r *http.Request) {
	name := app
	if signInPage.MatchString(r.URL.Path) {
		name = signIn
	}
	h.serve(w, r, name, h.policy(r.Host))
}

// ServeReference serves the page that shows the OpenAPI document next to its address. Redoc, which renders it, needs two more
// permissions than the dashboard. It adds an empty style element, into which its script puts rules. It searches in a worker, whose
// script is a part of its bundle.
func (h *Handler) ServeReference(w http.ResponseWriter, r *http.Request) {
	own := h.own(r.Host)
	h.serve(w, r, reference, policyOf(own, own+" "+emptyStyle)+"; worker-src blob:")
}

// serve writes a page with its policy, or the placeholder if the build does not have the page.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request, name, policy string) {
	page, ok := h.files[name]
	status := http.StatusOK
	if !ok {
		page, status = h.files[placeholder], http.StatusNotImplemented
	}
	header := w.Header()
	header.Set("Cache-Control", "no-cache")
	header.Set("Content-Security-Policy", policy)
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("X-Content-Type-Options", "nosniff")
	page.write(w, r, status)
}

// policy permits scripts, styles and fonts from the dashboard's own files only. Uploaded files may share the
// origin, so 'self' would be too wide.
func (h *Handler) policy(host string) string {
	own := h.own(host)
	return policyOf(own, own)
}

// own returns the sources of the dashboard's own files. The request's host is permitted in addition to the public origin, because
// a machine has several names. Without a scheme it means the page's own scheme.
func (h *Handler) own(host string) string {
	own := h.origin + assets
	if hostname.MatchString(host) && !strings.HasSuffix(h.origin, "://"+host) {
		own += " " + host + assets
	}
	return own
}

// policyOf returns a policy that permits scripts and fonts from own, and styles from styles.
func policyOf(own, styles string) string {
	return "default-src 'none'; script-src " + own + "; style-src " + styles + "; font-src " + own +
		"; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}

// write responds with the smallest variant that the client accepts.
func (f file) write(w http.ResponseWriter, r *http.Request, status int) {
	content, header := f.plain, w.Header()
	header.Set("Content-Type", f.media)
	header.Set("Vary", "Accept-Encoding")
	accepted := map[string]bool{}
	for element := range qvalue.Elements(r.Header.Get("Accept-Encoding")) {
		accepted[element.Name] = element.Weight > 0
	}
	switch {
	case f.brotli != nil && accepted["br"]:
		content = f.brotli
		header.Set("Content-Encoding", "br")
	case f.gzip != nil && accepted["gzip"]:
		content = f.gzip
		header.Set("Content-Encoding", "gzip")
	}
	header.Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(content) // the client may be gone
	}
}
