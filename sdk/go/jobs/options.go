package jobs

import quarterjack "github.com/quarterjack/quarterjack/sdk/go"

// Option says how a job is run.
type Option func(*Job)

// Define changes any field of the definition that is deployed.
func Define(change func(*quarterjack.JobDefinition)) Option {
	return func(j *Job) { change(&j.definition) }
}

// Schedule says when the job runs. Without one, a user or a program starts it.
func Schedule(schedule quarterjack.Schedule) Option {
	return Define(func(d *quarterjack.JobDefinition) { d.Schedule = schedule })
}

// Cron is a schedule by a cron expression. Without a time zone, it is in UTC.
func Cron(expression, timezone string) Option {
	return Schedule(quarterjack.Schedule{Type: "cron", Expression: expression, Timezone: timezone})
}

// Every is a schedule with a fixed distance, such as 15m.
func Every(interval string) Option {
	return Schedule(quarterjack.Schedule{Type: "interval", Every: interval})
}

// At is a schedule of one time: RFC 3339, or a local time in a time zone.
func At(time, timezone string) Option {
	return Schedule(quarterjack.Schedule{Type: "at", At: time, Timezone: timezone})
}

// OnEvent is a schedule of each event of a name. Its data are the payload.
func OnEvent(name string) Option {
	return Schedule(quarterjack.Schedule{Type: "event", Name: name})
}

// After is a schedule of each success of other jobs.
func After(jobs ...*Job) Option {
	schedule := quarterjack.Schedule{Type: "after"}
	for _, job := range jobs {
		schedule.Jobs = append(schedule.Jobs, job.ID)
	}
	return Schedule(schedule)
}

// Payload is what an execution gets that brings none of its own. Default {}.
func Payload(payload any) Option {
	return Define(func(d *quarterjack.JobDefinition) { d.Payload = payload })
}

// Schema is a JSON Schema by which the server refuses payloads where they enter.
func Schema(schema map[string]any) Option {
	return Define(func(d *quarterjack.JobDefinition) { d.PayloadSchema = schema })
}

// Timeout bounds one attempt, such as 10m. Default 5m.
func Timeout(timeout string) Option {
	return Define(func(d *quarterjack.JobDefinition) { d.Timeout = timeout })
}

// Retry says how failures are retried.
func Retry(policy quarterjack.RetryPolicy) Option {
	return Define(func(d *quarterjack.JobDefinition) { d.Retry = &policy })
}

// Tags of the job. Those that begin with quarterjack/ are reserved.
func Tags(tags map[string]string) Option {
	return Define(func(d *quarterjack.JobDefinition) { d.Tags = tags })
}

// Paused deploys the job paused, or not. Without this, it stays as it is.
func Paused(isPaused bool) Option { return func(j *Job) { j.isPaused = &isPaused } }
