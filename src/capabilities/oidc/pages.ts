import type { AnyOperation } from '../../core/operation.ts';
import { sourcesPages } from '../../faces/pages/console/sources.ts';
import checkPost from './operations/admin/providers/check.post.ts';
import signInWithPost from './pages/sign-in-with.post.ts';
import signedInGet from './pages/signed-in.get.ts';
import signedOutGet from './pages/signed-out.get.ts';

const consolePages = sourcesPages({
  area: 'providers',
  summaries: {
    get: 'Show the identity providers.',
    check: 'Ask each identity provider whether sign-ins there can work.',
  },
  sourcesIn: ({ providerSources }) => providerSources,
  check: (run, found) => run(checkPost, { query: {} }, found),
});

export const PAGES: readonly AnyOperation[] = [signInWithPost, signedInGet, signedOutGet, ...consolePages];
