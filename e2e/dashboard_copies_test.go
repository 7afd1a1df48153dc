package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// serveCopies lets the browser tests add many releases, because publishing hundreds takes minutes. POST /?release=&count= adds
// copies of the release with this ID, named "Newer 1", "Newer 2" and so on. Each copy is newer than the previous copy.
func serveCopies(t *testing.T, databaseURL string) string {
	t.Helper()
	db, err := pgxpool.New(t.Context(), databaseURL)
	require.NoError(t, err)
	t.Cleanup(db.Close)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		done, err := db.Exec(r.Context(), `
			INSERT INTO releases SELECT (jsonb_populate_record(r, jsonb_build_object(
				'id', nextval('waft_ids'), 'update_uuid', gen_random_uuid(), 'group_id', gen_random_uuid(),
				'created_at', r.created_at + n * interval '1 millisecond', 'release_message', 'Newer ' || n))).*
			FROM releases r, generate_series(1, $2::text::int) n WHERE r.id = $1::text::bigint`,
			r.URL.Query().Get("release"), r.URL.Query().Get("count"))
		if err != nil || done.RowsAffected() == 0 {
			http.Error(w, fmt.Sprint("no release was copied: ", err), http.StatusInternalServerError)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}
