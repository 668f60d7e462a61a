import type { ComponentChildren } from 'preact';

/** A heading, one above numbers, or one for screen readers alone. `false`: there is no such column. */
type Heading = string | readonly [text: string, kind: 'num' | 'hidden'] | false;

interface TableProps {
  /** What the table lists, for screen readers: `Table of queues`. */
  label: string;
  heads: readonly Heading[];
  class?: string;
  part?: string;
  /** The rows. */
  children: ComponentChildren;
}

/** A table that scrolls by itself where it is too wide. */
export const Table = ({ label, heads, class: name, part, children }: TableProps) => (
  <div class="scroll" tabIndex={0} role="region" aria-label={label}>
    <table class={name} data-part={part}>
      <thead>
        <tr>
          <Headings of={heads} />
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

export const Headings = ({ of }: { of: readonly Heading[] }) => (
  <>
    {of.map((heading) => {
      if (heading === false) return null;
      const [text, kind] = typeof heading === 'string' ? [heading] : heading;
      return kind === 'hidden' ? (
        <th key={text}>
          <span class="hidden">{text}</span>
        </th>
      ) : (
        <th key={text} scope="col" class={kind}>
          {text}
        </th>
      );
    })}
  </>
);
