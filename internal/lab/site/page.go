package site

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Page is a page of the documentation, as the test of its commands reads it.
type Page struct {
	// Path is relative to the repository's root.
	Path string
	// Needs names the fixture that the page's commands run with, one of Fixtures.
	Needs string
	// NotRun is the reason why no command of the page is run, and RunBy the file or folder of another test that runs them.
	NotRun, RunBy string
	// Before has hidden commands that run before the page's first block.
	Before []Script
	Blocks []Block
}

// Script is text of a page that is run.
type Script struct {
	// Line is the page's line at which the text begins.
	Line int
	Text string
}

// Block is a fenced block of a page.
type Block struct {
	Script
	Language string
	// NotRun is the reason why the block is not run, and RunBy the file or folder of another test that runs it.
	NotRun, RunBy string
	// File is the path that the block's text is written to, relative to the folder in which the page's commands run.
	File string
	// Before has hidden commands that run before the block.
	Before []Script
	With   []Replacement
	// Fails is the exit code of the block's last command.
	Fails int
	// Until is the text that a block in the background prints when the page continues. It is empty for blocks in the foreground.
	Until string
	// Output is the text that the block must print, nil if the page does not show it.
	Output *Script
}

// Replacement is a text of a block, such as `<id>`, and the command whose output takes its place.
type Replacement struct {
	Text    string
	Command Script
}

// runnable has the languages of blocks that are run.
var runnable = map[string]bool{"sh": true, "sql": true}

// Runs reports whether the test of pages runs the block or writes its file.
func (b Block) Runs() bool {
	return b.NotRun == "" && b.RunBy == "" && (b.File != "" || runnable[b.Language])
}

// Beginning returns the block that begins with a line. Its error says that the page has none, or several.
func (p Page) Beginning(line string) (found Block, err error) {
	count := 0
	for _, b := range p.Blocks {
		if first, _, _ := strings.Cut(b.Text, "\n"); first == line {
			found = b
			count++
		}
	}
	if count != 1 {
		return Block{}, fmt.Errorf("%s has %d blocks that begin with the line %q, not one", p.Path, count, line)
	}
	return found, nil
}

// Runs reports whether the test of pages runs anything of the page.
func (p Page) Runs() bool {
	return p.NotRun == "" && p.RunBy == "" && slices.ContainsFunc(p.Blocks, Block.Runs)
}

// Parse reads a page. Its error names each directive and each block that breaks the rules of docs/contribute/pages.md.
func Parse(path string, source []byte) (Page, error) {
	r := reader{source: source, page: Page{Path: path, Needs: defaultFixture}}
	r.children(goldmark.DefaultParser().Parse(text.NewReader(source)))
	return r.page, errors.Join(r.problems...)
}

// reader collects the blocks and the problems of a page.
type reader struct {
	source   []byte
	page     Page
	titled   bool
	commands bool // whether the section that is read has commands
	problems []error
}

func (r *reader) problem(line int, format string, args ...any) {
	r.problems = append(r.problems, fmt.Errorf("%s:%d: %s", r.page.Path, line, fmt.Sprintf(format, args...)))
}

// children reads the nodes below a node. Directives belong to the block that follows them, and an output to the block before it.
func (r *reader) children(parent ast.Node) {
	var directives []directive
	var last *int // the index of the block whose output may follow
	between := 0  // paragraphs since that block
	underTitle := false
	for node := parent.FirstChild(); node != nil; node = node.NextSibling() {
		switch n := node.(type) {
		case *ast.HTMLBlock:
			if found, isComment := r.directives(n); isComment {
				directives = append(directives, found...)
				continue
			}
		case *ast.FencedCodeBlock:
			if underTitle {
				r.ofPage(directives)
				directives = nil
			}
			last = r.block(n, directives, last)
			directives, between, underTitle = nil, 0, false
			continue
		}
		if underTitle {
			r.ofPage(directives)
		} else {
			r.unattached(directives)
		}
		directives, underTitle = nil, false
		if between++; between > 1 || node.Kind() != ast.KindParagraph {
			last = nil
		}
		if heading, isHeading := node.(*ast.Heading); isHeading {
			r.commands = false
			underTitle = heading.Level == 1 && !r.titled
			r.titled = r.titled || underTitle
		}
		if node.Type() == ast.TypeBlock && node.Kind() != ast.KindParagraph {
			r.children(node)
		}
	}
	if underTitle {
		r.ofPage(directives)
	} else {
		r.unattached(directives)
	}
}

// block adds a fenced block to the page, or to the block before it if it is that block's output. It returns the index of a block whose
// output may follow.
func (r *reader) block(n *ast.FencedCodeBlock, directives []directive, before *int) *int {
	b := Block{Script: Script{Line: r.lineOf(n), Text: string(n.Lines().Value(r.source))}, Language: string(n.Language(r.source))}
	r.ofBlock(&b, directives)
	if b.Language == "text" && before != nil && len(directives) == 0 {
		if r.page.Blocks[*before].NotRun == "" {
			r.page.Blocks[*before].Output = &b.Script
		}
		return nil
	}
	r.check(b)
	r.page.Blocks = append(r.page.Blocks, b)
	if !runnable[b.Language] || b.File != "" {
		return nil
	}
	r.commands = true
	index := len(r.page.Blocks) - 1
	return &index
}

// lineOf returns the line after the fence that opens the block.
func (r *reader) lineOf(n *ast.FencedCodeBlock) int {
	switch {
	case n.Lines().Len() > 0:
		return r.line(n.Lines().At(0).Start)
	case n.Info != nil:
		return r.line(n.Info.Segment.Start) + 1
	default:
		return 1
	}
}

// line returns the number of the line that has the byte at the offset.
func (r *reader) line(offset int) int {
	return 1 + bytes.Count(r.source[:offset], []byte("\n"))
}

// languages has the languages of blocks that are not run, each an excerpt or a file.
var languages = strings.Fields(
	"caddyfile css diff dockerfile go gradle groovy haproxy html http ini javascript js json jsonc jsx kotlin mermaid nginx php python " +
		"ruby rust swift text toml ts tsx vue xml yaml",
)

// check reports the mistakes of a block.
func (r *reader) check(b Block) {
	switch {
	case runnable[b.Language], b.File != "":
	case b.Language == "":
		r.problem(b.Line-1, "the block has no language; write `sh` for commands, `text` for their output")
	case b.Language == "bash" || b.Language == "console" || b.Language == "shell" || b.Language == "zsh":
		r.problem(b.Line-1, "the language %s is not run; write `sh` for commands, without prompts, and `text` for their output", b.Language)
	case b.Language == "text" && b.NotRun == "" && r.commands:
		r.problem(b.Line-1, "the `text` block does not directly follow the commands whose output it could be; "+
			"give the reason with `<!-- not run: … -->`")
	case !slices.Contains(languages, b.Language):
		r.problem(b.Line-1, "the language %s is unknown; use a known one, or add it to languages of internal/lab/site", b.Language)
	}
	if !b.Runs() && (len(b.Before) > 0 || len(b.With) > 0 || b.Fails != 0 || b.Until != "") {
		r.problem(b.Line-1, "the block is not run, so `before`, `with`, `fails` and `background until` have no effect")
	}
	if b.Until != "" && b.Fails != 0 {
		r.problem(b.Line-1, "a block in the background has no exit code: remove `fails` or `background until`")
	}
	if b.Language == "sql" && (b.Until != "" || b.Fails != 0) {
		r.problem(b.Line-1, "`fails` and `background until` are for commands of the shell, not for queries")
	}
}
