import { ShutdownStack } from '../../../../local/run/shutdown-stack';

test('undoes the last step first, once', async () => {
  const undone: string[] = [];
  const shutdown = new ShutdownStack();
  for (const step of ['data', 'server', 'services'])
    expect(shutdown.add(step, (one) => undone.push(one))).toBe(step);
  await Promise.all([shutdown.run(), shutdown.run()]);
  expect(undone).toEqual(['services', 'server', 'data']);
});

test('undoes all steps even if some fail, then throws the first error', async () => {
  const undone: string[] = [];
  const shutdown = new ShutdownStack();
  for (const step of ['data', 'server', 'services'])
    shutdown.add(step, (one) => {
      undone.push(one);
      if (one !== 'data') throw new Error(`${one} failed`);
    });
  await expect(shutdown.run()).rejects.toThrow('services failed');
  expect(undone).toEqual(['services', 'server', 'data']);
});
