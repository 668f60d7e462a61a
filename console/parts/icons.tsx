import type { ComponentChildren } from 'preact';

interface GlyphProps {
  children: ComponentChildren;
  size?: number;
  class?: string;
}

/** A drawing of 16 by 16 in the colour of the text. It is never the only carrier of a fact. */
export const Glyph = ({ children, size = 16, class: name }: GlyphProps) => (
  <svg
    class={name}
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.6"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    {children}
  </svg>
);

/** Outlines by name. */
const OUTLINES = {
  today: 'M2 2.5h5v5.5H2zM9 2.5h5V5H9zM2 11h5v2.5H2zM9 8h5v5.5H9z',
  jobs: 'M5.5 4H14M5.5 8H14M5.5 12H14M2.2 4h.01M2.2 8h.01M2.2 12h.01',
  executions: 'M2 3.5h12M2 8h6.5M2 12.5h4M10.5 7.5v5.4l4-2.7z',
  failures: 'M8 2.2 1.8 13h12.4zM8 6.5v3M8 11.3h.01',
  keys: 'M2 4h7M2 8h7M2 12h7M11.5 3.5 14 6l-2.5 2.5M14 6h-3',
  workflows:
    'M1.8 6h3.6v3.6H1.8zM10.6 2.2h3.6v3.6h-3.6zM10.6 10h3.6v3.6h-3.6zM5.4 7.8h2.4M7.8 4v7.8M7.8 4h2.8M7.8 11.8h2.8',
  backfills: 'M13.5 8V3.5h-11v10H7M2.5 6.5h11M5.5 2v3M10.5 2v3M14 11.8H9.2M11 9.8l-2 2 2 2',
  slots: 'M2 3h3v10H2zM6.5 3h3v10h-3zM11 3h3v10h-3z',
  workers:
    'M2 3.2h6.5M2 6.4h6.5M2 9.6h4M10.8 8.4a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8zM7.4 13.6c.3-2 1.7-3.2 3.4-3.2s3.1 1.2 3.4 3.2',
  deployment: 'M2.2 2.5h11.6V7H2.2zM2.2 9h11.6v4.5H2.2zM4.6 4.8h.01M4.6 11.2h.01',
  calendar: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3',
  bell: 'M3.5 11.5h9l-1.2-1.7V7a3.3 3.3 0 0 0-6.6 0v2.8zM6.8 13.6h2.4',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  edit: 'm10.4 2.9 2.7 2.7-7.6 7.6-3.2.5.5-3.2z',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  right: 'm6 3.5 4.5 4.5L6 12.5',
  down: 'm3.5 6 4.5 4.5L12.5 6',
  plus: 'M8 3v10M3 8h10',
  close: 'm4 4 8 8m0-8-8 8',
  retry: 'M13.8 8a5.8 5.8 0 1 1-1.8-4.2M14 1.8v3h-3',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.3V2.5h-8v8h2.8',
  out: 'M6 2.5H2.5v11H6M10.5 5 13.5 8l-3 3M13.5 8H6',
} as const;

/** Drawings of more than an outline. */
const SHAPES = {
  settings: (
    <>
      <circle cx="8" cy="8" r="2.2" />
      <path d="M8 1.8v1.8M8 12.4v1.8M1.8 8h1.8M12.4 8h1.8M3.6 3.6l1.3 1.3M11.1 11.1l1.3 1.3M3.6 12.4l1.3-1.3M11.1 4.9l1.3-1.3" />
    </>
  ),
  find: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 3.3 3.3" />
    </>
  ),
  theme: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 2v12a6 6 0 0 0 0-12z" fill="currentColor" />
    </>
  ),
  info: (
    <>
      <circle cx="8" cy="8" r="6.2" />
      <path d="M8 7.2V11M8 5h.01" />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="6.2" />
      <path d="M8 4.5V8l2.3 1.5" />
    </>
  ),
  why: (
    <>
      <circle cx="8" cy="8" r="6.2" />
      <path d="M6.2 6.3a1.8 1.8 0 1 1 2.6 1.6c-.5.3-.8.6-.8 1.2M8 11.3h.01" />
    </>
  ),
  run: <path d="M5 3.2v9.6L12.5 8z" fill="currentColor" />,
} as const;

export type IconName = keyof typeof OUTLINES | keyof typeof SHAPES;

export const Icon = ({ name, size }: { name: IconName; size?: number }) => (
  <Glyph size={size}>
    {name in SHAPES ? (
      SHAPES[name as keyof typeof SHAPES]
    ) : (
      <path d={OUTLINES[name as keyof typeof OUTLINES]} />
    )}
  </Glyph>
);
