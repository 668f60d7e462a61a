package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
)

// retry is as the protocol has it.
type retry struct {
	MaxTries                           int
	BaseDelayMs, MaxDelayMs, TimeoutMs int64
}

func (r retry) options() quarterjack.Retry {
	ms := func(value int64) time.Duration { return time.Duration(value) * time.Millisecond }
	return quarterjack.Retry{MaxTries: r.MaxTries, BaseDelay: ms(r.BaseDelayMs), MaxDelay: ms(r.MaxDelayMs),
		Timeout: ms(r.TimeoutMs)}
}

var clients sync.Map

func open(line json.RawMessage) (any, error) {
	command := read[struct {
		Client, URL, Token, Project string
		Retry                       retry
	}](line)
	options := quarterjack.Options{URL: command.URL, Token: command.Token, Project: command.Project}
	options.Retry = command.Retry.options()
	client, err := quarterjack.New(options)
	if err == nil {
		clients.Store(command.Client, client)
	}
	return nil, err
}

// args are those of any call.
type args struct {
	JobID, ExecID, IdempotencyKey, Note, IfMatch, Key, KeyID, Host, Verb, Path string
	Definition                                                                 quarterjack.JobDefinition
	Jobs                                                                       []quarterjack.JobDefinition
	Changes                                                                    any
	Request                                                                    quarterjack.RunRequest
	Filter, Query                                                              object
	Event                                                                      quarterjack.EventBody
	Body                                                                       any
	Max                                                                        int
	TimeoutMs                                                                  int64
}

func (a args) options() []quarterjack.CallOption {
	var options []quarterjack.CallOption
	if a.IdempotencyKey != "" {
		options = append(options, quarterjack.IdempotencyKey(a.IdempotencyKey))
	}
	if a.Note != "" {
		options = append(options, quarterjack.Note(a.Note))
	}
	if a.IfMatch != "" {
		options = append(options, quarterjack.IfMatch(a.IfMatch))
	}
	return options
}

// filter is one by parameters: the suite has filters that the types do not know.
func filter(fields object) []quarterjack.CallOption {
	var options []quarterjack.CallOption
	for name, value := range fields {
		values, isList := value.([]any)
		if !isList {
			values = []any{value}
		}
		for _, one := range values {
			options = append(options, quarterjack.Query(name, fmt.Sprint(one)))
		}
	}
	return options
}

type calls map[string]func(context.Context, *quarterjack.Client, args) (any, error)

var methods = calls{
	"jobs.create": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return job(c.Jobs.Create(ctx, a.Definition, a.options()...))
	},
	"jobs.createBatch": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		batch, err := c.Jobs.CreateBatch(ctx, a.Jobs)
		if err != nil {
			return nil, err
		}
		return batch.Outcomes, nil
	},
	"jobs.put": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return job(c.Jobs.Put(ctx, a.JobID, a.Definition, a.options()...))
	},
	"jobs.patch": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return job(c.Jobs.Patch(ctx, a.JobID, a.Changes, a.options()...))
	},
	"jobs.get": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return job(c.Jobs.Get(ctx, a.JobID))
	},
	"jobs.list": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return c.Jobs.List(ctx, nil, filter(a.Filter)...).Collect(a.Max)
	},
	"jobs.delete": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return nil, c.Jobs.Delete(ctx, a.JobID, a.options()...)
	},
	"jobs.pause": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return job(c.Jobs.Pause(ctx, a.JobID))
	},
	"jobs.resume": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return job(c.Jobs.Resume(ctx, a.JobID))
	},
	"jobs.run": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return c.Jobs.Run(ctx, a.JobID, a.Request, a.options()...)
	},
	"jobs.cancelRun": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return c.Jobs.CancelRun(ctx, a.JobID, a.Key)
	},
	"executions.list": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return c.Executions.List(ctx, a.JobID, nil, filter(a.Filter)...).Collect(a.Max)
	},
	"executions.get": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return c.Executions.Get(ctx, a.JobID, a.ExecID)
	},
	"executions.wait": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		if a.TimeoutMs > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, time.Duration(a.TimeoutMs)*time.Millisecond)
			defer cancel()
		}
		return c.Executions.Wait(ctx, a.JobID, a.ExecID, 0)
	},
	"executions.cancel": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return c.Executions.Cancel(ctx, a.JobID, a.ExecID, quarterjack.CancelRequest{})
	},
	"executions.retry": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return c.Executions.Retry(ctx, a.JobID, a.ExecID, quarterjack.RetryRequest{})
	},
	"executions.log": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		text, err := json.Marshal(a.Filter)
		must(err)
		query := read[quarterjack.GetExecutionLogQuery](text)
		return c.Executions.Log(ctx, a.JobID, a.ExecID, &query)
	},
	"failures": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return c.Failures(ctx, nil, filter(a.Filter)...).Collect(a.Max)
	},
	"sendEvent": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return c.Events.Send(ctx, a.Event)
	},
	"apiKeys.list": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return c.APIKeys.List(ctx).Collect(a.Max)
	},
	"apiKeys.revoke": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return nil, c.APIKeys.Revoke(ctx, a.KeyID)
	},
	"signingSecret": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		return c.SigningSecrets.Get(ctx, a.Host)
	},
	"me":      func(ctx context.Context, c *quarterjack.Client, _ args) (any, error) { return c.Me(ctx) },
	"version": func(ctx context.Context, c *quarterjack.Client, _ args) (any, error) { return c.Version(ctx) },
	"request": func(ctx context.Context, c *quarterjack.Client, a args) (any, error) {
		var body any
		err := c.Do(ctx, a.Verb, a.Path, a.Body, &body, filter(a.Query)...)
		return body, err
	},
}

// job is one as the protocol has it: with its ETag.
func job(stored *quarterjack.StoredJob, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(stored)
	if err != nil {
		return nil, err
	}
	fields := map[string]json.RawMessage{}
	must(json.Unmarshal(text, &fields))
	fields["etag"], err = json.Marshal(stored.ETag)
	return fields, err
}

func call(line json.RawMessage) (any, error) {
	command := read[struct {
		Client, Method string
		Args           json.RawMessage
	}](line)
	client, isKnown := clients.Load(command.Client)
	if !isKnown {
		return nil, fmt.Errorf("unknown client %s", command.Client)
	}
	if len(command.Args) == 0 {
		command.Args = []byte("{}")
	}
	if command.Method == "apiKeys.create" { // its key is an object, that of jobs.cancelRun a text
		key := read[struct{ Key quarterjack.ApiKeyRequest }](command.Args)
		return client.(*quarterjack.Client).APIKeys.Create(context.Background(), key.Key)
	}
	act := methods[command.Method]
	if act == nil {
		return nil, fmt.Errorf("unknown method %s", command.Method)
	}
	var given args
	decoder := json.NewDecoder(bytes.NewReader(command.Args))
	decoder.UseNumber()
	must(decoder.Decode(&given))
	return act(context.Background(), client.(*quarterjack.Client), given)
}
