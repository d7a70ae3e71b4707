import { sourcesPages } from '../../../faces/pages/console/sources.ts';
import checkPost from '../operations/admin/providers/check.post.ts';

export const CONSOLE_PAGES = sourcesPages({
  area: 'providers',
  summaries: {
    get: 'Show the identity providers.',
    check: 'Ask each identity provider whether sign-ins there can work.',
  },
  sourcesIn: ({ providerSources }) => providerSources,
  check: (run, found) => run(checkPost, { query: {} }, found),
});
