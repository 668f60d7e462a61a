import { useState } from 'preact/hooks';

import type { Notification } from '../../../client/browser';
import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import {
  type Channel,
  type Kind,
  KINDS,
  NEW_NOTIFICATION,
  type NotificationDraft,
  notificationDraftOf,
  notificationOf,
  hasFormat,
  keepsIncidents,
} from '../../editor/notification-draft';
import { Choice, Labelled } from '../../parts/labelled';
import { Note } from '../../parts/card';
import { Dialog, DialogActions, Form } from '../../parts/dialog';
import { Icon } from '../../parts/icons';
import { fieldProblem, wordsOf } from '../../parts/problem';
import { say } from '../../parts/toast';
import { IncidentFields } from './incident-fields';

const KIND_WORDS: Record<Kind, string> = {
  failed: 'an execution failed',
  skipped: 'an occurrence was skipped',
  late: 'an execution is late',
  slow: 'a success took longer than expected',
  quick: 'a success took less time than expected',
  recovered: 'a job succeeds again',
  succeeded: 'an execution succeeded',
  'waiting-approval': 'a run waits for an approval',
  'calendar-ends': 'a calendar ends within a month',
};
const CHANNELS: readonly (readonly [Channel, string])[] = [
  ['http', 'a URL (Slack, Teams, a program)'],
  ['email', 'an email address'],
  ['pagerduty', 'PagerDuty, as incidents'],
  ['incident-io', 'incident.io, as incidents'],
  ['json', 'another target, as JSON'],
];
const FORMATS = [
  ['json', 'JSON'],
  ['slack', 'Slack'],
  ['teams', 'Teams'],
  ['cloudevents', 'CloudEvents'],
] as const;

interface NotificationDialogProps {
  /** Undefined: a new one. */
  present: Notification | undefined;
  onClose(): void;
}

/** Creates or replaces a notification. What the API refuses stands at its field. */
export function NotificationDialog({ present, onClose }: NotificationDialogProps) {
  const [draft, setDraft] = useState(present ? notificationDraftOf(present) : NEW_NOTIFICATION);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const definition = notificationOf(draft);
      await call((api) => api.notifications.set(draft.id.trim(), definition));
      await refresh('notifications');
      say(`${draft.id.trim()} is saved, and in effect.`);
      onClose();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={present ? `Notification ${present.id}` : 'New notification'}
      part="notification-dialog"
      onClose={onClose}
      wide
    >
      <Form onSubmit={save}>
        <Fields
          draft={draft}
          isNew={!present}
          put={(changes) => setDraft({ ...draft, ...changes })}
          problem={(field) => fieldProblem(error, field)}
        />
        {error !== undefined && (
          <Note tone="bad" icon={<Icon name="failures" />}>
            <span role="alert">{wordsOf(error)}</span>
          </Note>
        )}
        <DialogActions
          submit="Save"
          disabled={isBusy || draft.id.trim() === '' || draft.on.length === 0}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}

interface FieldsProps {
  draft: NotificationDraft;
  isNew: boolean;
  put(changes: Partial<NotificationDraft>): void;
  problem(field: string): string | undefined;
}

function Fields({ draft, isNew, put, problem }: FieldsProps) {
  const line = (
    field: 'id' | 'tag' | 'lateAfter' | 'minInterval',
    text: string,
    hint: string,
    path = field,
  ) => (
    <Labelled text={text} hint={hint} wrong={problem(path)}>
      <input
        class="field"
        value={draft[field]}
        spellcheck={false}
        onInput={(event) => put({ [field]: event.currentTarget.value })}
      />
    </Labelled>
  );
  return (
    <>
      {isNew && line('id', 'Name', 'ops')}
      <fieldset class="kinds">
        <legend>Tell when</legend>
        {KINDS.map((kind) => (
          <label key={kind} class="check">
            <input
              type="checkbox"
              checked={draft.on.includes(kind)}
              onChange={() => put({ on: toggled(draft.on, kind) })}
            />
            {KIND_WORDS[kind]}
          </label>
        ))}
      </fieldset>
      <div class="pair">
        {line('tag', 'Jobs with the tag', 'team:billing; all if it is empty')}
        {draft.on.includes('late')
          ? line('lateAfter', 'Late after', '5m')
          : line('minInterval', 'At most once in', '10m, for each job')}
      </div>
      <Target
        draft={draft}
        put={put}
        wrong={problem(draft.channel === 'incident-io' ? 'target.token' : 'target')}
      />
      {keepsIncidents(draft.channel) && <IncidentFields draft={draft} put={put} problem={problem} />}
      {draft.on.includes('late') && line('minInterval', 'At most once in', '10m, for each job')}
    </>
  );
}

const toggled = (on: readonly Kind[], kind: Kind): Kind[] =>
  on.includes(kind) ? on.filter((one) => one !== kind) : [...on, kind];

const TARGET_NAMES: Record<Channel, string> = {
  http: 'URL',
  email: 'Address',
  pagerduty: 'Routing key',
  'incident-io': 'Token',
  json: 'Target',
};
const TARGET_HINTS: Record<Channel, string> = {
  http: 'https://hooks.example.com/…, or {{ secrets.slack }}',
  email: 'ops@example.com; its owner has to confirm',
  pagerduty: '{{ secrets.pagerduty }}: a secret for the host events.pagerduty.com',
  'incident-io': '{{ secrets.incident_io }}: a secret for the host api.incident.io',
  json: '{ "type": "sqs", "queueUrl": "…" }',
};

function Target({
  draft: { channel, target, format },
  put,
  wrong,
}: Pick<FieldsProps, 'draft' | 'put'> & { wrong: string | undefined }) {
  return (
    <>
      <div class="pair">
        <Choice
          label="Send to"
          value={channel}
          options={CHANNELS}
          onChange={(one) => put({ channel: one })}
        />
        {hasFormat(channel) && (
          <Choice label="As" value={format} options={FORMATS} onChange={(one) => put({ format: one })} />
        )}
      </div>
      <Labelled text={TARGET_NAMES[channel]} hint={TARGET_HINTS[channel]} wrong={wrong}>
        {channel === 'json' ? (
          <textarea
            class="field"
            rows={6}
            spellcheck={false}
            value={target}
            onInput={(event) => put({ target: event.currentTarget.value })}
          />
        ) : (
          <input
            class="field"
            required
            spellcheck={false}
            value={target}
            onInput={(event) => put({ target: event.currentTarget.value })}
          />
        )}
      </Labelled>
    </>
  );
}
