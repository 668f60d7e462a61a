import { useState } from 'preact/hooks';

import type { Notification } from '../../../client/browser';
import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import { useNotifications } from '../../api/settings';
import { paths } from '../../app/address';
import { useGo } from '../../app/go';
import { channelText } from '../../editor/notification-draft';
import { useAction } from '../../parts/action';
import { Card } from '../../parts/card';
import { Dialog, DialogActions, Form } from '../../parts/dialog';
import { Empty, Loaded } from '../../parts/states';
import { Table } from '../../parts/table';
import { NotificationDialog } from './notification-dialog';

/** Which problems are notified, and where. */
export function Notifications() {
  const notifications = useNotifications();
  const [asked, setAsked] = useState<'new' | Notification>();
  const [removed, setRemoved] = useState<Notification>();
  return (
    <Card
      part="notifications"
      title="Notifications"
      more={
        <button type="button" class="btn small first" onClick={() => setAsked('new')}>
          New notification
        </button>
      }
      flush
    >
      <Loaded query={notifications} height={200}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="There are no notifications yet.">
              <p>A notification goes to Slack, Teams, an email address, or another target.</p>
            </Empty>
          ) : (
            <NotificationsTable items={items} onEdit={setAsked} onRemove={setRemoved} />
          )
        }
      </Loaded>
      {asked && (
        <NotificationDialog
          present={asked === 'new' ? undefined : asked}
          onClose={() => setAsked(undefined)}
        />
      )}
      {removed && <RemoveDialog notification={removed} onClose={() => setRemoved(undefined)} />}
    </Card>
  );
}

interface TableProps {
  items: readonly Notification[];
  onEdit(one: Notification): void;
  onRemove(one: Notification): void;
}

const NotificationsTable = ({ items, onEdit, onRemove }: TableProps) => (
  <Table
    label="Table of notifications"
    heads={['Name', 'Tells of', 'Jobs', 'Goes to', 'At most', ['Actions', 'hidden']]}
  >
    {items.map((one) => (
      <tr key={one.id}>
        <td class="mono">{one.id}</td>
        <td class="prose">
          {one.on.join(', ')}
          {one.lateAfter && ` (after ${one.lateAfter})`}
        </td>
        <td>{one.filter?.tag ?? 'all'}</td>
        <td class="prose">
          {channelText(one)}
          {one.format !== 'json' && `, for ${one.format}`}
        </td>
        <td>once in {one.minInterval} a job</td>
        <td class="num">
          <TestButton id={one.id} />{' '}
          <button type="button" class="btn small" aria-label={`Edit ${one.id}`} onClick={() => onEdit(one)}>
            Edit
          </button>{' '}
          <button
            type="button"
            class="btn bare small danger"
            aria-label={`Delete ${one.id}`}
            onClick={() => onRemove(one)}
          >
            Delete…
          </button>
        </td>
      </tr>
    ))}
  </Table>
);

/** Sends a test message, and opens the execution that delivers it. */
function TestButton({ id }: { id: string }) {
  const go = useGo();
  const action = useAction(async () => {
    const { jobId, execId } = await call((api) => api.notifications.test(id));
    go(paths.execution(jobId, execId));
    return `A test message of ${id} is on its way.`;
  });
  return (
    <button
      type="button"
      class="btn small"
      aria-label={`Test ${id}`}
      disabled={action.isBusy}
      onClick={() => void action.run()}
    >
      Test
    </button>
  );
}

function RemoveDialog({ notification: { id }, onClose }: { notification: Notification; onClose(): void }) {
  const action = useAction(async () => {
    await call((api) => api.notifications.remove(id));
    await refresh('notifications');
    onClose();
    return `${id} is deleted.`;
  });
  return (
    <Dialog title={`Delete ${id}?`} part="delete-notification" onClose={onClose}>
      <Form onSubmit={action.run}>
        <p>Its messages so far stay on record.</p>
        <DialogActions submit="Delete" danger disabled={action.isBusy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
