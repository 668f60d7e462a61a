import type { Execution } from '../../../client/browser';
import { CopyButton } from '../../parts/copy';

/** The trace of an execution, by which its spans are found elsewhere. */
export const TraceFact = ({ trace }: Pick<Execution, 'trace'>) =>
  trace && (
    <>
      <dt>Trace</dt>
      <dd>
        <span class="mono">{trace.traceId}</span> <CopyButton text={() => trace.traceId}>Copy</CopyButton>
        {trace.joined && ' of its request'}
      </dd>
    </>
  );
