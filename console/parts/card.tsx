import type { ComponentChildren } from 'preact';

interface CardProps {
  /** Name of the part, which tests know. */
  part: string;
  title?: ComponentChildren;
  /** What stands at the right of the title. */
  more?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
  /** The content reaches the edges, as a table does. */
  flush?: boolean;
}

export const Card = ({ part, title, more, children, class: name = '', flush = false }: CardProps) => (
  <section class={`card ${name}`} data-part={part}>
    {title && (
      <header>
        <h2>{title}</h2>
        {more && <div class="more">{more}</div>}
      </header>
    )}
    {flush ? children : <div class="in">{children}</div>}
  </section>
);

interface TitleProps {
  children: ComponentChildren;
  /** A line below. */
  sub?: ComponentChildren;
  actions?: ComponentChildren;
}

/** The heading of a page. The router moves the focus there. */
export const Title = ({ children, sub, actions }: TitleProps) => (
  <div class="title" data-part="title">
    <div>
      <h1 tabIndex={-1}>{children}</h1>
      {sub && <p class="sub">{sub}</p>}
    </div>
    {actions && <div class="acts">{actions}</div>}
  </div>
);

interface LegendProps {
  /** Colour as a custom property without its dashes, or the class of a pattern; then the words. */
  items: readonly (readonly [colour: string, words: string])[];
}

/** The drawing says the same in words, so this is for the eyes alone. */
export const Legend = ({ items }: LegendProps) => (
  <span class="legend" aria-hidden="true">
    {items.map(([colour, words]) => (
      <span key={words}>
        <i class={`swatch ${colour}`} />
        {words}
      </span>
    ))}
  </span>
);

interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, text: ComponentChildren])[];
  onChange(value: Value): void;
}

/** A choice of a few. */
export function Segments<Value extends string>({ label, value, options, onChange }: SegmentsProps<Value>) {
  return (
    <span class="seg" role="group" aria-label={label}>
      {options.map(([one, text]) => (
        <button key={one} type="button" aria-pressed={one === value} onClick={() => onChange(one)}>
          {text}
        </button>
      ))}
    </span>
  );
}

export const Tag = ({ name, value }: { name: string; value: string }) => (
  <span class="tag">
    {name}:{value}
  </span>
);

export const Tags = ({ tags }: { tags: Readonly<Record<string, string>> }) => (
  <>
    {Object.entries(tags).map(([name, value]) => (
      <Tag key={name} name={name} value={value} />
    ))}
  </>
);

/** A remark with an icon. */
export const Note = ({
  tone,
  icon,
  children,
}: {
  tone?: 'good' | 'bad';
  icon: ComponentChildren;
  children: ComponentChildren;
}) => (
  <div class={`note ${tone ?? ''}`}>
    {icon}
    <div>{children}</div>
  </div>
);
