package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// variables are the environment variables that waft reads, in addition to the variables of the CI systems.
var variables = []struct{ name, meaning string }{
	{"WAFT_URL", "address of the server, as `--url`"},
	{"WAFT_PROJECT", "slug of the project, as `--project`"},
	{"WAFT_API_KEY", "API key, as `--api-key`; other users of the machine cannot see it"},
	{"WAFT_PROFILE", "profile with address, project and key or session, as `--profile`"},
	{"WAFT_ID_TOKEN", "ID token of a CI job, which `waft` exchanges for a short-lived key if no other key is set; " +
		"on GitHub, `waft` requests the token"},
	{"WAFT_ADMIN_URL", "admin address of the server, as `--admin-url` of `waft doctor`"},
	{"WAFT_GITLAB_TOKEN", "access token with which `waft` comments on merge requests of GitLab"},
	{"GITHUB_TOKEN", "token with which `waft` comments on pull requests of GitHub"},
	{"WAFT_IMPORT_PASSWORD", "password of the server from which `waft import` reads"},
	{"XDG_CONFIG_HOME", "folder in which `waft` keeps its profiles and sessions; on Linux, `~/.config` if it is not set"},
	{"NO_COLOR", "if set, `waft` prints without colors"},
	{"TERM", "if `dumb`, `waft` prints lines instead of drawing over them"},
}

// Reference returns docs/reference/cli.md: the exit codes, the environment variables, and every command with its arguments, flags and
// examples.
func Reference() string {
	root := NewCommand()
	var b strings.Builder
	b.WriteString("# The command line\n\n" +
		"<!-- run by: e2e/docs_examples_test.go -->\n" +
		"`waft help` and `waft COMMAND --help` print this reference in a terminal.\n\n" +
		"## Exit codes\n\n" +
		"With `--json`, an error is an object on standard error: `{\"error\": {\"code\", \"message\", \"exitCode\", \"requestId\",\n" +
		"\"fields\", \"approvalIds\"}}`. `code` is an [error code](error-codes.md) of the API.\n" +
		"If the error does not come from the API, it is the code in this table. `requestId`, `fields` and `approvalIds` are absent where\n" +
		"they do not apply.\n\n" +
		"| Exit code | Code | Meaning |\n|---|---|---|\n")
	for _, o := range outcomes {
		fmt.Fprintf(&b, "| %d | %s | %s |\n", o.exitCode, cmp.Or(codeSpan(o.code), "-"), o.meaning)
	}
	b.WriteString("\n## Environment variables\n\n" +
		"A flag has precedence over its variable, and both have precedence over the profile.\n\n| Variable | Meaning |\n|---|---|\n")
	for _, v := range variables {
		fmt.Fprintf(&b, "| `%s` | %s |\n", v.name, v.meaning)
	}
	b.WriteString("\n## Flags of all commands\n\n")
	writeFlags(&b, root.PersistentFlags())
	for _, group := range root.Groups() {
		fmt.Fprintf(&b, "\n## %s\n", strings.TrimSuffix(group.Title, ":"))
		for _, cmd := range root.Commands() {
			if cmd.GroupID == group.ID {
				writeCommand(&b, cmd)
			}
		}
	}
	return b.String()
}

// writeCommand writes a section for the command, and one for each of its subcommands.
func writeCommand(b *strings.Builder, cmd *cobra.Command) {
	fmt.Fprintf(b, "\n### `%s`\n\n%s.\n", strings.TrimSuffix(cmd.UseLine(), " [flags]"), strings.TrimSuffix(cmd.Short, "."))
	if cmd.Long != "" {
		writeText(b, cmd.Long)
	}
	if cmd.Example != "" {
		fmt.Fprintf(b, "\n```sh\n%s\n```\n", unindent(cmd.Example))
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && !f.Hidden {
			flags.AddFlag(f)
		}
	})
	if flags.HasFlags() {
		b.WriteString("\n")
		writeFlags(b, flags)
	}
	for _, sub := range cmd.Commands() {
		writeCommand(b, sub)
	}
}

// writeText writes the paragraphs of a help text. Indented paragraphs are shown as they are.
func writeText(b *strings.Builder, text string) {
	for _, paragraph := range strings.Split(text, "\n\n") {
		if strings.HasPrefix(paragraph, "  ") {
			paragraph = "```text\n" + unindent(paragraph) + "\n```"
		}
		fmt.Fprintf(b, "\n%s\n", paragraph)
	}
}

// writeFlags writes a table of the flags.
func writeFlags(b *strings.Builder, flags *pflag.FlagSet) {
	b.WriteString("| Flag | Meaning |\n|---|---|\n")
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == "version" {
			return
		}
		kind, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if kind != "" {
			name += " " + kind
		}
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if !slices.Contains([]string{"", "false", "0", "[]", "0s"}, f.DefValue) {
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(b, "| `%s` | %s |\n", name, strings.ReplaceAll(usage, "|", "\\|"))
	})
}

func codeSpan(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

// unindent removes the indentation that examples have in help texts.
func unindent(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, "  ")
	}
	return strings.Join(lines, "\n")
}
