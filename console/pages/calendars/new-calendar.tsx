import { useState } from 'preact/hooks';

import { useCan, useMe } from '../../api/project';
import { paths } from '../../app/address';
import { useGo } from '../../app/go';
import { calendarOf, NEW_CALENDAR } from '../../editor/calendar-draft';
import { Labelled } from '../../parts/labelled';
import { Card, Note, Title } from '../../parts/card';
import { Form } from '../../parts/dialog';
import { Icon } from '../../parts/icons';
import { fieldProblem, wordsOf } from '../../parts/problem';
import { say } from '../../parts/toast';
import { Crumbs } from './calendar';
import { CalendarForm } from './calendar-form';
import { MonthsCard } from './months-card';
import { saveCalendar } from './save-calendar';

/** A calendar from nothing. */
export default function NewCalendar() {
  const { data: me } = useMe();
  const can = useCan();
  return (
    <>
      <Crumbs calendarId="new" />
      <Title>New calendar</Title>
      {me &&
        (can('jobs:write') ? <NewCalendarForm /> : <p>To create a calendar needs the scope jobs:write.</p>)}
    </>
  );
}

function NewCalendarForm() {
  const [calendarId, setCalendarId] = useState('');
  const [draft, setDraft] = useState(NEW_CALENDAR);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const go = useGo();
  const create = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const { words } = await saveCalendar(calendarId.trim(), calendarOf(draft));
      say(words);
      go(paths.calendar(calendarId.trim()));
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Form class="edit-grid" data-part="new-calendar" onSubmit={create}>
      <Card part="calendar" title="What it says">
        <div class="form">
          <Labelled text="Id" wrong={fieldProblem(error, 'calendarId')}>
            <input
              class="field"
              required
              value={calendarId}
              spellcheck={false}
              placeholder="de-holidays"
              onInput={(event) => setCalendarId(event.currentTarget.value)}
            />
          </Labelled>
          <CalendarForm draft={draft} onChange={setDraft} problem={(field) => fieldProblem(error, field)} />
          {error !== undefined && (
            <Note tone="bad" icon={<Icon name="failures" />}>
              <span role="alert">{wordsOf(error)}</span>
            </Note>
          )}
          <p class="acts">
            <button class="btn first" disabled={isBusy}>
              Create
            </button>
          </p>
        </div>
      </Card>
      <MonthsCard calendar={calendarOf(draft)} />
    </Form>
  );
}
