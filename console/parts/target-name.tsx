import { type Target, targetParts } from './target-text';

/** What a target is, in one line; the version or alias of a function is a badge. */
export function TargetName({ target }: { target: Target }) {
  const { text, qualifier } = targetParts(target);
  return (
    <>
      {text}
      {qualifier !== undefined && (
        <>
          {' '}
          <span class="tag" title="version or alias">
            {qualifier}
          </span>
        </>
      )}
    </>
  );
}
