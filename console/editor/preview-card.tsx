import type { Preview } from '../../client/browser';
import { Card } from '../parts/card';
import { Icon } from '../parts/icons';
import { Skeleton } from '../parts/states';
import { localParts } from '../time/format';

interface PreviewCardProps {
  preview: Preview | undefined;
  /** The date that the list begins with; empty: now. */
  from: string;
  onFrom(date: string): void;
}

/** The next ten times: in the schedule's zone, in UTC, and with what clocks do to them. */
export const PreviewCard = ({ preview, from, onFrom }: PreviewCardProps) => (
  <Card
    part="preview"
    title="Next ten"
    flush
    more={
      <label>
        from{' '}
        <input
          class="field date"
          type="date"
          value={from}
          onChange={(event) => onFrom(event.currentTarget.value)}
        />
      </label>
    }
  >
    {preview ? (
      <div class="scroll" tabIndex={0} role="region" aria-label="Table of the next times">
        <table class="tight times">
          <thead class="hidden">
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Local time</th>
              <th scope="col">UTC</th>
              <th scope="col">Note</th>
            </tr>
          </thead>
          <tbody>
            {preview.times.map((time) => (
              <TimeRow key={time.at} time={time} />
            ))}
          </tbody>
        </table>
      </div>
    ) : (
      <Skeleton height={340} />
    )}
  </Card>
);

function TimeRow({ time: { at, local, note } }: { time: Preview['times'][number] }) {
  const { day, time, offset } = localParts(local);
  const utc = localParts(`${at.slice(0, 19)}+00:00`);
  return (
    <tr class={note ? 'noted' : undefined}>
      <td>{day}</td>
      <td>
        <strong>{time}</strong> <span class="quiet">{offset}</span>
      </td>
      <td class="quiet">
        {utc.day !== day && `${utc.day} `}
        {utc.time} UTC
      </td>
      <td class="prose">
        {note && (
          <span class="clock-note">
            <Icon name="clock" size={14} />
            {note}
          </span>
        )}
      </td>
    </tr>
  );
}
