package worker

import (
	"context"
	"errors"
	"sync"
	"time"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
	"github.com/quarterjack/quarterjack/sdk/go/internal/clock"
)

// firstTries are heartbeats that a claim which took long is kept by, before it is given up.
const firstTries = 3

// lease keeps the lease of one attempt by heartbeats, and says when the work has to stop.
type lease struct {
	rules     leaseRules
	heartbeat func(context.Context, *quarterjack.Heartbeat) (cancelRequested bool, err error)
	claimedAt clock.Moment
	// work ends when the work has to stop, ended when the heartbeats have to.
	work, ended     context.Context
	stopWork, endIt context.CancelFunc

	lock            sync.Mutex
	keptAt, triedAt clock.Moment
	trying          chan struct{}
	gone, cancelled bool
	reason          StopReason
	// progress goes with the next heartbeat; nil: nothing new.
	progress *quarterjack.Heartbeat
}

// newLease: sentAt is when the claim was first sent, since the lease is at most that old.
func newLease(ctx context.Context, rules leaseRules, sentAt, answeredAt clock.Moment,
	heartbeat func(context.Context, *quarterjack.Heartbeat) (bool, error)) *lease {
	l := &lease{rules: rules, heartbeat: heartbeat, claimedAt: answeredAt, keptAt: sentAt}
	l.work, l.stopWork = context.WithCancel(detached{ctx})
	l.ended, l.endIt = context.WithCancel(detached{ctx})
	return l
}

// detached has the values of a context, but does not end with it: a worker that drains ends its work.
type detached struct{ values context.Context }

func (detached) Deadline() (time.Time, bool) { return time.Time{}, false }
func (detached) Done() <-chan struct{}       { return nil }
func (detached) Err() error                  { return nil }
func (d detached) Value(key any) any         { return d.values.Value(key) }

// begin is false if the lease is lost before the work begins. After a claim that took long, it is kept first.
func (l *lease) begin() bool {
	isOld := func() bool { return mustKeepFirst(l.state().sinceKept, l.rules) }
	for tries := 0; tries < firstTries && isOld() && l.stopReason() == ""; tries++ {
		if tries > 0 {
			pause(l.work, heartbeatRetry)
		}
		<-l.beat()
	}
	if isOld() {
		l.stop(Lost)
	} else {
		go l.keep()
	}
	return l.stopReason() == ""
}

func (l *lease) keep() {
	for l.ended.Err() == nil && !l.isOver() {
		next := nextLeaseStep(l.state(), l.rules)
		switch {
		case next.abort != "":
			l.stop(next.abort)
			if next.abort == Lost {
				return
			}
		case next.heartbeat:
			l.beat()
		default:
			timer := time.NewTimer(next.wait)
			select {
			case <-l.ended.Done():
			case <-timer.C:
			case <-l.current():
			}
			timer.Stop()
		}
	}
}

func (l *lease) state() leaseState {
	l.lock.Lock()
	defer l.lock.Unlock()
	s := leaseState{sinceKept: clock.Since(l.keptAt), sinceClaimed: clock.Since(l.claimedAt), sinceTried: -1,
		isTrying: l.trying != nil, isAborted: l.reason != "", hasProgress: l.progress != nil}
	if l.triedAt.IsSet() {
		s.sinceTried = clock.Since(l.triedAt)
	}
	return s
}

// beat sends a heartbeat, unless one is under way. The channel is closed once it is over. Its failure is left
// to the next one.
func (l *lease) beat() <-chan struct{} {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.trying != nil {
		return l.trying
	}
	trying := make(chan struct{})
	l.trying, l.triedAt = trying, clock.Now()
	progress := l.progress
	l.progress = nil
	go func(sentAt clock.Moment) {
		defer close(trying)
		cancelRequested, err := l.heartbeat(l.ended, progress)
		l.settle(sentAt, progress, cancelRequested, err)
	}(l.triedAt)
	return trying
}

// say sends a progress with a heartbeat soon. A later one takes its place.
func (l *lease) say(progress *quarterjack.Heartbeat) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.progress = progress
}

// sayNow sends the progress that waits, if there is one.
func (l *lease) sayNow() {
	if trying := l.current(); trying != nil {
		<-trying
	}
	if l.state().hasProgress && !l.isGone() {
		<-l.beat()
	}
}

func (l *lease) settle(sentAt clock.Moment, progress *quarterjack.Heartbeat, cancelRequested bool, err error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.trying = nil
	// An API of an earlier version takes no progress: the next heartbeat has to do without.
	var invalid *quarterjack.ValidationError
	if err != nil && l.progress == nil && !errors.As(err, &invalid) {
		l.progress = progress
	}
	switch {
	case err == nil:
		l.keptAt = sentAt
		if cancelRequested {
			l.cancelled = true // from now on, the API lets the lease expire
			l.stopLocked(Cancelled)
		}
	case l.ended.Err() == nil && isGone(err):
		l.gone = true
		l.stopLocked(Lost)
	}
}

// isGone: the API takes no further report of the attempt.
func isGone(err error) bool {
	var conflict *quarterjack.ConflictError
	var refused *quarterjack.AuthenticationError
	var missing *quarterjack.NotFoundError
	return errors.As(err, &conflict) || errors.As(err, &refused) || errors.As(err, &missing)
}

// stop asks the work to stop. The lease is kept until end.
func (l *lease) stop(reason StopReason) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.stopLocked(reason)
}

func (l *lease) stopLocked(reason StopReason) {
	if l.reason == "" {
		l.reason = reason
		l.stopWork()
	}
}

// review stops the work if its time is over. A process that was frozen may learn of it before a timer fires.
func (l *lease) review() {
	if next := nextLeaseStep(l.state(), l.rules); next.abort != "" {
		l.stop(next.abort)
	}
}

// end ends the heartbeats, and the context of the work.
func (l *lease) end() {
	l.endIt()
	l.stopWork()
}

func (l *lease) stopReason() StopReason {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.reason
}

// isGone says whether the API has said that the attempt has ended, or that another one has replaced it.
func (l *lease) isGone() bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.gone
}

func (l *lease) isOver() bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.gone || l.cancelled
}

// mayBeLost says whether another worker may have the lease by now.
func (l *lease) mayBeLost() bool {
	return l.isGone() || l.state().sinceKept >= l.rules.keepsFor+l.rules.grace
}

func (l *lease) current() <-chan struct{} {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.trying
}

// pause ends early with its context.
func pause(ctx context.Context, length time.Duration) {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
