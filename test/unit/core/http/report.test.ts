import { FailBody } from '../../../../lambdas/core/http/report';

describe('a report', () => {
  it('is rejected in plain words even if only its schema is loaded', () => {
    const { error } = FailBody.safeParse({ error: 5 });
    expect(error?.issues).toMatchObject([{ path: ['error'], message: 'must be a text, not a number' }]);
  });
});
