import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows beyond the edges of the window that are drawn too. */
const MARGIN = 8;

interface Windowed {
  body: RefObject<HTMLTableSectionElement>;
  /** The first row to draw, and the one after the last. */
  from: number;
  to: number;
}

/** Which of `count` rows of equal height are drawn: those in the window, and a few around them. */
export function useWindowed(count: number, rowPx: number): Windowed {
  const body = useRef<HTMLTableSectionElement>(null);
  const [span, setSpan] = useState({ from: 0, to: 40 });
  useLayoutEffect(() => {
    let frame = 0;
    const measure = (): void => {
      frame = 0;
      const top = body.current?.getBoundingClientRect().top ?? 0;
      const from = Math.max(0, Math.floor(-top / rowPx) - MARGIN);
      const to = Math.min(count, from + Math.ceil(innerHeight / rowPx) + 2 * MARGIN);
      setSpan((old) => (old.from === from && old.to === to ? old : { from, to }));
    };
    const soon = (): void => {
      frame ||= requestAnimationFrame(measure);
    };
    measure();
    addEventListener('scroll', soon, { passive: true });
    addEventListener('resize', soon);
    return () => {
      removeEventListener('scroll', soon);
      removeEventListener('resize', soon);
      cancelAnimationFrame(frame);
    };
  }, [count, rowPx]);
  return { body, from: Math.min(span.from, count), to: Math.min(span.to, count) };
}
