package quarterjack

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// ArgumentError says that the program has passed something that the API never takes. Nothing was sent.
type ArgumentError struct{ Argument, Value, Expected string }

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("%s is %q; expected %s", e.Argument, e.Value, e.Expected)
}

// ConnectionError says that no response came: every allowed try ended in a network failure or a time-out.
type ConnectionError struct {
	Method, URL string
	Err         error
}

func (e *ConnectionError) Error() string { return fmt.Sprintf("%s %s: %v", e.Method, e.URL, e.Err) }
func (e *ConnectionError) Unwrap() error { return e.Err }

// ResponseError says that a response is none of the API, for example the page of a proxy.
type ResponseError struct {
	Status int
	URL    string
	Fault  string
}

func (e *ResponseError) Error() string {
	return fmt.Sprintf("the response from %s (%d) %s; is this the URL of a Quarterjack API?", e.URL, e.Status,
		e.Fault)
}

// FieldProblem is a field that the API rejected. Path is dotted; "body" means the body as a whole.
type FieldProblem struct {
	Path    string `json:"path"`
	Message string `json:"message"`
	// Pointer and Keyword are those of a payload that does not fit the schema of its job.
	Pointer string `json:"pointer,omitempty"`
	Keyword string `json:"keyword,omitempty"`
}

// ProblemError is a response that says what is wrong (RFC 9457). errors.As finds it in each of
// ValidationError, AuthenticationError, PermissionError, NotFoundError, ConflictError, RateLimitError and ServerError.
type ProblemError struct {
	// Status of HTTP.
	Status int
	// Type is a URL whose last part names the kind of the problem, or about:blank.
	Type   string
	Title  string
	Detail string
	// Instance and RequestID identify the request: an operator finds it in the logs by them.
	Instance  string
	RequestID string
	// Errors are the rejected fields. Empty unless the input was invalid.
	Errors []FieldProblem
}

func (e *ProblemError) Error() string {
	status := ""
	if e.Title != untitled(e.Status) {
		status = fmt.Sprintf(" (%d)", e.Status)
	}
	return fmt.Sprintf("%s%s: %s", e.Title, status, e.Detail)
}

// Kind is the last part of Type, such as "conflict".
func (e *ProblemError) Kind() string { return e.Type[strings.LastIndex(e.Type, "/")+1:] }

// ValidationError is 400 or 413: the request is invalid. Errors names the fields.
type ValidationError struct{ *ProblemError }

// AuthenticationError is 401: the token is missing, has expired, or is not for this API.
type AuthenticationError struct{ *ProblemError }

// PermissionError is 403: the token lacks a scope.
type PermissionError struct{ *ProblemError }

// NotFoundError is 404: this project has no such job or execution.
type NotFoundError struct{ *ProblemError }

// ConflictError is 409, 412 or 422: another request came first. Read the current state, then decide.
type ConflictError struct{ *ProblemError }

// RateLimitError is 429, after every allowed try.
type RateLimitError struct{ *ProblemError }

// ServerError is 5xx, after every allowed try. Whether the request took effect is unknown.
type ServerError struct{ *ProblemError }

func (e *ValidationError) Unwrap() error     { return e.ProblemError }
func (e *AuthenticationError) Unwrap() error { return e.ProblemError }
func (e *PermissionError) Unwrap() error     { return e.ProblemError }
func (e *NotFoundError) Unwrap() error       { return e.ProblemError }
func (e *ConflictError) Unwrap() error       { return e.ProblemError }
func (e *RateLimitError) Unwrap() error      { return e.ProblemError }
func (e *ServerError) Unwrap() error         { return e.ProblemError }

func kindOf(p *ProblemError) error {
	switch {
	case p.Status == 400 || p.Status == 413:
		return &ValidationError{p}
	case p.Status == 401:
		return &AuthenticationError{p}
	case p.Status == 403:
		return &PermissionError{p}
	case p.Status == 404:
		return &NotFoundError{p}
	case p.Status == 409 || p.Status == 412 || p.Status == 422:
		return &ConflictError{p}
	case p.Status == 429:
		return &RateLimitError{p}
	case p.Status >= 500:
		return &ServerError{p}
	}
	return p
}

// ofGateway are title and detail of API Gateway's own errors. Their message says no more than a title.
var ofGateway = map[int][2]string{
	401: {"Unauthorized", "the token is missing, has expired, or is not for this API"},
	404: {"Not found", "the API has no route with this path"},
	413: {"Request too large", "a request has at most 10 MB"},
	429: {"Too many requests", "the API gets more requests than it takes; try again in a second"},
}

func untitled(status int) string { return fmt.Sprintf("Status %d", status) }

// problemOf is the error of a response. Its body need not be a problem: proxies and gateways have their own.
func problemOf(status int, header http.Header, body []byte) error {
	var given map[string]json.RawMessage
	isText := json.Unmarshal(body, &given) != nil
	text := func(name string) string {
		var value string
		if json.Unmarshal(given[name], &value) != nil {
			return ""
		}
		return value
	}
	problem := &ProblemError{Status: status, Type: text("type"), Title: text("title"), Detail: text("detail"),
		Instance: text("instance"), RequestID: requestID(header)}
	if json.Unmarshal(given["errors"], &problem.Errors) != nil {
		problem.Errors = nil
	}
	gateway := [2]string{}
	if problem.Type == "" && (status == 401 || text("message") != "") {
		gateway = ofGateway[status]
	}
	page := ""
	if isText {
		page = shorten(strings.TrimSpace(string(body)), 500)
	}
	problem.Type = first(problem.Type, "about:blank")
	problem.Title = first(problem.Title, gateway[0], untitled(status))
	problem.Detail = first(problem.Detail, gateway[1], text("message"), page,
		"the response has no description")
	return kindOf(problem)
}

// requestID identifies a request. API Gateway alone knows one that did not reach a function.
func requestID(header http.Header) string {
	return first(header.Get("Quarterjack-Request-Id"), header.Get("Apigw-Requestid"))
}

func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// shorten cuts a text to so many bytes, and never within a character.
func shorten(text string, max int) string {
	if len(text) <= max {
		return text
	}
	return strings.ToValidUTF8(text[:max], "")
}
