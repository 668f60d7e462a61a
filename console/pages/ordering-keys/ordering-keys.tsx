import { useState } from 'preact/hooks';

import type { OrderingKey } from '../../../client/browser';
import { call } from '../../api/client';
import { useBlocking } from '../../api/failures';
import { useKnownKeys, useOrderingKey } from '../../api/keys';
import { refresh } from '../../api/polling';
import { useCan } from '../../api/project';
import { paths } from '../../app/address';
import { Go, useQueryValues } from '../../app/go';
import { useAction } from '../../parts/action';
import { Card, Title } from '../../parts/card';
import { Form } from '../../parts/dialog';
import { Icon } from '../../parts/icons';
import { JobAndDue, Open } from '../../parts/execution-cells';
import { Since } from '../../parts/instant';
import { Empty, Loaded } from '../../parts/states';
import { Mark } from '../../parts/status-mark';
import { Table } from '../../parts/table';
import { count, plural } from '../../time/format';

/** The executions that run one after another: which key is held, by what, and what waits behind it. */
export default function OrderingKeys() {
  const { query, put } = useQueryValues();
  const key = query.get('key') ?? '';
  const [text, setText] = useState(key);
  return (
    <>
      <Title sub="Executions with the same key run one after another.">Ordering keys</Title>
      <Form class="filters" role="search" data-part="find-key" onSubmit={() => put({ key: text.trim() })}>
        <label class="field grow">
          <Icon name="find" />
          <span class="hidden">Ordering key</span>
          <input
            value={text}
            placeholder="customer/42"
            spellcheck={false}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button class="btn">Open</button>
      </Form>
      <div class="key-grid">
        <Known chosen={key} onChoose={(one) => (setText(one), put({ key: one }))} />
        {key ? <KeyCard orderingKey={key} /> : <NoKey />}
      </div>
    </>
  );
}

const NoKey = () => (
  <Card part="key" flush>
    <Empty title="Choose a key, or type one.">
      <p>It shows the execution that holds the key, and those that wait behind it.</p>
    </Empty>
  </Card>
);

const NoKeys = () => (
  <Empty title="No job has an ordering key.">
    <p>Executions of jobs that name the same key run one after the other. The form of a job has the field.</p>
  </Empty>
);

/** Keys that hold up others, and those of the first 500 jobs. */
function Known({ chosen, onChoose }: { chosen: string; onChoose(key: string): void }) {
  const known = useKnownKeys();
  const { data: blocking = [] } = useBlocking();
  const blocked = new Set(blocking.flatMap(({ orderingKey }) => orderingKey ?? []));
  return (
    <Card part="known-keys" title="Keys" more="of the first 500 jobs" flush>
      <Loaded query={known} height={240}>
        {(keys) => {
          const all = [...new Set([...blocked, ...keys])];
          if (all.length === 0) return <NoKeys />;
          return (
            <ul class="lines">
              {all.slice(0, 200).map((key) => (
                <li key={key}>
                  <button
                    type="button"
                    class="link"
                    aria-current={key === chosen ? 'true' : undefined}
                    onClick={() => onChoose(key)}
                  >
                    {key}
                  </button>
                  {blocked.has(key) && <span class="late">blocked</span>}
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}

function KeyCard({ orderingKey }: { orderingKey: string }) {
  const key = useOrderingKey(orderingKey);
  return (
    <Card part="key" title={<code>{orderingKey}</code>} flush>
      <Loaded query={key} height={240}>
        {(state) => <KeyState state={state} />}
      </Loaded>
    </Card>
  );
}

function KeyState({ state: { orderingKey, holder, blocked, waiting } }: { state: OrderingKey }) {
  const oldest = waiting[0];
  return (
    <>
      <div class="in spaced">
        {holder ? (
          <>
            <p class="words">
              <Go to={paths.execution(holder.jobId, holder.execId)}>{holder.jobId}</Go> has it:{' '}
              <Mark status={holder.status} />
              {blocked && ' and blocks what waits'}
            </p>
            <KeyActions orderingKey={orderingKey} holder={holder} isBlocked={blocked} />
          </>
        ) : (
          <p class="words">The key is free.</p>
        )}
        <p class="second">
          {waiting.length === 0
            ? 'Nothing waits.'
            : `${plural(waiting.length, 'execution waits', 'executions wait')}`}
          {oldest && (
            <>
              , the first one was due <Since at={oldest.dueAt} /> ago.
            </>
          )}
        </p>
      </div>
      {waiting.length > 0 && <WaitingTable waiting={waiting} />}
    </>
  );
}

const WaitingTable = ({ waiting }: Pick<OrderingKey, 'waiting'>) => (
  <Table label="Table of what waits" class="tight" heads={['Place', 'Job', 'Due', ['Actions', 'hidden']]}>
    {waiting.map((execution, index) => (
      <tr key={execution.jobId + execution.execId}>
        <td>{count(index + 1)}</td>
        <JobAndDue jobId={execution.jobId} dueAt={execution.dueAt} />
        <td class="num">
          <CancelButton execution={execution} name={`${execution.jobId} of ${execution.dueAt}`} />{' '}
          <Open execution={execution} />
        </td>
      </tr>
    ))}
  </Table>
);

/** What is cancelled leaves the key, or its place behind it. */
function CancelButton(props: { execution: { jobId: string; execId: string }; name: string }) {
  const { jobId, execId } = props.execution;
  const can = useCan();
  const cancel = useAction(async () => {
    await call((api) => api.executions.cancel(jobId, execId));
    await refresh('ordering-key');
    return `${jobId}: its cancellation is requested.`;
  });
  if (!can('runs:operate')) return null;
  return (
    <button
      type="button"
      class="btn bare small"
      aria-label={`Cancel ${props.name}`}
      disabled={cancel.isBusy}
      onClick={() => void cancel.run()}
    >
      Cancel
    </button>
  );
}

interface KeyActionsProps {
  orderingKey: string;
  holder: NonNullable<OrderingKey['holder']>;
  isBlocked: boolean;
}

function KeyActions({ orderingKey, holder: { jobId, execId }, isBlocked }: KeyActionsProps) {
  const can = useCan();
  const does = (act: () => Promise<unknown>, words: string) => async () => {
    await act();
    await Promise.all([refresh('ordering-key'), refresh('failures')]);
    return words;
  };
  const retry = useAction(does(() => call((api) => api.executions.retry(jobId, execId)), 'It runs again.'));
  const unblock = useAction(does(() => call((api) => api.unblock(orderingKey)), `${orderingKey} goes on.`));
  if (!can('runs:operate')) return null;
  if (!isBlocked)
    return (
      <p class="acts">
        <CancelButton execution={{ jobId, execId }} name={jobId} />
      </p>
    );
  return (
    <p class="acts">
      <button type="button" class="btn first" disabled={retry.isBusy} onClick={() => void retry.run()}>
        <Icon name="retry" /> Retry it
      </button>
      <button type="button" class="btn" disabled={unblock.isBusy} onClick={() => void unblock.run()}>
        Unblock
      </button>
      <span class="quiet">Unblock lets the others go on without it.</span>
    </p>
  );
}
