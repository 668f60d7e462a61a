// Made by `npm run client:types` from the OpenAPI document with this SHA-256; not to be changed by hand.
// 5ed4f2ac74bb17c2f6dda074f434761234adcb1817b43d57c62ee5c6177d1263

export interface paths {
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ask whether requests reach the API */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get this document */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs
         * @description By jobId. A page may be short, or empty, and still have a next one.
         *
         *     Scope: `jobs:read`.
         */
        get: operations["listJobs"];
        put?: never;
        /**
         * Create a job
         * @description With an `Idempotency-Key`, the same request again gives the same answer, for as long as the job lives.
         *
         *     Scope: `jobs:write`.
         */
        post: operations["createJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create up to 100 jobs
         * @description Each is made, or refused, as if it had come alone. With an `Idempotency-Key`, each item has a key of its own by its place in the batch. 1 MB together.
         *
         *     Scope: `jobs:write`.
         */
        post: operations["createJobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a job
         * @description Scope: `jobs:read`.
         */
        get: operations["getJob"];
        /**
         * Create or replace a job
         * @description For schedules kept as code. What is equal already stays as it is; a paused job stays paused.
         *
         *     Scope: `jobs:write`.
         */
        put: operations["putJob"];
        post?: never;
        /**
         * Delete a job
         * @description Its history stays readable until its retention ends.
         *
         *     Scope: `jobs:write`.
         */
        delete: operations["deleteJob"];
        options?: never;
        head?: never;
        /**
         * Change a job
         * @description A JSON merge patch (RFC 7386): null removes, objects merge.
         *
         *     Scope: `jobs:write`.
         */
        patch: operations["patchJob"];
        trace?: never;
    };
    "/v1/jobs/{jobId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a job
         * @description Nothing of it starts any more, but for manual runs.
         *
         *     Scope: `jobs:write`.
         */
        post: operations["pauseJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a job
         * @description The next occurrence after now is the first to fire. Never fires by itself.
         *
         *     Scope: `jobs:write`.
         */
        post: operations["resumeJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a job now
         * @description Leaves the schedule alone. A paused job may be run too.
         *
         *     Scope: `jobs:write`.
         */
        post: operations["runJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/upcoming": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the next due times
         * @description None while the job is paused.
         *
         *     Scope: `jobs:read`.
         */
        get: operations["listUpcoming"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a job’s executions
         * @description Newest first, unless `order=asc`; those of a deleted job too, until their retention ends.
         *
         *     Scope: `jobs:read`.
         */
        get: operations["listExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/executions/{execId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an execution
         * @description Scope: `jobs:read`.
         */
        get: operations["getExecution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/executions/{execId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an execution
         * @description One that waits will not start; one that runs is asked to end; one that failed and blocks its ordering key lets the others go on.
         *
         *     Scope: `jobs:write`.
         */
        post: operations["cancelExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/executions/{execId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run an execution again
         * @description A failed, cancelled or skipped one: the same execution, attempts from 1, the fence rising on.
         *
         *     Scope: `jobs:write`.
         */
        post: operations["retryExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ordering-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See who waits for an ordering key
         * @description The key is a parameter of the query, because it may hold any character.
         *
         *     Scope: `jobs:read`.
         */
        get: operations["getOrderingKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ordering-keys/unblock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let an ordering key go on after a failure
         * @description What failed stays failed. Where nothing blocks the key, nothing changes.
         *
         *     Scope: `jobs:write`.
         */
        post: operations["unblockOrderingKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List failures over all jobs
         * @description Failed and skipped executions, newest due time first, of a week unless asked otherwise. What failed within the last second may be missing yet. A page may be short, or empty, and still have a next one.
         *
         *     Scope: `jobs:read`.
         */
        get: operations["listFailures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/attempts/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep an attempt going
         * @description Its lease is kept for another `heartbeatTimeout`, unless the execution shall end. A token whose attempt has ended is answered 409: stop working on it.
         */
        post: operations["heartbeatAttempt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/attempts/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete an attempt
         * @description The first 256 bytes of the result are kept. A token whose attempt has ended is answered 409: stop working on it.
         */
        post: operations["completeAttempt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/attempts/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an attempt up
         * @description The job’s retry policy decides, unless `retriable` is false. A token whose attempt has ended is answered 409: stop working on it.
         */
        post: operations["failAttempt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * See what a schedule would do
         * @description Its due times, and in words what it means. Notes say where clocks moved or doubled one.
         *
         *     Scope: `jobs:read`.
         */
        post: operations["previewSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/signing-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your signing secret
         * @description Deliveries to your targets are signed with it, by Standard Webhooks.
         *
         *     Scope: `jobs:write`.
         */
        get: operations["getSigningSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/signing-secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate your signing secret
         * @description The one before signs along for a day: within five minutes deliveries bear both signatures. At most 5 times a day.
         *
         *     Scope: `jobs:write`.
         */
        post: operations["rotateSigningSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See whether the deployment works
         * @description Whether it is stopped, and how far each shard has come.
         *
         *     Scope: `admin`.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop planned work, for maintenance
         * @description After 15 seconds nothing new starts, of no user; what runs ends. Jobs can be made and changed meanwhile, and nothing is lost.
         *
         *     Scope: `admin`.
         */
        post: operations["stopDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start it again
         * @description What fell due meanwhile is decided on by each job’s misfire policy.
         *
         *     Scope: `admin`.
         */
        post: operations["startDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What a user says about a job. Only `schedule` and a target are required. */
        JobDefinition: {
            jobId?: string;
            name?: string;
            schedule: components["schemas"]["Schedule"];
            target?: {
                /** @constant */
                type: "http";
                url: string;
                /**
                 * @default POST
                 * @enum {string}
                 */
                method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @default {} */
                headers?: {
                    [key: string]: string;
                };
                /**
                 * @description A duration, 1s to 14m.
                 * @default 30s
                 * @example 14m
                 */
                timeout?: string;
                /**
                 * @default sync
                 * @enum {string}
                 */
                mode?: "sync" | "async";
                /**
                 * @description A duration, 1s to 7d.
                 * @example 7d
                 */
                heartbeatTimeout?: string;
            } | {
                /** @constant */
                type: "lambda";
                functionArn: string;
                /**
                 * @default sync
                 * @enum {string}
                 */
                mode?: "sync" | "async";
                /**
                 * @description A duration, 1s to 7d.
                 * @example 7d
                 */
                heartbeatTimeout?: string;
            } | {
                /** @constant */
                type: "sqs";
                queueUrl: string;
            } | {
                /** @constant */
                type: "sns";
                topicArn: string;
            } | {
                /** @constant */
                type: "eventbridge";
                eventBusName: string;
                source: string;
                detailType: string;
            } | {
                /** @constant */
                type: "stepfunctions";
                stateMachineArn: string;
            };
            /** @description In place of `target`: each gets every occurrence, with an outcome of its own. */
            targets?: ({
                /** @constant */
                type: "http";
                url: string;
                /**
                 * @default POST
                 * @enum {string}
                 */
                method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @default {} */
                headers?: {
                    [key: string]: string;
                };
                /**
                 * @description A duration, 1s to 14m.
                 * @default 30s
                 * @example 14m
                 */
                timeout?: string;
                /**
                 * @default sync
                 * @enum {string}
                 */
                mode?: "sync" | "async";
                /**
                 * @description A duration, 1s to 7d.
                 * @example 7d
                 */
                heartbeatTimeout?: string;
            } | {
                /** @constant */
                type: "lambda";
                functionArn: string;
                /**
                 * @default sync
                 * @enum {string}
                 */
                mode?: "sync" | "async";
                /**
                 * @description A duration, 1s to 7d.
                 * @example 7d
                 */
                heartbeatTimeout?: string;
            } | {
                /** @constant */
                type: "sqs";
                queueUrl: string;
            } | {
                /** @constant */
                type: "sns";
                topicArn: string;
            } | {
                /** @constant */
                type: "eventbridge";
                eventBusName: string;
                source: string;
                detailType: string;
            } | {
                /** @constant */
                type: "stepfunctions";
                stateMachineArn: string;
            })[];
            /** @description Any JSON: the body that the target gets. */
            payload?: unknown;
            /**
             * @default medium
             * @enum {string}
             */
            priority?: "highest" | "high" | "medium" | "low" | "lowest";
            /** @default default */
            pool?: string;
            /** @default {} */
            retry?: {
                /** @default 3 */
                maxAttempts?: number;
                /**
                 * @description A duration, 1s to 24h.
                 * @default 10s
                 * @example 24h
                 */
                initialDelay?: string;
                /**
                 * @description A duration, 1s to 24h.
                 * @default 1h
                 * @example 24h
                 */
                maxDelay?: string;
                /** @default 2 */
                multiplier?: number;
                /**
                 * @description A duration, 1s to 30d.
                 * @default 24h
                 * @example 30d
                 */
                maxAge?: string;
            };
            /** @default {} */
            misfire?: {
                /** @enum {string} */
                policy?: "fire-now" | "fire-once" | "fire-all" | "skip";
                /**
                 * @description A duration, 60s to 24h.
                 * @default 60s
                 * @example 24h
                 */
                grace?: string;
                /**
                 * @description A duration, 60s to 30d.
                 * @default 1h
                 * @example 30d
                 */
                catchUpWindow?: string;
            };
            /**
             * @default allow
             * @enum {string}
             */
            overlap?: "allow" | "skip" | "queue" | "replace";
            /** @default null */
            orderingKey?: string | null;
            /**
             * @default continue
             * @enum {string}
             */
            onFailure?: "continue" | "block";
            /**
             * @description A duration, 1s to 7d.
             * @default 5m
             * @example 7d
             */
            timeout?: string;
            /** @default {} */
            tags?: {
                [key: string]: string;
            };
        };
        Schedule: string | (components["schemas"]["CronSchedule"] | components["schemas"]["IntervalSchedule"] | components["schemas"]["AtSchedule"] | components["schemas"]["DelaySchedule"]);
        CronSchedule: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cron";
            /** @example 30 9 * * MON-FRI */
            expression: string;
            /** @description IANA time zone name */
            timezone?: string;
            /** @description RFC 3339, or local time in `timezone` */
            startAt?: string;
            /** @description RFC 3339, or local time in `timezone` */
            endAt?: string;
            maxRuns?: number;
            /**
             * @example 30s
             * @example 36h
             * @example PT30S
             */
            jitter?: string;
            exclude?: string[];
            dst?: {
                /** @enum {string} */
                gap?: "shift" | "skip";
                /** @enum {string} */
                overlap?: "first" | "second" | "both";
            };
        };
        IntervalSchedule: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "interval";
            /**
             * @example 30s
             * @example 36h
             * @example PT30S
             */
            every: string;
            /** @description RFC 3339, or local time in `timezone` */
            anchor?: string;
            /** @description IANA time zone name */
            timezone?: string;
            /** @description RFC 3339, or local time in `timezone` */
            startAt?: string;
            /** @description RFC 3339, or local time in `timezone` */
            endAt?: string;
            maxRuns?: number;
            /**
             * @example 30s
             * @example 36h
             * @example PT30S
             */
            jitter?: string;
            exclude?: string[];
            dst?: {
                /** @enum {string} */
                gap?: "shift" | "skip";
                /** @enum {string} */
                overlap?: "first" | "second" | "both";
            };
        };
        AtSchedule: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "at";
            /** @description RFC 3339, or local time in `timezone` */
            at: string;
            /** @description IANA time zone name */
            timezone?: string;
        };
        DelaySchedule: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delay";
            /**
             * @example 30s
             * @example 36h
             * @example PT30S
             */
            delay: string;
        };
        JobBatch: {
            jobs: components["schemas"]["JobDefinition"][];
        };
        /** @description A JSON merge patch of a job (RFC 7386). */
        JobPatch: {
            /** @description Cannot be changed. */
            jobId?: string;
            name?: string | null;
            schedule?: Record<string, never> | string;
            target?: Record<string, never> | null;
            targets?: unknown[] | null;
            payload?: unknown;
            priority?: string | null;
            pool?: string | null;
            retry?: Record<string, never> | null;
            misfire?: Record<string, never> | null;
            overlap?: string | null;
            orderingKey?: string | null;
            onFailure?: string | null;
            timeout?: string | null;
            tags?: Record<string, never> | null;
        };
        Nothing: Record<string, never>;
        RunRequest: {
            /** @description In place of the job’s own. */
            payload?: unknown;
        };
        OrderingKeyRequest: {
            orderingKey: string;
        };
        CompletedAttempt: {
            result?: unknown;
        };
        FailedAttempt: {
            /** @default the target reported a failure */
            error?: string;
            /**
             * @description Whether the job’s retry policy may try again.
             * @default true
             */
            retriable?: boolean;
        };
        Health: {
            /** @constant */
            status: "pass";
        };
        /** @description What is wrong, in the words of RFC 9457. */
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @description Names the request in the log. */
            instance: string;
            /** @description Of bad input: each bad field by its dotted path, `body` for the body as a whole. */
            errors?: {
                path: string;
                message: string;
            }[];
        };
        /** @description Of what never reached the function: no valid token, throttled, over 10 MB. */
        GatewayMessage: {
            message: string;
        };
        OpenApiDocument: {
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A job: what its user said about it, and what follows from that. */
        Job: {
            jobId: string;
            name?: string;
            schedule: components["schemas"]["Schedule"];
            target?: {
                /** @constant */
                type: "http";
                url: string;
                /** @enum {string} */
                method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                headers: {
                    [key: string]: string;
                };
                timeout: string;
                /** @enum {string} */
                mode: "sync" | "async";
                heartbeatTimeout?: string;
            } | {
                /** @constant */
                type: "lambda";
                functionArn: string;
                /** @enum {string} */
                mode: "sync" | "async";
                heartbeatTimeout?: string;
            } | {
                /** @constant */
                type: "sqs";
                queueUrl: string;
            } | {
                /** @constant */
                type: "sns";
                topicArn: string;
            } | {
                /** @constant */
                type: "eventbridge";
                eventBusName: string;
                source: string;
                detailType: string;
            } | {
                /** @constant */
                type: "stepfunctions";
                stateMachineArn: string;
            };
            /** @description Where there are several, in place of `target`. */
            targets?: ({
                /** @constant */
                type: "http";
                url: string;
                /** @enum {string} */
                method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                headers: {
                    [key: string]: string;
                };
                timeout: string;
                /** @enum {string} */
                mode: "sync" | "async";
                heartbeatTimeout?: string;
            } | {
                /** @constant */
                type: "lambda";
                functionArn: string;
                /** @enum {string} */
                mode: "sync" | "async";
                heartbeatTimeout?: string;
            } | {
                /** @constant */
                type: "sqs";
                queueUrl: string;
            } | {
                /** @constant */
                type: "sns";
                topicArn: string;
            } | {
                /** @constant */
                type: "eventbridge";
                eventBusName: string;
                source: string;
                detailType: string;
            } | {
                /** @constant */
                type: "stepfunctions";
                stateMachineArn: string;
            })[];
            /** @description Absent where the job has none. */
            payload?: unknown;
            /** @enum {string} */
            priority: "highest" | "high" | "medium" | "low" | "lowest";
            pool: string;
            retry: {
                maxAttempts: number;
                initialDelay: string;
                maxDelay: string;
                multiplier: number;
                maxAge: string;
            };
            misfire: {
                /** @enum {string} */
                policy: "fire-now" | "fire-once" | "fire-all" | "skip";
                grace: string;
                catchUpWindow: string;
            };
            /** @enum {string} */
            overlap: "allow" | "skip" | "queue" | "replace";
            orderingKey: string | null;
            /** @enum {string} */
            onFailure: "continue" | "block";
            timeout: string;
            tags: {
                [key: string]: string;
            };
            /**
             * @description completed: no occurrence is left, and the last one has ended.
             * @enum {string}
             */
            status: "active" | "paused" | "completed";
            /** @description Counts create, changes of schedule, pause and resume. */
            generation: number;
            createdAt: components["schemas"]["Instant"];
            updatedAt: components["schemas"]["Instant"];
            nextFireAt: components["schemas"]["Instant"] | null;
            /** @description The newest one that is due, or null. Not in lists. */
            lastExecution?: {
                execId: string;
                status: components["schemas"]["ExecutionStatus"];
                dueAt: components["schemas"]["Instant"];
            } | null;
        };
        /**
         * Format: date-time
         * @description RFC 3339 in UTC with milliseconds.
         */
        Instant: string;
        /**
         * @description succeeded, failed, cancelled and skipped are final, unless the user retries. scheduled: planned and not yet due.
         * @enum {string}
         */
        ExecutionStatus: "scheduled" | "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled" | "skipped";
        JobPage: {
            items: components["schemas"]["Job"][];
            /** @description For the next page of the same list; null at its end. */
            nextCursor: string | null;
        };
        BatchOutcomes: {
            outcomes: components["schemas"]["BatchOutcome"][];
        };
        BatchOutcome: {
            /** @description Of the item in the request. */
            index: number;
            /** @description As if the job had come alone: 201, 400, 409 … */
            status: number;
            /** @description Where it was made. */
            job?: components["schemas"]["Job"];
            /** @description Where it was made: by an earlier request with the same key. */
            replayed?: boolean;
            /** @description Where it was not. */
            problem?: components["schemas"]["Problem"];
        };
        /** @description One occurrence of a job, or one manual run, and what came of it. */
        Execution: {
            jobId: string;
            execId: string;
            /** @enum {string} */
            trigger: "schedule" | "manual" | "catch-up";
            dueAt: components["schemas"]["Instant"];
            status: components["schemas"]["ExecutionStatus"];
            /** @description Of skipped, failed and cancelled ones: overlap, misfire, paused, superseded, deleted, … */
            reason: string | null;
            /** @description Where one record stands for neighbouring occurrences. */
            skipped: {
                from: components["schemas"]["Instant"];
                to: components["schemas"]["Instant"];
                count: number;
            } | null;
            latenessMs: number | null;
            startedAt: components["schemas"]["Instant"] | null;
            finishedAt: components["schemas"]["Instant"] | null;
            heartbeatAt: components["schemas"]["Instant"] | null;
            attempts: components["schemas"]["Attempt"][];
            targets: {
                index: number;
                status: components["schemas"]["ExecutionStatus"];
            }[];
            /** @description The first 256 bytes of the answer, 2 KB of a failure. */
            result: {
                statusCode: number | null;
                body: string | null;
            } | null;
            /** @description The key under which it stands in line, or ran. */
            orderingKey?: string;
            /**
             * @description Failed, and holds up its ordering key until it is retried or cancelled, or the key is unblocked.
             * @constant
             */
            blocksKey?: true;
        };
        /** @description One try of an execution that has ended. */
        Attempt: {
            attempt: number;
            /** @description Rises with every claim of the execution. */
            fence: number;
            startedAt: components["schemas"]["Instant"];
            finishedAt: components["schemas"]["Instant"];
            /** @enum {string} */
            outcome: "succeeded" | "retriable" | "fatal" | "lost" | "cancelled";
            /** @description Index of the target. */
            target: number;
            statusCode: number | null;
            error: string | null;
            /**
             * @description It came when the attempt had lost its lease, and decided nothing.
             * @constant
             */
            late?: true;
        };
        Times: {
            times: {
                at: components["schemas"]["Instant"];
                /** @description By the clock of the schedule’s zone. */
                local: string;
                /** @description What a change of clocks did. */
                note?: string;
            }[];
        };
        ExecutionPage: {
            items: components["schemas"]["Execution"][];
            /** @description For the next page of the same list; null at its end. */
            nextCursor: string | null;
        };
        /** @description Where the executions that share an ordering key stand. */
        OrderingKey: {
            orderingKey: string;
            /** @description The execution that has the key: it runs, waits for a retry, or has failed and blocks. */
            holder: {
                jobId: string;
                execId: string;
                status: components["schemas"]["ExecutionStatus"];
            } | null;
            blocked: boolean;
            /** @description Those due by now that wait, in their order: the first ten. */
            waiting: {
                jobId: string;
                execId: string;
                dueAt: components["schemas"]["Instant"];
            }[];
        };
        /** @description What the execution is after what its target has reported. */
        Report: {
            status: components["schemas"]["ExecutionStatus"];
            /** @description Of heartbeats: the execution shall end, and its lease is kept up no longer. */
            cancelRequested?: boolean;
        };
        Preview: {
            times: {
                at: components["schemas"]["Instant"];
                /** @description By the clock of the schedule’s zone. */
                local: string;
                /** @description What a change of clocks did. */
                note?: string;
            }[];
            /** @description The schedule in plain words. */
            description: string;
        };
        SigningSecret: {
            /** @description `whsec_…`, by Standard Webhooks. */
            secret: string;
            /** @description Rises with each rotation. */
            version: number;
            /** @description Earlier versions that deliveries are still signed with too, and until when. */
            signingAlong: {
                version: number;
                until: components["schemas"]["Instant"];
            }[];
        };
        DeploymentStatus: {
            /** @enum {string} */
            state: "running" | "stopped";
            stoppedAt: components["schemas"]["Instant"] | null;
            stoppedBy: string | null;
            /**
             * @description The schedule that sets planned work going.
             * @enum {string}
             */
            tick: "on" | "off";
            shards: number;
            scan: components["schemas"]["Cursors"];
            sweep: components["schemas"]["Cursors"];
        };
        Cursors: {
            /** @description Of the shard that is furthest behind; 0 while all keep up. */
            lagSec: number | null;
            shards: {
                shard: number;
                /** @description Everything before is done; null before the first tick. */
                at: components["schemas"]["Instant"] | null;
                lagSec: number | null;
            }[];
        };
    };
    responses: {
        /** @description Bad input; `errors` names each field. */
        Problem400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:quarterjack:problem:invalid-request",
                 *       "title": "Invalid request",
                 *       "status": 400,
                 *       "detail": "schedule: is required",
                 *       "instance": "urn:quarterjack:request:JKJaXmPLvHcESHA%3D",
                 *       "errors": [
                 *         {
                 *           "path": "schedule",
                 *           "message": "is required"
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many, or over a quota. Throttling by API Gateway names no time. */
        Problem429: {
            headers: {
                /** @description Seconds. */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:quarterjack:problem:too-many-requests",
                 *       "title": "Too many requests",
                 *       "status": 429,
                 *       "detail": "try again after the time that Retry-After names",
                 *       "instance": "urn:quarterjack:request:JKJaXmPLvHcESHA%3D"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
                /**
                 * @example {
                 *       "message": "Too Many Requests"
                 *     }
                 */
                "application/json": components["schemas"]["GatewayMessage"];
            };
        };
        /** @description A fault of Quarterjack; the log has its cause under `instance`. */
        Problem500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:quarterjack:problem:internal",
                 *       "title": "Internal error",
                 *       "status": 500,
                 *       "detail": "something went wrong that is not the request’s fault",
                 *       "instance": "urn:quarterjack:request:JKJaXmPLvHcESHA%3D"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
                /**
                 * @example {
                 *       "message": "Internal Server Error"
                 *     }
                 */
                "application/json": components["schemas"]["GatewayMessage"];
            };
        };
        /** @description No answer in time: the outcome is unknown, repeat the request. */
        Problem503: {
            headers: {
                /** @description Seconds. */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:quarterjack:problem:unavailable",
                 *       "title": "Unavailable",
                 *       "status": 503,
                 *       "detail": "no answer from the store in time; the outcome is unknown",
                 *       "instance": "urn:quarterjack:request:JKJaXmPLvHcESHA%3D"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
                /**
                 * @example {
                 *       "message": "Service Unavailable"
                 *     }
                 */
                "application/json": components["schemas"]["GatewayMessage"];
            };
        };
        /** @description No valid token. Where a JWT is asked for, it is API Gateway that says so. */
        Problem401: {
            headers: {
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:quarterjack:problem:unauthorized",
                 *       "title": "Unauthorized",
                 *       "status": 401,
                 *       "detail": "expected \"Authorization: Bearer\" with the Quarterjack-Token of an attempt",
                 *       "instance": "urn:quarterjack:request:JKJaXmPLvHcESHA%3D"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
                /**
                 * @example {
                 *       "message": "Unauthorized"
                 *     }
                 */
                "application/json": components["schemas"]["GatewayMessage"];
            };
        };
        /** @description The token does not allow it. */
        Problem403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:quarterjack:problem:forbidden",
                 *       "title": "Forbidden",
                 *       "status": 403,
                 *       "detail": "the token lacks the scope jobs:write",
                 *       "instance": "urn:quarterjack:request:JKJaXmPLvHcESHA%3D"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description It does not fit what there is. */
        Problem409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:quarterjack:problem:conflict",
                 *       "title": "Conflict",
                 *       "status": 409,
                 *       "detail": "the jobId \"invoice-reminder-42\" is taken",
                 *       "instance": "urn:quarterjack:request:JKJaXmPLvHcESHA%3D"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too large. Over 10 MB it is API Gateway that says so. */
        Problem413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:quarterjack:problem:too-large",
                 *       "title": "Too large",
                 *       "status": 413,
                 *       "detail": "payload must have at most 65536 bytes as JSON, not 70000",
                 *       "instance": "urn:quarterjack:request:JKJaXmPLvHcESHA%3D"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
                /**
                 * @example {
                 *       "message": "Request Entity Too Large"
                 *     }
                 */
                "application/json": components["schemas"]["GatewayMessage"];
            };
        };
        /** @description The `Idempotency-Key` was used with another body. */
        Problem422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:quarterjack:problem:idempotency-key-reused",
                 *       "title": "Idempotency-Key reused",
                 *       "status": 422,
                 *       "detail": "this Idempotency-Key was used with another body",
                 *       "instance": "urn:quarterjack:request:JKJaXmPLvHcESHA%3D"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No such thing, or another user’s. */
        Problem404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:quarterjack:problem:not-found",
                 *       "title": "Not found",
                 *       "status": 404,
                 *       "detail": "no such job",
                 *       "instance": "urn:quarterjack:request:JKJaXmPLvHcESHA%3D"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The job no longer has the ETag of `If-Match`. */
        Problem412: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:quarterjack:problem:precondition-failed",
                 *       "title": "Precondition failed",
                 *       "status": 412,
                 *       "detail": "the job no longer has the ETag of If-Match",
                 *       "instance": "urn:quarterjack:request:JKJaXmPLvHcESHA%3D"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They do. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "pass"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["Problem400"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.1"
                     *     }
                     */
                    "application/json": components["schemas"]["OpenApiDocument"];
                };
            };
            400: components["responses"]["Problem400"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listJobs: {
        parameters: {
            query?: {
                limit?: number;
                /** @description A `nextCursor` of the same list with the same filters. */
                cursor?: string;
                status?: "active" | "paused" | "completed";
                /** @description `key:value`, repeatable: a job must have all of them. */
                tag?: string[];
                /** @description Prefix of jobId or name. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of jobs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "jobId": "invoice-reminder-42",
                     *           "name": "Invoice reminder",
                     *           "schedule": {
                     *             "type": "cron",
                     *             "expression": "30 9 * * MON-FRI",
                     *             "timezone": "Europe/Berlin"
                     *           },
                     *           "payload": {
                     *             "invoice": 42
                     *           },
                     *           "priority": "medium",
                     *           "retry": {
                     *             "maxAttempts": 5,
                     *             "initialDelay": "10s",
                     *             "maxDelay": "1h",
                     *             "multiplier": 2,
                     *             "maxAge": "24h"
                     *           },
                     *           "timeout": "5m",
                     *           "tags": {
                     *             "team": "billing"
                     *           },
                     *           "target": {
                     *             "type": "http",
                     *             "url": "https://example.com/hook",
                     *             "method": "POST",
                     *             "headers": {},
                     *             "timeout": "30s",
                     *             "mode": "sync"
                     *           },
                     *           "pool": "default",
                     *           "misfire": {
                     *             "policy": "fire-once",
                     *             "grace": "60s",
                     *             "catchUpWindow": "1h"
                     *           },
                     *           "overlap": "allow",
                     *           "orderingKey": null,
                     *           "onFailure": "continue",
                     *           "status": "active",
                     *           "generation": 1,
                     *           "createdAt": "2026-11-30T16:20:11.084Z",
                     *           "updatedAt": "2026-11-30T16:20:11.084Z",
                     *           "nextFireAt": "2026-12-02T08:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["JobPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createJob: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jobId": "invoice-reminder-42",
                 *       "name": "Invoice reminder",
                 *       "schedule": {
                 *         "type": "cron",
                 *         "expression": "30 9 * * MON-FRI",
                 *         "timezone": "Europe/Berlin"
                 *       },
                 *       "payload": {
                 *         "invoice": 42
                 *       },
                 *       "priority": "medium",
                 *       "retry": {
                 *         "maxAttempts": 5,
                 *         "initialDelay": "10s",
                 *         "maxDelay": "1h",
                 *         "multiplier": 2,
                 *         "maxAge": "24h"
                 *       },
                 *       "timeout": "5m",
                 *       "tags": {
                 *         "team": "billing"
                 *       },
                 *       "target": {
                 *         "type": "http",
                 *         "url": "https://example.com/hook"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["JobDefinition"];
            };
        };
        responses: {
            /** @description The new job. */
            201: {
                headers: {
                    /** @description Changes with every change of the definition. */
                    ETag?: string;
                    /** @description Where what was made can be read. */
                    Location?: string;
                    /** @description `true` where an earlier request with the same key had done it. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "invoice-reminder-42",
                     *       "name": "Invoice reminder",
                     *       "schedule": {
                     *         "type": "cron",
                     *         "expression": "30 9 * * MON-FRI",
                     *         "timezone": "Europe/Berlin"
                     *       },
                     *       "payload": {
                     *         "invoice": 42
                     *       },
                     *       "priority": "medium",
                     *       "retry": {
                     *         "maxAttempts": 5,
                     *         "initialDelay": "10s",
                     *         "maxDelay": "1h",
                     *         "multiplier": 2,
                     *         "maxAge": "24h"
                     *       },
                     *       "timeout": "5m",
                     *       "tags": {
                     *         "team": "billing"
                     *       },
                     *       "target": {
                     *         "type": "http",
                     *         "url": "https://example.com/hook",
                     *         "method": "POST",
                     *         "headers": {},
                     *         "timeout": "30s",
                     *         "mode": "sync"
                     *       },
                     *       "pool": "default",
                     *       "misfire": {
                     *         "policy": "fire-once",
                     *         "grace": "60s",
                     *         "catchUpWindow": "1h"
                     *       },
                     *       "overlap": "allow",
                     *       "orderingKey": null,
                     *       "onFailure": "continue",
                     *       "status": "active",
                     *       "generation": 1,
                     *       "createdAt": "2026-11-30T16:20:11.084Z",
                     *       "updatedAt": "2026-11-30T16:20:11.084Z",
                     *       "nextFireAt": "2026-12-02T08:30:00.000Z",
                     *       "lastExecution": {
                     *         "execId": "20261201T083000.000Z",
                     *         "status": "succeeded",
                     *         "dueAt": "2026-12-01T08:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createJobs: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jobs": [
                 *         {
                 *           "jobId": "invoice-reminder-42",
                 *           "name": "Invoice reminder",
                 *           "schedule": {
                 *             "type": "cron",
                 *             "expression": "30 9 * * MON-FRI",
                 *             "timezone": "Europe/Berlin"
                 *           },
                 *           "payload": {
                 *             "invoice": 42
                 *           },
                 *           "priority": "medium",
                 *           "retry": {
                 *             "maxAttempts": 5,
                 *             "initialDelay": "10s",
                 *             "maxDelay": "1h",
                 *             "multiplier": 2,
                 *             "maxAge": "24h"
                 *           },
                 *           "timeout": "5m",
                 *           "tags": {
                 *             "team": "billing"
                 *           },
                 *           "target": {
                 *             "type": "http",
                 *             "url": "https://example.com/hook"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["JobBatch"];
            };
        };
        responses: {
            /** @description An outcome for each item, in order. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcomes": [
                     *         {
                     *           "index": 0,
                     *           "status": 201,
                     *           "job": {
                     *             "jobId": "invoice-reminder-42",
                     *             "name": "Invoice reminder",
                     *             "schedule": {
                     *               "type": "cron",
                     *               "expression": "30 9 * * MON-FRI",
                     *               "timezone": "Europe/Berlin"
                     *             },
                     *             "payload": {
                     *               "invoice": 42
                     *             },
                     *             "priority": "medium",
                     *             "retry": {
                     *               "maxAttempts": 5,
                     *               "initialDelay": "10s",
                     *               "maxDelay": "1h",
                     *               "multiplier": 2,
                     *               "maxAge": "24h"
                     *             },
                     *             "timeout": "5m",
                     *             "tags": {
                     *               "team": "billing"
                     *             },
                     *             "target": {
                     *               "type": "http",
                     *               "url": "https://example.com/hook",
                     *               "method": "POST",
                     *               "headers": {},
                     *               "timeout": "30s",
                     *               "mode": "sync"
                     *             },
                     *             "pool": "default",
                     *             "misfire": {
                     *               "policy": "fire-once",
                     *               "grace": "60s",
                     *               "catchUpWindow": "1h"
                     *             },
                     *             "overlap": "allow",
                     *             "orderingKey": null,
                     *             "onFailure": "continue",
                     *             "status": "active",
                     *             "generation": 1,
                     *             "createdAt": "2026-11-30T16:20:11.084Z",
                     *             "updatedAt": "2026-11-30T16:20:11.084Z",
                     *             "nextFireAt": "2026-12-02T08:30:00.000Z",
                     *             "lastExecution": {
                     *               "execId": "20261201T083000.000Z",
                     *               "status": "succeeded",
                     *               "dueAt": "2026-12-01T08:30:00.000Z"
                     *             }
                     *           },
                     *           "replayed": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BatchOutcomes"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job, with its newest execution. */
            200: {
                headers: {
                    /** @description Changes with every change of the definition. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "invoice-reminder-42",
                     *       "name": "Invoice reminder",
                     *       "schedule": {
                     *         "type": "cron",
                     *         "expression": "30 9 * * MON-FRI",
                     *         "timezone": "Europe/Berlin"
                     *       },
                     *       "payload": {
                     *         "invoice": 42
                     *       },
                     *       "priority": "medium",
                     *       "retry": {
                     *         "maxAttempts": 5,
                     *         "initialDelay": "10s",
                     *         "maxDelay": "1h",
                     *         "multiplier": 2,
                     *         "maxAge": "24h"
                     *       },
                     *       "timeout": "5m",
                     *       "tags": {
                     *         "team": "billing"
                     *       },
                     *       "target": {
                     *         "type": "http",
                     *         "url": "https://example.com/hook",
                     *         "method": "POST",
                     *         "headers": {},
                     *         "timeout": "30s",
                     *         "mode": "sync"
                     *       },
                     *       "pool": "default",
                     *       "misfire": {
                     *         "policy": "fire-once",
                     *         "grace": "60s",
                     *         "catchUpWindow": "1h"
                     *       },
                     *       "overlap": "allow",
                     *       "orderingKey": null,
                     *       "onFailure": "continue",
                     *       "status": "active",
                     *       "generation": 1,
                     *       "createdAt": "2026-11-30T16:20:11.084Z",
                     *       "updatedAt": "2026-11-30T16:20:11.084Z",
                     *       "nextFireAt": "2026-12-02T08:30:00.000Z",
                     *       "lastExecution": {
                     *         "execId": "20261201T083000.000Z",
                     *         "status": "succeeded",
                     *         "dueAt": "2026-12-01T08:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    putJob: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
                "If-None-Match"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Invoice reminder",
                 *       "schedule": {
                 *         "type": "cron",
                 *         "expression": "30 9 * * MON-FRI",
                 *         "timezone": "Europe/Berlin"
                 *       },
                 *       "payload": {
                 *         "invoice": 42
                 *       },
                 *       "priority": "medium",
                 *       "retry": {
                 *         "maxAttempts": 5,
                 *         "initialDelay": "10s",
                 *         "maxDelay": "1h",
                 *         "multiplier": 2,
                 *         "maxAge": "24h"
                 *       },
                 *       "timeout": "5m",
                 *       "tags": {
                 *         "team": "billing"
                 *       },
                 *       "target": {
                 *         "type": "http",
                 *         "url": "https://example.com/hook"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["JobDefinition"];
            };
        };
        responses: {
            /** @description The job as it is now. */
            200: {
                headers: {
                    /** @description Changes with every change of the definition. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "invoice-reminder-42",
                     *       "name": "Invoice reminder",
                     *       "schedule": {
                     *         "type": "cron",
                     *         "expression": "30 9 * * MON-FRI",
                     *         "timezone": "Europe/Berlin"
                     *       },
                     *       "payload": {
                     *         "invoice": 42
                     *       },
                     *       "priority": "medium",
                     *       "retry": {
                     *         "maxAttempts": 5,
                     *         "initialDelay": "10s",
                     *         "maxDelay": "1h",
                     *         "multiplier": 2,
                     *         "maxAge": "24h"
                     *       },
                     *       "timeout": "5m",
                     *       "tags": {
                     *         "team": "billing"
                     *       },
                     *       "target": {
                     *         "type": "http",
                     *         "url": "https://example.com/hook",
                     *         "method": "POST",
                     *         "headers": {},
                     *         "timeout": "30s",
                     *         "mode": "sync"
                     *       },
                     *       "pool": "default",
                     *       "misfire": {
                     *         "policy": "fire-once",
                     *         "grace": "60s",
                     *         "catchUpWindow": "1h"
                     *       },
                     *       "overlap": "allow",
                     *       "orderingKey": null,
                     *       "onFailure": "continue",
                     *       "status": "active",
                     *       "generation": 1,
                     *       "createdAt": "2026-11-30T16:20:11.084Z",
                     *       "updatedAt": "2026-11-30T16:20:11.084Z",
                     *       "nextFireAt": "2026-12-02T08:30:00.000Z",
                     *       "lastExecution": {
                     *         "execId": "20261201T083000.000Z",
                     *         "status": "succeeded",
                     *         "dueAt": "2026-12-01T08:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description The new job. */
            201: {
                headers: {
                    /** @description Changes with every change of the definition. */
                    ETag?: string;
                    /** @description Where what was made can be read. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "invoice-reminder-42",
                     *       "name": "Invoice reminder",
                     *       "schedule": {
                     *         "type": "cron",
                     *         "expression": "30 9 * * MON-FRI",
                     *         "timezone": "Europe/Berlin"
                     *       },
                     *       "payload": {
                     *         "invoice": 42
                     *       },
                     *       "priority": "medium",
                     *       "retry": {
                     *         "maxAttempts": 5,
                     *         "initialDelay": "10s",
                     *         "maxDelay": "1h",
                     *         "multiplier": 2,
                     *         "maxAge": "24h"
                     *       },
                     *       "timeout": "5m",
                     *       "tags": {
                     *         "team": "billing"
                     *       },
                     *       "target": {
                     *         "type": "http",
                     *         "url": "https://example.com/hook",
                     *         "method": "POST",
                     *         "headers": {},
                     *         "timeout": "30s",
                     *         "mode": "sync"
                     *       },
                     *       "pool": "default",
                     *       "misfire": {
                     *         "policy": "fire-once",
                     *         "grace": "60s",
                     *         "catchUpWindow": "1h"
                     *       },
                     *       "overlap": "allow",
                     *       "orderingKey": null,
                     *       "onFailure": "continue",
                     *       "status": "active",
                     *       "generation": 1,
                     *       "createdAt": "2026-11-30T16:20:11.084Z",
                     *       "updatedAt": "2026-11-30T16:20:11.084Z",
                     *       "nextFireAt": "2026-12-02T08:30:00.000Z",
                     *       "lastExecution": {
                     *         "execId": "20261201T083000.000Z",
                     *         "status": "succeeded",
                     *         "dueAt": "2026-12-01T08:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteJob: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone: nothing of it starts any more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    patchJob: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "priority": "high",
                 *       "tags": {
                 *         "team": null
                 *       }
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["JobPatch"];
                /**
                 * @example {
                 *       "priority": "high",
                 *       "tags": {
                 *         "team": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["JobPatch"];
            };
        };
        responses: {
            /** @description The job as it is now. */
            200: {
                headers: {
                    /** @description Changes with every change of the definition. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "invoice-reminder-42",
                     *       "name": "Invoice reminder",
                     *       "schedule": {
                     *         "type": "cron",
                     *         "expression": "30 9 * * MON-FRI",
                     *         "timezone": "Europe/Berlin"
                     *       },
                     *       "payload": {
                     *         "invoice": 42
                     *       },
                     *       "priority": "medium",
                     *       "retry": {
                     *         "maxAttempts": 5,
                     *         "initialDelay": "10s",
                     *         "maxDelay": "1h",
                     *         "multiplier": 2,
                     *         "maxAge": "24h"
                     *       },
                     *       "timeout": "5m",
                     *       "tags": {
                     *         "team": "billing"
                     *       },
                     *       "target": {
                     *         "type": "http",
                     *         "url": "https://example.com/hook",
                     *         "method": "POST",
                     *         "headers": {},
                     *         "timeout": "30s",
                     *         "mode": "sync"
                     *       },
                     *       "pool": "default",
                     *       "misfire": {
                     *         "policy": "fire-once",
                     *         "grace": "60s",
                     *         "catchUpWindow": "1h"
                     *       },
                     *       "overlap": "allow",
                     *       "orderingKey": null,
                     *       "onFailure": "continue",
                     *       "status": "active",
                     *       "generation": 1,
                     *       "createdAt": "2026-11-30T16:20:11.084Z",
                     *       "updatedAt": "2026-11-30T16:20:11.084Z",
                     *       "nextFireAt": "2026-12-02T08:30:00.000Z",
                     *       "lastExecution": {
                     *         "execId": "20261201T083000.000Z",
                     *         "status": "succeeded",
                     *         "dueAt": "2026-12-01T08:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    pauseJob: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description The job as it is now. */
            200: {
                headers: {
                    /** @description Changes with every change of the definition. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "invoice-reminder-42",
                     *       "name": "Invoice reminder",
                     *       "schedule": {
                     *         "type": "cron",
                     *         "expression": "30 9 * * MON-FRI",
                     *         "timezone": "Europe/Berlin"
                     *       },
                     *       "payload": {
                     *         "invoice": 42
                     *       },
                     *       "priority": "medium",
                     *       "retry": {
                     *         "maxAttempts": 5,
                     *         "initialDelay": "10s",
                     *         "maxDelay": "1h",
                     *         "multiplier": 2,
                     *         "maxAge": "24h"
                     *       },
                     *       "timeout": "5m",
                     *       "tags": {
                     *         "team": "billing"
                     *       },
                     *       "target": {
                     *         "type": "http",
                     *         "url": "https://example.com/hook",
                     *         "method": "POST",
                     *         "headers": {},
                     *         "timeout": "30s",
                     *         "mode": "sync"
                     *       },
                     *       "pool": "default",
                     *       "misfire": {
                     *         "policy": "fire-once",
                     *         "grace": "60s",
                     *         "catchUpWindow": "1h"
                     *       },
                     *       "overlap": "allow",
                     *       "orderingKey": null,
                     *       "onFailure": "continue",
                     *       "status": "paused",
                     *       "generation": 2,
                     *       "createdAt": "2026-11-30T16:20:11.084Z",
                     *       "updatedAt": "2026-11-30T16:20:11.084Z",
                     *       "nextFireAt": null,
                     *       "lastExecution": {
                     *         "execId": "20261201T083000.000Z",
                     *         "status": "succeeded",
                     *         "dueAt": "2026-12-01T08:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    resumeJob: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description The job as it is now. */
            200: {
                headers: {
                    /** @description Changes with every change of the definition. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "invoice-reminder-42",
                     *       "name": "Invoice reminder",
                     *       "schedule": {
                     *         "type": "cron",
                     *         "expression": "30 9 * * MON-FRI",
                     *         "timezone": "Europe/Berlin"
                     *       },
                     *       "payload": {
                     *         "invoice": 42
                     *       },
                     *       "priority": "medium",
                     *       "retry": {
                     *         "maxAttempts": 5,
                     *         "initialDelay": "10s",
                     *         "maxDelay": "1h",
                     *         "multiplier": 2,
                     *         "maxAge": "24h"
                     *       },
                     *       "timeout": "5m",
                     *       "tags": {
                     *         "team": "billing"
                     *       },
                     *       "target": {
                     *         "type": "http",
                     *         "url": "https://example.com/hook",
                     *         "method": "POST",
                     *         "headers": {},
                     *         "timeout": "30s",
                     *         "mode": "sync"
                     *       },
                     *       "pool": "default",
                     *       "misfire": {
                     *         "policy": "fire-once",
                     *         "grace": "60s",
                     *         "catchUpWindow": "1h"
                     *       },
                     *       "overlap": "allow",
                     *       "orderingKey": null,
                     *       "onFailure": "continue",
                     *       "status": "active",
                     *       "generation": 1,
                     *       "createdAt": "2026-11-30T16:20:11.084Z",
                     *       "updatedAt": "2026-11-30T16:20:11.084Z",
                     *       "nextFireAt": "2026-12-02T08:30:00.000Z",
                     *       "lastExecution": {
                     *         "execId": "20261201T083000.000Z",
                     *         "status": "succeeded",
                     *         "dueAt": "2026-12-01T08:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    runJob: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "payload": {
                 *         "invoice": 43
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RunRequest"];
            };
        };
        responses: {
            /** @description The execution, waiting for its executor. */
            202: {
                headers: {
                    /** @description Where what was made can be read. */
                    Location?: string;
                    /** @description `true` where an earlier request with the same key had done it. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "invoice-reminder-42",
                     *       "execId": "20261201T101502.118Z-5f0c2a71d9e84b36",
                     *       "trigger": "manual",
                     *       "dueAt": "2026-12-01T10:15:02.118Z",
                     *       "status": "queued",
                     *       "reason": null,
                     *       "skipped": null,
                     *       "latenessMs": null,
                     *       "startedAt": null,
                     *       "finishedAt": null,
                     *       "heartbeatAt": null,
                     *       "attempts": [],
                     *       "targets": [
                     *         {
                     *           "index": 0,
                     *           "status": "queued"
                     *         }
                     *       ],
                     *       "result": null
                     *     }
                     */
                    "application/json": components["schemas"]["Execution"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listUpcoming: {
        parameters: {
            query?: {
                count?: number;
            };
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Due times. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "times": [
                     *         {
                     *           "at": "2026-12-02T08:30:00.000Z",
                     *           "local": "2026-12-02T09:30:00+01:00"
                     *         },
                     *         {
                     *           "at": "2026-12-03T08:30:00.000Z",
                     *           "local": "2026-12-03T09:30:00+01:00"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Times"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listExecutions: {
        parameters: {
            query?: {
                limit?: number;
                /** @description A `nextCursor` of the same list with the same filters. */
                cursor?: string;
                order?: "asc" | "desc";
                status?: "scheduled" | "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled" | "skipped";
                /** @description Due times from this one on. */
                from?: string;
                /** @description Due times before this one. */
                to?: string;
            };
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of executions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "jobId": "invoice-reminder-42",
                     *           "execId": "20261201T083000.000Z",
                     *           "trigger": "schedule",
                     *           "dueAt": "2026-12-01T08:30:00.000Z",
                     *           "status": "succeeded",
                     *           "reason": null,
                     *           "skipped": null,
                     *           "latenessMs": 41,
                     *           "startedAt": "2026-12-01T08:30:00.041Z",
                     *           "finishedAt": "2026-12-01T08:30:00.312Z",
                     *           "heartbeatAt": "2026-12-01T08:30:00.041Z",
                     *           "attempts": [
                     *             {
                     *               "attempt": 1,
                     *               "fence": 1,
                     *               "startedAt": "2026-12-01T08:30:00.041Z",
                     *               "finishedAt": "2026-12-01T08:30:00.312Z",
                     *               "outcome": "succeeded",
                     *               "target": 0,
                     *               "statusCode": 200,
                     *               "error": null
                     *             }
                     *           ],
                     *           "targets": [
                     *             {
                     *               "index": 0,
                     *               "status": "succeeded"
                     *             }
                     *           ],
                     *           "result": {
                     *             "statusCode": 200,
                     *             "body": "ok"
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ExecutionPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
                execId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution with its attempts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "invoice-reminder-42",
                     *       "execId": "20261201T083000.000Z",
                     *       "trigger": "schedule",
                     *       "dueAt": "2026-12-01T08:30:00.000Z",
                     *       "status": "succeeded",
                     *       "reason": null,
                     *       "skipped": null,
                     *       "latenessMs": 41,
                     *       "startedAt": "2026-12-01T08:30:00.041Z",
                     *       "finishedAt": "2026-12-01T08:30:00.312Z",
                     *       "heartbeatAt": "2026-12-01T08:30:00.041Z",
                     *       "attempts": [
                     *         {
                     *           "attempt": 1,
                     *           "fence": 1,
                     *           "startedAt": "2026-12-01T08:30:00.041Z",
                     *           "finishedAt": "2026-12-01T08:30:00.312Z",
                     *           "outcome": "succeeded",
                     *           "target": 0,
                     *           "statusCode": 200,
                     *           "error": null
                     *         }
                     *       ],
                     *       "targets": [
                     *         {
                     *           "index": 0,
                     *           "status": "succeeded"
                     *         }
                     *       ],
                     *       "result": {
                     *         "statusCode": 200,
                     *         "body": "ok"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Execution"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    cancelExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
                execId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description The execution, cancelled or about to be. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "invoice-reminder-42",
                     *       "execId": "20261201T101502.118Z-5f0c2a71d9e84b36",
                     *       "trigger": "manual",
                     *       "dueAt": "2026-12-01T10:15:02.118Z",
                     *       "status": "cancelled",
                     *       "reason": "cancelled-by-user",
                     *       "skipped": null,
                     *       "latenessMs": null,
                     *       "startedAt": null,
                     *       "finishedAt": "2026-12-01T10:15:03.540Z",
                     *       "heartbeatAt": null,
                     *       "attempts": [],
                     *       "targets": [
                     *         {
                     *           "index": 0,
                     *           "status": "cancelled"
                     *         }
                     *       ],
                     *       "result": null
                     *     }
                     */
                    "application/json": components["schemas"]["Execution"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    retryExecution: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                jobId: string;
                execId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description The execution, waiting for its attempt. */
            202: {
                headers: {
                    /** @description `true` where an earlier request with the same key had done it. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "invoice-reminder-42",
                     *       "execId": "20261201T083000.000Z",
                     *       "trigger": "schedule",
                     *       "dueAt": "2026-12-01T08:30:00.000Z",
                     *       "status": "retrying",
                     *       "reason": null,
                     *       "skipped": null,
                     *       "latenessMs": 41,
                     *       "startedAt": "2026-12-01T08:30:00.041Z",
                     *       "finishedAt": null,
                     *       "heartbeatAt": "2026-12-01T08:30:00.041Z",
                     *       "attempts": [
                     *         {
                     *           "attempt": 1,
                     *           "fence": 1,
                     *           "startedAt": "2026-12-01T08:30:00.041Z",
                     *           "finishedAt": "2026-12-01T08:30:00.312Z",
                     *           "outcome": "retriable",
                     *           "target": 0,
                     *           "statusCode": 503,
                     *           "error": "answered 503"
                     *         }
                     *       ],
                     *       "targets": [
                     *         {
                     *           "index": 0,
                     *           "status": "retrying"
                     *         }
                     *       ],
                     *       "result": null
                     *     }
                     */
                    "application/json": components["schemas"]["Execution"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getOrderingKey: {
        parameters: {
            query: {
                orderingKey: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where the executions that share the key stand. A key nobody uses is free. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "orderingKey": "customer/42",
                     *       "holder": {
                     *         "jobId": "invoice-reminder-42",
                     *         "execId": "20261201T083000.000Z",
                     *         "status": "failed"
                     *       },
                     *       "blocked": true,
                     *       "waiting": [
                     *         {
                     *           "jobId": "dunning-42",
                     *           "execId": "20261201T090000.000Z",
                     *           "dueAt": "2026-12-01T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OrderingKey"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    unblockOrderingKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "orderingKey": "customer/42"
                 *     }
                 */
                "application/json": components["schemas"]["OrderingKeyRequest"];
            };
        };
        responses: {
            /** @description Where the executions that share the key stand now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "orderingKey": "customer/42",
                     *       "holder": null,
                     *       "blocked": false,
                     *       "waiting": [
                     *         {
                     *           "jobId": "dunning-42",
                     *           "execId": "20261201T090000.000Z",
                     *           "dueAt": "2026-12-01T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OrderingKey"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listFailures: {
        parameters: {
            query?: {
                limit?: number;
                /** @description A `nextCursor` of the same list with the same filters. */
                cursor?: string;
                status?: "failed" | "skipped";
                /** @description Due times from this one on; a week before `to` if absent. */
                from?: string;
                /** @description Due times before this one; now if absent. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of executions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "jobId": "invoice-reminder-42",
                     *           "execId": "20261201T083000.000Z",
                     *           "trigger": "schedule",
                     *           "dueAt": "2026-12-01T08:30:00.000Z",
                     *           "status": "failed",
                     *           "reason": "attempts-exhausted",
                     *           "skipped": null,
                     *           "latenessMs": 41,
                     *           "startedAt": "2026-12-01T08:30:00.041Z",
                     *           "finishedAt": "2026-12-01T08:30:00.312Z",
                     *           "heartbeatAt": "2026-12-01T08:30:00.041Z",
                     *           "attempts": [
                     *             {
                     *               "attempt": 1,
                     *               "fence": 1,
                     *               "startedAt": "2026-12-01T08:30:00.041Z",
                     *               "finishedAt": "2026-12-01T08:30:00.312Z",
                     *               "outcome": "retriable",
                     *               "target": 0,
                     *               "statusCode": 503,
                     *               "error": "answered 503"
                     *             }
                     *           ],
                     *           "targets": [
                     *             {
                     *               "index": 0,
                     *               "status": "failed"
                     *             }
                     *           ],
                     *           "result": {
                     *             "statusCode": 503,
                     *             "body": "down for maintenance"
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ExecutionPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    heartbeatAttempt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description The lease holds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "running",
                     *       "cancelRequested": false
                     *     }
                     */
                    "application/json": components["schemas"]["Report"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    completeAttempt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "result": {
                 *         "rows": 7
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CompletedAttempt"];
            };
        };
        responses: {
            /** @description It is on record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "succeeded"
                     *     }
                     */
                    "application/json": components["schemas"]["Report"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    failAttempt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "error": "disk full",
                 *       "retriable": true
                 *     }
                 */
                "application/json": components["schemas"]["FailedAttempt"];
            };
        };
        responses: {
            /** @description It is on record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "retrying"
                     *     }
                     */
                    "application/json": components["schemas"]["Report"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    previewSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schedule": {
                 *         "type": "cron",
                 *         "expression": "30 9 * * MON-FRI",
                 *         "timezone": "Europe/Berlin"
                 *       },
                 *       "count": 2,
                 *       "from": "2026-12-02T00:00:00Z"
                 *     }
                 */
                "application/json": {
                    schedule: components["schemas"]["Schedule"];
                    /** @default 10 */
                    count?: number;
                    /** Format: date-time */
                    from?: string;
                };
            };
        };
        responses: {
            /** @description Due times and a description. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "times": [
                     *         {
                     *           "at": "2026-12-02T08:30:00.000Z",
                     *           "local": "2026-12-02T09:30:00+01:00"
                     *         },
                     *         {
                     *           "at": "2026-12-03T08:30:00.000Z",
                     *           "local": "2026-12-03T09:30:00+01:00"
                     *         }
                     *       ],
                     *       "description": "At 09:30, Monday through Friday, in Europe/Berlin"
                     *     }
                     */
                    "application/json": components["schemas"]["Preview"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSigningSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret in force. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
                     *       "version": 1,
                     *       "signingAlong": []
                     *     }
                     */
                    "application/json": components["schemas"]["SigningSecret"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    rotateSigningSecret: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    /** @description `true` where an earlier request with the same key had done it. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
                     *       "version": 2,
                     *       "signingAlong": [
                     *         {
                     *           "version": 1,
                     *           "until": "2026-12-02T10:15:02.118Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SigningSecret"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "running",
                     *       "stoppedAt": null,
                     *       "stoppedBy": null,
                     *       "tick": "on",
                     *       "shards": 2,
                     *       "scan": {
                     *         "lagSec": 0,
                     *         "shards": [
                     *           {
                     *             "shard": 0,
                     *             "at": "2026-12-01T08:33:00.000Z",
                     *             "lagSec": 0
                     *           },
                     *           {
                     *             "shard": 1,
                     *             "at": "2026-12-01T08:33:00.000Z",
                     *             "lagSec": 0
                     *           }
                     *         ]
                     *       },
                     *       "sweep": {
                     *         "lagSec": 0,
                     *         "shards": [
                     *           {
                     *             "shard": 0,
                     *             "at": "2026-12-01T08:33:00.000Z",
                     *             "lagSec": 0
                     *           },
                     *           {
                     *             "shard": 1,
                     *             "at": "2026-12-01T08:33:00.000Z",
                     *             "lagSec": 0
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentStatus"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    stopDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description The status, stopped. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "stopped",
                     *       "stoppedAt": "2026-12-01T08:30:00.000Z",
                     *       "stoppedBy": "operator-1",
                     *       "tick": "off",
                     *       "shards": 2,
                     *       "scan": {
                     *         "lagSec": 0,
                     *         "shards": [
                     *           {
                     *             "shard": 0,
                     *             "at": "2026-12-01T08:33:00.000Z",
                     *             "lagSec": 0
                     *           },
                     *           {
                     *             "shard": 1,
                     *             "at": "2026-12-01T08:33:00.000Z",
                     *             "lagSec": 0
                     *           }
                     *         ]
                     *       },
                     *       "sweep": {
                     *         "lagSec": 0,
                     *         "shards": [
                     *           {
                     *             "shard": 0,
                     *             "at": "2026-12-01T08:33:00.000Z",
                     *             "lagSec": 0
                     *           },
                     *           {
                     *             "shard": 1,
                     *             "at": "2026-12-01T08:33:00.000Z",
                     *             "lagSec": 0
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentStatus"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    startDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description The status, running. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "running",
                     *       "stoppedAt": null,
                     *       "stoppedBy": null,
                     *       "tick": "on",
                     *       "shards": 2,
                     *       "scan": {
                     *         "lagSec": 0,
                     *         "shards": [
                     *           {
                     *             "shard": 0,
                     *             "at": "2026-12-01T08:33:00.000Z",
                     *             "lagSec": 0
                     *           },
                     *           {
                     *             "shard": 1,
                     *             "at": "2026-12-01T08:33:00.000Z",
                     *             "lagSec": 0
                     *           }
                     *         ]
                     *       },
                     *       "sweep": {
                     *         "lagSec": 0,
                     *         "shards": [
                     *           {
                     *             "shard": 0,
                     *             "at": "2026-12-01T08:33:00.000Z",
                     *             "lagSec": 0
                     *           },
                     *           {
                     *             "shard": 1,
                     *             "at": "2026-12-01T08:33:00.000Z",
                     *             "lagSec": 0
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeploymentStatus"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
}
