import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadCases } from '../../../src/tools/conformance/run.ts';
import { temporaryFolder } from '../../service/start.ts';

const request = { ask: 'GET /api/server' };
const answer = { status: 200 };

test('an impossible name of a header or a variable is a fault of the file, with its place', async (t) => {
  const folder = await temporaryFolder(t);
  for (const [exchange, place] of [
    [{ request, answer: { ...answer, headers: { ETag: null } } }, 'answer/headers/ETag'],
    [{ request, answer, capture: { ticket2: { pattern: '(.)' } } }, 'capture/ticket2'],
    [{ request, answer, capture: { tag: { header: 'ETag' } } }, 'capture/tag/header'],
  ] as const) {
    const cases = [{ name: 'own', promise: 'X.', mark: '+', exchanges: [exchange] }];
    writeFileSync(join(folder, 'own.json'), JSON.stringify({ subject: 'Own', section: 'own', cases }));
    assert.throws(
      () => loadCases(folder),
      (error: Error) => error.message.includes(`/cases/0/exchanges/0/${place}: `),
      place,
    );
  }
});
