package worker

import "time"

// StopReason says why the work on an execution has to stop.
type StopReason string

// The reasons to stop.
const (
	// Cancelled: a user has cancelled the execution.
	Cancelled StopReason = "cancelled"
	// Lost: the lease is lost, and another worker may begin.
	Lost StopReason = "lost"
	// TimedOut: the time of the attempt is over.
	TimedOut StopReason = "timed-out"
	// Stopped: the worker was stopped.
	Stopped StopReason = "stopped"
)

const (
	// safety lies between the end of what was aborted and the end of its lease.
	safety = 2 * time.Second
	// A sleeping machine fires no timer, so the clocks are read again at least this often.
	longestWait = time.Second
	// heartbeatRetry lies between two tries of a heartbeat.
	heartbeatRetry = time.Second
	// progressEvery lies between two heartbeats of which the second one has a new progress: each costs a write.
	progressEvery = 5 * time.Second
)

// leaseRules are the times of one lease. What is aborted by them ends at least 2 s before another worker can
// get the lease. An attempt shorter than 28 s keeps back a quarter of its time for that.
type leaseRules struct {
	// grace runs from the abort of the work: at most a third of the heartbeat time-out.
	grace time.Duration
	// heartbeatEvery lies between a heartbeat that was acknowledged and the next one.
	heartbeatEvery time.Duration
	// heartbeatWithin bounds one heartbeat's request.
	heartbeatWithin time.Duration
	// keepsFor: the work is aborted this long after the last acknowledged heartbeat was sent.
	keepsFor time.Duration
	// worksFor: the work is aborted this long after it was claimed.
	worksFor time.Duration
}

func rulesOf(heartbeatTimeout, attemptTimeout, grace time.Duration) leaseRules {
	grace = least(grace, heartbeatTimeout/3)
	keepsFor := most(0, heartbeatTimeout-grace-safety)
	return leaseRules{
		grace:           grace,
		keepsFor:        keepsFor,
		heartbeatEvery:  least(heartbeatTimeout/3, keepsFor/2),
		heartbeatWithin: most(time.Second, least(10*time.Second, heartbeatTimeout/6)),
		worksFor:        attemptTimeout - least(grace+safety, attemptTimeout/4),
	}
}

// leaseState is what is known of a lease at one moment: the time since something happened.
type leaseState struct {
	// sinceKept counts from when the last acknowledged heartbeat was sent, at first from the claim.
	sinceKept time.Duration
	// sinceClaimed counts from the answer of the claim.
	sinceClaimed time.Duration
	// sinceTried counts from the last try of a heartbeat; negative before the first.
	sinceTried time.Duration
	isTrying   bool
	isAborted  bool
	// hasProgress: the next heartbeat has something to say.
	hasProgress bool
}

// leaseStep is one of: abort for a reason, send a heartbeat, wait.
type leaseStep struct {
	abort     StopReason
	heartbeat bool
	wait      time.Duration
}

// nextLeaseStep says what to do next to keep a lease, or to stop in time.
func nextLeaseStep(s leaseState, rules leaseRules) leaseStep {
	if s.sinceKept >= rules.keepsFor {
		return leaseStep{abort: Lost}
	}
	if !s.isAborted && s.sinceClaimed >= rules.worksFor {
		return leaseStep{abort: TimedOut}
	}
	untilHeartbeat := rules.heartbeatEvery - s.sinceKept
	if s.sinceTried >= 0 {
		untilHeartbeat = most(untilHeartbeat, heartbeatRetry-s.sinceTried)
	}
	if s.hasProgress && s.sinceTried < 0 {
		untilHeartbeat = 0
	} else if s.hasProgress {
		untilHeartbeat = least(untilHeartbeat, progressEvery-s.sinceTried)
	}
	if !s.isTrying && untilHeartbeat <= 0 {
		return leaseStep{heartbeat: true}
	}
	wait := least(rules.keepsFor-s.sinceKept, longestWait)
	if !s.isAborted {
		wait = least(wait, rules.worksFor-s.sinceClaimed)
	}
	if !s.isTrying {
		wait = least(wait, untilHeartbeat)
	}
	return leaseStep{wait: wait}
}

// mustKeepFirst says whether a heartbeat must keep the lease before the work may begin: its claim took long.
func mustKeepFirst(sinceKept time.Duration, rules leaseRules) bool {
	return sinceKept >= rules.heartbeatEvery
}

func least(a, b time.Duration) time.Duration {
	if a < b {
		return a
	}
	return b
}

func most(a, b time.Duration) time.Duration {
	if a > b {
		return a
	}
	return b
}
