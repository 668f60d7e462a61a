package quarterjack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const job = `{"jobId":"a","status":"active","fromNewerServer":{"x":1}}`

var ctx = context.Background()

func TestACreateIsRepeatedUnderOneKey(t *testing.T) {
	client, all := scripted(t, step{breaks: true}, step{status: 503}, step{status: 201, body: job,
		header: http.Header{"Etag": {`"1"`}}})
	created, err := client.Jobs.Create(ctx, JobDefinition{JobID: "a", Schedule: Schedule{Type: "delay",
		Delay: "5m"}})
	if err != nil || created.ETag != `"1"` || created.JobID != "a" {
		t.Fatal(created, err)
	}
	if string(created.Extra["fromNewerServer"]) != `{"x":1}` {
		t.Error("a field of a newer server is lost:", created.Extra)
	}
	keys := map[string]bool{}
	for _, one := range *all {
		keys[one.header.Get("Idempotency-Key")] = true
		if one.header.Get("Authorization") != "Bearer key" || one.method != "POST" || one.path != "/v1/jobs" {
			t.Error(one)
		}
	}
	if len(*all) != 3 || len(keys) != 1 || keys[""] {
		t.Error("three tries with one key:", keys, len(*all))
	}
	if got := (*all)[0].body; got != `{"jobId":"a","schedule":{"type":"delay","delay":"5m"}}` {
		t.Error(got)
	}
}

func TestWhatIsNotRepeated(t *testing.T) {
	for name, call := range map[string]func(*Client) error{
		"a retry": func(c *Client) error {
			_, err := c.Executions.Retry(ctx, "a", "b",
				RetryRequest{})
			return err
		},
		"a change with an ETag": func(c *Client) error {
			_, err := c.Jobs.Put(ctx, "a", JobDefinition{}, IfMatch(`"1"`))
			return err
		},
	} {
		client, all := scripted(t, step{status: 503}, step{status: 200, body: job})
		var server *ServerError
		if err := call(client); !errors.As(err, &server) || len(*all) != 1 {
			t.Error(name, err, len(*all))
		}
		client, all = scripted(t, step{status: 429}, step{status: 200,
			body: `{"jobId":"a","execId":"b","status":"queued"}`})
		if err := call(client); err != nil || len(*all) != 2 {
			t.Error(name, "after 429, nothing was done:", err, len(*all))
		}
	}
}

func TestRetryAfterIsRespectedAndBounded(t *testing.T) {
	now := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"7": 7 * time.Second, "Tue, 01 Dec 2026 00:00:09 GMT": 9 * time.Second, "": 0, "soon": 0, "-3": 0,
	} {
		if got := retryAfter(text, now); got != want {
			t.Error(text, got)
		}
	}
	client, _ := scripted(t, step{status: 429, header: http.Header{"Retry-After": {"3600"}}},
		step{status: 200, body: job})
	begun := time.Now()
	if _, err := client.Jobs.Get(ctx, "a"); err != nil || time.Since(begun) < 20*time.Millisecond ||
		time.Since(begun) > 30*time.Second {
		t.Error("the pause is MaxDelay:", err, time.Since(begun))
	}
}

func TestProblemsHaveTypes(t *testing.T) {
	problem := `{"type":"https://x/v1/problems/conflict","title":"Conflict","status":409,"detail":"taken","instance":"i","errors":[{"path":"jobId","message":"is taken"}]}`
	client, _ := scripted(t, step{status: 409, body: problem,
		header: http.Header{"Quarterjack-Request-Id": {"r1"}}})
	_, err := client.Jobs.Create(ctx, JobDefinition{})
	var conflict *ConflictError
	var general *ProblemError
	if !errors.As(err, &conflict) || !errors.As(err, &general) {
		t.Fatalf("%T %v", err, err)
	}
	if conflict.Kind() != "conflict" || general.RequestID != "r1" || general.Errors[0].Path != "jobId" ||
		err.Error() != "Conflict (409): taken" {
		t.Error(conflict.ProblemError, err)
	}
	for status, want := range map[int]any{400: &ValidationError{}, 401: &AuthenticationError{},
		403: &PermissionError{},
		404: &NotFoundError{}, 412: &ConflictError{}, 413: &ValidationError{}, 422: &ConflictError{}, 429: &RateLimitError{},
		500: &ServerError{}, 418: &ProblemError{}} {
		got := problemOf(status, http.Header{}, []byte(`<html>a proxy</html>`))
		if fmt.Sprintf("%T", got) != fmt.Sprintf("%T", want) {
			t.Errorf("%d: %T", status, got)
		}
	}
	if got := problemOf(401, http.Header{"Apigw-Requestid": {"g"}},
		[]byte(`{"message":"Unauthorized"}`)); got.Error() !=
		"Unauthorized (401): the token is missing, has expired, or is not for this API" {
		t.Error(got)
	}
}

func TestResponsesThatAreNotOfTheAPI(t *testing.T) {
	for _, one := range []step{{status: 200, body: "<html>"}, {status: 200, body: "{}"}, {status: 200},
		{status: 200, body: "[]"},
		{status: 302, header: http.Header{"Location": {"/elsewhere"}}}} {
		client, all := scripted(t, one)
		var response *ResponseError
		if _, err := client.Jobs.Get(ctx, "a"); !errors.As(err, &response) || len(*all) != 1 {
			t.Error(one, err, len(*all))
		}
	}
}

func TestListsEnd(t *testing.T) {
	client, all := scripted(t, step{status: 200,
		body: `{"items":[{"jobId":"a"},{"jobId":"b"}],"nextCursor":"x y"}`},
		step{status: 200, body: `{"items":[],"nextCursor":"z"}`}, step{status: 200,
			body: `{"items":[{"jobId":"c"}],"nextCursor":null}`})
	var ids []string
	client.Jobs.List(ctx, &ListJobsQuery{Tag: []string{"a:1", "b:2"}, Limit: Ptr(2)}).All()(func(one Job,
		err error) bool {
		ids = append(ids, one.JobID)
		return err == nil
	})
	if strings.Join(ids, "") != "abc" || len(*all) != 3 {
		t.Fatal(ids, len(*all))
	}
	if got := (*all)[1].path; got != "/v1/jobs?cursor=x+y&limit=2&tag=a%3A1&tag=b%3A2" {
		t.Error(got)
	}
	client, all = scripted(t, step{status: 200,
		body: `{"items":[{"jobId":"a"},{"jobId":"b"}],"nextCursor":"x"}`})
	if some, err := client.Jobs.List(ctx, nil).Collect(2); err != nil || len(some) != 2 || len(*all) != 1 {
		t.Error("no page more than needed:", some, err, len(*all))
	}
	client, _ = scripted(t, step{status: 200, body: `{"items":[{"id":"a"}],"nextCursor":null}`})
	var response *ResponseError
	if _, err := client.Jobs.List(ctx, nil).Collect(0); !errors.As(err, &response) {
		t.Error("items of something else:", err)
	}
}

func TestADeleteWhoseAnswerWasLost(t *testing.T) {
	client, _ := scripted(t, step{breaks: true}, step{status: 404})
	if err := client.Jobs.Delete(ctx, "a"); err != nil {
		t.Error(err)
	}
	client, _ = scripted(t, step{status: 404})
	var missing *NotFoundError
	if err := client.Jobs.Delete(ctx, "a"); !errors.As(err, &missing) {
		t.Error("without an earlier try, it is missing:", err)
	}
}

func TestHeadersOfOptions(t *testing.T) {
	client, all := scripted(t, step{status: 200, body: job})
	client.options.Project, client.options.Note = "billing", "for all"
	_, _ = client.Jobs.Pause(ctx, "a/b c", Note("wegen Grüßen"))
	_, _ = client.Jobs.Put(ctx, "a", JobDefinition{}, IfMatch(`"7"`), DryRun())
	_, _ = client.Jobs.Get(ctx, "a")
	first, second, third := (*all)[0], (*all)[1], (*all)[2]
	if first.path != "/v1/jobs/a%2Fb%20c/pause" ||
		first.header.Get("Quarterjack-Note") != "wegen%20Gr%C3%BC%C3%9Fen" ||
		first.header.Get("Quarterjack-Project") != "billing" {
		t.Error(first)
	}
	if second.path != "/v1/jobs/a?dryRun=true" || second.header.Get("If-Match") != `"7"` ||
		second.header.Get("Quarterjack-Note") != "for%20all" {
		t.Error(second)
	}
	if third.header.Get("Quarterjack-Note") != "" {
		t.Error("a read has no note:", third)
	}
}

func TestAPauseWithAnEnd(t *testing.T) {
	client, all := scripted(t, step{status: 200, body: job}, step{status: 200, body: job})
	_, _ = client.Jobs.PauseUntil(ctx, "a", "2026-12-24T08:00:00Z")
	_, _ = client.Jobs.Pause(ctx, "a")
	if first, second := (*all)[0].body, (*all)[1].body; first != `{"until":"2026-12-24T08:00:00Z"}` || second != "" {
		t.Error(first, second)
	}
}

func TestWhatIsNotSent(t *testing.T) {
	client, all := scripted(t, step{status: 200, body: "{}"})
	var argument *ArgumentError
	for _, err := range []error{
		client.Jobs.Delete(ctx, ".."),
		client.Jobs.Delete(ctx, ""),
		func() error { _, err := client.Jobs.PauseUntil(ctx, "a", ""); return err }(),
		client.Do(ctx, "GET", "//evil.example/v1/jobs", nil, nil),
		client.Do(ctx, "GET", "/v1/jobs/../admin", nil, nil),
		client.Do(ctx, "POST", "/v1/jobs", make(chan int), nil),
	} {
		if !errors.As(err, &argument) {
			t.Error(err)
		}
	}
	if len(*all) != 0 {
		t.Error(*all)
	}
	t.Setenv("QUARTERJACK_URL", "")
	for _, options := range []Options{{}, {URL: "ftp://x"}, {URL: "http://x", Project: "a b"}} {
		if _, err := New(options); !errors.As(err, &argument) {
			t.Error(options, err)
		}
	}
}

func TestTheEnvironment(t *testing.T) {
	client, all := scripted(t, step{status: 200, body: job})
	t.Setenv("QUARTERJACK_URL", client.URL())
	t.Setenv("QUARTERJACK_TOKEN", "of the environment")
	own, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := own.Jobs.Get(ctx, "a"); err != nil ||
		(*all)[0].header.Get("Authorization") != "Bearer of the environment" {
		t.Error(err, *all)
	}
}

func TestAContextEndsACall(t *testing.T) {
	client, _ := scripted(t, step{status: 503, header: http.Header{"Retry-After": {"60"}}})
	client.options.Retry.MaxDelay = time.Minute
	ending, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if _, err := client.Jobs.Get(ending, "a"); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestClientCredentials(t *testing.T) {
	answers := []string{`{"access_token":"t1","expires_in":3600}`, `{"error":"invalid_client"}`}
	asked := 0
	issuer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("grant_type") != "client_credentials" || r.FormValue("client_secret") != "s" {
			t.Error(r.Form)
		}
		if asked++; asked == 2 {
			w.WriteHeader(http.StatusUnauthorized)
		}
		_, _ = io.WriteString(w, answers[asked-1])
	}))
	defer issuer.Close()
	credentials := Credentials{TokenEndpoint: issuer.URL, ClientID: "c", ClientSecret: "s"}
	source := ClientCredentials(credentials)
	for i := 0; i < 3; i++ {
		if token, err := source(ctx); token != "t1" || err != nil {
			t.Error(token, err)
		}
	}
	var refused *AuthenticationError
	if _, err := ClientCredentials(credentials)(ctx); !errors.As(err, &refused) || asked != 2 {
		t.Error(err, asked)
	}
}

func TestLoadAndBulkGoThroughAllPages(t *testing.T) {
	client, _ := scripted(t, step{status: 200,
		body: `{"from":"a","to":"b","counts":[1,2],"jobs":1,"nextCursor":"x"}`},
		step{status: 200, body: `{"from":"a","to":"b","counts":[10,20],"jobs":2,"nextCursor":null}`})
	load, err := client.Load(ctx, nil)
	if text, _ := json.Marshal(load); err != nil ||
		string(text) != `{"from":"a","to":"b","counts":[11,22],"jobs":3,"nextCursor":null}` {
		t.Error(string(text), err)
	}
	client, all := scripted(t, step{status: 200,
		body: `{"matched":1,"done":1,"unchanged":0,"failed":[],"nextCursor":"x"}`},
		step{status: 200, body: `{"matched":2,"done":2,"unchanged":0,"failed":[],"nextCursor":null}`})
	done := 0
	err = client.Bulk(ctx, BulkRequest{Action: "pause", All: Ptr(true)},
		func(page *Bulk) error { done += page.Done; return nil })
	first, second := (*all)[0], (*all)[1]
	if err != nil || done != 3 ||
		first.header.Get("Idempotency-Key") != second.header.Get("Idempotency-Key") ||
		!strings.Contains(second.body, `"cursor":"x"`) {
		t.Error(err, done, *all)
	}
}
