package api

import "time"

// ProjectHandlers handle projects, their keys and settings, and their audit log.
type ProjectHandlers struct {
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
	// ForgetServed is called when the data of a device was erased.
	ForgetServed func()
	Gate         *Gate
	Now          func() time.Time
}

// NewProjectHandlers returns the handlers, or an error that names what is missing.
func NewProjectHandlers(h ProjectHandlers) (*ProjectHandlers, error) {
	if err := complete("project", h); err != nil {
		return nil, err
	}
	return &h, nil
}
