import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { type Completion } from './completion';
import { CompletionList, useCompletion } from './completion-list';
import { insertText, newLineAfter } from './insert-text';
import { tokensOf } from './json-text';

/** As in the style: 1.5 lines of 13 px. */
export const LINE_PX = 19.5;
const BEYOND = 10;
const PADDING_PX = 8;

interface CodeFieldProps {
  area: RefObject<HTMLTextAreaElement>;
  label: string;
  value: string;
  /** Lines with a problem, from 1 on. */
  marked: ReadonlySet<number>;
  /** What keeps the form from being sent; empty: nothing. */
  wrong: string;
  /** The id of what describes it. */
  describedBy: string;
  onChange(value: string): void;
  onCaret(at: number): void;
  complete(text: string, at: number): Completion | undefined;
}

/**
 * A text of JSON with line numbers and colours. The browser edits a plain field, whose own letters are
 * transparent: the coloured ones are drawn behind it, for the lines that are seen.
 */
export function CodeField(props: CodeFieldProps) {
  const { area, label, value, marked, wrong, describedBy, onChange, onCaret } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const lines = value.split('\n');
  const longest = lines.reduce((most, line) => Math.max(most, line.length), 0);
  const seen = useSeen(scroller, lines.length);
  const completion = useCompletion(area, props.complete);
  useLayoutEffect(() => area.current?.setCustomValidity(wrong), [wrong]);
  useLayoutEffect(() => {
    // The event `select` is of selections alone, and not of a caret that moves.
    const report = () => document.activeElement === area.current && onCaret(area.current!.selectionStart);
    document.addEventListener('selectionchange', report);
    return () => document.removeEventListener('selectionchange', report);
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (completion.onKey(event) || event.key !== 'Enter' || event.isComposing) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    insertText(area.current!, newLineAfter(value.slice(0, area.current!.selectionStart)));
  };
  const height = { height: `${lines.length * LINE_PX}px` };
  return (
    <div ref={scroller} class="code-field">
      <Numbers seen={seen} marked={marked} style={height} digits={String(lines.length).length} />
      <div class="code-text" style={{ minWidth: `${longest + 4}ch` }}>
        <pre aria-hidden="true" style={height}>
          <Painted lines={lines} seen={seen} />
        </pre>
        <textarea
          ref={area}
          aria-label={label}
          aria-describedby={describedBy}
          aria-invalid={wrong !== '' || marked.size > 0}
          aria-autocomplete="list"
          {...completion.aria}
          wrap="off"
          spellcheck={false}
          autocapitalize="off"
          value={value}
          onInput={(event) => {
            onChange(event.currentTarget.value);
            completion.find();
          }}
          onKeyDown={onKeyDown}
          onBlur={completion.close}
        />
        <CompletionList completion={completion} value={value} />
      </div>
    </div>
  );
}

interface Seen {
  from: number;
  to: number;
}

/** The lines that are in view, and some around them. */
function useSeen(scroller: RefObject<HTMLDivElement>, count: number): Seen {
  const [seen, see] = useState<Seen>({ from: 0, to: 60 });
  useLayoutEffect(() => {
    const box = scroller.current!;
    const measure = (): void => {
      const from = Math.max(0, Math.floor(box.scrollTop / LINE_PX) - BEYOND);
      const to = Math.ceil((box.scrollTop + box.clientHeight) / LINE_PX) + BEYOND;
      see((old) => (old.from === from && old.to === to ? old : { from, to }));
    };
    const watch = new ResizeObserver(measure);
    watch.observe(box);
    box.addEventListener('scroll', measure, { passive: true });
    return () => {
      watch.disconnect();
      box.removeEventListener('scroll', measure);
    };
  }, []);
  return { from: Math.min(seen.from, count), to: Math.min(seen.to, count) };
}

const top = (line: number) => ({ transform: `translateY(${line * LINE_PX}px)` });

interface NumbersProps {
  seen: Seen;
  marked: ReadonlySet<number>;
  digits: number;
  style: { height: string };
}

const Numbers = ({ seen: { from, to }, marked, digits, style }: NumbersProps) => (
  <div class="code-numbers" aria-hidden="true" style={{ ...style, minWidth: `${digits + 3}ch` }}>
    <div style={top(from)}>
      {Array.from({ length: to - from }, (_, index) => from + index + 1).map((line) => (
        <span key={line} class={marked.has(line) ? 'wrong-line' : undefined}>
          {line}
        </span>
      ))}
    </div>
  </div>
);

const Painted = ({ lines, seen: { from, to } }: { lines: readonly string[]; seen: Seen }) => (
  <code style={top(from)}>
    {lines.slice(from, to).map((line, index) => (
      <div key={from + index}>{paint(line)}</div>
    ))}
  </code>
);

/** A line in pieces, each with its colour. */
function paint(line: string): preact.ComponentChild[] {
  const pieces: preact.ComponentChild[] = [];
  let at = 0;
  for (const { kind, from, to } of tokensOf(line)) {
    if (from > at) pieces.push(line.slice(at, from));
    pieces.push(
      <i key={from} class={`j-${kind}`}>
        {line.slice(from, to)}
      </i>,
    );
    at = to;
  }
  return pieces.length === 0 ? ['\u200B'] : pieces;
}

/** Scrolls a place of a text into the middle of its field, and puts the caret there. */
export function showPlace(area: HTMLTextAreaElement, at: number): void {
  const box = area.closest('.code-field')!;
  const line = area.value.slice(0, at).split('\n').length - 1;
  box.scrollTop = line * LINE_PX + PADDING_PX - box.clientHeight / 3;
  area.focus({ preventScroll: true });
  area.setSelectionRange(at, at);
}
