import { useState } from 'preact/hooks';

import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import { useCan } from '../../api/project';
import { now } from '../../app/now';
import { useAction } from '../../parts/action';
import { AskDialog, Choices } from '../../parts/dialog';
import { Instant } from '../../parts/instant';
import { HOUR_MS } from '../../time/format';
import type { FailureGroup } from './groups';

type Acked = Pick<FailureGroup, 'key' | 'head' | 'ack'>;

/** Says to all users of the project that a user knows about a cause, or takes that back. */
export function AckButton({ cause }: { cause: Acked }) {
  const [isAsked, ask] = useState(false);
  const can = useCan();
  const { key, head, ack } = cause;
  const reopen = useAction(async () => {
    await call((api) => api.failureAcks.remove(key));
    await refresh('failures');
    return 'The cause is open again.';
  });
  if (!can('runs:operate')) return null;
  return (
    <>
      <button
        type="button"
        class="btn small"
        disabled={reopen.isBusy}
        aria-label={`${ack ? 'Open again' : 'Acknowledge'}: ${head}`}
        onClick={() => (ack ? void reopen.run() : ask(true))}
      >
        {ack ? 'Open again' : 'Acknowledge…'}
      </button>
      {isAsked && <AckDialog cause={cause} onClose={() => ask(false)} />}
    </>
  );
}

/** Hours, and their words. */
const UNTIL = [
  ['4', 'for 4 hours'],
  ['24', 'for a day'],
  ['168', 'for a week'],
  ['720', 'for 30 days'],
] as const;

function AckDialog({ cause: { key, head }, onClose }: { cause: Acked; onClose(): void }) {
  const [hours, setHours] = useState<(typeof UNTIL)[number][0]>('24');
  return (
    <AskDialog
      title="Acknowledge this cause?"
      part="ack-dialog"
      words={
        <>
          All users of the project see that a user knows about <code>{head}</code>, and it counts as open no
          more. Jobs run on, and notifications are sent. It ends earlier if a job fails so that had not
          before.
        </>
      }
      submit="Acknowledge"
      hint="all users of the project see it"
      onClose={onClose}
      act={async (note) => {
        const until = new Date(now.peek() + Number(hours) * HOUR_MS).toISOString();
        await call((api) => api.failureAcks.set({ fingerprint: key, until, ...(note && { note }) }));
        await refresh('failures');
        return 'The cause is acknowledged.';
      }}
    >
      <Choices label="Until" value={hours} options={UNTIL} onChange={(one) => setHours(one)} />
    </AskDialog>
  );
}

/** Who knows about a cause, until when and why. */
export function AckText({ ack }: Pick<Acked, 'ack'>) {
  if (!ack) return null;
  return (
    <p class="second known">
      {ack.by.name ?? ack.by.sub} knows about it until <Instant at={ack.until} show="recent" />
      {ack.note && `: ${ack.note}`}
    </p>
  );
}
