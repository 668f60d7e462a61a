import { INCIDENT_KINDS, type NotificationDraft, SEVERITIES } from '../../editor/notification-draft';
import { Choice, Labelled } from '../../parts/labelled';

interface IncidentFieldsProps {
  draft: NotificationDraft;
  put(changes: Partial<NotificationDraft>): void;
  problem(field: string): string | undefined;
}

const PROBLEMS = {
  failed: 'a failure',
  skipped: 'a skip',
  late: 'lateness',
  slow: 'a slow success',
  quick: 'a quick success',
} as const;

/** What a service that keeps incidents needs beside its secret. */
export function IncidentFields({ draft, put, problem }: IncidentFieldsProps) {
  const { channel, on, region, sourceId, severity } = draft;
  return (
    <>
      {channel === 'incident-io' ? (
        <Labelled text="Alert source" hint="the id in its URL" wrong={problem('target.sourceId')}>
          <input
            class="field"
            required
            spellcheck={false}
            value={sourceId}
            onInput={(event) => put({ sourceId: event.currentTarget.value })}
          />
        </Labelled>
      ) : (
        <Choice
          label="Service region"
          value={region}
          options={[
            [region === 'us' ? 'us' : '', 'US'],
            ['eu', 'EU: events.eu.pagerduty.com'],
          ]}
          onChange={(one) => put({ region: one })}
        />
      )}
      <div class="pair">
        {INCIDENT_KINDS.filter((kind) => on.includes(kind)).map((kind) => (
          <Choice
            key={kind}
            label={`Severity of ${PROBLEMS[kind]}`}
            value={severity[kind] ?? ''}
            options={[
              ['', `${kind === 'failed' ? 'error' : 'warning'}, as usual`],
              ...SEVERITIES.map((one) => [one, one] as const),
            ]}
            onChange={(one) => put({ severity: { ...severity, [kind]: one || undefined } })}
          />
        ))}
      </div>
    </>
  );
}
