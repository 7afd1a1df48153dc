package store

import (
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"gorm.io/gorm/schema"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/store/filestore"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// mapped lists every model that GORM maps to a table.
var mapped = []any{
	models.User{}, models.Member{}, models.Invitation{}, models.Session{}, models.UserIdentity{}, models.Passkey{},
	models.Mail{}, models.PasswordReset{}, models.TerminalLogin{},
	models.Project{}, models.APIKey{}, models.TrustedPublisher{}, models.Branch{}, models.Channel{}, models.Build{}, models.BuildAsset{}, models.Patch{},
	filestore.Blob{},
	models.Release{}, models.RolloutPolicy{}, models.RolloutExecution{}, models.RolloutEvent{}, models.AuditEntry{}, models.OutboxMessage{},
	models.Flag{}, models.Variation{}, models.FlagEnvironment{}, models.FlagRule{}, models.FlagRuleShare{}, models.FlagSchedule{}, models.Segment{}, models.ReleaseFlag{},
	models.Webhook{}, models.WebhookDelivery{}, models.EvaluationContext{}, models.UserOverride{}, models.SigningKey{}, models.ReleaseAlias{}, models.Incident{},
	models.SourceMap{}, models.PartialFile{}, models.EmergencyStop{}, models.ErrorGroupStatus{}, models.Approval{}, models.LargestOffer{}, models.ApprovalDecision{},
	models.Restore{},
}

type column struct {
	Table, Column string
	Nullable      bool
}

// TestModelsAndMigrationsAgree compares the models, field by field, with the schema that the migrations create.
func TestModelsAndMigrationsAgree(t *testing.T) {
	t.Parallel()
	columns := migratedColumns(t)
	delete(columns, "root_key")   // a single row, which RootKeyHash reads without a model
	delete(columns, "setup_link") // a single row, too
	// Holds of uploads and pending removals are handled as sets, in SQL.
	delete(columns, "blob_holds")
	delete(columns, "blob_removals")
	delete(columns, "blob_promises")
	for _, written := range []string{"variants", "gzip_bytes", "brotli_bytes"} { // written by the compression of files
		delete(columns["blobs"], written)
	}
	delete(columns, "patch_removals")
	delete(columns, "snapshot_changes")
	delete(columns, "rollout_prompts")
	delete(columns, "report_claims")
	delete(columns, "device_erasures")
	delete(columns, "idempotency_keys")
	delete(columns, "answered_challenges")
	delete(columns, "known_networks")
	delete(columns, "exchanged_tokens")
	delete(columns["projects"], "telemetry_swept_at")
	delete(columns["projects"], "has_protected") // written by a trigger
	delete(columns["audit_log"], "changed_tx")   // set by its default
	for _, model := range mapped {
		t.Run(fmt.Sprintf("%T", model), func(t *testing.T) {
			parsed, err := schema.Parse(model, &sync.Map{}, schema.NamingStrategy{})
			require.NoError(t, err)
			table := columns[parsed.Table]
			require.NotEmpty(t, table, "migrations do not create the table %s", parsed.Table)
			delete(columns, parsed.Table)
			for _, field := range parsed.Fields {
				if field.DBName == "" || !field.Creatable && !field.Updatable {
					continue // not a column, or read from another table
				}
				nullable, ok := table[field.DBName]
				require.True(t, ok, "%s.%s has no column", parsed.Table, field.DBName)
				delete(table, field.DBName)
				if null, sure := canBeNull(field.FieldType); sure {
					require.Equal(t, null, nullable, "whether %s.%s may be NULL", parsed.Table, field.DBName)
				}
			}
			require.Empty(t, table, "columns of %s that are missing in the model", parsed.Table)
		})
	}
	require.Empty(t, columns, "tables without a model")
}

// migratedColumns returns the columns of each table, and whether each column may be NULL.
func migratedColumns(t *testing.T) map[string]map[string]bool {
	t.Helper()
	databaseURL := enginetest.Postgres(t)
	require.NoError(t, pg.Migrate(t.Context(), databaseURL))
	conn, err := pgx.Connect(t.Context(), databaseURL)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), `SELECT table_name, column_name, is_nullable = 'YES' FROM information_schema.columns
		WHERE table_schema = 'public' AND table_name <> 'waft_migrations'`)
	require.NoError(t, err)
	columns, err := pgx.CollectRows(rows, pgx.RowToStructByPos[column])
	require.NoError(t, err)
	tables := map[string]map[string]bool{}
	for _, c := range columns {
		if tables[c.Table] == nil {
			tables[c.Table] = map[string]bool{}
		}
		tables[c.Table][c.Column] = c.Nullable
	}
	return tables
}

// canBeNull reports whether a field of type t can be absent. For slices and maps it cannot tell, and sure is false.
func canBeNull(t reflect.Type) (null, sure bool) {
	switch t.Kind() {
	case reflect.Pointer:
		return true, true
	case reflect.Slice, reflect.Map:
		return false, false
	case reflect.Struct:
		return false, t == reflect.TypeFor[time.Time]() || t == reflect.TypeFor[models.Thresholds]() || t == reflect.TypeFor[models.Schedule]()
	case reflect.Array:
		return false, t == reflect.TypeFor[uuid.UUID]()
	default:
		return false, true
	}
}
