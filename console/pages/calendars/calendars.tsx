import { useState } from 'preact/hooks';

import type { CalendarSummary } from '../../../client/browser';
import { useCalendars } from '../../api/calendars';
import { useCan } from '../../api/project';
import { paths } from '../../app/address';
import { Go, useGo } from '../../app/go';
import { Card, Title } from '../../parts/card';
import { CopyButton } from '../../parts/copy';
import { Instant } from '../../parts/instant';
import { useRowKeys } from '../../parts/row-keys';
import { Empty, Loaded } from '../../parts/states';
import { Table } from '../../parts/table';
import { plural } from '../../time/format';
import { ImportDialog } from './import-dialog';

/** Days and times that the schedules of a project leave out, or keep to. */
export default function Calendars() {
  const calendars = useCalendars();
  const [isImporting, setImporting] = useState(false);
  const can = useCan();
  return (
    <>
      <Title
        sub="Days and times that schedules leave out, or keep to."
        actions={
          can('jobs:write') && (
            <>
              <button type="button" class="btn" onClick={() => setImporting(true)}>
                Import .ics…
              </button>
              <Go to="/calendars/~new" class="btn first">
                New calendar
              </Go>
            </>
          )
        }
      >
        Calendars
      </Title>
      <Card part="calendars" title={calendars.data && plural(calendars.data.length, 'calendar')} flush>
        <Loaded query={calendars} height={280}>
          {(items) => (items.length === 0 ? <NoCalendars /> : <CalendarsTable items={items} />)}
        </Loaded>
      </Card>
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </>
  );
}

const CLI = 'npx @quarterjack/cli calendars import holidays.ics --id de-holidays --weekdays SAT,SUN';

const NoCalendars = () => (
  <Empty title="There are no calendars yet.">
    <p>A calendar comes from a form, from an .ics file, or from the command line:</p>
    <pre class="code">{CLI}</pre>
    <p>
      <CopyButton text={() => CLI}>Copy</CopyButton>
    </p>
  </Empty>
);

function CalendarsTable({ items }: { items: readonly CalendarSummary[] }) {
  const go = useGo();
  const here = useRowKeys(items.length, { open: (index) => go(paths.calendar(items[index]!.calendarId)) });
  return (
    <Table label="Table of calendars" heads={['Calendar', 'Known until', 'Changed', 'By', 'State']}>
      {items.map(({ calendarId, name, knownUntil, updatedAt, by, changing }, index) => (
        <tr key={calendarId} class={index === here ? 'here' : undefined}>
          <td class="two">
            <Go to={paths.calendar(calendarId)} class="job">
              {calendarId}
            </Go>
            <small>{name}</small>
          </td>
          <td>{knownUntil ?? ''}</td>
          <td>
            <Instant at={updatedAt} />
          </td>
          <td>{by.name ?? by.sub}</td>
          <td>{changing ? <span class="late">jobs are being replanned</span> : 'all jobs follow it'}</td>
        </tr>
      ))}
    </Table>
  );
}
