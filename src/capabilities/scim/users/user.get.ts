import { isRefusal } from '../../../core/domain/refusal.ts';
import { answer, operation } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import { SCIM_CALL, type ScimRules } from '../call.ts';
import { resourceShown, selectionIn, shownArguments } from '../shown.ts';
import { findUserById } from './find.ts';
import { userRecords, userResource } from './record.ts';

export const userPath = Type.Object({ id: Type.String({ description: 'The `id` of the user.' }) });

/** RFC 7644 section 3.4.1: show a user. */
export const userGet = ({ provider }: ScimRules) =>
  operation({
    ...SCIM_CALL,
    id: 'org/service/repository/scim/users/user.get',
    summary: 'Show a user.',
    method: 'GET',
    paths: ['/Users/{id}'],
    access: 'read',
    revalidated: true,
    input: { path: userPath, query: Type.Object(shownArguments) },
    output: resourceShown,
    refusals: ['user_not_found'],
    async perform({ input: { path, query }, store, basePath }) {
      const user = await findUserById(store, path.id);
      if (isRefusal(user)) return user;
      const [record] = await userRecords(store, [user], provider, true);
      const resource = userResource(record as NonNullable<typeof record>, basePath);
      return answer({ resource, selection: selectionIn(query) });
    },
  });
