package models

import "time"

// MemberSource says where a membership comes from.
type MemberSource string

const (
	// MemberInvited is a membership that an admin gave.
	MemberInvited MemberSource = "invitation"
	// MemberOwner is that of an owner, who has one in every project.
	MemberOwner MemberSource = "owner"
	// MemberGroups follows the groups of an identity provider at every login.
	MemberGroups MemberSource = "groups"
)

// Member is a user's role in a project.
type Member struct {
	Versioned
	ID, ProjectID, UserID int64
	Role                  Role
	Source                MemberSource
	CreatedAt             time.Time
	// Name, Email and EmailVerified are the user's.
	Name          string `gorm:"->"`
	Email         string `gorm:"->"`
	EmailVerified bool   `gorm:"->"`
}

func (Member) TableName() string { return "members" }

// MemberPatch changes a membership.
type MemberPatch struct{ Role *Role }

// Validate reports a bad role.
func (m MemberPatch) Validate() error {
	var p Problems
	ifSet(&p, "role", m.Role, func(p *Problems, field string, v Role) { checkOneOf(p, field, v, roles...) })
	return p.Err()
}

// Membership is a project that a user may act in.
type Membership struct {
	Slug, Name string
	Role       Role
}

// InvitationLife is how long an invitation can be accepted.
const InvitationLife = 72 * time.Hour

// Invitation lets the holder of its token join a project.
type Invitation struct {
	ID, ProjectID   int64
	Email, EmailKey string
	Role            Role
	TokenHash       []byte
	// InvitedBy is the name of who made it.
	InvitedBy string
	// MadeBy is the user who made it, even by way of a key; nil when no user did.
	MadeBy               *int64
	ExpiresAt, CreatedAt time.Time
	// ByMail says that Waft mails the link to the address, and shows it to nobody else.
	ByMail bool
	// SentAt is when the mail server took the mail, nil before and without one.
	SentAt *time.Time
}

func (Invitation) TableName() string { return "invitations" }

// NewInvitation is an invitation to make.
type NewInvitation struct {
	Email string
	Role  Role
	// ByMail has Waft mail the link.
	ByMail bool
}

// Validate reports every bad field.
func (n NewInvitation) Validate() error {
	var p Problems
	checkEmail(&p, "email", n.Email)
	checkOneOf(&p, "role", n.Role, roles...)
	return p.Err()
}

// GroupRole is what the members of a group of an identity provider get.
type GroupRole struct {
	Group string
	// Project is a slug. Role is given in it.
	Project string
	Role    Role
	// Owner makes them owners of the installation.
	Owner bool
}

// GroupGrants are the roles that a user's groups give.
type GroupGrants struct {
	// Managed says that the provider's groups give roles at all. When it is false, nothing changes.
	Managed bool
	// Owner says that a group makes the user an owner; OwnerManaged, that some group of the provider would.
	Owner, OwnerManaged bool
	// Projects are roles by slug; the highest wins.
	Projects map[string]Role
}

// GrantsOf returns what groups give by rules.
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
