package quarterjack

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// step is one answer of a scripted server: it may also break the connection.
type step struct {
	status int
	body   string
	header http.Header
	breaks bool
}

type received struct {
	method, path string
	header       http.Header
	body         string
}

// scripted answers requests in order, the last step again and again.
func scripted(t *testing.T, steps ...step) (*Client, *[]received) {
	t.Helper()
	var lock sync.Mutex
	var all []received
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		lock.Lock()
		all = append(all, received{r.Method, r.URL.RequestURI(), r.Header, string(body)})
		next := steps[0]
		if len(steps) > 1 {
			steps = steps[1:]
		}
		lock.Unlock()
		if next.breaks {
			panic(http.ErrAbortHandler)
		}
		for name, values := range next.header {
			w.Header()[name] = values
		}
		w.WriteHeader(next.status)
		_, _ = io.WriteString(w, next.body)
	}))
	t.Cleanup(server.Close)
	retry := Retry{MaxTries: 3, BaseDelay: time.Millisecond, MaxDelay: 20 * time.Millisecond}
	client, err := New(Options{URL: server.URL + "/", Token: "key", Retry: retry})
	if err != nil {
		t.Fatal(err)
	}
	return client, &all
}
