// The driver of the Go SDK for the suite of the SDKs: see test/sdk/README.md. It does what commands say.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
	"github.com/quarterjack/quarterjack/sdk/go/jobs"
)

type object = map[string]any

var output sync.Mutex

// write sends an answer or an event.
func write(message object) {
	for name, value := range message {
		if value == nil && name != "ok" && name != "payload" {
			delete(message, name)
		}
	}
	text, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	output.Lock()
	defer output.Unlock()
	fmt.Printf("%s\n", text)
}

var commands = map[string]func(json.RawMessage) (any, error){
	"open": open, "call": call, "verify": verify, "admit": admit, "open-gate": openGate, "work": work,
	"drain": drain, "stop": stop, "clock": setClock, "serve": serve, "invoke": invoke, "define": define,
}

func main() {
	write(object{"event": "ready", "language": "go", "protocol": 1, "serves": []string{"handler"}})
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			os.Exit(0)
		}
		go answer(line)
	}
}

func answer(line []byte) {
	var command struct {
		N  int    `json:"n"`
		Do string `json:"do"`
	}
	must(json.Unmarshal(line, &command))
	ok, err := do(command.Do, line)
	if err != nil {
		write(object{"n": command.N, "error": errorOf(err)})
		return
	}
	write(object{"n": command.N, "ok": ok})
}

func do(name string, line []byte) (ok any, err error) {
	defer func() {
		if fault := recover(); fault != nil { // a definition that no deployment takes
			err = fmt.Errorf("panic: %v", fault)
			if own, isError := fault.(error); isError {
				err = own
			}
		}
	}()
	act := commands[name]
	if act == nil {
		return nil, fmt.Errorf("unknown command %s", name)
	}
	return act(line)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// read reads a command.
func read[T any](line json.RawMessage) T {
	var command T
	must(json.Unmarshal(line, &command))
	return command
}

// as says whether an error is one of a type.
func as[T error](err error) bool {
	var own T
	return errors.As(err, &own)
}

// kinds are the names of errors in the protocol. The first that fits counts.
var kinds = []struct {
	name string
	is   func(error) bool
}{
	{"lambda", as[*jobs.LambdaError]},
	{"validation", as[*quarterjack.ValidationError]},
	{"authentication", as[*quarterjack.AuthenticationError]},
	{"permission", as[*quarterjack.PermissionError]},
	{"not-found", as[*quarterjack.NotFoundError]},
	{"conflict", as[*quarterjack.ConflictError]},
	{"rate-limit", as[*quarterjack.RateLimitError]},
	{"server", as[*quarterjack.ServerError]},
	{"problem", as[*quarterjack.ProblemError]},
	{"connection", as[*quarterjack.ConnectionError]},
	{"response", as[*quarterjack.ResponseError]},
	{"argument", as[*quarterjack.ArgumentError]},
	{"signature", as[*quarterjack.SignatureError]},
	{"stale-fence", as[*quarterjack.StaleFenceError]},
}

func errorOf(err error) object {
	fields := object{"kind": "other", "message": err.Error()}
	for _, kind := range kinds {
		if kind.is(err) {
			fields["kind"] = kind.name
			break
		}
	}
	var problem *quarterjack.ProblemError
	if errors.As(err, &problem) {
		fields["status"], fields["type"], fields["detail"] = problem.Status, problem.Type, problem.Detail
		fields["requestId"], fields["errors"] = problem.RequestID, problem.Errors
	}
	var lambda *jobs.LambdaError
	if errors.As(err, &lambda) {
		fields["errorType"] = lambda.Type
	}
	return fields
}
