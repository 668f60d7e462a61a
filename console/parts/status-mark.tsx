import type { ComponentChildren } from 'preact';

import { Glyph } from './icons';

/** Ends of executions, states on the way there, states of jobs, and what became of tasks that did not run. */
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
  | 'completed'
  | 'waiting'
  | 'blocked'
  | 'excluded'
  | 'stopped'
  | 'held'
  | 'approval';

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
  waiting: (
    <>
      <circle cx="8" cy="8" r="6.2" stroke-dasharray="2.2 2.7" />
      <path d="M5.4 8h.01M8 8h.01M10.6 8h.01" stroke-width="2" />
    </>
  ),
  blocked: (
    <>
      {ring}
      <path d="M3.8 3.8l8.4 8.4" />
    </>
  ),
  excluded: (
    <>
      <path d="m8 1.2 6.8 6.8L8 14.8 1.2 8z" />
      <path d="M5.6 8h4.8" />
    </>
  ),
  stopped: (
    <>
      <rect x="1.5" y="1.5" width="13" height="13" rx="2.5" />
      <rect x="5.4" y="5.4" width="5.2" height="5.2" fill="currentColor" stroke="none" />
    </>
  ),
  held: (
    <>
      <path d="M4.6 1.8h6.8L15 8l-3.6 6.2H4.6L1 8z" />
      <path d="M6.5 5.8v4.4m3-4.4v4.4" />
    </>
  ),
  approval: (
    <>
      <path d="M8 1.3 13.7 3.6v4c0 3.3-2.4 5.8-5.7 7.1-3.3-1.3-5.7-3.8-5.7-7.1v-4z" />
      <path d="m5.5 8 1.8 1.8 3.3-3.6" />
    </>
  ),
};

/** A status of the API as one that has a shape. A status that this page does not know looks like `queued`. */
export const shapeOf = (status: string): Status =>
  Object.hasOwn(STATUS_SHAPES, status) ? (status as Status) : 'queued';

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

/** The shape of a status within a drawing, at the position that `x` and `y` name. */
export const Shape = ({
  status,
  x,
  y,
  size = 14,
}: {
  status: Status;
  x: number;
  y: number;
  size?: number;
}) => (
  <svg x={x} y={y} width={size} height={size} class={`s-${status}`}>
    <Glyph size={size} class={status === 'running' ? 'turning' : undefined}>
      {STATUS_SHAPES[status]}
    </Glyph>
  </svg>
);
