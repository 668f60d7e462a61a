package worker

import (
	"context"
	"time"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
	"github.com/quarterjack/quarterjack/sdk/go/internal/clock"
	"github.com/quarterjack/quarterjack/sdk/go/internal/progress"
)

const (
	forever = time.Duration(1<<63 - 1)
	// closeTime: the response waits so long for what the log still has: afterwards, a platform may stop the
	// process.
	closeTime = 5 * time.Second
)

// The executor keeps the lease itself, so silence of the API stops nothing.
var observerRules = leaseRules{heartbeatEvery: 5 * time.Second, heartbeatWithin: 5 * time.Second,
	keepsFor: forever, worksFor: forever}

// Observer tells the API about an attempt whose response is its result: a delivery of a target with observe.
// Package jobs has one for each delivery.
type Observer struct {
	lease *lease
	log   *logSender
	done  context.Context
	end   context.CancelFunc
}

// Observe begins to send heartbeats. failed is told what ends the log early.
func Observe(ctx context.Context, reporter *quarterjack.Reporter, failed func(error)) *Observer {
	now := clock.Now()
	o := &Observer{}
	o.lease = newLease(ctx, observerRules, now, now, func(ctx context.Context, said *quarterjack.Heartbeat) (bool,
		error) {
		ctx, cancel := context.WithTimeout(ctx, observerRules.heartbeatWithin)
		defer cancel()
		if said == nil {
			return reporter.Heartbeat(ctx)
		}
		return reporter.Progress(ctx, *said.Progress, said.Text)
	})
	o.log = newLogSender(ctx, failed, func(ctx context.Context, chunk logChunk) (bool, error) {
		return reporter.AppendLog(ctx, chunk)
	})
	o.done, o.end = context.WithCancel(ctx)
	go func() {
		select {
		case <-o.lease.work.Done():
		case <-o.done.Done():
		}
		o.end()
	}()
	o.lease.begin()
	return o
}

// Context ends with that of Observe, and when the API says that the work has to stop.
func (o *Observer) Context() context.Context { return o.done }

// StopReason says why the API has ended the context; empty if it has not.
func (o *Observer) StopReason() StopReason { return o.lease.stopReason() }

// Log appends a line to a stream of the log of the attempt. It never waits.
func (o *Observer) Log(stream Stream, line string) { o.log.write(line, stream) }

// Progress says how far the work is, from 0 to 1, and what is done now. It never waits: it goes with a
// heartbeat, every 5 s at most.
func (o *Observer) Progress(share float64, text string) {
	share, text = progress.Of(share, text)
	o.lease.say(&quarterjack.Heartbeat{Progress: &share, Text: text})
}

// Close sends what waits, for at most 5 s, and ends the heartbeats.
func (o *Observer) Close() {
	said := make(chan struct{})
	go func() {
		defer close(said)
		o.lease.sayNow()
	}()
	o.log.close(closeTime)
	timer := time.NewTimer(closeTime)
	defer timer.Stop()
	select {
	case <-said:
	case <-timer.C:
	}
	o.lease.end()
	o.log.abandon()
	o.end()
}
