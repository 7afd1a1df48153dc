package stack

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEnvFilesReadBackInTheShellToo(t *testing.T) {
	t.Parallel()
	vars := map[string]string{
		"PLAIN": "127.0.0.1:80", "URL": "postgres://a:b@c/d?e=f&g=h", "QUOTED": "it's $HOME `x` \\", "EMPTY": "",
	}
	text := formatEnv(vars)
	require.Equal(t, vars, parseEnv(text))

	for name, want := range vars {
		out, err := exec.CommandContext(t.Context(), "sh", "-c", text+"printf %s \"$"+name+"\"").Output()
		require.NoError(t, err)
		require.Equal(t, want, string(out))
	}
}

func TestFreePortsDiffer(t *testing.T) {
	t.Parallel()
	ports, err := freePorts()
	require.NoError(t, err)
	seen := map[int]bool{}
	for _, port := range ports.variables() {
		require.NotZero(t, *port)
		require.False(t, seen[*port])
		seen[*port] = true
	}
}

func TestRememberedPorts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ports, err := choosePorts(dir)
	require.NoError(t, err)
	require.Equal(t, DefaultPorts, ports)

	ports.API = 9999
	require.NoError(t, ports.save(dir))
	again, err := choosePorts(dir)
	require.NoError(t, err)
	require.Equal(t, ports, again)
}
