package rest

import "github.com/waft-ota/waft/models"

// Access says who may call a route.
type Access string

const (
	// Public routes need no key, but check one that is sent.
	Public Access = "public"
	// Client routes need a key of any role, which names the project. Their errors are OFREP's.
	Client Access = Access(models.RoleClient)
	// Root routes need the installation's root key and no X-Project.
	Root Access = "root"
	// Person routes need a session, and no X-Project: they are about its user.
	Person Access = "session"
	// Anyone routes need a session or a key, and no X-Project.
	Anyone Access = "anyone"
	// The others need X-Project, and a key of that project or a session of its member with at
	// least this role. The root key and owners have the role admin in every project.
	Viewer Access = Access(models.RoleViewer)
	Editor Access = Access(models.RoleEditor)
	Admin  Access = Access(models.RoleAdmin)
)

// Managed reports whether the route is one of management.
func (a Access) Managed() bool { return a != Public && a != Client }

// ofProject reports whether the route needs X-Project.
func (a Access) ofProject() bool { return a != Public && a != Root && a != Person && a != Anyone }
