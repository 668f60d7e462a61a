import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { LogEntry } from '../../client/browser';
import { type LogOf, useLog } from '../api/work';
import { now } from '../app/now';
import { zone } from '../app/zone';
import { clockMs, count } from '../time/format';
import { CopyButton } from './copy';
import { Loaded } from './states';

const FIRST_LINES = 2_000;
/** The history keeps 256 bytes of a response, or 2 KB. A character of four bytes may be left out. */
const SHORTEST_CUT_BYTES = 253;
/** The rest of a response is written after the end of its execution. */
const LATE_LINES_MS = 10_000;
/** Within so many pixels of its end, a log follows what is written. */
const NEAR_END_PX = 24;
/** Colours and other commands for terminals. */
const TERMINAL_COMMANDS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g');

/** What a line says, without commands for terminals. */
export const shownText = (text: string): string => text.replaceAll(TERMINAL_COMMANDS, '');

interface LogLinesProps {
  of: LogOf;
  /** More lines may come. */
  isOpen: boolean;
}

/** The lines of a log, in their order. While the reader is at its end, it follows what is written. */
export function LogLines({ of, isOpen }: LogLinesProps) {
  const [most, setMost] = useState(FIRST_LINES);
  const log = useLog(of, isOpen, most);
  return (
    <Loaded query={log} height={160}>
      {({ lines, hasMore }) =>
        lines.length === 0 ? (
          <p class="quiet">{isOpen ? 'No line has come yet.' : 'It has no lines.'}</p>
        ) : (
          <>
            <Lines lines={lines} isOpen={isOpen} />
            <p class="acts log-acts">
              <span class="quiet">
                {count(lines.length)} {lines.length === 1 ? 'line' : 'lines'}
                {hasMore && ', and more'}
              </span>
              {hasMore && (
                <button type="button" class="btn small" onClick={() => setMost(2 * most)}>
                  Read on
                </button>
              )}
              <CopyButton text={() => lines.map(({ text }) => shownText(text)).join('\n')}>Copy</CopyButton>
            </p>
          </>
        )
      }
    </Loaded>
  );
}

interface ResponseLogProps {
  of: LogOf;
  result: { body: string | null } | null;
  finishedAt: string | null;
  children: ComponentChildren;
}

/** Its children, if the response of a target that writes no log itself goes on in the log. */
export const ResponseLog = ({ result, finishedAt, ...rest }: ResponseLogProps) =>
  finishedAt && new TextEncoder().encode(result?.body ?? '').length >= SHORTEST_CUT_BYTES ? (
    <IfLines {...rest} isOpen={now.value - Date.parse(finishedAt) < LATE_LINES_MS} />
  ) : null;

function IfLines({ of, isOpen, children }: LogLinesProps & { children: ComponentChildren }) {
  const { data } = useLog(of, isOpen, FIRST_LINES);
  return data && data.lines.length > 0 ? <>{children}</> : null;
}

function Lines({ lines, isOpen }: { lines: readonly LogEntry[]; isOpen: boolean }) {
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(isOpen);
  const several = lines[0]!.attempt !== lines.at(-1)!.attempt;
  useLayoutEffect(() => {
    if (isAtEnd.current) box.current!.scrollTop = box.current!.scrollHeight;
  }, [lines.length]);
  return (
    <pre
      ref={box}
      class="code log"
      tabIndex={0}
      role="region"
      aria-label="Lines of the log"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = isOpen && scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      }}
    >
      {lines.map(({ at, stream, text, attempt }, index) => (
        <span key={index} class={`line ${stream}`}>
          <time dateTime={at}>{clockMs(Date.parse(at), zone.value)}</time>
          {several && <i>attempt {attempt}</i>}
          {stream === 'stderr' && <i>stderr</i>}
          <span>{shownText(text)}</span>
        </span>
      ))}
    </pre>
  );
}
