import type { Execution } from '../../client/browser';
import { Relative } from './instant';

/** How far an attempt is, and what it does, as it has last said. */
export const ProgressLine = ({
  progress: { value, text, at },
}: {
  progress: NonNullable<Execution['progress']>;
}) => (
  <>
    <progress value={value} max={1} aria-label="Progress" /> {Math.floor(value * 100)} %{text && ` · ${text}`}{' '}
    (<Relative at={at} />)
  </>
);
