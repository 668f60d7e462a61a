import { openApiDocument } from '../../../../lambdas/core/http/openapi/document';

type Node = Record<string, unknown>;

/** The places of all arrays without `items`, of which clients can know nothing. */
function arraysWithoutItems(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, items } = node as Node;
  const own = [type].flat().includes('array') && items === undefined ? [path] : [];
  return [
    ...own,
    ...Object.entries(node).flatMap(([key, value]) => arraysWithoutItems(value, `${path}/${key}`)),
  ];
}

test('every array of the OpenAPI document says what its items are', () => {
  expect(arraysWithoutItems(openApiDocument(), '#')).toEqual([]);
});
