import { keptText } from '../../../../lambdas/core/domain/target-result';

describe('what is kept of a response', () => {
  it('is 256 bytes of a success and 2 KB of a failure', () => {
    expect(keptText('x'.repeat(5_000), 'ofSuccess')).toHaveLength(256);
    expect(keptText('x'.repeat(5_000), 'ofFailure')).toHaveLength(2_048);
    expect(keptText('ok', 'ofSuccess')).toBe('ok');
  });

  it.each(['text', 'bytes'])('ends before a character that would be cut in half: %s', (form) => {
    const text = `${'x'.repeat(255)}ü`;
    expect(keptText(form === 'text' ? text : Buffer.from(text), 'ofSuccess')).toBe('x'.repeat(255));
  });
});
