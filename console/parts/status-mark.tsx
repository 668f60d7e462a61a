import type { ComponentChildren } from 'preact';

import { Glyph } from './icons';

/** Ends of executions, states on the way there, and states of jobs. */
export type Status =
  | 'succeeded'
  | 'failed'
  | 'running'
  | 'retrying'
  | 'skipped'
  | 'cancelled'
  | 'queued'
  | 'scheduled'
  | 'active'
  | 'paused'
  | 'completed';

const ring = <circle cx="8" cy="8" r="6.2" />;

/** One shape for each status, so that colour is never the only sign. */
export const STATUS_SHAPES: Record<Status, ComponentChildren> = {
  succeeded: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" stroke="none" />
      <path d="m5 8.2 2.2 2.2 4-4.4" stroke="var(--surface)" />
    </>
  ),
  failed: (
    <>
      <path d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z" fill="currentColor" stroke="none" />
      <path d="m5.8 5.8 4.4 4.4m0-4.4-4.4 4.4" stroke="var(--surface)" />
    </>
  ),
  running: (
    <>
      <circle cx="8" cy="8" r="6.2" stroke-opacity=".35" />
      <path d="M8 1.8A6.2 6.2 0 0 1 14.2 8" stroke-width="2" />
    </>
  ),
  retrying: (
    <>
      <path d="M13.8 8a5.8 5.8 0 1 1-1.8-4.2" />
      <path d="M14 1.8v3h-3" />
    </>
  ),
  skipped: (
    <>
      <path d="m8 1 7 7-7 7-7-7z" fill="currentColor" stroke="none" />
      <path d="M6 5.6 8.4 8 6 10.4M9.8 5.6v4.8" stroke="var(--surface)" stroke-width="1.5" />
    </>
  ),
  cancelled: (
    <>
      <rect x="1.5" y="1.5" width="13" height="13" rx="2.5" />
      <path d="M5 8h6" />
    </>
  ),
  queued: (
    <>
      {ring}
      <path d="M8 4.8V8l2 1.6" />
    </>
  ),
  scheduled: <circle cx="8" cy="8" r="6.2" stroke-dasharray="2.2 2.7" />,
  active: (
    <>
      {ring}
      <circle cx="8" cy="8" r="2.8" fill="currentColor" stroke="none" />
    </>
  ),
  paused: (
    <>
      {ring}
      <path d="M6.5 5.8v4.4m3-4.4v4.4" />
    </>
  ),
  completed: (
    <>
      {ring}
      <path d="m5.5 8.2 1.8 1.8 3.3-3.6" />
    </>
  ),
};

interface MarkProps {
  status: Status;
  /** Another word than the status. */
  text?: string;
  /** The word is for screen readers only. */
  bare?: boolean;
  size?: number;
}

/** A status as shape, colour and word. */
export const Mark = ({ status, text = status, bare = false, size = 14 }: MarkProps) => (
  <span class={`mark s-${status}`}>
    <Glyph size={size} class={status === 'running' ? 'turning' : undefined}>
      {STATUS_SHAPES[status]}
    </Glyph>
    {bare ? <span class="hidden">{text}</span> : text}
  </span>
);
