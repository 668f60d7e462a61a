import { useEffect, useMemo, useState } from 'preact/hooks';

import type * as reading from '../../../client/ics/read-ics';
import { now } from '../../app/now';
import { paths } from '../../app/address';
import { useGo } from '../../app/go';
import { Labelled } from '../../parts/labelled';
import { useAction } from '../../parts/action';
import { Dialog, DialogActions, Form } from '../../parts/dialog';
import { plural } from '../../time/format';
import { MonthsCard } from './months-card';
import { saveCalendar } from './save-calendar';

const DEFAULT_YEARS = 3;
const MOST_YEARS = 20;
const MOST_NOTES = 20;

/** A calendar from an iCalendar file: chosen, shown by month, and saved. */
export function ImportDialog({ onClose }: { onClose(): void }) {
  const [file, setFile] = useState<{ name: string; text: string }>();
  const [calendarId, setCalendarId] = useState('');
  const [timezone, setTimezone] = useState('');
  const [years, setYears] = useState(DEFAULT_YEARS);
  const { found, problem } = useRead(file, timezone, years);
  const calendar = found?.calendar;
  const go = useGo();
  const action = useAction(async () => {
    const { words } = await saveCalendar(calendarId.trim(), calendar!);
    onClose();
    go(paths.calendar(calendarId.trim()));
    return words;
  });
  const choose = async (chosen: File | undefined): Promise<void> => {
    if (!chosen) return;
    setFile({ name: chosen.name, text: await chosen.text() });
    if (calendarId === '') setCalendarId(idFrom(chosen.name));
  };
  return (
    <Dialog title="Import a calendar" part="import-dialog" onClose={onClose} wide>
      <Form onSubmit={action.run}>
        <Labelled
          text="File"
          hint="iCalendar, .ics, as Google, Apple and Nager.Date publish it"
          wrong={problem}
        >
          <input
            type="file"
            accept=".ics,text/calendar"
            onChange={(event) => void choose(event.currentTarget.files?.[0])}
          />
        </Labelled>
        <Fields
          calendarId={calendarId}
          timezone={timezone}
          years={years}
          onId={setCalendarId}
          onZone={setTimezone}
          onYears={setYears}
        />
        {found && <Summary {...found} />}
        <DialogActions
          submit="Import"
          disabled={!calendar || calendarId.trim() === '' || action.isBusy}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** What the file says, and what of it is left out, before it is saved. */
const Summary = ({ calendar, events, past, cancelled, cutAfter, notes }: reading.IcsImport) => (
  <>
    <p role="status">
      {plural(events, 'event')}: {plural(calendar.dates?.length ?? 0, 'date')},{' '}
      {plural(calendar.yearly?.length ?? 0, 'date')} of every year
      {past > 0 && `, ${plural(past, 'event')} of the past left out`}
      {cancelled > 0 && `, ${cancelled} cancelled`}
      {cutAfter !== undefined && `, events without an end until ${cutAfter}`}.
    </p>
    {notes.length > 0 && (
      <ul data-part="import-notes">
        {notes.slice(0, MOST_NOTES).map((note) => (
          <li key={note}>{note}</li>
        ))}
        {notes.length > MOST_NOTES && <li>and {notes.length - MOST_NOTES} more</li>}
      </ul>
    )}
    <MonthsCard calendar={calendar} />
  </>
);

interface FieldsProps {
  calendarId: string;
  timezone: string;
  years: number;
  onId(calendarId: string): void;
  onZone(timezone: string): void;
  onYears(years: number): void;
}

const Fields = ({ calendarId, timezone, years, onId, onZone, onYears }: FieldsProps) => (
  <>
    <div class="pair">
      <Labelled text="Id" hint="an existing calendar is replaced">
        <input
          class="field"
          required
          value={calendarId}
          onInput={(event) => onId(event.currentTarget.value)}
        />
      </Labelled>
      <Labelled text="Years" hint="of recurring events">
        <input
          class="field"
          type="number"
          min={1}
          max={MOST_YEARS}
          value={years}
          onInput={(event) => onYears(Number(event.currentTarget.value))}
        />
      </Labelled>
    </div>
    <Labelled text="Time zone" hint="as in the file if it is empty">
      <input class="field" value={timezone} onInput={(event) => onZone(event.currentTarget.value)} />
    </Labelled>
  </>
);

const idFrom = (fileName: string): string =>
  fileName
    .replace(/\.ics$/i, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64);

type Reader = typeof reading;
interface Read {
  found?: reading.IcsImport;
  problem?: string;
}

/** What a file says. The reader is loaded with the first file. */
function useRead(file: { name: string; text: string } | undefined, timezone: string, years: number): Read {
  const [reader, setReader] = useState<Reader>();
  const isNeeded = file !== undefined;
  useEffect(() => {
    if (isNeeded) void import('../../../client/ics/read-ics').then(setReader);
  }, [isNeeded]);
  return useMemo(() => {
    if (!file || !reader) return {};
    if (!(years >= 1 && years <= MOST_YEARS)) return { problem: `years: 1 to ${MOST_YEARS}` };
    try {
      const zone = timezone.trim();
      const options = { nowMs: now.peek(), years, ...(zone && { timezone: zone }) };
      return { found: reader.readIcs(file.text, file.name, options) };
    } catch (thrown) {
      return { problem: thrown instanceof Error ? thrown.message : String(thrown) };
    }
  }, [file, reader, timezone, years]);
}
