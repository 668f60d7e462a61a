const LINES = [
  { text: 'reading 4,812 orders' },
  { stream: 'stderr', text: 'warning: 3 orders have no customer' },
  { text: '4,809 rows loaded' },
];

/** Claims some work of a queue as two workers. One begins to work and logs; the other has seen the queue. */
export async function workAtQueue(
  url: string,
  headers: Record<string, string>,
  queue: string,
): Promise<void> {
  const post = async (path: string, body: object, token?: string): Promise<unknown> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  for (const worker of ['etl-1/4711', 'etl-2/812']) {
    const { work } = (await post('/v1/work/claim', { queue, worker })) as { work: { token: string }[] };
    for (const { token } of work) await post('/v1/attempts/log', { chunk: 0, lines: LINES }, token);
  }
}
