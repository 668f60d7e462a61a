import { useState } from 'preact/hooks';

import type { JobWithEtag, Preview } from '../../../client/browser';
import { useCan, useMe } from '../../api/project';
import { now } from '../../app/now';
import { CalendarCard } from '../../editor/calendar-card';
import { ConflictDialog } from '../../editor/conflict-dialog';
import { definitionOf } from '../../editor/definition';
import { PreviewCard } from '../../editor/preview-card';
import { type EditConflict, saveDefinition } from '../../editor/save';
import { draftOf, readable, type ScheduleDraft, scheduleOf, zoneOfDraft } from '../../editor/schedule-draft';
import { ScheduleForm } from '../../editor/schedule-form';
import { usePreview } from '../../editor/use-preview';
import type { Typed } from '../../editor/use-typed';
import { useAction } from '../../parts/action';
import { Card, Note } from '../../parts/card';
import { CopyButton } from '../../parts/copy';
import { Icon } from '../../parts/icons';
import { fieldProblem, wordsOf } from '../../parts/problem';
import { isoDate, startOfDate } from '../../time/format';
import { QuietMinute } from './quiet-minute';

/** The schedule in words, its next times, its calendar, and a form that shows what a change would do. */
export function ScheduleTab({ job }: { job: JobWithEtag }) {
  const [draft, setDraft] = useState(() => draftOf(job.schedule));
  const [from, setFrom] = useState('');
  const zone = zoneOfDraft(draft);
  const start = from ? new Date(startOfDate(from, zone)).toISOString() : undefined;
  const state = usePreview(draft, start);
  const [firstMonth, setMonth] = useMonth(from || isoDate(now.peek(), zone));
  const { data: me } = useMe();
  return (
    <div class="edit-grid">
      <EditCard job={job} draft={draft} state={state} onChange={setDraft} />
      <div class="stack">
        <PreviewCard preview={state.data} from={from} onFrom={setFrom} />
        <CalendarCard
          schedule={readable(draft)}
          zone={zone}
          month={firstMonth}
          onMonth={setMonth}
          context={{
            jobKey: `${me?.project ?? ''}/${job.jobId}`,
            changedAtMs: Date.parse(job.createdAt),
          }}
        />
      </div>
    </div>
  );
}

/** The first month of the calendar: that of a date, until the reader moves it. */
function useMonth(date: string): [month: string, move: (by: number) => void] {
  const [moved, setMoved] = useState(0);
  const [year = 0, month = 1] = date.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + moved, 1)).toISOString().slice(0, 7);
  return [first, (by) => setMoved(moved + by)];
}

interface EditCardProps {
  job: JobWithEtag;
  draft: ScheduleDraft;
  state: Typed<Preview>;
  onChange(draft: ScheduleDraft): void;
}

function EditCard({ job, draft, state, onChange }: EditCardProps) {
  const [conflict, setConflict] = useState<EditConflict>();
  const [read, setRead] = useState(job);
  const can = useCan();
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(job.schedule));
  const action = useAction(async () => {
    const found = await saveDefinition(read, { ...definitionOf(read), schedule: scheduleOf(draft) });
    setConflict(found);
    return found ? undefined : 'The schedule is saved.';
  });
  return (
    <Card part="schedule-edit" title={can('jobs:write') ? 'Change the schedule' : 'Schedule'}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        <fieldset class="form" disabled={!can('jobs:write')}>
          <ScheduleForm
            draft={draft}
            onChange={onChange}
            problem={(field) => fieldProblem(state.error, field ? `schedule.${field}` : 'schedule')}
          />
        </fieldset>
        <Words state={state} />
        <QuietMinute draft={draft} preview={state.data} onTake={(main) => onChange({ ...draft, main })} />
        {isChanged && (
          <Note icon={<Icon name="info" />}>
            Begins generation {job.generation + 1} when it is saved. Nothing fires because of a change. What
            waits from generation {job.generation} is recorded as superseded.
          </Note>
        )}
        {can('jobs:write') && (
          <Buttons
            draft={draft}
            isChanged={isChanged}
            isBusy={action.isBusy || state.error !== undefined}
            onDiscard={() => onChange(draftOf(job.schedule))}
          />
        )}
      </form>
      {conflict && (
        <ConflictDialog
          conflict={conflict}
          onClose={() => setConflict(undefined)}
          onTake={(definition) => {
            setRead(conflict.theirs);
            onChange(draftOf(definition.schedule));
            setConflict(undefined);
          }}
        />
      )}
    </Card>
  );
}

interface ButtonsProps {
  draft: ScheduleDraft;
  isChanged: boolean;
  isBusy: boolean;
  onDiscard(): void;
}

const Buttons = ({ draft, isChanged, isBusy, onDiscard }: ButtonsProps) => (
  <p class="acts">
    <button class="btn first" disabled={!isChanged || isBusy}>
      Save
    </button>
    <CopyButton text={() => JSON.stringify(readable(draft), null, 2)} small={false}>
      Copy as JSON
    </CopyButton>
    {isChanged && (
      <button type="button" class="btn bare" onClick={onDiscard}>
        Discard
      </button>
    )}
  </p>
);

/** The schedule in words, or what is wrong with it. */
function Words({ state: { data: preview, error } }: { state: Typed<Preview> }) {
  if (error !== undefined)
    return (
      <Note tone="bad" icon={<Icon name="failures" />}>
        {wordsOf(error)}
      </Note>
    );
  if (!preview) return null;
  return (
    <Note tone="good" icon={<Icon name="info" />}>
      {preview.description}
    </Note>
  );
}
