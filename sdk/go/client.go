package quarterjack

import (
	"context"
	"net/http"
	"time"
)

// Client calls the API of one deployment. Several goroutines may use it.
type Client struct {
	Jobs *Jobs
	// Changes of jobs: what was changed, by whom, and how to undo it.
	Changes    *Changes
	Executions *Executions
	// Runs of workflows: what users do to them.
	Runs *Runs
	// Tasks of runs, and the versions of workflows.
	Tasks *Tasks
	// Backfills run a job for the due times of a range.
	Backfills       *Backfills
	Events          *Events
	WorkQueues      *WorkQueues
	Calendars       *Calendars
	ConcurrencyKeys *ConcurrencyKeys
	FailureAcks     *FailureAcks
	OrderingKeys    *OrderingKeys
	// Secrets, API keys, notifications and the audit are for owners of the project.
	Secrets        *Secrets
	APIKeys        *APIKeys
	Notifications  *Notifications
	PingKey        *ProjectPings
	SigningSecrets *SigningSecrets
	// Admin is for operators.
	Admin *Admin

	options Options
	http    *http.Client
}

// New makes a client. It fails with an ArgumentError for options that cannot be.
func New(options Options) (*Client, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	c := &Client{options: options, http: withoutRedirects(options.HTTPClient)}
	c.Jobs, c.Changes, c.Executions, c.Runs, c.Tasks = &Jobs{c}, &Changes{c}, &Executions{c}, &Runs{c}, &Tasks{c}
	c.Backfills, c.Events, c.WorkQueues, c.Calendars = &Backfills{c}, &Events{c}, &WorkQueues{c}, &Calendars{c}
	c.ConcurrencyKeys, c.OrderingKeys, c.Secrets = &ConcurrencyKeys{c}, &OrderingKeys{c}, &Secrets{c}
	c.APIKeys, c.Notifications, c.SigningSecrets = &APIKeys{c}, &Notifications{c}, &SigningSecrets{c}
	c.Admin, c.FailureAcks, c.PingKey = &Admin{c}, &FailureAcks{c}, &ProjectPings{c}
	return c, nil
}

// URL of the API.
func (c *Client) URL() string { return c.options.URL }

// shared keeps enough connections for a worker with many executions at a time.
var shared = func() http.RoundTripper {
	own, isOwn := http.DefaultTransport.(*http.Transport)
	if !isOwn {
		return http.DefaultTransport // the program has put another one in its place
	}
	transport := own.Clone()
	transport.MaxIdleConnsPerHost = 100
	return transport
}()

func withoutRedirects(given *http.Client) *http.Client {
	client := http.Client{Transport: shared}
	if given != nil {
		client = *given
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

// Time reads an instant of the API; the zero time if there is none.
func (i Instant) Time() time.Time {
	at, err := time.Parse(time.RFC3339, string(i))
	if err != nil {
		return time.Time{}
	}
	return at
}

// Me is the caller, its projects and rights, and the deployment.
func (c *Client) Me(ctx context.Context) (*Me, error) {
	return fetch[Me](ctx, c, read("/v1/me"), nil, "stage", "projects", "scopes", "by")
}

// Usage is what the project uses of each quota.
func (c *Client) Usage(ctx context.Context) (*Usage, error) {
	return fetch[Usage](ctx, c, read("/v1/usage"), nil, "jobs")
}

// Version of the API. Needs no token.
func (c *Client) Version(ctx context.Context) (*ApiVersion, error) {
	return fetch[ApiVersion](ctx, c, read("/v1/version"), nil, "version", "api", "features")
}

// SignIn is how a program signs a user in. Needs no token.
func (c *Client) SignIn(ctx context.Context) (*SignIn, error) {
	return fetch[SignIn](ctx, c, read("/v1/sign-in"), nil, "issuer")
}

// Preview is when a schedule would fire, counted from an instant in RFC 3339; from empty means now, and count
// 0 the default.
func (c *Client) Preview(ctx context.Context, schedule Schedule, count int, from string) (*Preview, error) {
	body := map[string]any{"schedule": schedule}
	if count > 0 {
		body["count"] = count
	}
	if from != "" {
		body["from"] = from
	}
	return fetch[Preview](ctx, c, changing(http.MethodPost, body, "/v1/schedules/preview"), nil, "times")
}

// Upcoming are the next due times over all jobs, in order: over at most 2,000 jobs that pass the filter.
func (c *Client) Upcoming(ctx context.Context, filter *ListUpcomingOfJobsQuery) (*UpcomingOfJobs, error) {
	return fetch[UpcomingOfJobs](ctx, c, read("/v1/upcoming").with(filter), nil, "items")
}

// Load has the planned occurrences of all jobs by minute, at most 7 days: the sum of all pages.
func (c *Client) Load(ctx context.Context, filter *GetLoadQuery) (*Load, error) {
	var sum *Load
	asked := read("/v1/load").with(filter)
	for {
		page, err := fetch[Load](ctx, c, asked, nil, "counts")
		if err != nil {
			return nil, err
		}
		next := page.NextCursor
		if page.NextCursor = nil; sum == nil {
			sum = page
		} else {
			sum.Jobs += page.Jobs
			for i := 0; i < len(page.Counts) && i < len(sum.Counts); i++ {
				sum.Counts[i] += page.Counts[i]
			}
		}
		if next == nil || *next == "" {
			return sum, nil
		}
		asked.query.Set("cursor", *next)
	}
}

// Failures are failed and skipped executions of all the project's jobs, by default those of the last week.
// With the view "inbox": what no user asked for.
func (c *Client) Failures(ctx context.Context, filter *ListFailuresQuery, o ...CallOption) *List[Execution] {
	return listOf[Execution](ctx, c, read("/v1/failures").with(filter), o, "jobId", "execId")
}

// FailureGroups are failed and skipped executions, counted by cause: over at most 10,000 rows or 10 s.
func (c *Client) FailureGroups(ctx context.Context, filter *ListFailuresQuery) (*FailureGroups, error) {
	asked := read("/v1/failures").with(filter)
	asked.query.Set("group", "fingerprint")
	return fetch[FailureGroups](ctx, c, asked, nil, "groups")
}

// Audit has changes of the project's access, and requests that were denied, newest first.
func (c *Client) Audit(ctx context.Context, filter *ListAuditQuery, o ...CallOption) *List[AuditRecord] {
	return listOf[AuditRecord](ctx, c, read("/v1/audit").with(filter), o, "at")
}

// Bulk does the same with everything that a filter selects. each gets page by page; an error of it, or of the
// API, ends the bulk, and leaves the rest as it is. The action "delete" needs Expect: the sum of Matched in a
// dry run. All pages have one key, so a repeat does no harm.
func (c *Client) Bulk(ctx context.Context, asked BulkRequest, each func(*Bulk) error, o ...CallOption) error {
	key := NewKey()
	for {
		request := creating(asked, "/v1/bulk")
		request.idempotencyKey = key
		page, err := fetch[Bulk](ctx, c, request, o, "matched", "failed")
		if err == nil {
			err = each(page)
		}
		if err != nil || page.NextCursor == nil || *page.NextCursor == "" {
			return err
		}
		asked.Cursor = *page.NextCursor
	}
}
