import { useState } from 'preact/hooks';

import type { ConcurrencyKey } from '../../../client/browser';
import { useConcurrencyKeys } from '../../api/concurrency-keys';
import { useCan } from '../../api/project';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { Card, Title } from '../../parts/card';
import { Icon } from '../../parts/icons';
import { Since } from '../../parts/instant';
import { Empty, Loaded } from '../../parts/states';
import { count, plural } from '../../time/format';
import { DeleteKeyDialog, SetKeyDialog } from './dialogs';

type Asked = { is: 'set'; key?: ConcurrencyKey } | { is: 'delete'; key: ConcurrencyKey } | undefined;

/** How many executions of all jobs with a key run at a time, which do, and what waits. */
export default function ConcurrencyKeys() {
  const keys = useConcurrencyKeys();
  const [asked, setAsked] = useState<Asked>();
  const can = useCan();
  return (
    <>
      <Title
        sub="A key bounds how many executions run at a time, over all jobs that name it."
        actions={
          can('jobs:write') && (
            <button type="button" class="btn first" onClick={() => setAsked({ is: 'set' })}>
              New key
            </button>
          )
        }
      >
        Concurrency keys
      </Title>
      <div class="stack" data-part="concurrency-keys">
        <Loaded query={keys} height={280}>
          {(items) =>
            items.length === 0 ? (
              <Card part="empty-keys" flush>
                <Empty title="There are no concurrency keys.">
                  <p>Make one with its limit, then name it in the form of each job that it bounds.</p>
                </Empty>
              </Card>
            ) : (
              <div class="card-grid">
                {items.map((key) => (
                  <KeyCard key={key.key} state={key} mayChange={can('jobs:write')} onAsk={setAsked} />
                ))}
              </div>
            )
          }
        </Loaded>
      </div>
      {asked?.is === 'set' && <SetKeyDialog present={asked.key} onClose={() => setAsked(undefined)} />}
      {asked?.is === 'delete' && (
        <DeleteKeyDialog keyName={asked.key.key} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

interface KeyCardProps {
  state: ConcurrencyKey;
  mayChange: boolean;
  onAsk(asked: Asked): void;
}

function KeyCard({ state, mayChange, onAsk }: KeyCardProps) {
  const { key, running, waiting } = state;
  return (
    <Card
      part="concurrency-key"
      title={<code>{key}</code>}
      more={
        mayChange && (
          <>
            <button type="button" class="btn small" onClick={() => onAsk({ is: 'set', key: state })}>
              Change the limit
            </button>
            <button
              type="button"
              class="btn bare small danger"
              onClick={() => onAsk({ is: 'delete', key: state })}
            >
              Delete…
            </button>
          </>
        )
      }
    >
      <SlotUse state={state} />
      <ol class="slot-list">
        {running.map(({ jobId, execId, since }) => (
          <li key={jobId + execId}>
            <Icon name="run" size={12} />
            <Go to={paths.execution(jobId, execId)} class="job cut">
              {jobId}
            </Go>
            <span class="quiet">
              holds it for <Since at={since} />
            </span>
          </li>
        ))}
        {waiting.map(({ jobId, execId, dueAt }) => (
          <li key={jobId + execId}>
            <Icon name="clock" size={12} />
            <Go to={paths.execution(jobId, execId)} class="job cut">
              {jobId}
            </Go>
            <span class="quiet">
              due <Since at={dueAt} /> ago
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** A rule has no slots of its own. */
function SlotUse({ state: { key, limit, running, waiting, hasMoreWaiting } }: Pick<KeyCardProps, 'state'>) {
  if (key.endsWith('*')) return <p class="words">{plural(limit, 'slot')} for each key that begins so</p>;
  const waits = `${count(waiting.length)}${hasMoreWaiting ? ' or more' : ''}`;
  return (
    <>
      <p class="words">
        {count(running.length)} of {plural(limit, 'slot')} held
        {waiting.length > 0 && `, ${waits} waiting`}
      </p>
      <Slots limit={limit} held={running.length} />
    </>
  );
}

/** The sentence above says the same. */
const Slots = ({ limit, held }: { limit: number; held: number }) => (
  <span class="slots" aria-hidden="true">
    {Array.from({ length: Math.max(limit, held) }, (_, index) => (
      <i key={index} class={index < held ? (index < limit ? 'held' : 'over') : ''} />
    ))}
  </span>
);
