type Api = (method: string, path: string, body?: unknown) => Promise<{ body: { url: string } }>;

/** A job that runs elsewhere pings: it has run, it starts, and it has failed. */
export async function ping(api: Api): Promise<void> {
  const target = { type: 'monitor', pingWithin: '1h' };
  await api('PUT', '/v1/jobs/monitored', { schedule: { type: 'none' }, expectEvery: '2h', target });
  const { url } = (await api('GET', '/v1/jobs/monitored/ping')).body;
  for (const signal of ['', '/start', '/fail']) {
    const { status } = await fetch(url + signal, { method: 'POST', body: 'what it wrote' });
    if (status !== 200) throw new Error(`the ping ${signal} got ${status}`);
  }
}
