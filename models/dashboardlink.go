package models

import "net/url"

// DashboardLink is the address of a page of a project's dashboard, such as "rollouts/21" or "releases/17". base is where
// people reach Waft, without a slash at its end. Without a base or a project there is no link, and it is "".
func DashboardLink(base, projectSlug, page string) string {
	if base == "" || projectSlug == "" {
		return ""
	}
	return base + "/app/" + url.PathEscape(projectSlug) + "/" + page
}
