import type { JobDefinition } from '../../client/browser';
import { Dialog } from '../parts/dialog';
import { Table } from '../parts/table';
import { asText, definitionOf } from './definition';
import { conflicts, differences, merged } from './diff';
import type { EditConflict } from './save';

interface ConflictDialogProps {
  conflict: EditConflict;
  onClose(): void;
  /** The reader goes on with this definition, on top of what is stored now. */
  onTake(definition: JobDefinition): void;
}

/** Both sides changed the job: what each did, and what to go on with. */
export function ConflictDialog({ conflict: { base, mine, theirs }, onClose, onTake }: ConflictDialogProps) {
  const stored = definitionOf(theirs);
  const both = merged(base, mine, stored) as JobDefinition;
  const clashes = conflicts(base, mine, stored);
  const paths = new Map(
    [...differences(base, mine), ...differences(base, stored)].map((one) => [one.path.join('.'), one.path]),
  );
  const who = theirs.by ? (theirs.by.name ?? theirs.by.sub) : 'Another program';
  return (
    <Dialog title="The job was changed meanwhile" part="conflict" onClose={onClose} wide>
      <p>
        {who} saved change {theirs.changeNumber} while you were editing. Nothing of yours is lost, and nothing
        is saved yet.
      </p>
      <Table label="What both sides changed" class="diff" heads={['Field', 'Before', 'Stored now', 'Yours']}>
        {[...paths].map(([name, path]) => (
          <tr key={name} class={clashes.some((one) => one.path.join('.') === name) ? 'noted' : undefined}>
            <th scope="row">{name}</th>
            {[base, stored, mine].map((side, index) => (
              <td key={index}>
                <pre>{asText(valueAt(side, path))}</pre>
              </td>
            ))}
          </tr>
        ))}
      </Table>
      <p class="acts end">
        <button type="button" class="btn bare" onClick={onClose}>
          Close
        </button>
        <button type="button" class="btn" onClick={() => onTake(stored)}>
          Take what is stored
        </button>
        <button type="button" class="btn first" onClick={() => onTake(both)}>
          {clashes.length > 0 ? 'Put mine on top' : 'Keep both'}
        </button>
      </p>
    </Dialog>
  );
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value);
