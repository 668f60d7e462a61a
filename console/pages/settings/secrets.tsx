import { useState } from 'preact/hooks';

import type { Secret } from '../../../client/browser';
import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import { useSecrets } from '../../api/settings';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { Labelled } from '../../parts/labelled';
import { useAction } from '../../parts/action';
import { Card } from '../../parts/card';
import { Dialog, DialogActions, Form } from '../../parts/dialog';
import { Instant } from '../../parts/instant';
import { Empty, Loaded } from '../../parts/states';
import { Table } from '../../parts/table';

/** Credentials for targets. Their values are written, and never read. */
export function Secrets() {
  const secrets = useSecrets();
  const [asked, setAsked] = useState<'new' | Secret>();
  const [removed, setRemoved] = useState<Secret>();
  return (
    <Card
      part="secrets"
      title="Secrets of targets"
      more={
        <button type="button" class="btn small first" onClick={() => setAsked('new')}>
          New secret
        </button>
      }
      flush
    >
      <Loaded query={secrets} height={200}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="There are no secrets.">
              <p>
                A new one is named <code>{'{{ secrets.NAME }}'}</code> in a header or the query of a target.
              </p>
            </Empty>
          ) : (
            <Table
              label="Table of secrets"
              heads={['Name', 'Kind', 'For', 'Used by', 'Changed', ['Actions', 'hidden']]}
            >
              {items.map((secret) => (
                <Row
                  key={secret.name}
                  secret={secret}
                  onSet={() => setAsked(secret)}
                  onRemove={() => setRemoved(secret)}
                />
              ))}
            </Table>
          )
        }
      </Loaded>
      {asked && (
        <SetDialog secret={asked === 'new' ? undefined : asked} onClose={() => setAsked(undefined)} />
      )}
      {removed && <RemoveDialog secret={removed} onClose={() => setRemoved(undefined)} />}
    </Card>
  );
}

function Row({ secret, onSet, onRemove }: { secret: Secret; onSet(): void; onRemove(): void }) {
  const { name, kind, validUntil, hosts, users, hasMoreUsers, updatedAt, by } = secret;
  return (
    <tr>
      <td class="mono">{name}</td>
      <td class="two">
        {kind === 'pem' ? 'PEM' : 'text'}
        {validUntil !== null && (
          <small>
            until <Instant at={validUntil} />
          </small>
        )}
      </td>
      <td>{hosts.join(', ')}</td>
      <td>
        {users.slice(0, 3).map((jobId) => (
          <Go key={jobId} to={paths.job(jobId)}>
            {jobId}{' '}
          </Go>
        ))}
        {(users.length > 3 || hasMoreUsers) && 'and others'}
      </td>
      <td class="two">
        <Instant at={updatedAt} />
        <small>{by.name ?? by.sub}</small>
      </td>
      <td class="num">
        <button type="button" class="btn small" onClick={onSet}>
          New value
        </button>{' '}
        <button type="button" class="btn bare small danger" onClick={onRemove}>
          Delete…
        </button>
      </td>
    </tr>
  );
}

function SetDialog({ secret, onClose }: { secret: Secret | undefined; onClose(): void }) {
  const [name, setName] = useState(secret?.name ?? '');
  const [value, setValue] = useState('');
  const [kind, setKind] = useState(secret?.kind ?? 'text');
  const [hosts, setHosts] = useState(secret?.hosts.join(' ') ?? '');
  const action = useAction(async () => {
    await call((api) =>
      api.secrets.set(name.trim(), { value, kind, hosts: hosts.split(/[\s,]+/).filter(Boolean) }),
    );
    await refresh('secrets');
    onClose();
    return `${name} is set. Deliveries use it within a minute.`;
  });
  return (
    <Dialog
      title={secret ? `New value of ${secret.name}` : 'New secret'}
      part="secret-dialog"
      onClose={onClose}
    >
      <Form onSubmit={action.run}>
        <Labelled text="Name">
          <input
            class="field mono"
            value={name}
            disabled={secret !== undefined}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Labelled>
        <ValueFields kind={kind} onKind={setKind} value={value} onValue={setValue} />
        <Labelled text="Hosts" hint="where it may go: crm.example.com *.example.org">
          <input class="field" value={hosts} onInput={(event) => setHosts(event.currentTarget.value)} />
        </Labelled>
        <DialogActions submit="Save" disabled={action.isBusy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

interface ValueFieldsProps {
  kind: Secret['kind'];
  onKind(kind: Secret['kind']): void;
  value: string;
  onValue(value: string): void;
}

/** PEM has lines, which a hidden field would join. */
function ValueFields({ kind, onKind, value, onValue }: ValueFieldsProps) {
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={kind === 'pem'}
          onChange={(event) => onKind(event.currentTarget.checked ? 'pem' : 'text')}
        />
        Certificates or a private key in PEM, for TLS
      </label>
      <Labelled text="Value" hint="at least 8 characters; it is never shown again">
        {kind === 'pem' ? (
          <textarea
            class="field mono"
            rows={6}
            autocomplete="off"
            value={value}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
        ) : (
          <input
            class="field"
            type="password"
            autocomplete="off"
            value={value}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
        )}
      </Labelled>
    </>
  );
}

function RemoveDialog({ secret: { name, users }, onClose }: { secret: Secret; onClose(): void }) {
  const [isForced, setForced] = useState(false);
  const action = useAction(async () => {
    await call((api) => api.secrets.remove(name, { force: isForced }));
    await refresh('secrets');
    onClose();
    return `${name} is deleted.`;
  });
  return (
    <Dialog title={`Delete ${name}?`} part="secret-delete" onClose={onClose}>
      <Form onSubmit={action.run}>
        {users.length > 0 && (
          <>
            <p>Jobs use it: {users.slice(0, 5).join(', ')}. Without it, their executions fail.</p>
            <label class="check">
              <input
                type="checkbox"
                checked={isForced}
                onChange={(event) => setForced(event.currentTarget.checked)}
              />
              Delete it all the same
            </label>
          </>
        )}
        <DialogActions
          submit="Delete"
          danger
          disabled={action.isBusy || (users.length > 0 && !isForced)}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}
