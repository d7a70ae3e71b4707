import { sourcesPages } from '../../../faces/pages/console/sources.ts';
import checkPost from '../operations/admin/providers/check.post.ts';

/** The page of the console about identity providers. */
export const CONSOLE_PAGES = sourcesPages({
  area: 'providers',
  summaries: {
    get: 'Show the identity providers.',
    check: 'Ask each identity provider whether sign-ins there can work.',
  },
  sourcesIn: ({ providerSources }) => providerSources,
  check: (run, found) => run(checkPost, { query: {} }, found),
});
