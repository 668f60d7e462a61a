import { useState } from 'preact/hooks';

import type { ApiKey, ApiKeyDefinition, NewApiKey } from '../../../client/browser';
import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import { useApiKeys } from '../../api/settings';
import { Choice, Labelled } from '../../parts/labelled';
import { useAction } from '../../parts/action';
import { Card } from '../../parts/card';
import { CopyButton } from '../../parts/copy';
import { Dialog, DialogActions, Form } from '../../parts/dialog';
import { Instant } from '../../parts/instant';
import { Empty, Loaded } from '../../parts/states';
import { Table } from '../../parts/table';
import { DAY_MS } from '../../time/format';

const ROLES = (['viewer', 'approver', 'worker', 'operator', 'editor'] as const).map(
  (one) => [one, one] as const,
);

const LIVES = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'a year'],
] as const;

/** Tokens of programs. */
export function ApiKeys() {
  const keys = useApiKeys();
  const [isAsked, setAsked] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey>();
  return (
    <Card
      part="api-keys"
      title="API keys"
      more={
        <button type="button" class="btn small first" onClick={() => setAsked(true)}>
          New key
        </button>
      }
      flush
    >
      <Loaded query={keys} height={200}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="There are no keys.">
              <p>A key lets a program call the API: a CI job, a worker, or a service of yours.</p>
            </Empty>
          ) : (
            <KeysTable keys={items} onRevoke={setRevoked} />
          )
        }
      </Loaded>
      {isAsked && <NewKeyDialog onClose={() => setAsked(false)} />}
      {revoked && <RevokeDialog apiKey={revoked} onClose={() => setRevoked(undefined)} />}
    </Card>
  );
}

const KeysTable = ({ keys, onRevoke }: { keys: readonly ApiKey[]; onRevoke(key: ApiKey): void }) => (
  <Table label="Table of keys" heads={['Name', 'Role', 'Made', 'Last used', 'Until', ['Actions', 'hidden']]}>
    {keys.map((key) => (
      <tr key={key.keyId}>
        <td class="two">
          {key.name}
          <small class="mono">{key.keyId}</small>
        </td>
        <td>{key.role}</td>
        <td class="two">
          <Instant at={key.createdAt} />
          <small>{key.by.name ?? key.by.sub}</small>
        </td>
        <td>{key.lastUsedOn ?? 'never'}</td>
        <td>
          <Instant at={key.expiresAt} show="day" />
        </td>
        <td class="num">
          <button type="button" class="btn bare small danger" onClick={() => onRevoke(key)}>
            Revoke…
          </button>
        </td>
      </tr>
    ))}
  </Table>
);

function NewKeyDialog({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<ApiKeyDefinition['role']>('viewer');
  const [days, setDays] = useState<(typeof LIVES)[number][0]>('90');
  const [made, setMade] = useState<NewApiKey>();
  const action = useAction(async () => {
    const expiresAt = new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    setMade(await call((api) => api.apiKeys.create({ name: name.trim(), role, expiresAt })));
    await refresh('api-keys');
    return undefined;
  });
  if (made)
    return (
      <Dialog title={`The key ${made.name}`} part="new-key" onClose={onClose}>
        <p>It is shown this once. Keep it now.</p>
        <pre class="code">{made.key}</pre>
        <p class="acts end">
          <CopyButton text={() => made.key}>Copy</CopyButton>
          <button type="button" class="btn first" onClick={onClose}>
            Close
          </button>
        </p>
      </Dialog>
    );
  return (
    <Dialog title="New API key" part="new-key" onClose={onClose}>
      <Form onSubmit={action.run}>
        <Labelled text="Name" hint="the program that gets it">
          <input class="field" value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </Labelled>
        <Choice label="Role" value={role} options={ROLES} onChange={(one) => setRole(one)} />
        <Choice label="Good for" value={days} options={LIVES} onChange={(one) => setDays(one)} />
        <p class="quiet">It has at most your own rights.</p>
        <DialogActions submit="Create" disabled={action.isBusy || name.trim() === ''} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

function RevokeDialog({ apiKey: { keyId, name }, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const action = useAction(async () => {
    await call((api) => api.apiKeys.revoke(keyId));
    await refresh('api-keys');
    onClose();
    return `${name} is revoked.`;
  });
  return (
    <Dialog title={`Revoke ${name}?`} part="revoke-dialog" onClose={onClose}>
      <Form onSubmit={action.run}>
        <p>Requests with it are refused within 60 seconds.</p>
        <DialogActions submit="Revoke" danger disabled={action.isBusy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
