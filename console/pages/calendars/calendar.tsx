import { useState } from 'preact/hooks';

import type { Calendar as Found, CalendarChange } from '../../../client/browser';
import { useCalendar } from '../../api/calendars';
import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import { useCan } from '../../api/project';
import { paths } from '../../app/address';
import { Go, useGo } from '../../app/go';
import { type CalendarDraft, calendarDraftOf, calendarOf } from '../../editor/calendar-draft';
import { useAction } from '../../parts/action';
import { Card, Note, Title } from '../../parts/card';
import { Dialog, DialogActions, Form } from '../../parts/dialog';
import { Icon } from '../../parts/icons';
import { Instant } from '../../parts/instant';
import { fieldProblem, wordsOf } from '../../parts/problem';
import { Empty, Loaded } from '../../parts/states';
import { say } from '../../parts/toast';
import { count, plural } from '../../time/format';
import { CalendarForm } from './calendar-form';
import { MonthsCard } from './months-card';
import { saveCalendar } from './save-calendar';

/** One calendar: its days by month, what it says, and the jobs that use it. */
export default function Calendar({ calendarId }: { calendarId: string }) {
  const calendar = useCalendar(calendarId);
  return (
    <>
      <Crumbs calendarId={calendarId} />
      <Loaded query={calendar} height={560}>
        {(found) =>
          found ? <Present key={found.updatedAt} calendar={found} /> : <Missing calendarId={calendarId} />
        }
      </Loaded>
    </>
  );
}

export const Crumbs = ({ calendarId }: { calendarId: string }) => (
  <div class="crumbs">
    <Go to="/calendars">Calendars</Go> <span>/</span> <span class="mono">{calendarId}</span>
  </div>
);

const Missing = ({ calendarId }: { calendarId: string }) => (
  <>
    <Title>{calendarId}</Title>
    <Card part="calendar" flush>
      <Empty title="There is no such calendar." />
    </Card>
  </>
);

function Present({ calendar }: { calendar: Found }) {
  const { calendarId, name, updatedAt, by, changing, knownUntil } = calendar;
  const [draft, setDraft] = useState(() => calendarDraftOf(calendar));
  const [isDeleting, setDeleting] = useState(false);
  const saving = useSaving(calendarId);
  const can = useCan();
  return (
    <>
      <Title
        sub={
          <>
            changed <Instant at={updatedAt} /> by {by.name ?? by.sub}
            {changing && ' · jobs are being replanned'}
            {knownUntil !== undefined && ` · no dates after ${knownUntil}`}
          </>
        }
        actions={
          can('jobs:write') && (
            <button type="button" class="btn bare danger" onClick={() => setDeleting(true)}>
              Delete…
            </button>
          )
        }
      >
        {name ?? calendarId}
      </Title>
      <div class="edit-grid">
        <EditCard calendar={calendar} draft={draft} onDraft={setDraft} saving={saving} />
        <div class="stack">
          <MonthsCard calendar={calendarOf(draft)} />
          {saving.change && <MovedCard change={saving.change} />}
          <UsersCard calendar={calendar} />
        </div>
      </div>
      {isDeleting && <DeleteDialog calendarId={calendarId} onClose={() => setDeleting(false)} />}
    </>
  );
}

interface EditCardProps {
  calendar: Found;
  draft: CalendarDraft;
  onDraft(draft: CalendarDraft): void;
  saving: ReturnType<typeof useSaving>;
}

function EditCard({ calendar, draft, onDraft, saving }: EditCardProps) {
  const can = useCan();
  const isChanged = JSON.stringify(draft) !== JSON.stringify(calendarDraftOf(calendar));
  return (
    <Card part="calendar" title="What it says">
      <Form onSubmit={() => saving.save(draft)}>
        <fieldset class="form" disabled={!can('jobs:write')}>
          <CalendarForm draft={draft} onChange={onDraft} problem={saving.problem} />
        </fieldset>
        {saving.error !== undefined && (
          <Note tone="bad" icon={<Icon name="failures" />}>
            <span role="alert">{wordsOf(saving.error)}</span>
          </Note>
        )}
        {can('jobs:write') && (
          <p class="acts">
            <button class="btn first" disabled={!isChanged || saving.isBusy}>
              Save
            </button>
            {isChanged && (
              <button type="button" class="btn bare" onClick={() => onDraft(calendarDraftOf(calendar))}>
                Discard
              </button>
            )}
          </p>
        )}
      </Form>
    </Card>
  );
}

function useSaving(calendarId: string) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [change, setChange] = useState<CalendarChange>();
  const save = async (draft: ReturnType<typeof calendarDraftOf>): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const saved = await saveCalendar(calendarId, calendarOf(draft));
      setChange(saved.change);
      say(saved.words);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return { save, error, isBusy, change, problem: (field: string) => fieldProblem(error, field) };
}

/** Occurrences that a change moved into the past. They do not run. */
const MovedCard = ({ change: { movedIntoPast } }: { change: CalendarChange }) =>
  movedIntoPast.length === 0 ? null : (
    <Card
      part="calendar-moved"
      title={`${plural(movedIntoPast.length, 'occurrence')} moved into the past`}
      flush
    >
      <ul class="lines">
        {movedIntoPast.map(({ jobId, at, movedTo }) => (
          <li key={jobId + at}>
            <Go to={paths.job(jobId)} class="job cut">
              {jobId}
            </Go>
            <span>
              <Instant at={at} /> to <Instant at={movedTo} />: does not run
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );

const UsersCard = ({ calendar: { users, hasMoreUsers } }: { calendar: Found }) => (
  <Card
    part="calendar-users"
    title="Used by"
    more={`${count(users.length)}${hasMoreUsers ? ' and more' : ''}`}
    flush
  >
    {users.length === 0 ? (
      <Empty title="No job uses it.">
        <p>
          A schedule names it in <code>exclude</code> or <code>only</code>.
        </p>
      </Empty>
    ) : (
      <ul class="lines">
        {users.map((jobId) => (
          <li key={jobId}>
            <Go to={paths.job(jobId, 'schedule')} class="job cut">
              {jobId}
            </Go>
          </li>
        ))}
      </ul>
    )}
  </Card>
);

function DeleteDialog({ calendarId, onClose }: { calendarId: string; onClose(): void }) {
  const go = useGo();
  const action = useAction(async () => {
    await call((api) => api.calendars.remove(calendarId));
    await refresh('calendars');
    go('/calendars');
    return `${calendarId} is deleted.`;
  });
  return (
    <Dialog title={`Delete ${calendarId}?`} part="delete-calendar" onClose={onClose}>
      <Form onSubmit={action.run}>
        <p>A calendar that a job uses cannot be deleted.</p>
        <DialogActions submit="Delete" danger disabled={action.isBusy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
