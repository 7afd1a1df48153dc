package e2e

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/mailserver"
)

// mailServer is a mail server that is closed when the test ends.
type mailServer struct {
	*mailserver.Server
	t *testing.T
}

// acceptedMail is a mail that a mail server has accepted.
type acceptedMail struct{ mailserver.Mail }

func newMailServer(t *testing.T) *mailServer {
	t.Helper()
	server, err := mailserver.Start()
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Close() })
	return &mailServer{server, t}
}

// await returns the n-th mail to an address once the server has accepted it. The first mail is number 1.
func (m *mailServer) await(to string, n int) acceptedMail {
	m.t.Helper()
	eventually(m.t, func() bool { return len(m.Accepted(to)) >= n }, "mail %d to %s", n, to)
	return acceptedMail{m.Accepted(to)[n-1]}
}

var linkInMail = regexp.MustCompile(`(?m)^(\S+/app/(?:invite|reset))#([\w-]{43})$`)

// link returns the page that the mail links to, and the token in the link.
func (m acceptedMail) link(t *testing.T) (page, token string) {
	t.Helper()
	found := linkInMail.FindStringSubmatch(m.Text)
	require.Len(t, found, 3, m.Text)
	return found[1], found[2]
}
