import type { AuditRecord } from '../../../client/browser';
import { useAudit } from '../../api/settings';
import { Card } from '../../parts/card';
import { Instant } from '../../parts/instant';
import { Empty, Loaded } from '../../parts/states';
import { Table } from '../../parts/table';

/** Who changed what of the project's access, and what was refused. */
export function Audit() {
  const audit = useAudit();
  return (
    <Card part="audit" title="Audit" more="the newest 100" flush>
      <Loaded query={audit} height={320}>
        {(records) =>
          records.length === 0 ? (
            <Empty title="Nothing is on record.">
              <p>A change of members, keys or secrets is recorded here, and so is each refusal.</p>
            </Empty>
          ) : (
            <Table label="Table of the audit" heads={['When', 'Who', 'What', 'Of', 'Outcome']}>
              {records.map((one, index) => (
                <Row key={index} record={one} />
              ))}
            </Table>
          )
        }
      </Loaded>
    </Card>
  );
}

const Row = ({ record: { at, by, what, outcome, resource, detail, note } }: { record: AuditRecord }) => (
  <tr>
    <td>
      <Instant at={at} show="full" />
    </td>
    <td>{by.name ?? by.sub}</td>
    <td>{what}</td>
    <td class="prose">
      {resource}
      {detail && `: ${detail}`}
      {note && ` “${note}”`}
    </td>
    <td class={outcome === 'refused' ? 'late' : undefined}>{outcome}</td>
  </tr>
);
