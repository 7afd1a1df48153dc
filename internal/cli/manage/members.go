package manage

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
)

var memberRoles = []string{"viewer", "editor", "admin"}

const roleUsage = "viewer (reads), editor (reads and writes) or admin (also manages keys, members and settings)"

// Members returns the command that lists, invites, changes and removes the members of the project.
func Members(s *command.Settings) *cobra.Command {
	return s.Group("members", "List, invite, change and remove the members of the project",
		command.List[client.Member]{
			Noun: "members", Short: "List the members", Path: "/members",
			Header: []string{"ID", "EMAIL", "NAME", "ROLE", "BY", "SINCE"}, Row: memberRow,
			Filters: []command.Filter{command.SearchFilter("members", "name or email address")},
		}.Command(s),
		inviteCommand(s), editMemberCommand(s), invitationsCommand(s),
		s.Calling("remove MEMBER", "Remove a member from the project, by the email address", func(c command.Call) error {
			m, err := memberOf(c, c.Args[0])
			if err != nil {
				return err
			}
			if err := c.Confirm(fmt.Sprintf("Remove %s from the project %s?", m.Email, c.Project)); err != nil {
				return err
			}
			_, err = c.API.RemoveMemberWithResponse(c.Context(), m.ID, &client.RemoveMemberParams{})
			return command.Done(c, err, "%s removed from the project", m.Email)
		}),
		s.Calling("revoke-keys MEMBER", "Revoke every API key that a member created, by the email address", func(c command.Call) error {
			m, err := memberOf(c, c.Args[0])
			if err != nil {
				return err
			}
			if err := c.Confirm(fmt.Sprintf("Revoke every API key that %s created?", m.Email)); err != nil {
				return err
			}
			lines := func(r client.RevokedAPIKeys) []string { return []string{fmt.Sprintf("keys revoked: %d", r.Revoked)} }
			return command.Tell(c, lines).Found(c.API.RevokeAPIKeysWithResponse(
				c.Context(), &client.RevokeAPIKeysParams{}, client.RevokeAPIKeysBody{MadeBy: m.UserID}))
		}),
	)
}

// memberOf finds the member with an email address or ID.
func memberOf(c command.Call, arg string) (*client.Member, error) {
	found, _, err := command.Find(c, "/members", url.Values{}, func(m client.Member) bool {
		return strings.EqualFold(m.Email, arg) || m.ID == command.Number(arg)
	})
	if err == nil && found == nil {
		err = command.NotFoundf("member %q does not exist in this project; `waft members list` lists them", arg)
	}
	return found, err
}

func memberRow(m client.Member) []string {
	return []string{
		strconv.FormatInt(m.ID, 10), m.Email, command.Cell(m.Name), string(m.Role), string(m.Source),
		m.CreatedAt.UTC().Format(command.Stamp),
	}
}

func checkRole(role string) error {
	if !slices.Contains(memberRoles, role) {
		return command.Usagef("--role must be %s, not %q", command.Choice(memberRoles), role)
	}
	return nil
}

func editMemberCommand(s *command.Settings) *cobra.Command {
	var role string
	cmd := s.Calling("edit MEMBER", "Change the role of a member, by the email address", func(c command.Call) error {
		if err := checkRole(role); err != nil {
			return err
		}
		m, err := memberOf(c, c.Args[0])
		if err != nil {
			return err
		}
		lines := func(m client.Member) []string { return []string{fmt.Sprintf("%s has the role %s", m.Email, m.Role)} }
		return command.Tell(c, lines).Found(c.API.PatchMemberWithResponse(
			c.Context(), m.ID, &client.PatchMemberParams{}, client.PatchMemberBody{Role: new(client.PatchMemberBodyRole(role))}))
	})
	cmd.Example = "  waft members edit ada@example.com --role admin"
	cmd.Flags().StringVar(&role, "role", "", roleUsage)
	return command.Required(cmd, "role")
}

func inviteCommand(s *command.Settings) *cobra.Command {
	var role string
	cmd := s.Calling("invite EMAIL", "Invite a person to the project", func(c command.Call) error {
		if err := checkRole(role); err != nil {
			return err
		}
		lines := func(i client.CreatedInvitation) []string {
			text := fmt.Sprintf("%s is invited as %s until %s", i.Email, i.Role, i.ExpiresAt.UTC().Format(command.Stamp))
			if i.URL == nil {
				return []string{text + "; Waft mails the link"}
			}
			fmt.Fprintln(c.ErrOrStderr(), terminal.Plain(text+"; send the person this link, which is not shown again:"))
			return []string{*i.URL}
		}
		return command.Tell(c, lines).Made(c.API.CreateInvitationWithResponse(c.Context(), &client.CreateInvitationParams{},
			client.CreateInvitationBody{Email: c.Args[0], Role: client.CreateInvitationBodyRole(role)}))
	})
	cmd.Long = "Without a mail server, the command prints the link that the person accepts the invitation with."
	cmd.Example = "  waft members invite ada@example.com --role editor"
	cmd.Flags().StringVar(&role, "role", "", roleUsage)
	return command.Required(cmd, "role")
}

// invitationsCommand returns the command that lists and revokes pending invitations.
func invitationsCommand(s *command.Settings) *cobra.Command {
	return s.Group("invitations", "List and revoke pending invitations",
		command.List[client.Invitation]{
			Noun: "invitations", Short: "List the pending invitations", Path: "/invitations", None: "no pending invitations",
			Header: []string{"ID", "EMAIL", "ROLE", "INVITED BY", "EXPIRES", "LINK"}, Row: invitationRow,
			Filters: []command.Filter{command.SearchFilter("invitations", "email address")},
		}.Command(s),
		s.On("revoke INVITATION", "Revoke an invitation, by its email address or ID", invitationOf, func(c command.Call, id int64) error {
			if err := c.Confirm(fmt.Sprintf("Revoke the invitation %s?", c.Args[0])); err != nil {
				return err
			}
			_, err := c.API.RevokeInvitationWithResponse(c.Context(), id, &client.RevokeInvitationParams{})
			return command.Done(c, err, "invitation %s revoked", c.Args[0])
		}),
	)
}

func invitationRow(i client.Invitation) []string {
	link := "shown when it was created"
	switch {
	case i.SentAt != nil:
		link = "mailed " + i.SentAt.UTC().Format(command.Stamp)
	case i.ByMail:
		link = "to be mailed"
	}
	return []string{strconv.FormatInt(i.ID, 10), i.Email, string(i.Role), i.InvitedBy, i.ExpiresAt.UTC().Format(command.Stamp), link}
}

// invitationOf finds the invitation of an email address or with an ID.
func invitationOf(c command.Call, arg string) (int64, error) {
	if id := command.Number(arg); id > 0 {
		return id, nil
	}
	found, _, err := command.Find(c, "/invitations", url.Values{}, func(i client.Invitation) bool {
		return strings.EqualFold(i.Email, arg)
	})
	if err != nil {
		return 0, err
	}
	if found == nil {
		return 0, command.NotFoundf("%q has no pending invitation; `waft members invitations list` lists them", arg)
	}
	return found.ID, nil
}
