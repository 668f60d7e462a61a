import { FailBody } from '../../../../lambdas/core/http/report';

describe('a report', () => {
  it('is rejected in English even if only its schema is loaded', () => {
    const { error } = FailBody.safeParse({ error: 5 });
    expect(error?.issues).toMatchObject([
      { path: ['error'], message: 'Invalid input: expected string, received number' },
    ]);
  });
});
