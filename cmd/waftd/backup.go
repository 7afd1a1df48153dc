package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/app/backups"
	"github.com/waft-ota/waft/internal/app/backups/archive"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/config"
)

func backupCommand() *cobra.Command {
	var files, asOf string
	var keep int
	cmd := &cobra.Command{
		Use:   "backup DIR",
		Short: "Back up Postgres, ClickHouse and the bucket to a folder, while the server runs",
		Long: "Writes a backup to a new subfolder of DIR, named by its time, and verifies it. The files of the bucket are in DIR/files, which\n" +
			"all backups share. The backup does not contain WAFT_SECRET_KEY: keep the key apart from it. The command needs DATABASE_URL,\n" +
			"CLICKHOUSE_URL, WAFT_ASSET_BUCKET_URL and WAFT_SECRET_KEY, and asks the API processes at WAFT_ADMIN_ADDR and\n" +
			"WAFT_OTHER_ADMIN_ADDRS whether accepted reports are in ClickHouse. If no process uses WAFT_DATA_DIR, it inserts the reports\n" +
			"that wait there itself.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if files != "copy" && files != "list" {
				return fmt.Errorf("--files must be copy or list, not %q", files)
			}
			cfg, err := config.BackupFromEnv()
			if err != nil {
				return err
			}
			began := time.Now()
			o := backups.Options{Dir: args[0], ListFiles: files == "list", Keep: keep, Log: newLogger(cfg, cmd.ErrOrStderr()), Now: time.Now}
			if o.AsOf, err = timeFlag("as-of", asOf); err != nil {
				return err
			}
			b, err := backups.Backup(cmd.Context(), cfg, o)
			if err != nil {
				return err
			}
			printBackup(cmd, b)
			fmt.Fprintf(cmd.OutOrStdout(), "The backup took %s. Keep WAFT_SECRET_KEY in another place: a restore needs it.\n",
				time.Since(began).Round(time.Millisecond))
			return nil
		},
	}
	cmd.Flags().StringVar(&files, "files", "copy", "copy: copy the bucket's files; list: only list them, for a bucket that keeps versions")
	cmd.Flags().IntVar(&keep, "keep", 0, "after the backup, delete the oldest backups until this many are left; 0 keeps all")
	cmd.Flags().StringVar(&asOf, "as-of", "",
		"the moment to which you recovered Postgres, such as 2026-11-30T15:04:05Z; leave it out for a database in use")
	cmd.AddCommand(verifyCommand())
	return cmd
}

// timeFlag reads the value of a flag. The zero time stands for a flag that is not set.
func timeFlag(name, value string) (at time.Time, err error) {
	if value == "" {
		return at, nil
	}
	if at, err = time.Parse(time.RFC3339Nano, value); err != nil {
		return at, fmt.Errorf("--%s must be a time such as 2026-11-30T15:04:05Z, not %q", name, value)
	}
	return at, nil
}

func verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify DIR",
		Short: "Read every backup in a folder and report what is damaged or missing",
		Long: "Reads each file of each backup in DIR, and compares hashes, sizes and numbers of rows with the manifest. The command works\n" +
			"without settings.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := archive.Open(args[0]).List()
			if err != nil {
				return err
			}
			if len(all) == 0 {
				return fmt.Errorf("%s does not have a complete backup; check the path", args[0])
			}
			var found []error
			for _, b := range all {
				if err := b.Verify(); err != nil {
					found = append(found, fmt.Errorf("%s: %w", b.Name, err))
					continue
				}
				printBackup(cmd, b)
			}
			return errors.Join(found...)
		},
	}
}

func printBackup(cmd *cobra.Command, b archive.Backup) {
	const mib = 1 << 20
	fmt.Fprintf(cmd.OutOrStdout(), "%s: taken at %s, %.1f MiB of records and telemetry, %s of the bucket with %.1f MiB; complete and "+
		"verified.\n", b.Name, b.TakenAt.Format(time.RFC3339Nano), float64(b.Bytes())/mib,
		count.Of(int(b.FileCount), "file"), float64(b.FileBytes)/mib)
	for _, warning := range b.Warnings {
		fmt.Fprintf(cmd.OutOrStdout(), "  Warning: %s.\n", warning)
	}
}

func restoreCommand() *cobra.Command {
	var to string
	var secretKeyLost bool
	cmd := &cobra.Command{
		Use:   "restore DIR",
		Short: "Restore the newest backup of a folder into empty databases",
		Long: "Verifies the newest backup in DIR, and restores it into empty databases and into the bucket. Stop all processes of Waft first.\n" +
			"The command prints what to do next. If a restore is interrupted, run the same command again: until it is complete, no\n" +
			"process starts. The command needs DATABASE_URL, CLICKHOUSE_URL, WAFT_ASSET_BUCKET_URL, and the WAFT_SECRET_KEY of the backup.\n" +
			"The command refuses a namespace of Temporal with workflows of Waft. It needs TEMPORAL_ADDRESS and your other settings of Temporal.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := config.RestoreFromEnv()
			if err != nil {
				return err
			}
			o := backups.RestoreOptions{Dir: args[0], SecretKeyLost: secretKeyLost, Log: newLogger(cfg, cmd.ErrOrStderr()), Now: time.Now}
			if o.To, err = timeFlag("to", to); err != nil {
				return err
			}
			report, err := backups.Restore(cmd.Context(), cfg, o)
			if err != nil {
				return err
			}
			fmt.Fprint(cmd.OutOrStdout(), report)
			fmt.Fprintln(cmd.OutOrStdout(), "Next, run `waftd migrate`, which prepares Temporal, and start Waft's processes.")
			return nil
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "restore the newest backup taken at this time or earlier, such as 2026-11-30T15:04:05Z")
	cmd.Flags().BoolVar(&secretKeyLost, "secret-key-lost", false,
		"restore with another WAFT_SECRET_KEY than the backup's; code signing keys and webhook secrets must be entered again")
	return cmd
}
