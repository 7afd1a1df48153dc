package clickhouse

import (
	"net/http"
	"regexp"
	"strconv"
)

// The engine's codes of errors that this HTTP server returns itself.
const (
	codeCannotReadBody       = 23
	codeNotImplemented       = 48
	codeSyntaxError          = 62
	codeReadOnly             = 164
	codeUnknownEncoding      = 292
	codeAccessDenied         = 497
	codeAuthenticationFailed = 516
	codeNoEngine             = 1002
)

// Failure is an error as ClickHouse reports it.
type Failure struct {
	Code    int
	Message string
}

func (f *Failure) Error() string { return f.Message }

var codePrefix = regexp.MustCompile(`^Code: (\d+)\.`)

func newFailure(message string) *Failure {
	f := &Failure{Code: codeNoEngine, Message: message}
	if match := codePrefix.FindStringSubmatch(message); match != nil {
		if code, err := strconv.Atoi(match[1]); err == nil {
			f.Code = code
		}
	}
	return f
}

// serverFailure returns an error of this HTTP server, in the form of the engine's errors.
func serverFailure(code int, name, message string) *Failure {
	return &Failure{
		Code:    code,
		Message: "Code: " + strconv.Itoa(code) + ". DB::Exception: " + message + ". (" + name + ")",
	}
}

func (f *Failure) status() int {
	switch f.Code {
	case codeNotImplemented:
		return http.StatusNotImplemented
	case 6, 26, 27, 38, 41, 43, 53, 62, 72, 73, 76, 321, 386, 441, 456, 457, 611:
		// The statement cannot be parsed or has wrong types.
		return http.StatusBadRequest
	case 16, 36, 46, 47, 60, 81, 115, 118:
		// A name does not exist.
		return http.StatusNotFound
	case codeAccessDenied, codeAuthenticationFailed:
		return http.StatusForbidden
	case 159, 160:
		return http.StatusRequestTimeout
	default:
		return http.StatusInternalServerError
	}
}
