import { type Target, targetParts } from './target-text';

/** What a target is, in one line, and badges: the version or alias of a function, proofs of a call. */
export function TargetName({ target }: { target: Target }) {
  const { text, badges } = targetParts(target);
  return (
    <>
      {text}
      {badges.map((badge) => (
        <span key={badge.title}>
          {' '}
          <span class="tag" title={badge.title}>
            {badge.text}
          </span>
        </span>
      ))}
    </>
  );
}
