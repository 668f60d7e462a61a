import { DEFINITION_FIELDS } from '../../../../lambdas/core/domain/definition-fields';
import { JobBody } from '../../../../lambdas/core/http/job';

test('the fields of a definition are those of the schema, in its order', () => {
  const fields = Object.keys(JobBody.shape).filter((name) => name !== 'jobId');
  expect(DEFINITION_FIELDS).toEqual(fields);
});
