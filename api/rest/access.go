package rest

import "github.com/waft-ota/waft/models"

// Access is the credential or role that a route requires.
type Access string

const (
	// Public routes work without a key. If one is sent, it must be valid.
	Public Access = "public"
	// Client routes require a key of any role, which names the project. Their errors have the format of OFREP.
	Client Access = Access(models.RoleClient)
	// Root routes require the installation's root key, and no X-Project.
	Root Access = "root"
	// Person routes require a session, and no X-Project: they are about its user.
	Person Access = "session"
	// Anyone routes require a session or a key, and no X-Project.
	Anyone Access = "anyone"
	// All other routes require X-Project, and a key of that project or a session of its member with at least this
	// role. The root key and owners have the role admin in every project.
	Viewer Access = Access(models.RoleViewer)
	Editor Access = Access(models.RoleEditor)
	Admin  Access = Access(models.RoleAdmin)
)

// Managed reports whether the route belongs to the management API.
func (a Access) Managed() bool { return a != Public && a != Client }

// ofProject reports whether the route requires X-Project.
func (a Access) ofProject() bool { return a != Public && a != Root && a != Person && a != Anyone }
