package models

import "net/url"

// DashboardLink returns the URL of a page of a project's dashboard, such as "rollouts/21" or "releases/17". base is the URL of Waft
// for people, without a slash at its end. DashboardLink returns "" if base or projectSlug is empty.
func DashboardLink(base, projectSlug, page string) string {
	if base == "" || projectSlug == "" {
		return ""
	}
	return base + "/app/" + url.PathEscape(projectSlug) + "/" + page
}
