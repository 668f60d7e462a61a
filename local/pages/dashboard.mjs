import uPlot from '/_local/uplot.mjs';

/** Draws the graphs of the dashboard and refreshes them. Their definitions come with the data. */
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
const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const clock = (sec) => time.format(new Date(sec * 1_000));
const isMissing = (value) => value === null || value === undefined;
const text = (value) => (isMissing(value) ? '–' : number.format(value));
// A canvas cannot resolve light-dark() colors, so the computed colors of page elements are used.
const mutedColor = () => getComputedStyle(document.querySelector('#stack')).color;
const lineColor = () => getComputedStyle(document.querySelector('header')).borderBottomColor;

for (const [name, options, selected] of [
  ['window', WINDOWS, '15 min'],
  ['period', PERIODS, '10 s'],
])
  for (const [label, seconds] of Object.entries(options))
    form.elements[name].add(new Option(label, seconds, label === selected, label === selected));

/** Few values are drawn as points too, since a line between them is hard to see. */
const isSparse = (values) => values.filter((value) => value !== null).length < 12;

const strokeOf = ({ color }, index) => color ?? PALETTE[index % PALETTE.length];

function element(name, content = '', parent) {
  const created = document.createElement(name);
  created.textContent = content;
  parent?.append(created);
  return created;
}

/** Adds the legend and returns a function that shows one value per line in it. */
function legend(lines, parent) {
  const list = element('ul', '', parent);
  const entries = lines.map((line, index) => {
    const entry = element('li', line.label, list);
    entry.style.setProperty('--stroke', strokeOf(line, index));
    return { entry, value: element('b', '–', entry) };
  });
  return (values) =>
    values.forEach((value, index) => {
      const { entry, value: shown } = entries[index];
      shown.textContent = text(value);
      entry.dataset.empty = String(isMissing(value));
    });
}

/** The values under the pointer, or else the last value of each line. */
function currentValues({ cursor, data }) {
  const lines = data.slice(1);
  if (!isMissing(cursor.idx)) return lines.map((values) => values[cursor.idx]);
  return lines.map((values) => values.findLast((value) => value !== null) ?? null);
}

function chartOptions(lines, width, onCursor) {
  const axis = {
    stroke: mutedColor,
    grid: { stroke: lineColor, width: 1 },
    ticks: { stroke: lineColor, width: 1 },
  };
  return {
    width,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { points: { size: 6 }, drag: { x: false, y: false } },
    scales: { y: { range: (_, _min, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [
      { ...axis, size: 30, values: (_, ticks) => ticks.map(clock) },
      { ...axis, size: 56, values: (_, ticks) => ticks.map(text) },
    ],
    series: [
      {},
      ...lines.map((line, index) => ({
        label: line.label,
        stroke: strokeOf(line, index),
        width: 1.75,
        spanGaps: true,
        points: { size: 5, show: (chart, series) => isSparse(chart.data[series]) },
      })),
    ],
    hooks: { setCursor: [onCursor] },
  };
}

/** Adds a card with title, chart and legend. Returns a function that draws new data in it. */
function card(graph) {
  const section = element('section', '', main);
  section.style.setProperty('--columns', graph.width);
  const title = element('h2', graph.title, section);
  element('small', graph.unit, title);
  const container = element('div', '', section);
  const show = legend(graph.lines, section);
  const options = chartOptions(graph.lines, container.clientWidth, (chart) => show(currentValues(chart)));
  const chart = new uPlot(options, [[], ...graph.lines.map(() => [])], container);
  new ResizeObserver(() => chart.setSize({ width: container.clientWidth, height: HEIGHT_PX })).observe(
    container,
  );
  return (atSec, lines) => {
    chart.setData([atSec, ...lines.map(({ values }) => values)]);
    if (isMissing(chart.cursor.idx)) show(currentValues(chart));
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

/** Draws the latest data and shows whether the local run responds. */
async function show() {
  try {
    await refresh();
    state.textContent = 'live';
    state.dataset.live = 'true';
  } catch {
    state.textContent = 'no response; is the local run still running?';
    state.dataset.live = 'false';
  }
}

form.addEventListener('change', () => void show());
for (;;) {
  await show();
  await new Promise((done) => setTimeout(done, REFRESH_MS));
}
