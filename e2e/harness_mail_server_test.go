package e2e

import (
	"io"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"regexp"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"
)

// mailServer is a real mail server in this process, which keeps what it takes.
type mailServer struct {
	t       *testing.T
	address string
	mu      sync.Mutex
	// refusal is what the server answers to every mail, nil to take it.
	refusal *smtp.SMTPError
	refused int
	taken   []takenMail
}

// takenMail is a mail that a mail server has taken.
type takenMail struct{ from, to, subject, text string }

func newMailServer(t *testing.T) *mailServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	m := &mailServer{t: t, address: listener.Addr().String()}
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &mailSession{server: m}, nil }))
	server.Domain = "localhost"
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return m
}

// url is the setting by which Waft sends through the server.
func (m *mailServer) url() string {
	return "smtp://" + m.address + "?from=Waft%20%3Cwaft@example.com%3E&tls=none"
}

// refuse makes the server answer every mail with a code, or take mails again for 0.
func (m *mailServer) refuse(code int, message string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refusal = nil
	if code != 0 {
		m.refusal = &smtp.SMTPError{Code: code, EnhancedCode: smtp.NoEnhancedCode, Message: message}
	}
}

// refusals is how often the server refused a mail.
func (m *mailServer) refusals() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.refused
}

// sent returns the mails to an address, oldest first.
func (m *mailServer) sent(to string) (mails []takenMail) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, each := range m.taken {
		if each.to == to {
			mails = append(mails, each)
		}
	}
	return mails
}

// await returns the n-th mail to an address, from 1, once the server has taken it.
func (m *mailServer) await(to string, n int) takenMail {
	m.t.Helper()
	eventually(m.t, func() bool { return len(m.sent(to)) >= n }, "mail %d to %s", n, to)
	return m.sent(to)[n-1]
}

var linkInMail = regexp.MustCompile(`(?m)^(\S+/app/(?:invite|reset))#([\w-]{43})$`)

// link returns the page of the link in the mail, and its token.
func (m takenMail) link(t *testing.T) (page, token string) {
	t.Helper()
	found := linkInMail.FindStringSubmatch(m.text)
	require.Len(t, found, 3, m.text)
	return found[1], found[2]
}

// mailSession is a connection of a client.
type mailSession struct {
	server *mailServer
	mail   takenMail
}

func (s *mailSession) Mail(from string, _ *smtp.MailOptions) error {
	s.mail.from = from
	return nil
}

func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.mail.to = to
	return nil
}

func (s *mailSession) Data(r io.Reader) error {
	message, err := mail.ReadMessage(r)
	if err != nil {
		return err
	}
	body := message.Body
	if message.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
		body = quotedprintable.NewReader(body)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	s.mail.subject, s.mail.text = message.Header.Get("Subject"), regexp.MustCompile(`\r\n`).ReplaceAllString(string(text), "\n")
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if s.server.refusal != nil {
		s.server.refused++
		return s.server.refusal
	}
	s.server.taken = append(s.server.taken, s.mail)
	return nil
}

func (s *mailSession) Reset() { s.mail = takenMail{} }

func (s *mailSession) Logout() error { return nil }
