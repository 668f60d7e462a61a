package quarterjack

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

type vector struct {
	Name          string            `json:"name"`
	HostSecrets   []string          `json:"hostSecrets"`
	LegacySecrets []string          `json:"legacySecrets"`
	Body          string            `json:"body"`
	Headers       map[string]string `json:"headers"`
}

// vectors are computed by another implementation. They are not part of the module that is published.
func vectors(t *testing.T) []vector {
	t.Helper()
	text, err := os.ReadFile("../../test/fixtures/signing/deliveries.json")
	if err != nil {
		t.Skip("not run: the vectors are in the checkout alone:", err)
	}
	var all struct {
		Deliveries []vector `json:"deliveries"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all.Deliveries
}

var sentAt = time.Unix(1_796_113_800, 0)

func (v vector) options(secret string) VerifyOptions {
	return VerifyOptions{Secret: secret, Now: func() time.Time { return sentAt }}
}

func (v vector) header() http.Header {
	header := http.Header{}
	for name, value := range v.Headers {
		header.Set(name, value)
	}
	return header
}

func TestVectors(t *testing.T) {
	for _, v := range vectors(t) {
		for _, secret := range v.HostSecrets {
			d, err := v.options("whsec_AAAA "+secret).VerifyParts(v.header(), []byte(v.Body))
			if err != nil || !d.HeadersSigned() || d.JobID != v.Headers["quarterjack-job"] ||
				string(d.Body) != v.Body {
				t.Error(v.Name, d, err)
			}
		}
		for _, secret := range append([]string{"whsec_AAAA"}, v.LegacySecrets...) {
			if _, err := v.options(secret).VerifyParts(v.header(), []byte(v.Body)); !isSignatureError(err) {
				t.Error(v.Name, "a secret that proves not all:", err)
			}
		}
		for _, secret := range v.LegacySecrets {
			options := v.options(secret)
			options.Legacy = true
			d, err := options.VerifyParts(v.header(), []byte(v.Body))
			if err != nil || d.HeadersSigned() {
				t.Error(v.Name, "a legacy secret proves the body:", err)
			} else if NewFenceGuard(nil).Admit(ctx, d) == nil {
				t.Error("a fence that is not proven is admitted")
			}
		}
	}
}

func TestChangedDeliveries(t *testing.T) {
	v := vectors(t)[0]
	check := func(name string, change func(http.Header), body string, later time.Duration) {
		t.Helper()
		header := v.header()
		change(header)
		options := v.options(v.HostSecrets[0])
		options.Now = func() time.Time { return sentAt.Add(later) }
		if _, err := options.VerifyParts(header, []byte(body)); !isSignatureError(err) {
			t.Error(name, err)
		}
	}
	nothing := func(http.Header) {}
	check("another body", nothing, v.Body+" ", 0)
	check("a replay", nothing, v.Body, 301*time.Second)
	check("from the future", nothing, v.Body, -301*time.Second)
	check("a doubled header", func(h http.Header) { h.Add("Quarterjack-Fence", "3") }, v.Body, 0)
	check("a header in another case", func(h http.Header) { h["quarterjack-fence"] = []string{"3"} }, v.Body,
		0)
	check("an added header", func(h http.Header) { h.Set("Quarterjack-Target", "1") }, v.Body, 0)
	check("a removed header", func(h http.Header) { h.Del("Quarterjack-Hop") }, v.Body, 0)
	check("a raised fence", func(h http.Header) { h.Set("Quarterjack-Fence", "99") }, v.Body, 0)
	check("no signature", func(h http.Header) { h.Del("Quarterjack-Signature") }, v.Body, 0)
	check("a comma", func(h http.Header) { h.Set("Webhook-Signature", h.Get("Webhook-Signature")+",") },
		v.Body, 0)
	var argument *ArgumentError
	for _, secret := range []string{"", "hunter2", "whsec_", "whsec_!"} {
		t.Setenv("QUARTERJACK_SECRET", "")
		if _, err := v.options(secret).VerifyParts(v.header(), nil); !errors.As(err, &argument) {
			t.Error(secret, err)
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Error("the error shows the secret:", err)
		}
	}
}

func TestFenceGuard(t *testing.T) {
	guard := NewFenceGuard(NewMemoryFenceStore(2))
	admit := func(id string, fence int64) bool {
		err := guard.Admit(ctx, &Delivery{ID: id, Fence: fence, headersSigned: true})
		var stale *StaleFenceError
		if err != nil && !errors.As(err, &stale) {
			t.Fatal(err)
		}
		return err == nil
	}
	if !admit("a", 2) || !admit("a", 2) || admit("a", 1) || !admit("b", 1) || !admit("a", 3) {
		t.Error("the highest fence counts, and equal ones pass")
	}
	if !admit("c", 1) || admit("a", 2) || !admit("b", 1) {
		t.Error("the execution that was seen last stays longest")
	}
}

func TestVerifiedLetsGenuineDeliveriesThrough(t *testing.T) {
	v := vectors(t)[0]
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var payload struct{ Invoice int }
		if err := DeliveryOf(r).Decode(&payload); err != nil || payload.Invoice != 42 {
			t.Error(payload, err)
		}
		w.WriteHeader(http.StatusNoContent)
	})
	handler, err := v.options(v.HostSecrets[0]).Verified(next, NewFenceGuard(nil))
	if err != nil {
		t.Fatal(err)
	}
	post := func(body string) int {
		request := httptest.NewRequest("POST", "/hook", strings.NewReader(body))
		for name, values := range v.header() {
			request.Header[name] = values
		}
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		return recorder.Code
	}
	if got := []int{post(v.Body), post(v.Body + "!"), post(strings.Repeat("x", maxBody+1))}; got[0] != 204 ||
		got[1] != 401 || got[2] != 413 {
		t.Error(got)
	}
	if _, err := (VerifyOptions{Secret: "x"}).Verified(next, nil); err == nil {
		t.Error("a malformed secret is found at the start")
	}
}

func TestReporter(t *testing.T) {
	client, all := scripted(t, step{status: 200, body: `{"status":"running","cancelRequested":true}`},
		step{status: 200, body: `{"status":"cancelled"}`})
	d := &Delivery{callback: client.URL() + "/v1/attempts/", token: "of the attempt"}
	var strange *CallbackError
	for _, url := range []string{"http://127.0.0.1:1", strings.Replace(client.URL(), "http:", "https:", 1)} {
		if _, err := d.Reporter(Options{URL: url}); !errors.As(err, &strange) {
			t.Error("a callback elsewhere:", url, err)
		}
	}
	reporter, err := d.Reporter(client.options)
	if err != nil {
		t.Fatal(err)
	}
	err = reporter.Run(ctx, time.Millisecond, func(working context.Context) (any, error) {
		<-working.Done()
		return nil, Fatal("stopped")
	})
	last := (*all)[len(*all)-1]
	if err == nil || last.path != "/v1/attempts/fail" ||
		last.body != `{"error":"stopped","retriable":false}` ||
		last.header.Get("Authorization") != "Bearer of the attempt" {
		t.Error(err, last)
	}
	if none, err := (&Delivery{}).Reporter(client.options); none != nil || err != nil {
		t.Error("a sync delivery has no reporter:", none, err)
	}
}
