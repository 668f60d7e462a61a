package worker

import (
	"context"
	"errors"
	"time"

	quarterjack "github.com/quarterjack/quarterjack/sdk/go"
	"github.com/quarterjack/quarterjack/sdk/go/internal/clock"
)

const (
	maxClaimed = 10
	claimWait  = "20s"
	// shortPause follows an empty answer that came at once although the API was to wait.
	shortPause   = time.Second
	firstRetry   = time.Second
	longestRetry = 30 * time.Second
	// A key is good for five minutes; what an older claim got has lapsed or is lost.
	repeatable = 4 * time.Minute
)

type claimAnswer struct {
	work       []*Work
	retryAfter *time.Duration
	// sentAt is when this claim was first sent: the leases are at most that old.
	sentAt, answeredAt clock.Moment
}

type claimBody struct {
	Queue  string `json:"queue"`
	Worker string `json:"worker,omitempty"`
	Max    int    `json:"max"`
	Wait   string `json:"wait"`
}

// claims repeats a claim without an answer under its key, since it may have got work: the API then answers
// with the same work.
type claims struct {
	api           *quarterjack.Client
	queue, worker string
	key           string
	body          claimBody
	sentAt        clock.Moment
}

func (c *claims) next(ctx context.Context, max int, wait string) (*claimAnswer, error) {
	if c.key == "" || clock.Since(c.sentAt) > repeatable {
		c.key, c.sentAt = quarterjack.NewKey(), clock.Now()
		c.body = claimBody{Queue: c.queue, Worker: c.worker, Max: max, Wait: wait}
	}
	var claimed struct {
		Work       *[]*Work `json:"work"`
		RetryAfter *float64 `json:"retryAfter"`
	}
	if err := c.api.Do(ctx, "POST", "/v1/work/claim", c.body, &claimed,
		quarterjack.IdempotencyKey(c.key)); err != nil {
		return nil, err
	}
	if claimed.Work == nil {
		return nil, errors.New("the answer of the claim has no work; is this the URL of a Quarterjack API?")
	}
	for _, one := range *claimed.Work {
		if one == nil || one.Token == "" || one.JobID == "" || one.ExecID == "" {
			return nil, errors.New("the answer of the claim has work without ids and a token")
		}
	}
	answer := &claimAnswer{work: *claimed.Work, sentAt: c.sentAt, answeredAt: clock.Now()}
	if claimed.RetryAfter != nil {
		after := time.Duration(*claimed.RetryAfter * float64(time.Second))
		answer.retryAfter = &after
	}
	c.key = ""
	return answer, nil
}

// isFatal: the worker cannot go on after these, since another try would be answered alike.
func isFatal(err error) bool {
	var argument *quarterjack.ArgumentError
	var invalid *quarterjack.ValidationError
	var forbidden *quarterjack.PermissionError
	return isGone(err) || errors.As(err, &argument) || errors.As(err, &invalid) || errors.As(err, &forbidden)
}
