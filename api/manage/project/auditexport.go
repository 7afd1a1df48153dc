package project

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

const (
	// exportPage is the number of entries that an export holds in memory.
	exportPage = 500
	// exportStall is the time after which an export ends if its client has not read any of a page.
	exportStall = time.Minute
)

// exportAuditDoc describes its responses itself, because they are streamed.
var exportAuditDoc = huma.Operation{
	OperationID: "exportAuditLog", Tags: []string{tagAudit}, Summary: "Export changes",
	Description: "All entries that match the filters, newest first, as one JSON object per line (jsonl) or as CSV. The last " +
		"line has the number of entries: {\"end\": true, \"entries\": 2}, or a record that begins with # end. An export " +
		"without that line was cut off. In CSV, a ' precedes any string that a spreadsheet would read as a formula.",
	Responses: map[string]*huma.Response{"200": {
		Description: "The entries.",
		Content: map[string]*huma.MediaType{
			"application/x-ndjson": {
				Schema:  &huma.Schema{Type: huma.TypeString},
				Example: "{\"id\":99,\"action\":\"build.published\",…}\n{\"end\":true,\"entries\":1}\n",
			},
			"text/csv": {
				Schema:  &huma.Schema{Type: huma.TypeString},
				Example: "id,createdAt,action,actorType,actorId,actorName,entityType,entityId,requestId,details\n99,…\n# end,1,,,,,,,,\n",
			},
		},
	}},
}

type exportAuditInput struct {
	AuditQuery
	Format string `query:"format" enum:"jsonl,csv" default:"jsonl" doc:"Format: one JSON object per line, or CSV with a header."`
}

// exportAudit reads the first page before it responds, so that errors of that page are problem responses. It then
// streams all pages.
func (h *Handlers) exportAudit(ctx context.Context, in *exportAuditInput) (*huma.StreamResponse, error) {
	project := rest.ProjectOf(ctx)
	filter := in.filter()
	page := func(ctx context.Context, before int64) ([]models.AuditEntry, error) {
		return h.Audit.ListAudit(ctx, project, filter, models.Page{Limit: exportPage, Before: before})
	}
	first, err := page(ctx, 0)
	if err != nil {
		return nil, err
	}
	name := "audit-" + rest.CallOf(ctx).Caller.Project.Slug + "." + in.Format
	return &huma.StreamResponse{Body: func(out huma.Context) {
		out.SetHeader("Content-Disposition", "attachment; filename="+name)
		var writer auditWriter = &jsonLines{json.NewEncoder(out.BodyWriter())}
		media := "application/x-ndjson"
		if in.Format == "csv" {
			writer, media = &auditCSV{csv.NewWriter(out.BodyWriter())}, "text/csv"
		}
		out.SetHeader("Content-Type", media)
		connection := http.NewResponseController(humagin.Unwrap(out).Writer)
		err := writeAudit(out.Context(), writer, first, page, auditRecordFor(ctx), func() {
			_ = connection.SetWriteDeadline(rest.Deadline(exportStall)) // without deadlines in tests
		})
		if err != nil {
			rest.CallOf(out.Context()).Failure = err
			panic(http.ErrAbortHandler) // closes the connection: a cut export must not look complete
		}
	}}, nil
}

// auditWriter writes the entries of an export in one format.
type auditWriter interface {
	begin() error
	entry(e AuditEntry) error
	// end writes the last line and everything that is still buffered.
	end(entries int) error
}

// writeAudit writes all entries, beginning with the first page. It calls renew before each page.
func writeAudit(
	ctx context.Context, w auditWriter, entries []models.AuditEntry,
	page func(ctx context.Context, before int64) ([]models.AuditEntry, error), record func(models.AuditEntry) AuditEntry, renew func(),
) error {
	renew()
	if err := w.begin(); err != nil {
		return err
	}
	written := 0
	for {
		for _, e := range entries {
			if err := w.entry(record(e)); err != nil {
				return err
			}
		}
		written += len(entries)
		if len(entries) < exportPage {
			return w.end(written)
		}
		var err error
		if entries, err = page(ctx, entries[len(entries)-1].ID); err != nil {
			return err
		}
		renew()
	}
}

// jsonLines writes one JSON object per line.
type jsonLines struct{ *json.Encoder }

func (*jsonLines) begin() error               { return nil }
func (w *jsonLines) entry(e AuditEntry) error { return w.Encode(e) }

func (w *jsonLines) end(entries int) error {
	return w.Encode(struct {
		End     bool `json:"end"`
		Entries int  `json:"entries"`
	}{true, entries})
}

// auditCSV writes the CSV of RFC 4180.
type auditCSV struct{ *csv.Writer }

var auditColumns = []string{
	"id", "createdAt", "action", "actorType", "actorId", "actorName", "entityType", "entityId", "requestId", "details",
}

func (w *auditCSV) begin() error { return w.Write(auditColumns) }

func (w *auditCSV) entry(e AuditEntry) error {
	details, err := json.Marshal(e.Details)
	if err != nil {
		return fmt.Errorf("the details of entry %d: %w", e.ID, err)
	}
	record := []string{
		strconv.FormatInt(e.ID, 10), e.CreatedAt.UTC().Format("2006-01-02T15:04:05.000Z"), e.Action, string(e.ActorType), e.ActorID,
		e.ActorName, e.EntityType, e.EntityID, e.RequestID, string(details),
	}
	for i, cell := range record {
		record[i] = cellText(cell)
	}
	return w.Write(record)
}

func (w *auditCSV) end(entries int) error {
	record := make([]string, len(auditColumns))
	record[0], record[1] = "# end", strconv.Itoa(entries)
	err := w.Write(record)
	w.Flush()
	if err == nil {
		err = w.Error()
	}
	return err
}

// cellText returns text in a form that spreadsheets show and do not compute. People choose names, and a name may look
// like a formula.
func cellText(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r\n", rune(text[0])) {
		return "'" + text
	}
	return text
}
