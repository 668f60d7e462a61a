import type { Trigger } from '../../domain/execution';
import type { JobDefinition } from '../../domain/job';
import type { ExecutionStatus } from '../../domain/transitions';

/** An instant: RFC 3339 in UTC with milliseconds. */
export type InstantText = string;

/** A job as its user sees it: the definition as given, and what follows from it. */
export interface JobView extends Omit<JobDefinition, 'target'> {
  jobId: string;
  target: JobDefinition['target'] & { mode: 'sync' };
  /** `completed`: no occurrence is left, and the last one has ended. */
  status: 'active' | 'paused' | 'completed';
  generation: number;
  createdAt: InstantText;
  updatedAt: InstantText;
  nextFireAt: InstantText | null;
  /** Not in lists. */
  lastExecution?: { execId: string; status: ExecutionStatus; dueAt: InstantText } | null;
}

export interface AttemptView {
  attempt: number;
  fence: number;
  startedAt: InstantText;
  finishedAt: InstantText;
  outcome: string;
  target: number;
  statusCode: number | null;
  error: string | null;
}

export interface ExecutionView {
  jobId: string;
  execId: string;
  trigger: Trigger;
  dueAt: InstantText;
  status: ExecutionStatus;
  reason: string | null;
  /** Where one record stands for neighbouring occurrences. */
  skipped: { from: InstantText; to: InstantText; count: number } | null;
  latenessMs: number | null;
  startedAt: InstantText | null;
  finishedAt: InstantText | null;
  heartbeatAt: InstantText | null;
  attempts: AttemptView[];
  targets: { index: number; status: ExecutionStatus }[];
  result: { statusCode: number | null; body: string | null } | null;
}

export interface PageView<Item> {
  items: Item[];
  nextCursor: string | null;
}

export interface TimesView {
  /** `local`: by the clock of the schedule's zone. `note`: what a change of clocks did. */
  times: { at: InstantText; local: string; note?: string }[];
}

export interface PreviewView extends TimesView {
  /** In plain words. */
  description: string;
}

/** RFC 9457. */
export interface ProblemView {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  /** Bad input only. `path` is dotted; `body` for the body as a whole. */
  errors?: { path: string; message: string }[];
}

export interface SigningSecretView {
  /** `whsec_…`, by Standard Webhooks. */
  secret: string;
  version: number;
}
