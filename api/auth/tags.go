package auth

import "github.com/waft-ota/waft/api/rest"

// Names of the tags that the document lists the endpoints under.
const (
	tagSignIn  = "Signing in"
	tagMembers = "Members"
)

// Tags returns the tags of the endpoints.
func (*Handlers) Tags() []rest.Tag {
	return []rest.Tag{
		{
			Place: 30, Name: tagSignIn,
			Description: "Accounts and sessions of people. A session takes the place of an API key in every management call.",
		},
		{Place: 40, Name: tagMembers, Description: "The people of a project, their roles, and invitations."},
	}
}
