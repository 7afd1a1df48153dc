package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/models"
)

func setupLinkCommand() *cobra.Command {
	var ifNeeded bool
	cmd := command("setup-link", "Print the link that makes the first account", func(cmd *cobra.Command) error {
		settings, err := config.AccountsFromEnv()
		if err != nil {
			return err
		}
		link, err := app.SetupLink(cmd.Context(), settings)
		if ifNeeded && models.CodeOf(err) == models.CodeAlreadyExists {
			return nil
		}
		if err == nil {
			fmt.Fprintln(cmd.OutOrStdout(), link)
		}
		return shownError(err)
	})
	cmd.Long = "Prints the link that makes the first account, an owner. It works once and for an hour, and replaces the link before it.\n" +
		"The command needs DATABASE_URL, and WAFT_BASE_URL, WAFT_DASHBOARD_URL or WAFT_LISTEN_ADDR with the value that the server has.\n" +
		"In a checkout, make setup-link sets them."
	cmd.Flags().BoolVar(&ifNeeded, "if-needed", false, "print nothing when there is an account already")
	return cmd
}

func resetPasswordCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "reset-password EMAIL",
		Short: "Give an account a new password and end its sessions, for when its owner cannot sign in",
		Long: "Prints a random password for the account with the address. All its sessions end, its passkeys and linked identities\n" +
			"are removed, and its address counts as verified: give the password to the person of the address only, who should change\n" +
			"it after signing in. It needs DATABASE_URL.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			settings, err := config.AccountsFromEnv()
			if err != nil {
				return err
			}
			secret, err := app.ResetPassword(cmd.Context(), settings, args[0])
			if err == nil {
				fmt.Fprintln(cmd.OutOrStdout(), secret)
			}
			return shownError(err)
		},
	}
}

func verifyEmailCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify-email EMAIL",
		Short: "Mark the address of an account as verified, and leave the account as it is",
		Long: "Lets the account accept invitations of other projects. Run it only if you know that the person who uses the account has\n" +
			"the address; otherwise run reset-password, which gives the account to the person of the address. It needs DATABASE_URL.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			settings, err := config.AccountsFromEnv()
			if err != nil {
				return err
			}
			return shownError(app.VerifyEmail(cmd.Context(), settings, args[0]))
		},
	}
}

// shownError returns err without the error code, which is for programs.
func shownError(err error) error {
	var e *models.Error
	if errors.As(err, &e) && e.Cause == nil {
		return errors.New(e.Message)
	}
	return err
}
