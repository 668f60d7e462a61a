package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
)

// api is a scripted API: it gives work once, and keeps what is reported.
type api struct {
	*httptest.Server
	lock    sync.Mutex
	work    []string
	claims  []string
	reports map[string][]string
	chunks  map[string]string
	// heartbeat answers one; nil answers that the work goes on.
	heartbeat func(w http.ResponseWriter)
	// breakOnce loses the answer of the first call of a path after it has taken effect.
	breakOnce string
	reported  chan string
}

func newAPI(t *testing.T, work ...string) *api {
	a := &api{work: work, reports: map[string][]string{}, chunks: map[string]string{},
		reported: make(chan string, 1000)}
	a.Server = httptest.NewServer(http.HandlerFunc(a.serve))
	t.Cleanup(a.Close)
	return a
}

func work(execID, heartbeat string, timeout time.Duration, payload string) string {
	at := time.Now().UTC()
	return fmt.Sprintf(`{"token":"token-%s","jobId":"j","execId":%q,"attempt":1,"fence":7,"dueAt":%q,"claimedAt":%q,"deadline":%q,
		"heartbeatTimeout":%q,"trigger":"schedule","traceparent":"","payload":%s,"later":true}`, execID, execID, at.Format(time.RFC3339Nano),
		at.Format(time.RFC3339Nano), at.Add(timeout).Format(time.RFC3339Nano), heartbeat, payload)
}

func (a *api) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	a.lock.Lock()
	defer a.lock.Unlock()
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	execID := strings.TrimPrefix(token, "token-")
	if a.breakOnce == r.URL.Path {
		a.breakOnce = ""
		if r.URL.Path == "/v1/work/claim" {
			a.claims = append(a.claims, r.Header.Get("Idempotency-Key")+string(body))
		}
		panic(http.ErrAbortHandler)
	}
	switch r.URL.Path {
	case "/v1/work/claim":
		a.claims = append(a.claims, r.Header.Get("Idempotency-Key")+string(body))
		fmt.Fprintf(w, `{"work":[%s]}`, strings.Join(a.work, ","))
		a.work = nil
	case "/v1/attempts/heartbeat":
		a.reports[execID] = append(a.reports[execID], "heartbeat")
		if a.heartbeat != nil {
			a.heartbeat(w)
		} else {
			_, _ = io.WriteString(w, `{"status":"running","cancelRequested":false}`)
		}
	case "/v1/attempts/log":
		var chunk logChunk
		_ = json.Unmarshal(body, &chunk)
		for _, line := range chunk.Lines {
			a.chunks[execID] += fmt.Sprintf("%d %s %s\n", chunk.Chunk, line.Stream, line.Text)
		}
		_, _ = io.WriteString(w, `{"bytes":1}`)
	default:
		a.reports[execID] = append(a.reports[execID], strings.TrimPrefix(r.URL.Path, "/v1/")+string(body))
		_, _ = io.WriteString(w, `{"status":"succeeded"}`)
		a.reported <- execID
	}
}

func (a *api) last(execID string) string {
	a.lock.Lock()
	defer a.lock.Unlock()
	all := a.reports[execID]
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

func (a *api) worker(t *testing.T, options Options) *Worker {
	t.Helper()
	options.Options = quarterjack.Options{URL: a.URL, Token: "key", Retry: quarterjack.Retry{MaxTries: 3,
		BaseDelay: time.Millisecond}}
	options.Queue = "q"
	w, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// workOff fails if the worker does.
func (a *api) workOff(t *testing.T, options Options, handle Handler) {
	t.Helper()
	if err := a.worker(t, options).WorkOff(context.Background(), handle); err != nil {
		t.Fatal(err)
	}
}
