package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
	"github.com/quarterjack/quarterjack/sdk/go/internal/clock"
)

func TestOutcomes(t *testing.T) {
	long := strings.Repeat("x", 5_000)
	for name, one := range map[string]struct {
		handle Handler
		want   string
	}{
		"a result": {func(context.Context, *Work) (any, error) {
			return map[string]int{"rows": 7},
				nil
		}, `attempts/complete{"result":{"rows":7}}`},
		"none": {func(context.Context, *Work) (any, error) { return nil, nil },
			`attempts/complete{}`},
		"one without JSON": {func(context.Context, *Work) (any, error) { return func() {}, nil },
			`attempts/complete{}`},
		"an error": {func(context.Context, *Work) (any, error) { return nil, errors.New("no") },
			`attempts/fail{"error":"no","retriable":true}`},
		"a long one": {func(context.Context, *Work) (any, error) { return nil, errors.New(long) },
			`attempts/fail{"error":"` + long[:4_000] + `","retriable":true}`},
		"a fatal one": {func(context.Context, *Work) (any, error) {
			return nil, fmt.Errorf("x: %w",
				quarterjack.Fatal("no"))
		}, `attempts/fail{"error":"x: no","retriable":false}`},
		"a later one": {func(context.Context, *Work) (any, error) {
			return nil,
				quarterjack.RetryAfter(90*s+1,
					nil)
		}, `attempts/fail{"error":"try again after 1m30.000000001s","retriable":true,"retryAfter":"91s"}`},
		"a release": {func(context.Context, *Work) (any, error) {
			return nil,
				quarterjack.ErrRelease
		}, `work/release{}`},
		"a panic": {func(context.Context, *Work) (any, error) { panic("oh") },
			`attempts/fail{"error":"panic: oh","retriable":true}`},
		"a typed payload": {Typed(func(_ context.Context, _ *Work, p struct{ Table string }) (any,
			error) {
			return p.Table, nil
		}), `attempts/complete{"result":"orders"}`},
		"a payload misfits": {Typed(func(_ context.Context, _ *Work, p struct{ Table int }) (any,
			error) {
			return p.Table, nil
		}), `attempts/fail{"error":"the payload is invalid: json: cannot unmarshal string into Go struct field .Table of type int","retriable":false,"reason":"bad-payload"}`},
	} {
		a := newAPI(t, work("e", "60s", time.Minute, `{"table":"orders"}`))
		a.workOff(t, Options{OnEvent: func(Event) {}}, one.handle)
		if got := a.last("e"); got != one.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestAnswersThatAreLost(t *testing.T) {
	for _, path := range []string{"/v1/work/claim", "/v1/attempts/complete", "/v1/attempts/log"} {
		a := newAPI(t, work("e", "60s", time.Minute, "null"))
		a.breakOnce = path
		a.workOff(t, Options{}, func(_ context.Context, w *Work) (any, error) {
			w.Logf("one")
			w.Log(Stderr, "two")
			return string(w.Extra["later"]), nil
		})
		if got := a.last("e"); got != `attempts/complete{"result":"true"}` {
			t.Error(path, got)
		}
		if got := a.chunks["e"]; got != "0 stdout one\n0 stderr two\n" {
			t.Error(path, got)
		}
		if path == "/v1/work/claim" && a.claims[0] != a.claims[1] {
			t.Error("the claim is repeated as it was:", a.claims)
		}
	}
}

func TestAClaimIsRepeatedAlsoAfterTheTriesOfTheClient(t *testing.T) {
	a := newAPI(t, work("e", "60s", time.Minute, "null"))
	a.breakOnce = "/v1/work/claim"
	w := a.worker(t, Options{OnEvent: func(Event) {}})
	once := quarterjack.Options{URL: a.URL, Token: "key", Retry: quarterjack.Retry{MaxTries: 1}}
	var err error
	if w.claims.api, err = quarterjack.New(once); err != nil {
		t.Fatal(err)
	}
	if err := w.WorkOff(context.Background(), func(context.Context, *Work) (any, error) { return nil, nil }); err != nil {
		t.Fatal(err)
	}
	if a.last("e") != "attempts/complete{}" || a.claims[0] != a.claims[1] || a.claims[1] == a.claims[2] {
		t.Error("a lost claim keeps its key, the next one has another:", a.last("e"), a.claims)
	}
}

// Of 15 s, the first heartbeat comes after 4 s, and the work stops 8 s after the last acknowledged one.
func TestLeasesThatEnd(t *testing.T) {
	for name, one := range map[string]struct {
		heartbeat func(http.ResponseWriter)
		timeout   time.Duration
		reason    StopReason
		report    string
	}{
		"cancelled": {func(w http.ResponseWriter) {
			_, _ = io.WriteString(w,
				`{"status":"running","cancelRequested":true}`)
		},
			time.Hour, Cancelled, `attempts/fail{"error":"context canceled","retriable":true}`},
		"replaced": {func(w http.ResponseWriter) { w.WriteHeader(http.StatusConflict) }, time.Hour,
			Lost, "heartbeat"},
		"unacknowledged": {func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) }, time.Hour,
			Lost, "heartbeat"},
		"out of its time": {nil, 2 * s, TimedOut,
			`attempts/fail{"error":"context canceled","retriable":true}`},
	} {
		one := one
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t, work("e", "15s", one.timeout, "null"))
			a.heartbeat = one.heartbeat
			var last Event
			a.workOff(t, Options{OnEvent: func(e Event) { last = e }}, func(ctx context.Context,
				w *Work) (any, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			})
			if last.Stopped != one.reason || a.last("e") != one.report {
				t.Error(last.Stopped, last.Outcome, a.last("e"))
			}
		})
	}
}

func TestAResultCountsThoughTheWorkWasToStop(t *testing.T) {
	t.Parallel()
	a := newAPI(t, work("e", "15s", time.Hour, "null"))
	a.heartbeat = func(w http.ResponseWriter) {
		_, _ = io.WriteString(w,
			`{"status":"running","cancelRequested":true}`)
	}
	a.workOff(t, Options{}, func(ctx context.Context, w *Work) (any, error) {
		<-ctx.Done()
		return w.StopReason(), nil
	})
	if got := a.last("e"); got != `attempts/complete{"result":"cancelled"}` {
		t.Error(got)
	}
}

func TestDrainLetsWorkEnd(t *testing.T) {
	a := newAPI(t, work("a", "60s", time.Minute, "null"), work("b", "60s", time.Minute, "null"))
	type key struct{}
	given, drain := context.WithCancel(context.WithValue(context.Background(), key{}, "value"))
	var begun sync.WaitGroup
	begun.Add(2)
	go func() {
		begun.Wait()
		drain()
	}()
	err := a.worker(t, Options{Concurrency: 2}).Run(given, func(ctx context.Context, w *Work) (any, error) {
		begun.Done()
		<-given.Done()
		if ctx.Value(key{}) != "value" {
			return nil, errors.New("the values of the context are lost")
		}
		return nil, ctx.Err() // nil: the work may go on
	})
	if err != nil || a.last("a") != "attempts/complete{}" || a.last("b") != "attempts/complete{}" {
		t.Error(err, a.last("a"), a.last("b"))
	}
}

func TestWorkThatComesTooLateIsReleased(t *testing.T) {
	a := newAPI(t, work("a", "60s", time.Minute, "null"))
	given, drain := context.WithCancel(context.Background())
	w := a.worker(t, Options{})
	w.claims.api, _ = quarterjack.New(quarterjack.Options{URL: a.URL, HTTPClient: &http.Client{
		Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			drain()
			return http.DefaultTransport.RoundTrip(r)
		})}})
	err := w.Run(given, func(context.Context, *Work) (any, error) { return nil, errors.New("it has begun") })
	if err != nil || a.last("a") != "work/release{}" {
		t.Error(err, a.last("a"))
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestStop(t *testing.T) {
	a := newAPI(t, work("a", "60s", time.Minute, "null"))
	w := a.worker(t, Options{OnEvent: func(Event) {}})
	err := w.Run(context.Background(), func(ctx context.Context, work *Work) (any, error) {
		w.Stop()
		<-ctx.Done()
		return nil, errors.New(string(work.StopReason()))
	})
	if err != nil || a.last("a") != `attempts/fail{"error":"stopped","retriable":true}` {
		t.Error(err, a.last("a"))
	}
}

func TestAClaimThatIsDenied(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
	}))
	defer server.Close()
	w, err := New(Options{Options: quarterjack.Options{URL: server.URL}, Queue: "q"})
	if err != nil {
		t.Fatal(err)
	}
	var denied *quarterjack.PermissionError
	if err := w.Run(context.Background(), nil); !errors.As(err, &denied) {
		t.Error(err)
	}
	var argument *quarterjack.ArgumentError
	for _, options := range []Options{{}, {Queue: "q", Concurrency: 101}, {Queue: "q", Grace: time.Hour},
		{Queue: "q", Poll: 1}} {
		options.URL = server.URL
		if _, err := New(options); !errors.As(err, &argument) {
			t.Error(options, err)
		}
	}
}

// A machine that slept has a wall clock that is ahead of its monotonic one.
func TestAMachineThatSleptLosesItsLease(t *testing.T) {
	defer clock.SetWallOffset(0)
	a := newAPI(t, work("a", "60s", time.Hour, "null"))
	a.workOff(t, Options{OnEvent: func(Event) {}}, func(ctx context.Context, work *Work) (any, error) {
		clock.SetWallOffset(time.Minute)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	if got := a.last("a"); got != "" {
		t.Error("nothing may be reported:", got)
	}
	clock.SetWallOffset(0)
	a = newAPI(t, work("a", "60s", time.Hour, "null"))
	a.workOff(t, Options{}, func(ctx context.Context, work *Work) (any, error) {
		clock.SetWallOffset(-time.Hour)
		work.Heartbeat()
		return work.StopReason(), nil
	})
	if got := a.last("a"); got != `attempts/complete{"result":""}` {
		t.Error("a clock that is set back changes nothing:", got)
	}
}

func TestLargeLogs(t *testing.T) {
	a := newAPI(t, work("a", "60s", time.Minute, "null"))
	dropped := -1
	a.workOff(t, Options{OnEvent: func(e Event) { dropped = e.DroppedLogLines }}, func(_ context.Context,
		w *Work) (any, error) {
		for i := 0; i < 100; i++ {
			w.Log(Stdout, strings.Repeat("ü", 1_000))
		}
		fmt.Fprintf(w.LogWriter(Stderr), "%d\nlast", 1)
		return nil, nil
	})
	lines := strings.Split(strings.TrimSpace(a.chunks["a"]), "\n")
	if len(lines) != 102 || lines[101] != "3 stderr last" || lines[0] != "0 stdout "+strings.Repeat("ü",
		1_000) || dropped != 0 {
		t.Error(len(lines), lines[len(lines)-1], dropped)
	}
}
