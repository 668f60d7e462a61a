package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
	"github.com/quarterjack/quarterjack/sdk/go/jobs"
)

// definition is a job of the suite. Its other fields are those of the definition that is deployed.
type definition struct {
	ID     string
	Steps  []step
	Typed  bool
	Paused *bool
	fields json.RawMessage
}

func (d *definition) UnmarshalJSON(text []byte) error {
	type plain definition
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	for _, own := range []string{"id", "steps", "typed", "paused"} {
		delete(fields, own)
	}
	var err error
	if d.fields, err = json.Marshal(fields); err != nil {
		return err
	}
	return json.Unmarshal(text, (*plain)(d))
}

// order is what a typed job takes.
type order struct {
	OrderID string `json:"orderId"`
	Amount  *int   `json:"amount,omitempty"`
}

func (o order) Validate() error {
	if o.OrderID == "" {
		return errors.New("orderId is missing")
	}
	return nil
}

func programOf(definitions []definition, prefix string) *jobs.Program {
	program := jobs.NewProgram()
	program.Prefix = prefix
	for _, one := range definitions {
		options := []jobs.Option{jobs.Define(func(d *quarterjack.JobDefinition) {
			schedule := d.Schedule
			must(json.Unmarshal(one.fields, d))
			if d.Schedule.Type == "" && d.Schedule.Text == "" {
				d.Schedule = schedule
			}
		})}
		if one.Paused != nil {
			options = append(options, jobs.Paused(*one.Paused))
		}
		if one.Typed {
			jobs.HandleIn(program, one.ID, runOf[order](one.Steps), options...)
		} else {
			jobs.HandleIn(program, one.ID, runOf[any](one.Steps), options...)
		}
	}
	return program
}

func runOf[Payload any](steps []step) func(context.Context, *jobs.Run, Payload) (any, error) {
	return func(ctx context.Context, run *jobs.Run, payload Payload) (any, error) {
		text, err := json.Marshal(payload)
		if err != nil {
			return nil, err
		}
		log := func(isError bool, line string) {
			if isError {
				run.Errorf("%s", line)
			} else {
				run.Logf("%s", line)
			}
		}
		reason := func() string {
			if said := run.StopReason(); said != "" {
				return string(said)
			}
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return "timed-out"
			}
			return "closed"
		}
		return play(ctx, steps, handler{run.JobID, run.ExecID, run.Attempt, int(run.Fence), run.DueAt, run.Key, text, log,
			nil, run.Progress, reason})
	}
}

func serve(line json.RawMessage) (any, error) {
	command := read[struct {
		Secrets []string
		Jobs    []definition
		Prefix  string
		Fences  bool
	}](line)
	var guard *quarterjack.FenceGuard
	if command.Fences {
		guard = quarterjack.NewFenceGuard(nil)
	}
	verify := quarterjack.VerifyOptions{Secret: strings.Join(command.Secrets, " ")}
	served, err := programOf(command.Jobs, command.Prefix).Handler(verify, guard)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go func() { must(http.Serve(listener, served)) }()
	return object{"url": "http://" + listener.Addr().String()}, nil
}

func invoke(line json.RawMessage) (any, error) {
	command := read[struct {
		Jobs            []definition
		Event           json.RawMessage
		Custom          map[string]string
		Project, Prefix string
	}](line)
	program := programOf(command.Jobs, command.Prefix)
	program.Project = command.Project
	return program.Invoke(context.Background(), command.Event, command.Custom)
}

func define(line json.RawMessage) (any, error) {
	command := read[struct {
		Jobs           []definition
		Source, Prefix string
	}](line)
	program := programOf(command.Jobs, command.Prefix)
	program.Source = command.Source
	var text bytes.Buffer
	err := program.WriteManifest(&text)
	return text.String(), err
}

type verifyCommand struct {
	Secrets      []string
	Headers      [][2]string
	BodyBase64   []byte
	ToleranceSec int64
	NowMs        *int64
	Guard        string
}

func (c verifyCommand) verify() (*quarterjack.Delivery, error) {
	header := http.Header{}
	for _, one := range c.Headers {
		header.Add(one[0], one[1])
	}
	options := quarterjack.VerifyOptions{Secret: strings.Join(c.Secrets, " "),
		Tolerance: time.Duration(c.ToleranceSec) * time.Second}
	if c.NowMs != nil {
		options.Now = func() time.Time { return time.UnixMilli(*c.NowMs) }
	}
	return options.VerifyParts(header, c.BodyBase64)
}

func verify(line json.RawMessage) (any, error) {
	d, err := read[verifyCommand](line).verify()
	if err != nil {
		return nil, err
	}
	verified := object{"id": d.ID, "jobId": d.JobID, "execId": d.ExecID, "attempt": d.Attempt, "fence": d.Fence,
		"dueAt": d.DueAt.UTC().Format(instant), "body": string(d.Body)}
	if d.Target >= 0 {
		verified["target"] = d.Target
	}
	if d.Key != "" {
		verified["key"] = d.Key
	}
	return verified, nil
}

var guards sync.Map

func admit(line json.RawMessage) (any, error) {
	command := read[verifyCommand](line)
	d, err := command.verify()
	if err != nil {
		return nil, err
	}
	guard, _ := guards.LoadOrStore(command.Guard, quarterjack.NewFenceGuard(nil))
	return nil, guard.(*quarterjack.FenceGuard).Admit(context.Background(), d)
}
