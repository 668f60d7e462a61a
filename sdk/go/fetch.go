package quarterjack

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
)

func (r *response) fault(fault string) error { return &ResponseError{r.status, r.url, fault} }

// decode reads the body into out. needs are fields that every response of the operation has: what is served
// by something else ends here.
func (r *response) decode(out any, needs ...string) error {
	if len(needs) > 0 {
		var fields map[string]json.RawMessage
		if json.Unmarshal(r.body, &fields) != nil {
			return r.fault(fmt.Sprintf("is no JSON object: %q", shorten(string(r.body), 80)))
		}
		for _, name := range needs {
			if value, ok := fields[name]; !ok || string(value) == "null" {
				return r.fault(fmt.Sprintf("has no %s: %q", name, shorten(string(r.body), 80)))
			}
		}
	}
	if err := json.Unmarshal(r.body, out); err != nil {
		return r.fault(fmt.Sprintf("cannot be read: %v", err))
	}
	return nil
}

// fetch sends a request, and reads its response.
func fetch[T any](ctx context.Context, c *Client, r request, options []CallOption, needs ...string) (*T,
	error) {
	result, err := c.send(ctx, r, options)
	if err != nil {
		return nil, err
	}
	out := new(T)
	if err := result.decode(out, needs...); err != nil {
		return nil, err
	}
	return out, nil
}

// remove sends a request that deletes something.
func (c *Client) remove(ctx context.Context, r request, options []CallOption) error {
	result, err := c.send(ctx, r, options)
	if err == nil && result.status != http.StatusNoContent && result.status != http.StatusNotFound {
		return result.fault("is not empty")
	}
	return err
}

var ownPath = regexp.MustCompile(`^/v1(/[^/?#\\\s]+)+(\?[^#\s]*)?$`)
var dots = regexp.MustCompile(`/\.{1,2}([/?]|$)`)

// Do calls any route of the API by its path, which may have a query. in is the body, or nil; the response is
// read into out, unless that is nil or there is none. Reads are repeated, and so is what has an
// IdempotencyKey or is Repeatable.
func (c *Client) Do(ctx context.Context, method, path string, in, out any, options ...CallOption) error {
	if !ownPath.MatchString(path) || dots.MatchString(path) {
		return &ArgumentError{"path", path, "one such as /v1/jobs/report: the token goes to the API alone"}
	}
	r := changing(method, in, path)
	r.path, r.repeatable = path, method == http.MethodGet
	result, err := c.send(ctx, r, options)
	if err != nil || out == nil || result.status == http.StatusNoContent {
		return err
	}
	return result.decode(out)
}
