package api

import "github.com/waft-ota/waft/models"

// access says who may call a route.
type access string

const (
	// public routes need no key, but check one that is sent.
	public access = "public"
	// client routes need a key of any role, which names the project. Their errors are OFREP's.
	client access = access(models.RoleClient)
	// root routes need the installation's root key and no X-Project.
	root access = "root"
	// person routes need a session, and no X-Project: they are about its user.
	person access = "session"
	// anyone routes need a session or a key, and no X-Project.
	anyone access = "anyone"
	// The others need X-Project, and a key of that project or a session of its member with at
	// least this role. The root key and owners have the role admin in every project.
	viewer access = access(models.RoleViewer)
	editor access = access(models.RoleEditor)
	admin  access = access(models.RoleAdmin)
)

// managed reports whether the route is one of management.
func (a access) managed() bool { return a != public && a != client }

// ofProject reports whether the route needs X-Project.
func (a access) ofProject() bool { return a != public && a != root && a != person && a != anyone }
