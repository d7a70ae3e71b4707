import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '../../../src/operations/all.ts';
import { rendered, whyNoBrowser } from '../../service/chromium.ts';
import { startTestService } from '../../service/start.ts';
import { openMemory } from '../../storage/memory/open.ts';

const why = whyNoBrowser();

test('a browser makes the reference of every operation, under the policy that the page has', {
  skip: why ?? false,
}, async (t) => {
  const { url } = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);
  const page = await rendered(t, `${url}/alfresco/service/reference`);
  const shown = [...page.matchAll(/data-path="([^"]*)"/g)].map(([, path]) => path?.replaceAll('\u200b', ''));
  assert.deepEqual(shown.toSorted(), operations.flatMap(({ paths }) => paths).toSorted());
});
