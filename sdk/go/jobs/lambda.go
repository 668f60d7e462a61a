package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
	"github.com/quarterjack/quarterjack/sdk/go/internal/cause"
)

// answerTime is what is left for the answer when the function's time ends.
const answerTime = 500 * time.Millisecond

// LambdaError is what a function of AWS Lambda has failed with. Quarterjack reads its type.
type LambdaError struct {
	Type string
	Err  error
}

func (e *LambdaError) Error() string { return e.Err.Error() }
func (e *LambdaError) Unwrap() error { return e.Err }

// Invoke runs what an invocation of mode sync delivers. custom is that of its client context, which alone
// says whether it is a delivery, and of what: the event is the payload, and a user may have written it.
func (p *Program) Invoke(ctx context.Context, event json.RawMessage, custom map[string]string) (any, error) {
	run := &Run{JobID: custom["quarterjack-job"], ExecID: custom["quarterjack-execution"],
		Key: quarterjack.DecodedKey(custom["quarterjack-key"]), payload: event, log: toLog}
	if run.ExecID == "" {
		return nil, lambdaError(quarterjack.Fatal(
			"this invocation is no delivery of mode sync: it has no client context of Quarterjack"))
	}
	attempt, noAttempt := strconv.Atoi(custom["quarterjack-attempt"])
	fence, noFence := strconv.ParseInt(custom["quarterjack-fence"], 10, 64)
	dueAt, noDue := time.Parse(time.RFC3339, custom["quarterjack-due"])
	if noAttempt != nil || noFence != nil || noDue != nil || attempt < 1 || fence < 1 || run.JobID == "" {
		return nil, lambdaError(quarterjack.Fatal("the client context of the invocation is not complete"))
	}
	if given := custom["quarterjack-project"]; p.Project != "" && given != url.PathEscape(p.Project) &&
		given != url.QueryEscape(p.Project) {
		return nil, lambdaError(quarterjack.Fatal("the delivery is of project %s; this function serves %s",
			given, p.Project))
	}
	run.Attempt, run.Fence, run.DueAt = attempt, fence, dueAt
	reporter, fault := p.reporterIn(custom)
	led := cause.Of(ctx, func(name string) string { return custom[strings.ToLower(name)] })
	result, err := p.observed(led, run, reporter, fault)
	if err != nil {
		return nil, lambdaError(err)
	}
	return result, nil
}

// reporterIn: who invokes a function may name any address in its context, so the API has to be known.
func (p *Program) reporterIn(custom map[string]string) (*quarterjack.Reporter, error) {
	callback, token := custom["quarterjack-callback"], custom["quarterjack-token"]
	if callback == "" || token == "" {
		return nil, nil
	}
	return quarterjack.NewReporter(callback, token, quarterjack.Options{URL: p.URL})
}

func lambdaError(err error) error {
	var fatal *quarterjack.FatalError
	var later *quarterjack.RetryAfterError
	switch {
	case errors.As(err, &fatal):
		return &LambdaError{"QuarterjackFatalError" + said(fatal.Reason), err}
	case errors.As(err, &later):
		return &LambdaError{fmt.Sprintf("QuarterjackRetryAfter:%d", int(math.Ceil(later.Delay.Seconds()))) +
			said(later.Reason), err}
	}
	return &LambdaError{"Error", err}
}

func said(reason string) string {
	if reason == "" {
		return ""
	}
	return ":" + reason
}

// Lambda serves invocations of a function of AWS Lambda with the runtime provided.al2023 until the context
// ends, or the runtime fails. It needs no package of AWS.
func (p *Program) Lambda(ctx context.Context) error {
	base := "http://" + os.Getenv("AWS_LAMBDA_RUNTIME_API") + "/2018-06-01/runtime/invocation/"
	for {
		header, event, err := call(ctx, http.MethodGet, base+"next", nil, "")
		if err != nil {
			return err
		}
		path := base + header.Get("Lambda-Runtime-Aws-Request-Id")
		result, err := p.invocation(ctx, header, event)
		var failed *LambdaError
		if errors.As(err, &failed) {
			fault := map[string]string{"errorType": failed.Type, "errorMessage": failed.Error()}
			_, _, err = call(ctx, http.MethodPost, path+"/error", textOf(fault), failed.Type)
		} else {
			_, _, err = call(ctx, http.MethodPost, path+"/response", first(textOf(result), []byte("null")),
				"")
		}
		if err != nil {
			return err
		}
	}
}

func (p *Program) invocation(ctx context.Context, header http.Header, event []byte) (any, error) {
	if ends, err := strconv.ParseInt(header.Get("Lambda-Runtime-Deadline-Ms"), 10, 64); err == nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, time.UnixMilli(ends).Add(-answerTime))
		defer cancel()
	}
	var client struct {
		Custom map[string]string `json:"custom"`
	}
	if json.Unmarshal([]byte(header.Get("Lambda-Runtime-Client-Context")), &client) != nil {
		client.Custom = nil // Invoke then says that this is no delivery
	}
	return p.Invoke(ctx, event, client.Custom)
}

func first(texts ...[]byte) []byte {
	if texts[0] != nil {
		return texts[0]
	}
	return texts[1]
}

func call(ctx context.Context, method, address string, body []byte, errorType string) (http.Header, []byte,
	error) {
	sent, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	if errorType != "" {
		sent.Header.Set("Lambda-Runtime-Function-Error-Type", errorType)
	}
	received, err := http.DefaultClient.Do(sent)
	if err != nil {
		return nil, nil, err
	}
	defer received.Body.Close()
	text, err := io.ReadAll(received.Body)
	if err == nil && received.StatusCode >= 300 {
		err = fmt.Errorf("the runtime of Lambda answered %d: %s", received.StatusCode, text)
	}
	return received.Header, text, err
}
