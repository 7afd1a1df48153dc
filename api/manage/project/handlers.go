// Package project implements the endpoints of projects, API keys, trusted publishers, code signing, settings and the
// audit log.
package project

import (
	"time"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
)

// Handlers handle projects, their keys and settings, and their audit log.
type Handlers struct {
	Projects          Projects
	UserProjects      UserProjects
	APIKeys           APIKeys
	TrustedPublishers TrustedPublishers
	SigningKeys       SigningKeys
	Settings          Settings
	Collector         Collector
	Eraser            Eraser
	Audit             Audit
	ProjectFeed       ProjectFeed
	// ForgetServed is called after a device's data was deleted.
	ForgetServed func()
	Gate         *access.Gate
	Now          func() time.Time
}

// Open passes in what the handlers share with the rest of the API. It returns an error that names missing
// dependencies.
func (h *Handlers) Open(shared access.Shared) error {
	h.Gate, h.Now = shared.Gate, shared.Now
	return rest.Complete("project", *h)
}
