import type { Execution } from '../../../client/browser';

/** What the execution is found by: what a target or user has said, as text. */
export const LabelFacts = ({ execution: { runTags, externalId } }: { execution: Execution }) => (
  <>
    {runTags && (
      <>
        <dt>Run tags</dt>
        <dd>{runTags.join(' · ')}</dd>
      </>
    )}
    {externalId !== undefined && (
      <>
        <dt>External id</dt>
        <dd>{externalId}</dd>
      </>
    )}
  </>
);
