// Package mailserver runs a real mail server in this process. The server keeps the mails that it accepts.
package mailserver

import (
	"io"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"
	"sync"

	"github.com/emersion/go-smtp"
)

// Server is a running mail server. It is safe for concurrent use.
type Server struct {
	server  *smtp.Server
	address string

	mu sync.Mutex
	// refusal is the response to every mail, or nil to accept mails.
	refusal  *smtp.SMTPError
	refused  int
	accepted []Mail
}

// Mail is a mail that the server has accepted. Text has lines that end with "\n".
type Mail struct{ From, To, Subject, Text string }

// Start starts a mail server on a free loopback port. The server runs until Close.
func Start() (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // runs until Close
	if err != nil {
		return nil, err
	}
	s := &Server{address: listener.Addr().String()}
	s.server = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &session{server: s}, nil }))
	s.server.Domain = "localhost"
	go func() { _ = s.server.Serve(listener) }() // ends with Close
	return s, nil
}

// Close stops the server.
func (s *Server) Close() error { return s.server.Close() }

// URL returns the value of WAFT_SMTP_URL for sending through the server.
func (s *Server) URL() string {
	return "smtp://" + s.address + "?from=Waft%20%3Cwaft@example.com%3E&tls=none"
}

// Refuse makes the server refuse every mail with an SMTP code and a message. A code of 0 makes it accept mails again.
func (s *Server) Refuse(code int, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusal = nil
	if code != 0 {
		s.refusal = &smtp.SMTPError{Code: code, EnhancedCode: smtp.NoEnhancedCode, Message: message}
	}
}

// Refusals returns the number of mails that the server has refused.
func (s *Server) Refusals() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused
}

// Accepted returns the mails to an address, oldest first.
func (s *Server) Accepted(to string) (mails []Mail) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, each := range s.accepted {
		if each.To == to {
			mails = append(mails, each)
		}
	}
	return mails
}

// session is the connection of a client.
type session struct {
	server *Server
	mail   Mail
}

// Mail starts a new mail.
func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.mail.From = from
	return nil
}

// Rcpt sets the recipient.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.mail.To = to
	return nil
}

// Data reads the mail. It stores the mail unless the server refuses mails.
func (s *session) Data(r io.Reader) error {
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
	s.mail.Subject, s.mail.Text = message.Header.Get("Subject"), strings.ReplaceAll(string(text), "\r\n", "\n")
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if s.server.refusal != nil {
		s.server.refused++
		return s.server.refusal
	}
	s.server.accepted = append(s.server.accepted, s.mail)
	return nil
}

// Reset discards the current mail.
func (s *session) Reset() { s.mail = Mail{} }

// Logout does nothing, because a session does not hold resources.
func (s *session) Logout() error { return nil }
