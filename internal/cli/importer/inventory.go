// Package importer carries channels and releases of other servers for over-the-air updates into a project of Waft.
package importer

import (
	"context"
	"net/http"
	"time"

	"github.com/waft-ota/waft/models"
)

// requestTimeout is the time limit of one request to a source.
const requestTimeout = 5 * time.Minute

// inventory contains the channels and releases of a source.
type inventory struct {
	channels []channel
	releases []release
	// skipped contains records that the source cannot hand over.
	skipped []skipped
}

// channel is a channel of a source.
type channel struct {
	name, branch string
	// rolloutBranch is the branch for a percentage of the devices; "" for none.
	rolloutBranch     string
	rolloutPercentage float64
}

// release is a release of a source for one platform.
type release struct {
	// id is unique in the source.
	id                     string
	branch, runtimeVersion string
	platform               models.Platform
	message, commit        string
	createdAt              time.Time
	// percentage is the percentage of devices that get the release, 0 to 100.
	percentage float64
	critical   bool
	// group is the same for the releases of several platforms that belong together; "" for none.
	group string
	// toEmbedded is true for a return to the update inside the app, which has no files.
	toEmbedded bool
	// location is the place of the release's content in the source.
	location string
}

// target identifies the devices that a release is for.
type target struct {
	branch, runtimeVersion string
	platform               models.Platform
}

func (r release) target() target { return target{r.branch, r.runtimeVersion, r.platform} }

// skipped is a record that the import leaves out, with the reason.
type skipped struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// source is a server or a service to import from.
type source interface {
	// name is part of the mark of imported builds, so it never changes.
	name() string
	read(ctx context.Context) (*inventory, error)
	// fetch writes the content of a release into an empty folder, as `expo export` does, and checks its hashes.
	fetch(ctx context.Context, r release, dir string) error
}

func newHTTPClient() *http.Client { return &http.Client{Timeout: requestTimeout} }
