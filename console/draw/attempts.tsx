import { zone } from '../app/zone';
import { clockMs, duration } from '../time/format';
import { CHARACTER, folding, labelled, type Span, type Timeline } from './timeline';

const WIDTH = 1_000;
const LEFT = 112;
const RIGHT = 70;
const TOP = 26;
const ROW = 34;
const BAR = 18;
const NARROWEST = 3;

const FILLS: Record<Span['kind'], string> = {
  queue: 'var(--planned-fill)',
  lease: 'var(--running-fill)',
  wait: 'url(#folded)',
  failed: 'var(--failed-fill)',
  succeeded: 'var(--succeeded-fill)',
  running: 'var(--running-fill)',
};

/** The life of an execution on one axis. Long pauses are folded, so that what happened keeps its width. */
export function AttemptTimeline({ timeline }: { timeline: Timeline }) {
  const { sinceMs, spans } = timeline;
  const fold = folding(spans.filter(({ kind }) => kind === 'wait' || kind === 'queue'));
  const lanes = [...new Set(spans.map(({ lane }) => lane))];
  const startMs = fold(Math.min(sinceMs, ...spans.map(({ fromMs }) => fromMs)));
  const length = Math.max(1, fold(Math.max(sinceMs, ...spans.map(({ toMs }) => toMs))) - startMs);
  const x = (ms: number) => LEFT + ((fold(ms) - startMs) / length) * (WIDTH - LEFT - RIGHT);
  const height = TOP + lanes.length * ROW + 8;
  return (
    <svg
      class="timeline"
      viewBox={`0 0 ${WIDTH} ${height}`}
      width="100%"
      role="img"
      aria-label="Timeline of the attempts. The table below says the same."
    >
      <defs>
        <pattern id="folded" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0v6" stroke="var(--waiting-fill)" stroke-width="2" opacity=".55" />
        </pattern>
      </defs>
      {lanes.map((lane, index) => (
        <g key={lane}>
          <path d={`M0 ${TOP + index * ROW}H${WIDTH}`} stroke="var(--line)" />
          <text x="0" y={TOP + index * ROW + 21} class="lane">
            {lane}
          </text>
        </g>
      ))}
      <Instants timeline={timeline} x={x} height={height} />
      {spans.map((span, index) => (
        <Bar
          key={index}
          span={span}
          x={x}
          y={TOP + lanes.indexOf(span.lane) * ROW + (ROW - BAR) / 2}
          end={endOfRoom(spans, index, x)}
        />
      ))}
    </svg>
  );
}

interface InstantsProps {
  timeline: Timeline;
  x(ms: number): number;
  height: number;
}

/** When it was due or asked for, and when each call began, where there is room for the text. */
function Instants({ timeline: { sinceMs, isAsked, spans }, x, height }: InstantsProps) {
  const word = isAsked ? 'asked for ' : 'due ';
  const begins = spans.filter(({ kind }) => kind === 'lease').map(({ fromMs }) => fromMs);
  return (
    <>
      {labelled([sinceMs, ...begins], word, x).map((ms, index) => (
        <g key={ms}>
          <path d={`M${x(ms)} 19V${height}`} stroke="var(--line)" stroke-dasharray="2 3" />
          <text x={x(ms)} y="13" text-anchor={index === 0 ? 'start' : 'middle'}>
            {index === 0 && word}
            {clockMs(ms, zone.value)}
          </text>
        </g>
      ))}
    </>
  );
}

/** Where the next bar of the lane begins. */
function endOfRoom(spans: readonly Span[], index: number, x: (ms: number) => number): number {
  const next = spans.find(({ lane }, at) => at > index && lane === spans[index]!.lane);
  return next ? x(next.fromMs) : WIDTH;
}

interface BarProps {
  span: Span;
  x(ms: number): number;
  y: number;
  /** A label ends before this. */
  end: number;
}

const textWidth = (text: string): number => text.length * CHARACTER + 12;

function Bar({ span, x, y, end }: BarProps) {
  const { kind, fromMs, toMs, ticks } = span;
  const isPause = kind === 'wait' || kind === 'queue';
  const from = x(fromMs);
  const width = Math.max(NARROWEST, x(toMs) - from);
  const whole = isPause ? duration(toMs - fromMs) : span.label;
  // `2 · no answer within 30 s`: without room for all of it, the number of the attempt.
  const label = textWidth(whole) > Math.max(width, end - from - width) ? whole.split(' · ')[0]! : whole;
  const fits = width > textWidth(label);
  return (
    <g>
      <rect x={from} y={y} width={width} height={BAR} rx={Math.min(4, width / 2)} fill={FILLS[kind]} />
      {ticks.map((ms) => (
        <path key={ms} d={`M${x(ms)} ${y + 3}v${BAR - 6}`} stroke="var(--surface)" stroke-width="1.5" />
      ))}
      {label && (
        <text x={fits ? from + 8 : from + width + 6} y={y + 13} class={fits && !isPause ? 'on' : 'strong'}>
          {label}
        </text>
      )}
    </g>
  );
}
