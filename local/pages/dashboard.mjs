import uPlot from '/_local/uplot.mjs';

/** Draws the dashboard's graphs and keeps them up to date. What they are of comes with the page's data. */
const REFRESH_MS = 2_000;
const HEIGHT_PX = 170;
const PALETTE = [
  '#3b82f6',
  '#f59e0b',
  '#14b8a6',
  '#a855f7',
  '#ec4899',
  '#84cc16',
  '#64748b',
  '#f97316',
  '#06b6d4',
];
const WINDOWS = { '5 min': 300, '15 min': 900, '1 h': 3_600, '3 h': 10_800 };
const PERIODS = { '10 s': 10, '1 min': 60, '5 min': 300 };

const main = document.querySelector('#graphs');
const state = document.querySelector('#state');
const form = document.querySelector('#range');
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const clock = (sec) => time.format(new Date(sec * 1_000));
const text = (value) => (value === null || value === undefined ? '–' : whole.format(value));
// A canvas cannot resolve what the style sheet leaves to the light or dark of the day, so it borrows from the page.
const quiet = () => getComputedStyle(document.querySelector('#stack')).color;
const ruled = () => getComputedStyle(document.querySelector('header')).borderBottomColor;

for (const [name, options, chosen] of [
  ['window', WINDOWS, '15 min'],
  ['period', PERIODS, '10 s'],
])
  for (const [label, seconds] of Object.entries(options))
    form.elements[name].add(new Option(label, seconds, label === chosen, label === chosen));

/** A line of a few values, or of one, is seen by its points. */
const isSparse = (values) => values.filter((value) => value !== null).length < 12;

const strokeOf = ({ color }, index) => color ?? PALETTE[index % PALETTE.length];

function element(name, content = '', parent) {
  const made = document.createElement(name);
  made.textContent = content;
  parent?.append(made);
  return made;
}

/** One card: a title, a chart, and a legend that tells the last values, or those under the pointer. */
function card(graph) {
  const section = element('section', '', main);
  section.style.setProperty('--columns', graph.width);
  const title = element('h2', graph.title, section);
  element('small', graph.unit, title);
  const place = element('div', '', section);
  const legend = element('ul', '', section);
  const entries = graph.lines.map((line, index) => {
    const entry = element('li', line.label, legend);
    entry.style.setProperty('--stroke', strokeOf(line, index));
    return { entry, value: element('b', '–', entry) };
  });

  const tell = (values) =>
    values.forEach((value, index) => {
      const { entry, value: shown } = entries[index];
      shown.textContent = text(value);
      entry.dataset.empty = String(value === null || value === undefined);
    });
  const last = (chart) =>
    chart.data.slice(1).map((values) => values.findLast((value) => value !== null) ?? null);
  const axis = { stroke: quiet, grid: { stroke: ruled, width: 1 }, ticks: { stroke: ruled, width: 1 } };
  const chart = new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT_PX,
      legend: { show: false },
      cursor: { points: { size: 6 }, drag: { x: false, y: false } },
      scales: { y: { range: (_, _least, most) => [0, most > 0 ? most * 1.1 : 1] } },
      axes: [
        { ...axis, size: 30, values: (_, ticks) => ticks.map(clock) },
        { ...axis, size: 56, values: (_, ticks) => ticks.map(text) },
      ],
      series: [
        {},
        ...graph.lines.map((line, index) => ({
          label: line.label,
          stroke: strokeOf(line, index),
          width: 1.75,
          spanGaps: true,
          points: { size: 5, show: (drawn, one) => isSparse(drawn.data[one]) },
        })),
      ],
      hooks: {
        setCursor: [
          (drawn) => {
            const { idx } = drawn.cursor;
            tell(
              idx === null || idx === undefined ? last(drawn) : drawn.data.slice(1).map((one) => one[idx]),
            );
          },
        ],
      },
    },
    [[], ...graph.lines.map(() => [])],
    place,
  );
  new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: HEIGHT_PX })).observe(place);

  return (atSec, lines) => {
    chart.setData([atSec, ...lines.map(({ values }) => values)]);
    if (chart.cursor.idx === null || chart.cursor.idx === undefined) tell(last(chart));
    section.dataset.drawn = String(lines.some(({ values }) => values.some((value) => value !== null)));
  };
}

let draw;
async function refresh() {
  const range = new URLSearchParams(new FormData(form));
  const response = await fetch(`/_local/dashboard.json?${range}`);
  if (!response.ok) throw new Error(`${response.status}`);
  const { stack, atSec, graphs } = await response.json();
  document.querySelector('#stack').textContent = stack;
  draw ??= graphs.map(card);
  graphs.forEach(({ lines }, index) => draw[index](atSec, lines));
}

/** Draws what there is now, and says whether there is anyone to ask. */
async function show() {
  try {
    await refresh();
    state.textContent = 'live';
    state.dataset.live = 'true';
  } catch {
    state.textContent = 'no answer; is the local run still there?';
    state.dataset.live = 'false';
  }
}

form.addEventListener('change', () => void show());
for (;;) {
  await show();
  await new Promise((done) => setTimeout(done, REFRESH_MS));
}
