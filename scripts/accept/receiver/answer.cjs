'use strict';
// What the jobs of `npm run accept` call. In AWS, this file is the code of a function, at most 4,096
// characters. For a local run, `receive` is served on a port of this machine.

/**
 * How a delivery is answered, by the path: `/200`, `/404`, `/202`; `/flaky` is 503 at the first attempt;
 * `/slow/<ms>` waits. `atMs` is when the request arrived. Returns the arrival as a row.
 */
function receive({ path, headers, atMs }) {
  const attempt = Number(headers['quarterjack-attempt']);
  const [, what, ms] = path.split('/');
  const status = what === 'flaky' ? (attempt === 1 ? 503 : 200) : Number(what) || 200;
  return {
    status,
    waitMs: what === 'slow' ? Number(ms) : 0,
    arrival: {
      jobId: headers['quarterjack-job'],
      execId: headers['quarterjack-execution'],
      attempt,
      fence: Number(headers['quarterjack-fence']),
      dueAtMs: Date.parse(headers['quarterjack-due']),
      atMs,
      callback: headers['quarterjack-callback'],
      token: headers['quarterjack-token'],
    },
  };
}

let documents;
/** Kept only once, so that the client and its connections are made once. */
function table() {
  const { DynamoDBClient } = require('@aws-sdk/client-dynamodb');
  const { DynamoDBDocumentClient, PutCommand } = require('@aws-sdk/lib-dynamodb');
  const options = { marshallOptions: { removeUndefinedValues: true } };
  documents ??= DynamoDBDocumentClient.from(new DynamoDBClient(), options);
  return (Item) => documents.send(new PutCommand({ TableName: process.env.ARRIVALS, Item }));
}

/** The request of a function URL, in payload format 2.0. `timeEpoch` is when it arrived there. */
async function handler({ rawPath, headers, requestContext }) {
  const { status, waitMs, arrival } = receive({ path: rawPath, headers, atMs: requestContext.timeEpoch });
  const arrivalId = requestContext.requestId;
  await table()({ ...arrival, arrivalId });
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  return { statusCode: status, body: 'received' };
}

module.exports = { receive, handler };
