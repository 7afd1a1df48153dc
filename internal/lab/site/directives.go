package site

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Fixtures are the names that the directive `needs` of a page may have. The test of pages prepares each.
var Fixtures = []string{defaultFixture, "exports", "app", "processes", "server", "nothing"}

const defaultFixture = "project"

// directive is a comment of a page that is meant for the test of its commands.
type directive struct {
	name  string
	value Script
}

var (
	comment   = regexp.MustCompile(`(?s)<!--(.*?)-->`)
	namedText = regexp.MustCompile(`(?s)^\s*([a-z][a-z ]*?):\s*(.*?)\s*$`)
)

// directives returns the directives of an HTML block, and whether the block consists of comments. A comment that includes a file is
// VitePress's, and a screenshot belongs to docs/.vitepress.
func (r *reader) directives(n *ast.HTMLBlock) (found []directive, isComment bool) {
	if n.HTMLBlockType != ast.HTMLBlockType2 || n.Lines().Len() == 0 {
		return nil, false
	}
	raw := string(n.Lines().Value(r.source))
	if n.HasClosure() {
		raw += string(n.ClosureLine.Value(r.source))
	}
	line := r.line(n.Lines().At(0).Start)
	if rest := strings.TrimSpace(comment.ReplaceAllString(raw, "")); rest != "" {
		r.problem(line, "a comment shares its lines with other text; give it lines of its own")
	}
	for _, at := range comment.FindAllStringSubmatchIndex(raw, -1) {
		inner := raw[at[2]:at[3]]
		if strings.HasPrefix(inner, "@include:") || strings.HasPrefix(inner, " screenshot: ") {
			continue
		}
		parts := namedText.FindStringSubmatchIndex(inner)
		if parts == nil {
			r.problem(line+strings.Count(raw[:at[0]], "\n"), "the comment is not a directive: write `<!-- name: value -->`")
			continue
		}
		found = append(found, directive{inner[parts[2]:parts[3]], Script{
			Line: line + strings.Count(raw[:at[2]+parts[4]], "\n"), Text: inner[parts[4]:parts[5]],
		}})
	}
	return found, true
}

// unattached reports directives that belong to nothing.
func (r *reader) unattached(directives []directive) {
	for _, d := range directives {
		r.problem(d.value.Line, "`%s` stands neither above a block nor below the page's title", d.name)
	}
}

// ofPage applies the directives below the title.
func (r *reader) ofPage(directives []directive) {
	for _, d := range directives {
		if d.value.Text == "" {
			r.problem(d.value.Line, "`%s` has no value", d.name)
			continue
		}
		switch d.name {
		case "needs":
			if r.page.Needs = d.value.Text; !slices.Contains(Fixtures, d.value.Text) {
				r.problem(d.value.Line, "the fixture %s is unknown; use one of %s", d.value.Text, strings.Join(Fixtures, ", "))
			}
		case "not run":
			r.page.NotRun = d.value.Text
		case "run by":
			r.page.RunBy = d.value.Text
		case "before":
			r.page.Before = append(r.page.Before, d.value)
		default:
			r.problem(d.value.Line, "the directive `%s` of a page is unknown; a page has needs, not run, run by and before", d.name)
		}
	}
}

var replacement = regexp.MustCompile(`(?s)^([^=\s]+)=(\S.*)$`)

// ofBlock applies the directives above a block.
func (r *reader) ofBlock(b *Block, directives []directive) {
	for _, d := range directives {
		if d.value.Text == "" {
			r.problem(d.value.Line, "`%s` has no value", d.name)
			continue
		}
		switch d.name {
		case "not run":
			b.NotRun = d.value.Text
		case "run by":
			b.RunBy = d.value.Text
		case "file":
			if b.File = d.value.Text; !filepath.IsLocal(b.File) {
				r.problem(d.value.Line, "the path %s leaves the folder of the page's commands", b.File)
			}
		case "before":
			b.Before = append(b.Before, d.value)
		case "with":
			r.with(b, d.value)
		case "fails":
			code, err := strconv.Atoi(d.value.Text)
			if err != nil || code < 1 || code > 255 {
				r.problem(d.value.Line, "`fails` is an exit code from 1 to 255, not %s", d.value.Text)
			}
			b.Fails = code
		case "background until":
			b.Until = d.value.Text
		default:
			r.problem(d.value.Line, "the directive `%s` of a block is unknown; a block has not run, run by, file, before, with, fails "+
				"and background until", d.name)
		}
	}
}

// with adds a replacement to the block.
func (r *reader) with(b *Block, value Script) {
	parts := replacement.FindStringSubmatch(value.Text)
	switch {
	case parts == nil:
		r.problem(value.Line, "`with` is a text, `=` and a command, such as `<id>=waft rollouts list --ids`")
	case !strings.Contains(b.Text, parts[1]):
		r.problem(value.Line, "the block does not have %s, which `with` replaces", parts[1])
	default:
		b.With = append(b.With, Replacement{parts[1], Script{value.Line, parts[2]}})
	}
}
