package quarterjack

import (
	"context"
	"net/http"
)

// Events has the call that sends an event.
type Events struct{ c *Client }

// Send starts each job that waits for the event. Without an ID, each call is an event of its own; a retry of
// the call is the same event.
func (s *Events) Send(ctx context.Context, event EventBody, o ...CallOption) (*Event, error) {
	return fetch[Event](ctx, s.c, creating(event, "/v1/events"), o, "eventId", "runs")
}

// WorkQueues are those that jobs name. Package worker has what runs their executions.
type WorkQueues struct{ c *Client }

// List has all queues by name.
func (s *WorkQueues) List(ctx context.Context, o ...CallOption) *List[WorkQueue] {
	return listOf[WorkQueue](ctx, s.c, read("/v1/work/queues"), o, "queue")
}

// Get is what waits in a queue, and its workers. A queue that no job names is empty.
func (s *WorkQueues) Get(ctx context.Context, queue string) (*WorkQueueDetail, error) {
	return fetch[WorkQueueDetail](ctx, s.c, read("/v1/work/queues/{}", queue), nil, "queue")
}

// Calendars have days and times that the schedules of a project exclude, or keep to.
type Calendars struct{ c *Client }

// Put creates a calendar, or replaces its content. A change holds at once, and replans the jobs that use it.
func (s *Calendars) Put(ctx context.Context, id string, calendar CalendarRequest,
	o ...CallOption) (*CalendarChange, error) {
	return fetch[CalendarChange](ctx, s.c, changing(http.MethodPut, calendar, "/v1/calendars/{}", id), o,
		"calendarId")
}

// List has all calendars by id, without their content.
func (s *Calendars) List(ctx context.Context, o ...CallOption) *List[CalendarSummary] {
	return listOf[CalendarSummary](ctx, s.c, read("/v1/calendars"), o, "calendarId")
}

// Get is one calendar.
func (s *Calendars) Get(ctx context.Context, id string) (*Calendar, error) {
	return fetch[Calendar](ctx, s.c, read("/v1/calendars/{}", id), nil, "calendarId")
}

// Remove fails with a ConflictError if a job uses the calendar.
func (s *Calendars) Remove(ctx context.Context, id string, o ...CallOption) error {
	return s.c.remove(ctx, changing(http.MethodDelete, nil, "/v1/calendars/{}", id), o)
}

// ConcurrencyKeys say how many executions with a key run at a time, and how many start.
type ConcurrencyKeys struct{ c *Client }

// Set creates a key, or replaces its limit and its rate.
func (s *ConcurrencyKeys) Set(ctx context.Context, key string, definition ConcurrencyKeyRequest,
	o ...CallOption) (*ConcurrencyKey, error) {
	return fetch[ConcurrencyKey](ctx, s.c, changing(http.MethodPut, definition, "/v1/concurrency-keys/{}",
		key), o, "key")
}

// List has all keys by name.
func (s *ConcurrencyKeys) List(ctx context.Context, o ...CallOption) *List[ConcurrencyKey] {
	return listOf[ConcurrencyKey](ctx, s.c, read("/v1/concurrency-keys"), o, "key")
}

// Get is one key.
func (s *ConcurrencyKeys) Get(ctx context.Context, key string) (*ConcurrencyKey, error) {
	return fetch[ConcurrencyKey](ctx, s.c, read("/v1/concurrency-keys/{}", key), nil, "key")
}

// Remove fails with a ConflictError if a job uses the key, without Force.
func (s *ConcurrencyKeys) Remove(ctx context.Context, key string, o ...CallOption) error {
	return s.c.remove(ctx, changing(http.MethodDelete, nil, "/v1/concurrency-keys/{}", key), o)
}

// FailureAcks are the causes of failures that a user of the project knows about.
type FailureAcks struct{ c *Client }

// Set acknowledges a cause, or replaces its note and its end.
func (s *FailureAcks) Set(ctx context.Context, ack FailureAckRequest, o ...CallOption) (*FailureAck, error) {
	return fetch[FailureAck](ctx, s.c, changing(http.MethodPut, ack, "/v1/failures/acks"), o, "fingerprint")
}

// List has all by fingerprint, also those that a further job has ended.
func (s *FailureAcks) List(ctx context.Context, o ...CallOption) *List[FailureAck] {
	return listOf[FailureAck](ctx, s.c, read("/v1/failures/acks"), o, "fingerprint")
}

// Remove takes an acknowledgement back.
func (s *FailureAcks) Remove(ctx context.Context, fingerprint string, o ...CallOption) error {
	asked := changing(http.MethodDelete, nil, "/v1/failures/acks")
	return s.c.remove(ctx, asked.with(DeleteFailureAckQuery{Fingerprint: fingerprint}), o)
}

// OrderingKeys say which execution of a key holds it, and which ones wait.
type OrderingKeys struct{ c *Client }

// Get is the state of a key.
func (s *OrderingKeys) Get(ctx context.Context, key string) (*OrderingKey, error) {
	asked := read("/v1/ordering-keys").with(GetOrderingKeyQuery{OrderingKey: key})
	return fetch[OrderingKey](ctx, s.c, asked, nil, "orderingKey")
}

// Unblock releases the executions that wait behind a failed one.
func (s *OrderingKeys) Unblock(ctx context.Context, key string, o ...CallOption) (*OrderingKey, error) {
	asked := changing(http.MethodPost, OrderingKeyRequest{OrderingKey: key}, "/v1/ordering-keys/unblock")
	return fetch[OrderingKey](ctx, s.c, asked, o, "orderingKey")
}

// Secrets are those of the project. No call returns a value.
type Secrets struct{ c *Client }

// Set creates a secret, or replaces its value and hosts. Deliveries use the new value within a minute.
func (s *Secrets) Set(ctx context.Context, name string, secret SecretRequest, o ...CallOption) (*Secret,
	error) {
	return fetch[Secret](ctx, s.c, changing(http.MethodPut, secret, "/v1/secrets/{}", name), o, "name")
}

// List has all secrets by name.
func (s *Secrets) List(ctx context.Context, o ...CallOption) *List[Secret] {
	return listOf[Secret](ctx, s.c, read("/v1/secrets"), o, "name")
}

// Get is one secret, without its value.
func (s *Secrets) Get(ctx context.Context, name string) (*Secret, error) {
	return fetch[Secret](ctx, s.c, read("/v1/secrets/{}", name), nil, "name")
}

// Remove fails with a ConflictError if a job uses the secret, without Force.
func (s *Secrets) Remove(ctx context.Context, name string, o ...CallOption) error {
	return s.c.remove(ctx, changing(http.MethodDelete, nil, "/v1/secrets/{}", name), o)
}

// APIKeys has the calls under /v1/api-keys.
type APIKeys struct{ c *Client }

// Create makes a key. Only this response shows it. It fails with a ConflictError that names the key if it was
// created and the response was lost: then revoke that key, and create another.
func (s *APIKeys) Create(ctx context.Context, key ApiKeyRequest, o ...CallOption) (*NewApiKey, error) {
	return fetch[NewApiKey](ctx, s.c, creating(key, "/v1/api-keys"), o, "key")
}

// List has the keys of the project by their ids, without secrets.
func (s *APIKeys) List(ctx context.Context, o ...CallOption) *List[ApiKey] {
	return listOf[ApiKey](ctx, s.c, read("/v1/api-keys").with(ListApiKeysQuery{Limit: Ptr(100)}), nil,
		"keyId")
}

// Revoke ends a key. Requests with it are refused within 60 seconds.
func (s *APIKeys) Revoke(ctx context.Context, keyID string, o ...CallOption) error {
	return s.c.remove(ctx, changing(http.MethodDelete, nil, "/v1/api-keys/{}", keyID), o)
}

// RevokeAllBy ends all keys that the actor with this sub created.
func (s *APIKeys) RevokeAllBy(ctx context.Context, sub string, o ...CallOption) (*RevokedApiKeys, error) {
	asked := changing(http.MethodDelete, nil, "/v1/api-keys").with(RevokeApiKeysQuery{By: sub})
	return fetch[RevokedApiKeys](ctx, s.c, asked, o, "revoked")
}

// Notifications are those of the project.
type Notifications struct{ c *Client }

// Set creates or replaces a notification. It is in effect when this returns.
func (s *Notifications) Set(ctx context.Context, id string, definition NotificationRequest,
	o ...CallOption) (*Notification, error) {
	return fetch[Notification](ctx, s.c, changing(http.MethodPut, definition, "/v1/notifications/{}", id), o,
		"id")
}

// List has all notifications by id.
func (s *Notifications) List(ctx context.Context, o ...CallOption) *List[Notification] {
	return listOf[Notification](ctx, s.c, read("/v1/notifications"), o, "id")
}

// Get is one notification.
func (s *Notifications) Get(ctx context.Context, id string) (*Notification, error) {
	return fetch[Notification](ctx, s.c, read("/v1/notifications/{}", id), nil, "id")
}

// Test sends a test message. The result names the execution that delivers it.
func (s *Notifications) Test(ctx context.Context, id string) (*NotificationTest, error) {
	return fetch[NotificationTest](ctx, s.c, creating(Nothing{}, "/v1/notifications/{}/test", id), nil,
		"execId")
}

// Remove removes a notification.
func (s *Notifications) Remove(ctx context.Context, id string, o ...CallOption) error {
	return s.c.remove(ctx, changing(http.MethodDelete, nil, "/v1/notifications/{}", id), o)
}

// ProjectPings is the URL to which the jobs of all monitors of the project ping. The URL is a secret.
type ProjectPings struct{ c *Client }

// Get is the URL.
func (s *ProjectPings) Get(ctx context.Context) (*ProjectPingKey, error) {
	return fetch[ProjectPingKey](ctx, s.c, read("/v1/ping-key"), nil, "url")
}

// Set gives the project a URL, or changes what it allows.
func (s *ProjectPings) Set(ctx context.Context, d ProjectPingKeyRequest, o ...CallOption) (*ProjectPingKey, error) {
	return fetch[ProjectPingKey](ctx, s.c, changing(http.MethodPut, d, "/v1/ping-key"), o, "url")
}

// Rotate gives the project another URL. The one before works for a day; with Now, it ends at once.
func (s *ProjectPings) Rotate(ctx context.Context, r PingRotation, o ...CallOption) (*ProjectPingKey, error) {
	return fetch[ProjectPingKey](ctx, s.c, changing(http.MethodPost, r, "/v1/ping-key/rotate"), o, "url")
}

// Remove ends the URL at once.
func (s *ProjectPings) Remove(ctx context.Context, o ...CallOption) error {
	return s.c.remove(ctx, changing(http.MethodDelete, nil, "/v1/ping-key"), o)
}

// SigningSecrets are what deliveries are signed with.
type SigningSecrets struct{ c *Client }

// Get is the secret of a host, such as hooks.example.com. An empty host: the legacy secret of the project.
func (s *SigningSecrets) Get(ctx context.Context, host string) (*SigningSecret, error) {
	asked := read("/v1/signing-secret").with(GetSigningSecretQuery{Host: host})
	return fetch[SigningSecret](ctx, s.c, asked, nil, "secret")
}

// Rotate makes a new secret. For one day, deliveries are signed with the old one too.
func (s *SigningSecrets) Rotate(ctx context.Context, host string, o ...CallOption) (*SigningSecret, error) {
	return fetch[SigningSecret](ctx, s.c, creating(Rotation{Host: host}, "/v1/signing-secret/rotate"), o,
		"secret")
}

// EndLegacy ends the legacy secret of the project: within five minutes, only the secret of each host signs.
// This is final.
func (s *SigningSecrets) EndLegacy(ctx context.Context, o ...CallOption) error {
	_, err := fetch[LegacyEnded](ctx, s.c, creating(Rotation{Legacy: Ptr(false)},
		"/v1/signing-secret/rotate"), o, "legacy")
	return err
}

// Admin has the calls of operators: the token needs the scope admin.
type Admin struct{ c *Client }

// Status says whether the deployment runs, how far its shards are, and what its queues hold.
func (s *Admin) Status(ctx context.Context) (*DeploymentStatus, error) {
	return fetch[DeploymentStatus](ctx, s.c, read("/v1/admin/status"), nil, "state")
}

// Stop enters maintenance mode. The reason is shown with the stop.
func (s *Admin) Stop(ctx context.Context, reason string) (*DeploymentStatus, error) {
	asked := changing(http.MethodPost, StopRequest{Reason: reason}, "/v1/admin/stop")
	return fetch[DeploymentStatus](ctx, s.c, asked, nil, "state")
}

// Start leaves maintenance mode.
func (s *Admin) Start(ctx context.Context) (*DeploymentStatus, error) {
	return fetch[DeploymentStatus](ctx, s.c, changing(http.MethodPost, nil, "/v1/admin/start"), nil, "state")
}

// Redrive moves at most max dead letters back to their queue.
func (s *Admin) Redrive(ctx context.Context, queue string, max int) (*Redrive, error) {
	asked := changing(http.MethodPost, RedriveRequest{Queue: queue, Max: max}, "/v1/admin/redrive")
	return fetch[Redrive](ctx, s.c, asked, nil, "queue")
}
