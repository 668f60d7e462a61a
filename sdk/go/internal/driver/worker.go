package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
	"github.com/quarterjack/quarterjack/sdk/go/internal/clock"
	"github.com/quarterjack/quarterjack/sdk/go/worker"
)

// running is a worker that was started.
type running struct {
	worker *worker.Worker
	drain  context.CancelFunc
	ended  chan struct{}
}

var workers sync.Map

type workCommand struct {
	Worker, URL, Token, Queue, Name, Prefix string
	Concurrency                             int
	GraceMs                                 int64
	Retry                                   retry
	Steps                                   []step
	Jobs                                    []definition
	Sigterm                                 bool
}

func work(line json.RawMessage) (any, error) {
	command := read[workCommand](line)
	w, err := worker.New(worker.Options{
		Options: quarterjack.Options{URL: command.URL, Token: command.Token, Retry: command.Retry.options()},
		Queue:   command.Queue, Concurrency: command.Concurrency, Name: command.Name,
		Grace:   time.Duration(command.GraceMs) * time.Millisecond,
		OnEvent: func(event worker.Event) { tell(command.Worker, event) },
	})
	if err != nil {
		return nil, err
	}
	handle := func(ctx context.Context, work *worker.Work) (any, error) {
		return play(ctx, command.Steps, handlerOf(work))
	}
	if command.Jobs != nil {
		handle = programOf(command.Jobs, command.Prefix).Work
	}
	ctx, drain := context.WithCancel(context.Background())
	if command.Sigterm {
		ctx, drain = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	}
	one := &running{w, drain, make(chan struct{})}
	workers.Store(command.Worker, one)
	go func() {
		err := w.Run(ctx, handle)
		over := object{"event": "worker", "worker": command.Worker, "type": "over"}
		if err != nil {
			over["error"] = errorOf(err)
		}
		write(over)
		close(one.ended)
		if command.Sigterm {
			os.Exit(0)
		}
	}()
	return nil, nil
}

func handlerOf(work *worker.Work) handler {
	return handler{work.JobID, work.ExecID, work.Attempt, work.Fence, work.DueAt.Time(), work.Key, work.Payload,
		func(isError bool, line string) {
			if isError {
				work.Log(worker.Stderr, line)
			} else {
				work.Log(worker.Stdout, line)
			}
		}, work.Heartbeat, work.Progress, func() string { return string(work.StopReason()) }}
}

func tell(name string, event worker.Event) {
	said := object{"event": "worker", "worker": name, "type": event.Type}
	if event.Work != nil {
		said["jobId"], said["execId"] = event.Work.JobID, event.Work.ExecID
	}
	switch event.Type {
	case worker.Started:
		said["attempt"], said["fence"] = event.Work.Attempt, event.Work.Fence
	case worker.Ended:
		said["outcome"], said["droppedLogLines"] = event.Outcome, event.DroppedLogLines
		if event.Stopped != "" {
			said["stopped"] = event.Stopped
		}
		if event.Err != nil {
			said["error"], said["retriable"] = event.Err.Error(), event.Retriable
		}
	default:
		said["error"] = errorOf(event.Err)
	}
	write(said)
}

func started(line json.RawMessage) (*running, error) {
	name := read[struct{ Worker string }](line).Worker
	one, isKnown := workers.Load(name)
	if !isKnown {
		return nil, fmt.Errorf("unknown worker %s", name)
	}
	return one.(*running), nil
}

func drain(line json.RawMessage) (any, error) {
	one, err := started(line)
	if err == nil {
		one.drain()
		<-one.ended
	}
	return nil, err
}

func stop(line json.RawMessage) (any, error) {
	one, err := started(line)
	if err == nil {
		one.worker.Stop()
		<-one.ended
	}
	return nil, err
}

func setClock(line json.RawMessage) (any, error) {
	command := read[struct{ WallOffsetMs int64 }](line)
	clock.SetWallOffset(time.Duration(command.WallOffsetMs) * time.Millisecond)
	return nil, nil
}
