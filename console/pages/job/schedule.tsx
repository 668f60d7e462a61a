import { useEffect, useState } from 'preact/hooks';

import type { JobWithEtag, Preview, Schedule } from '../../../client/browser';
import { useCan, useMe } from '../../api/project';
import { now } from '../../app/now';
import { CalendarCard } from '../../editor/calendar-card';
import { ConflictDialog } from '../../editor/conflict-dialog';
import { definitionOf } from '../../editor/definition';
import { typedZone } from '../../editor/minutes';
import { PreviewCard } from '../../editor/preview-card';
import { type EditConflict, saveDefinition } from '../../editor/save';
import { ScheduleForm } from '../../editor/form/schedule-form';
import { usePreview } from '../../editor/use-preview';
import type { Typed } from '../../editor/use-typed';
import { useAction } from '../../parts/action';
import { Card, Note } from '../../parts/card';
import { CopyButton } from '../../parts/copy';
import { Form } from '../../parts/dialog';
import { Icon } from '../../parts/icons';
import { fieldProblem, wordsOf } from '../../parts/problem';
import { isoDate, startOfDate } from '../../time/format';
import { QuietMinute } from './quiet-minute';

/** The schedule in words, its next times, its calendar, and a form that shows what a change would do. */
export function ScheduleTab({ job }: { job: JobWithEtag }) {
  const [schedule, setSchedule] = useState<Schedule>(job.schedule);
  const [from, setFrom] = useState('');
  const zone = typedZone(schedule);
  const start = from ? new Date(startOfDate(from, zone)).toISOString() : undefined;
  const state = usePreview(schedule, start);
  const [firstMonth, setMonth] = useMonth(from || isoDate(now.peek(), zone));
  const { data: me } = useMe();
  return (
    <div class="edit-grid">
      <EditCard job={job} schedule={schedule} state={state} onChange={setSchedule} />
      <div class="stack">
        <PreviewCard preview={state.data} from={from} onFrom={setFrom} />
        <CalendarCard
          schedule={schedule}
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
  schedule: Schedule;
  state: Typed<Preview>;
  onChange(schedule: Schedule): void;
}

/** Saves the schedule beside what the job has besides; `refused` is what the API said of it. */
function useSaving(job: JobWithEtag, schedule: Schedule) {
  const [conflict, setConflict] = useState<EditConflict>();
  const [read, setRead] = useState(job);
  const [refused, setRefused] = useState<unknown>();
  useEffect(() => setRefused(undefined), [schedule]);
  const action = useAction(async () => {
    const mine = { ...definitionOf(read), schedule };
    const saved = await saveDefinition(read, mine).catch((thrown: unknown) => {
      setRefused(thrown);
      throw thrown;
    });
    setConflict(saved.conflict);
    if (saved.conflict) return undefined;
    setRead(saved.job);
    return 'The schedule is saved.';
  });
  return { action, refused, conflict, setConflict, setRead };
}

function EditCard({ job, schedule, state, onChange }: EditCardProps) {
  const { action, refused, conflict, setConflict, setRead } = useSaving(job, schedule);
  const can = useCan();
  const isChanged = JSON.stringify(schedule) !== JSON.stringify(job.schedule);
  return (
    <Card part="schedule-edit" title={can('jobs:write') ? 'Change the schedule' : 'Schedule'}>
      <Form onSubmit={action.run}>
        <fieldset class="form" disabled={!can('jobs:write')}>
          <ScheduleForm
            schedule={schedule}
            onChange={onChange}
            problem={(path, which) => fieldProblem(state.error ?? refused, path, which)}
          />
        </fieldset>
        <Words state={state} />
        <QuietMinute schedule={schedule} preview={state.data} onTake={onChange} />
        {isChanged && (
          <Note icon={<Icon name="info" />}>
            Begins generation {job.generation + 1} when it is saved. Nothing fires because of a change. What
            waits from generation {job.generation} is recorded as superseded.
          </Note>
        )}
        {can('jobs:write') && (
          <Buttons
            schedule={schedule}
            isChanged={isChanged}
            isBusy={action.isBusy || state.error !== undefined}
            onDiscard={() => onChange(job.schedule)}
          />
        )}
      </Form>
      {conflict && (
        <ConflictDialog
          conflict={conflict}
          onClose={() => setConflict(undefined)}
          onTake={(definition) => {
            setRead(conflict.theirs);
            onChange(definition.schedule);
            setConflict(undefined);
          }}
        />
      )}
    </Card>
  );
}

interface ButtonsProps {
  schedule: Schedule;
  isChanged: boolean;
  isBusy: boolean;
  onDiscard(): void;
}

const Buttons = ({ schedule, isChanged, isBusy, onDiscard }: ButtonsProps) => (
  <p class="acts">
    <button class="btn first" disabled={!isChanged || isBusy}>
      Save
    </button>
    <CopyButton text={() => JSON.stringify(schedule, null, 2)} small={false}>
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
