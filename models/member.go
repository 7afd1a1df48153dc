package models

import "time"

// MemberSource is the origin of a membership.
type MemberSource string

const (
	// MemberInvited means that an admin gave the membership.
	MemberInvited MemberSource = "invitation"
	// MemberOwner means that the user is an owner, who is a member of every project.
	MemberOwner MemberSource = "owner"
	// MemberGroups means that the membership follows the groups of an identity provider. Each sign-in updates it.
	MemberGroups MemberSource = "groups"
)

// Member is a user's role in a project.
type Member struct {
	Versioned
	ID, ProjectID, UserID int64
	Role                  Role
	Source                MemberSource
	CreatedAt             time.Time
	// Name, Email and EmailVerified are copied from the user.
	Name          string `gorm:"->"`
	Email         string `gorm:"->"`
	EmailVerified bool   `gorm:"->"`
}

func (Member) TableName() string { return "members" }

// MemberPatch changes a membership.
type MemberPatch struct{ Role *Role }

// Validate checks the role.
func (m MemberPatch) Validate() error {
	var p Problems
	ifSet(&p, "role", m.Role, func(p *Problems, field string, v Role) { checkOneOf(p, field, v, roles...) })
	return p.Err()
}

// Membership is a project that a user may act in.
type Membership struct {
	Slug, Name string
	Role       Role
	// RepositoryURL is as in Settings.
	RepositoryURL string `gorm:"column:repository_url"`
}

// InvitationLife is how long an invitation can be accepted.
const InvitationLife = 72 * time.Hour

// Invitation lets the holder of its token join a project.
type Invitation struct {
	ID, ProjectID   int64
	Email, EmailKey string
	Role            Role
	TokenHash       []byte
	// InvitedBy is the name of the actor who created the invitation.
	InvitedBy string
	// MadeBy is the user who created the invitation, directly or with a key; nil if it was not a user.
	MadeBy               *int64
	ExpiresAt, CreatedAt time.Time
	// ByMail means that Waft mails the link to the address and does not show it to anyone else.
	ByMail bool
	// SentAt is the time when the mail server accepted the mail, nil before that or without a mail.
	SentAt *time.Time
}

func (Invitation) TableName() string { return "invitations" }

// NewInvitation is an invitation to create.
type NewInvitation struct {
	Email string
	Role  Role
	// ByMail makes Waft mail the link.
	ByMail bool
}

// Validate checks the address and the role.
func (n NewInvitation) Validate() error {
	var p Problems
	checkEmail(&p, "email", n.Email)
	checkOneOf(&p, "role", n.Role, roles...)
	return p.Err()
}

// GroupRole is a rule that gives a role to the members of a group of an identity provider.
type GroupRole struct {
	Group string
	// Project is the slug of the project in which the members get Role.
	Project string
	Role    Role
	// Owner makes the members owners of the installation.
	Owner bool
}

// GroupGrants are the roles that a user gets from their groups.
type GroupGrants struct {
	// Managed means that the provider has rules for groups. If it is false, the user's roles do not change.
	Managed bool
	// Owner means that one of the user's groups makes the user an owner. OwnerManaged means that a rule of the provider can make
	// owners.
	Owner, OwnerManaged bool
	// Projects maps slugs to roles; the highest role wins.
	Projects map[string]Role
}

// GrantsOf returns the roles that the rules give to a member of the groups.
func GrantsOf(rules []GroupRole, groups []string) GroupGrants {
	in := map[string]bool{}
	for _, g := range groups {
		in[g] = true
	}
	grants := GroupGrants{Managed: len(rules) > 0, Projects: map[string]Role{}}
	for _, r := range rules {
		grants.OwnerManaged = grants.OwnerManaged || r.Owner
		if !in[r.Group] {
			continue
		}
		grants.Owner = grants.Owner || r.Owner
		if r.Project != "" && !grants.Projects[r.Project].Allows(r.Role) {
			grants.Projects[r.Project] = r.Role
		}
	}
	return grants
}

// Any reports whether the groups give anything.
func (g GroupGrants) Any() bool { return g.Owner || len(g.Projects) > 0 }
