import type { ChangeRecord } from '../../client/browser';
import { Instant } from '../parts/instant';
import { asText } from './definition';

/** A change of a job: its number and kind, by whom, when and why, and each field with what it became. */
export function ChangeText({ change }: { change: ChangeRecord }) {
  const { number, what, at, by, note, patch, restoredFrom } = change;
  return (
    <>
      <div>
        <span class="mono quiet">{number}</span> <strong>{what}</strong>
        {restoredFrom !== undefined && <> from change {restoredFrom}</>}{' '}
        {note && <span class="second">“{note}”</span>}
        <p class="quiet">
          <Instant at={at} show="full" /> · {by ? (by.name ?? by.sub) : 'unknown'}
          {by && by.via !== 'token' && ` via ${by.via}`}
        </p>
      </div>
      {patch && Object.keys(patch).length > 0 && (
        <details>
          <summary>{Object.keys(patch).join(', ')}</summary>
          <dl class="facts">
            {Object.entries(patch).map(([field, value]) => (
              <>
                <dt>{field}</dt>
                <dd>
                  <pre>{asText(value)}</pre>
                </dd>
              </>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}
