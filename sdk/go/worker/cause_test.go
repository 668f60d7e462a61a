package worker

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
)

func TestCallsPassOnTheCauseOfTheirWork(t *testing.T) {
	var got http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		_, _ = io.WriteString(w, `{}`)
	}))
	defer server.Close()
	client, err := quarterjack.New(quarterjack.Options{URL: server.URL, Token: "t"})
	if err != nil {
		t.Fatal(err)
	}
	trace := "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	claimed := strings.Replace(work("e", "60s", time.Minute, "null"), `"traceparent":""`,
		`"traceparent":"`+trace+`","deliveryDepth":2`, 1)
	newAPI(t, claimed).workOff(t, Options{}, func(ctx context.Context, _ *Work) (any, error) {
		return nil, client.Do(ctx, http.MethodPost, "/v1/events", map[string]any{"name": "paid"}, &struct{}{})
	})
	if got.Get("Quarterjack-Hop") != "2" || got.Get("Traceparent") != trace {
		t.Error(got)
	}
}
