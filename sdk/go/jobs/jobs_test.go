package jobs

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
)

type order struct {
	OrderID string `json:"orderId"`
	Amount  int    `json:"amount,omitempty"`
}

func (o order) Validate() error {
	if o.OrderID == "" {
		return errors.New("orderId is missing")
	}
	return nil
}

func program() *Program {
	p := NewProgram()
	p.Source, p.Prefix = "shop", "staging-"
	nightly := HandleIn(p, "nightly", func(ctx context.Context, run *Run, _ any) (any, error) {
		return map[string]any{"due": run.DueAt, "job": run.JobID, "attempt": run.Attempt,
			"fence": run.Fence}, nil
	}, Cron("30 2 * * MON-FRI", "Europe/Berlin"), Timeout("10m"), Paused(true), Tags(map[string]string{"team": "a<b"}),
		Retry(quarterjack.RetryPolicy{MaxAttempts: quarterjack.Ptr(5)}))
	HandleIn(p, "clean", func(ctx context.Context, _ *Run, _ struct{}) (any, error) { return nil, nil },
		After(nightly))
	HandleIn(p, "order", func(_ context.Context, run *Run, o order) (order, error) {
		switch o.OrderID {
		case "fatal":
			return o, quarterjack.Fatal("no such order")
		case "later":
			return o, quarterjack.RetryAfter(90*time.Second, nil)
		case "panic":
			panic("oh")
		case "error":
			return o, errors.New("failed")
		}
		return o, nil
	}, OnEvent("order.paid"))
	return p
}

func TestManifest(t *testing.T) {
	var text, again bytes.Buffer
	if err := program().WriteManifest(&text); err != nil {
		t.Fatal(err)
	}
	_ = program().WriteManifest(&again)
	want := `{"format":"quarterjack.jobs/1","source":"shop","jobs":[` +
		`{"jobId":"clean","definition":{"schedule":{"type":"after","jobs":["nightly"]}}},` +
		`{"jobId":"nightly","paused":true,"definition":{"schedule":{"type":"cron","expression":"30 2 * * MON-FRI","timezone":"Europe/Berlin"},` +
		`"retry":{"maxAttempts":5},"timeout":"10m","tags":{"team":"a<b"}}},` +
		`{"jobId":"order","definition":{"schedule":{"type":"event","name":"order.paid"}}}]}`
	var compact bytes.Buffer
	_ = json.Compact(&compact, text.Bytes())
	if got := strings.ReplaceAll(compact.String(), `\u003c`, "<"); got != want ||
		text.String() != again.String() {
		t.Error(got)
	}
	if err := NewProgram().WriteManifest(io.Discard); err == nil {
		t.Error("a program without jobs has no manifest")
	}
}

const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

// deliver signs a delivery as the API does.
func deliver(t *testing.T, handler http.Handler, jobID, body string, fence int) *httptest.ResponseRecorder {
	t.Helper()
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	sign := func(key []byte, text string) []byte {
		hash := hmac.New(sha256.New, key)
		hash.Write([]byte(text))
		return hash.Sum(nil)
	}
	now := fmt.Sprint(time.Now().Unix())
	headers := [][2]string{{"quarterjack-attempt", "2"}, {"quarterjack-due", "2026-12-01T08:30:00.000Z"},
		{"quarterjack-execution", "e"},
		{"quarterjack-fence", fmt.Sprint(fence)}, {"quarterjack-job", jobID}}
	request := httptest.NewRequest("POST", "/", strings.NewReader(body))
	text := "v1\nid\n" + now + "\n"
	for _, one := range headers {
		text += one[0] + ":" + one[1] + "\n"
		request.Header.Set(one[0], one[1])
	}
	request.Header.Set("webhook-id", "id")
	request.Header.Set("webhook-timestamp", now)
	of := func(mac []byte) string { return "v1," + base64.StdEncoding.EncodeToString(mac) }
	request.Header.Set("webhook-signature", of(sign(key, "id."+now+"."+body)))
	request.Header.Set("quarterjack-signature", of(sign(sign(key, "quarterjack-headers/1"), text)))
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder
}

func TestDeliveries(t *testing.T) {
	handler, err := program().Handler(quarterjack.VerifyOptions{Secret: secret},
		quarterjack.NewFenceGuard(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct {
		job, body string
		status    int
		want      string
	}{
		{"staging-nightly", "", 200,
			`{"attempt":2,"due":"2026-12-01T08:30:00Z","fence":3,"job":"staging-nightly"}`},
		{"staging-clean", "", 204, ""},
		{"staging-order", `{"orderId":"a","amount":3}`, 200, `{"orderId":"a","amount":3}`},
		{"staging-order", `{"orderId":7}`, 422, "the payload is invalid"},
		{"staging-order", `{`, 422, "the payload is invalid"},
		{"staging-order", ``, 422, "orderId is missing"},
		{"staging-order", `{"orderId":"fatal"}`, 422, "no such order"},
		{"staging-order", `{"orderId":"later"}`, 503, "try again after 1m30s"},
		{"staging-order", `{"orderId":"panic"}`, 500, "panic: oh"},
		{"staging-order", `{"orderId":"error"}`, 500, "failed"},
		{"order", `{"orderId":"a"}`, 503,
			"unknown-job: order is none of this program, which has: staging-clean, staging-nightly, staging-order"},
	} {
		got := deliver(t, handler, one.job, one.body, 3)
		if got.Code != one.status || !strings.Contains(got.Body.String(), one.want) {
			t.Error(one.job, one.body, got.Code, got.Body.String())
		}
		if one.status == 503 && got.Header().Get("Retry-After") != map[bool]string{true: "90",
			false: "60"}[one.job != "order"] {
			t.Error(one.body, got.Header())
		}
	}
	if got := deliver(t, handler, "staging-clean", "", 2); got.Code != 409 {
		t.Error("a stale fence:", got.Code)
	}
	other, _ := program().Handler(quarterjack.VerifyOptions{Secret: "whsec_AAAA"}, nil)
	if got := deliver(t, other, "staging-clean", "", 3); got.Code != 401 {
		t.Error("another secret:", got.Code)
	}
}

func TestWrapRunsAroundEachJob(t *testing.T) {
	p := program()
	p.Wrap = func(ctx context.Context, run *Run, next func(context.Context) (any, error)) (any, error) {
		result, err := next(ctx)
		return fmt.Sprint(run.JobID, result), err
	}
	handler, _ := p.Handler(quarterjack.VerifyOptions{Secret: secret}, nil)
	if got := deliver(t, handler, "staging-clean", "", 1).Body.String(); got != `"staging-clean<nil>"` &&
		got != `"staging-clean\u003cnil\u003e"` {
		t.Error(got)
	}
}

func TestWhatNoDeploymentTakes(t *testing.T) {
	none := func(context.Context, *Run, order) (any, error) { return nil, nil }
	for name, define := range map[string]func(*Program){
		"an id":       func(p *Program) { HandleIn(p, "Nightly", none) },
		"an id twice": func(p *Program) { HandleIn(p, "a", none); HandleIn(p, "a", none) },
		"a timeout":   func(p *Program) { HandleIn(p, "a", none, Timeout("soon")) },
		"a reserved tag": func(p *Program) {
			HandleIn(p, "a", none,
				Tags(map[string]string{"quarterjack/source": "x"}))
		},
		"its own payload": func(p *Program) { HandleIn(p, "a", none, Cron("* * * * *", "")) },
		"a given payload": func(p *Program) { HandleIn(p, "a", none, Payload(map[string]int{"orderId": 1})) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error(name)
				}
			}()
			define(NewProgram())
		}()
	}
	HandleIn(NewProgram(), "a", none, Cron("* * * * *", ""), Payload(order{OrderID: "a"}))
}

func TestLambda(t *testing.T) {
	client := `{"custom":{"quarterjack-job":"staging-order","quarterjack-execution":"e","quarterjack-attempt":"1","quarterjack-fence":"1",` +
		`"quarterjack-due":"2026-12-01T08:30:00.000Z","quarterjack-project":"billing"}}`
	events := []struct{ context, event, want string }{
		{client, `{"orderId":"a"}`, `/response {"orderId":"a"}`},
		{client, `{"orderId":"fatal"}`,
			`/error QuarterjackFatalError {"errorMessage":"no such order","errorType":"QuarterjackFatalError"}`},
		{client, `{"orderId":"later"}`,
			`/error QuarterjackRetryAfter:90 {"errorMessage":"try again after 1m30s","errorType":"QuarterjackRetryAfter:90"}`},
		{client, `{"orderId":7}`, `/error QuarterjackFatalError:bad-payload {"errorMessage":"the payload is invalid`},
		{strings.Replace(client, "staging-order", "order", 1), `{}`,
			`/error QuarterjackRetryAfter:60:unknown-job {"errorMessage":"unknown-job: order`},
		{client, `{"orderId":"error"}`, `/error Error {"errorMessage":"failed","errorType":"Error"}`},
		{``, `{"orderId":"a"}`,
			`/error QuarterjackFatalError {"errorMessage":"this invocation is no delivery`},
		{strings.Replace(client, "billing", "other", 1), `{"orderId":"a"}`,
			`/error QuarterjackFatalError {"errorMessage":"the delivery is of project other`},
		{strings.Replace(client, `"quarterjack-fence":"1"`, `"quarterjack-fence":"x"`, 1), `{}`,
			`/error QuarterjackFatalError {"errorMessage":"the client context`},
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var got []string
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "GET" {
			if asked == len(events) {
				cancel()
				return
			}
			w.Header().Set("Lambda-Runtime-Aws-Request-Id", fmt.Sprint("r", asked))
			w.Header().Set("Lambda-Runtime-Deadline-Ms", fmt.Sprint(time.Now().Add(time.Minute).UnixMilli()))
			w.Header().Set("Lambda-Runtime-Client-Context", events[asked].context)
			_, _ = io.WriteString(w, events[asked].event)
			asked++
			return
		}
		body, _ := io.ReadAll(r.Body)
		parts := strings.Fields(strings.TrimPrefix(r.URL.Path,
			fmt.Sprintf("/2018-06-01/runtime/invocation/r%d", asked-1)) + " " +
			r.Header.Get("Lambda-Runtime-Function-Error-Type"))
		got = append(got, strings.Join(append(parts, string(body)), " "))
	}))
	defer server.Close()
	t.Setenv("AWS_LAMBDA_RUNTIME_API", strings.TrimPrefix(server.URL, "http://"))
	p := program()
	p.Project = "billing"
	if err := p.Lambda(ctx); !errors.Is(err, context.Canceled) && err == nil {
		t.Error(err)
	}
	for i, one := range events {
		if i >= len(got) || !strings.HasPrefix(got[i], one.want) {
			t.Error(one.want, got)
		}
	}
}

func TestCallsPassOnTheCauseOfTheirDelivery(t *testing.T) {
	var got []http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header)
		_, _ = io.WriteString(w, `{}`)
	}))
	defer server.Close()
	client, err := quarterjack.New(quarterjack.Options{URL: server.URL, Token: "t"})
	if err != nil {
		t.Fatal(err)
	}
	send := func(ctx context.Context) error {
		return client.Do(ctx, http.MethodPost, "/v1/events", map[string]any{"name": "paid"}, &struct{}{})
	}
	p := NewProgram()
	HandleIn(p, "next", func(ctx context.Context, _ *Run, _ any) (any, error) { return nil, send(ctx) }, Cron("* * * * *", ""))
	led := map[string]string{"Quarterjack-Hop": "2", "Traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
		"Tracestate": "a=1"}
	custom := map[string]string{"quarterjack-job": "next", "quarterjack-execution": "e", "quarterjack-attempt": "1",
		"quarterjack-fence": "1", "quarterjack-due": "2026-12-01T08:30:00.000Z"}
	for name, value := range led {
		custom[strings.ToLower(name)] = value
	}
	if _, err := p.Invoke(context.Background(), nil, custom); err != nil {
		t.Fatal(err)
	}
	if err := send(context.Background()); err != nil {
		t.Fatal(err)
	}
	for name, value := range led {
		if got[0].Get(name) != value || got[1].Get(name) != "" {
			t.Error(name, got[0].Get(name), got[1].Get(name))
		}
	}
}
