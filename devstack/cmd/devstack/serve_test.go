package main

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// Killing the process kills Postgres, and it starts again on what it left behind.
func TestServePostgresEndsAndStartsAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	port := r.ports["WAFT_POSTGRES_PORT"]
	url := fmt.Sprintf("postgres://waft:secret@127.0.0.1:%d/waft?sslmode=disable", port)
	exec := func(sql string) {
		t.Helper()
		conn, err := pgx.Connect(t.Context(), url)
		require.NoError(t, err)
		_, err = conn.Exec(t.Context(), sql)
		require.NoError(t, err)
		require.NoError(t, conn.Close(t.Context()))
	}
	for _, sql := range []string{"CREATE TABLE kept ()", "INSERT INTO kept DEFAULT VALUES", "SELECT 1 / count(*) FROM kept"} {
		cmd := r.command("serve-postgres", "--port", strconv.Itoa(port))
		cmd.Env = append(cmd.Env, "WAFT_POSTGRES_PASSWORD=secret")
		require.Equal(t, fmt.Sprintf("Postgres listens on 127.0.0.1:%d", port), <-follow(t, cmd))
		exec(sql)
		require.NoError(t, cmd.Process.Kill())
		require.Error(t, cmd.Wait())
	}
	require.Eventually(t, func() bool { return len(processesIn(r.dir)) == 0 }, 2*time.Minute, 20*time.Millisecond)
}
