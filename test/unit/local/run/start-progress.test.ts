import { startProgress } from '../../../../local/run/start-progress';

function terminal(isTTY: boolean) {
  let nowMs = 0;
  const written: string[] = [];
  const output = { isTTY, columns: 80, write: (text: string) => written.push(text) };
  const progress = startProgress(output, () => nowMs);
  return { progress, written, pass: (ms: number) => (nowMs += ms) };
}

test('a terminal has one line with the step and the time', () => {
  const { progress, written, pass } = terminal(true);
  progress.step('loading');
  pass(2_400);
  progress.step('building');
  progress.clear();
  progress.clear();
  expect(written).toEqual(['\r\u001b[2Kloading ... 0 s', '\r\u001b[2Kbuilding ... 2 s', '\r\u001b[2K']);
});

test('the line that main.cjs has written is removed by whatever comes first', () => {
  const { progress, written } = terminal(true);
  progress.clear();
  expect(written).toEqual(['\r\u001b[2K']);
});

test('the line is drawn again while a step lasts', async () => {
  const { progress, written } = terminal(true);
  progress.step('loading');
  await new Promise((done) => setTimeout(done, 600));
  progress.clear();
  expect(written.filter((text) => text.includes('loading')).length).toBeGreaterThan(1);
});

test('elsewhere there is a line for each step', () => {
  const { progress, written } = terminal(false);
  progress.step('loading');
  progress.step('building');
  progress.clear();
  expect(written).toEqual(['loading ...\n', 'building ...\n']);
});
