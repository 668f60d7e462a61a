import { placesOf } from '../../mutants/places';

const SOURCE = `
function end(row: Row): void {
  write(
    row,
    { status: 'failed', at: nowMs },
  );
}
`;
const textsAt = (code: string) => placesOf(code, SOURCE).map(({ from, to }) => SOURCE.slice(from, to));

test('code is found on whichever lines the formatter has put it', () => {
  expect(textsAt("write(row, { status: 'failed', at: nowMs });")).toEqual([
    SOURCE.slice(SOURCE.indexOf('write'), -3),
  ]);
  expect(textsAt('\n  {status:\n  "failed"')).toEqual([]);
  expect(textsAt('at: nowMs, })')).toEqual(['at: nowMs },\n  )']);
});

test('a comma at the end of the code to find is a part of it', () => {
  expect(textsAt('row,')).toEqual(['row,']);
  expect(textsAt('nowMs,')).toEqual([]);
});

test('each occurrence has its place', () => {
  expect(textsAt('row')).toEqual(['row', 'row']);
});
