import { cursorPage, cursorsOf } from '../../../../../core/domain/cursor.ts';
import { type Group, groupKey, shortNameOf } from '../../../../../core/domain/group.ts';
import { isRefusal, refuse } from '../../../../../core/domain/refusal.ts';
import { userKey } from '../../../../../core/domain/user.ts';
import { adminOperation, answer } from '../../../../../core/operation.ts';
import {
  countedPageShown,
  limitIn,
  MOST_COUNTED,
  pageArguments,
  totalArgument,
  totalOf,
} from '../../../../../core/representations/admin/page.ts';
import { Type } from '../../../../../core/schema.ts';
import type { ReadUnit } from '../../../../../core/storage/store.ts';
import { groupJson, listedGroupShown } from '../../../representations/admin/group.ts';

/** Groups that are read at a time while a part is searched for. */
const AT_ONCE = 1_000;

/** Up to `limit` groups after `after` with this text in name or display name, sorted by key. Case does not count. */
async function groupsWithPart(
  { groups }: Pick<ReadUnit, 'groups'>,
  part: string,
  after: Pick<Group, 'key'> | undefined,
  limit: number,
): Promise<Group[]> {
  const key = userKey(part);
  const found: Group[] = [];
  let last = after;
  for (;;) {
    const read = await groups.page('', last, AT_ONCE);
    found.push(
      ...read.filter((group) => group.key.includes(key) || userKey(group.displayName).includes(key)),
    );
    if (found.length >= limit || read.length < AT_ONCE) return found.slice(0, limit);
    last = read.at(-1);
  }
}

const BOTH = 'prefix and search cannot be together: give one';

const CURSORS = cursorsOf('groups', 'string');

/** Specification, section 16: list the groups. */
export default adminOperation({
  id: 'org/service/repository/admin/groups/groups.get',
  summary: 'List the groups by name.',
  method: 'GET',
  paths: ['/api/admin/groups'],
  role: 'operator',
  input: {
    query: Type.Object({
      ...pageArguments,
      ...totalArgument,
      prefix: Type.Optional(
        Type.String({ description: 'what the short names begin with', examples: ['st'] }),
      ),
      search: Type.Optional(
        Type.String({
          description: 'a part of the short name or of the display name; not together with prefix',
        }),
      ),
    }),
  },
  output: countedPageShown(listedGroupShown, groupJson),
  refusals: ['argument_invalid', 'cursor_invalid'],
  async perform({ input: { query }, store }) {
    const after = CURSORS.read(query.cursor);
    if (isRefusal(after)) return after;
    const limit = limitIn(query);
    const { prefix = '', search = '' } = query;
    if (prefix && search) return refuse('argument_invalid', { detail: BOTH });
    const place = after && { key: after[0] };
    const found = (from: typeof place, most: number) =>
      search
        ? groupsWithPart(store, shortNameOf(search), from, most)
        : store.groups.page(groupKey(prefix), from, most);
    const groups = await found(place, limit + 1);
    const counted = query.total === 'true' ? (await found(undefined, MOST_COUNTED + 1)).length : undefined;
    const page = cursorPage(groups, limit, CURSORS, ({ key }) => [key] as const);
    return answer({ ...page, total: totalOf(counted) });
  },
});
